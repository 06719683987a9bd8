package io.peerlens.outlier.result;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.OutlierMembersApi;
import io.peerlens.api.model.OutlierException;
import io.peerlens.api.model.OutlierExceptionEdit;
import io.peerlens.api.model.OutlierMemberPage;
import io.peerlens.api.model.OutlierMemberSort;
import io.peerlens.api.model.OutlierMemberState;
import io.peerlens.api.model.OutlierMembershipPage;
import io.peerlens.outlier.event.ExceptionStore;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupService;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import io.peerlens.web.Paging;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class OutlierMembersController implements OutlierMembersApi {

  private final OutlierGroupService groups;
  private final OutlierMembers members;
  private final OutlierMemberQueries queries;
  private final ExceptionStore exceptions;
  private final OutlierGroupAnswers answers;
  private final InstantSource clock;

  OutlierMembersController(
      OutlierGroupService groups,
      OutlierMembers members,
      OutlierMemberQueries queries,
      ExceptionStore exceptions,
      OutlierGroupAnswers answers,
      InstantSource clock) {
    this.groups = groups;
    this.members = members;
    this.queries = queries;
    this.exceptions = exceptions;
    this.answers = answers;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<OutlierMemberPage> listOutlierMembers(
      UUID id,
      @Nullable String q,
      @Nullable List<OutlierMemberState> state,
      @Nullable OutlierMemberSort sort,
      Integer limit,
      @Nullable String cursor) {
    OutlierGroup group = groups.get(id).rule();
    return ResponseEntity.ok(
        members.page(
            group,
            answers.threshold(group),
            new OutlierMembers.Filter(
                Paging.words(q),
                Paging.list(state),
                requireNonNullElse(sort, OutlierMemberSort.STATE),
                id.toString()),
            limit,
            cursor));
  }

  @Override
  public ResponseEntity<OutlierMembershipPage> listOutlierMembership(
      UUID id, @Nullable String from, @Nullable String to, Integer limit, @Nullable String cursor) {
    OutlierMembershipPage page =
        queries.membership(
            id,
            from == null ? null : Moments.parameter("from", from),
            to == null ? null : Moments.parameter("to", to),
            limit,
            cursor);
    if (page.getTotal() == 0) {
      groups.history(id, 1, null); // 404 if there never was such a group
    }
    return ResponseEntity.ok(page);
  }

  @Override
  public ResponseEntity<OutlierException> markOutlierMember(UUID id, OutlierExceptionEdit wanted) {
    OutlierGroup group = groups.get(id).rule();
    Instant now = clock.instant();
    Instant until = wanted.getUntil() == null ? null : Moments.field("until", wanted.getUntil());
    if (until != null && !until.isAfter(now)) {
      throw ApiException.invalidField("until", "is not in the future")
          .hint("Leave it out if the member is different for good.");
    }
    String reason =
        wanted.getReason() == null || wanted.getReason().isBlank()
            ? null
            : ScopeReader.storable("reason", wanted.getReason());
    String by = Caller.current().name();
    return ResponseEntity.ok(
        new OutlierException(
            exceptions.mark(group, wanted.getObject(), until, reason, by, now),
            until,
            reason,
            by,
            now));
  }

  @Override
  public ResponseEntity<Void> unmarkOutlierMember(UUID id, UUID object) {
    groups.get(id);
    exceptions.unmark(id, object, Caller.current().name(), clock.instant());
    return ResponseEntity.noContent().build();
  }
}
