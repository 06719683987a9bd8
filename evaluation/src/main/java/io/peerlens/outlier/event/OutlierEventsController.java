package io.peerlens.outlier.event;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.OutlierEventsApi;
import io.peerlens.api.model.AlertActionResult;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventAction;
import io.peerlens.api.model.OutlierEventActionRequest;
import io.peerlens.api.model.OutlierEventDetails;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.OutlierEventSort;
import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.OutlierEventStepPage;
import io.peerlens.api.model.Severity;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import io.peerlens.web.Paging;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class OutlierEventsController implements OutlierEventsApi {

  private final OutlierEventQueries queries;
  private final OutlierEventActionStore actions;
  private final ApartStore apart;
  private final InstantSource clock;

  OutlierEventsController(
      OutlierEventQueries queries,
      OutlierEventActionStore actions,
      ApartStore apart,
      InstantSource clock) {
    this.queries = queries;
    this.actions = actions;
    this.apart = apart;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<OutlierEventPage> listOutlierEvents(
      @Nullable List<OutlierEventStatus> status,
      @Nullable Boolean archived,
      @Nullable List<Severity> severity,
      @Nullable List<UUID> group,
      @Nullable List<UUID> object,
      @Nullable UUID ancestor,
      @Nullable String q,
      @Nullable String from,
      @Nullable String to,
      @Nullable OutlierEventSort sort,
      Integer limit,
      @Nullable String cursor) {
    OutlierEventFilter filter =
        new OutlierEventFilter(
            Paging.list(status),
            archived,
            Paging.list(severity),
            Paging.list(group),
            Paging.list(object),
            ancestor,
            Paging.words(q),
            from == null ? null : Moments.parameter("from", from),
            to == null ? null : Moments.parameter("to", to));
    return ResponseEntity.ok(
        queries.find(
            filter, requireNonNullElse(sort, OutlierEventSort.OPENED_AT_DESC), limit, cursor));
  }

  @Override
  public ResponseEntity<OutlierEventDetails> getOutlierEvent(UUID id) {
    OutlierEvent event = event(id);
    Apart.Found found = apart.of(id);
    return ResponseEntity.ok(
        new OutlierEventDetails(
            event, found.apart(), found.equal(), found.changes(), found.otherMetrics()));
  }

  @Override
  public ResponseEntity<OutlierEventStepPage> listOutlierEventHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    event(id);
    return ResponseEntity.ok(queries.history(id, limit, cursor));
  }

  private OutlierEvent event(UUID id) {
    return queries
        .one(id)
        .orElseThrow(
            () ->
                ApiException.notFound("outlier event", id)
                    .hint("GET /api/v1/outlier-events lists those that there were."));
  }

  @Override
  public ResponseEntity<AlertActionResult> actOnOutlierEvents(OutlierEventActionRequest request) {
    String note = request.getNote();
    if (request.getAction() == OutlierEventAction.NOTE && note == null) {
      throw ApiException.invalidField("note", "is missing").hint("Give the text of the note.");
    }
    if (note != null && note.isBlank()) {
      throw ApiException.invalidField("note", "is blank");
    }
    return ResponseEntity.ok(
        new AlertActionResult(
            actions.act(
                request.getIds(),
                request.getAction(),
                note == null ? null : ScopeReader.storable("note", note),
                Caller.current().name(),
                clock.instant())));
  }
}
