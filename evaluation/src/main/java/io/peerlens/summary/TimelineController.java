package io.peerlens.summary;

import io.peerlens.api.TimelineApi;
import io.peerlens.api.model.Timeline;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class TimelineController implements TimelineApi {

  private static final Duration DEFAULT = Duration.ofHours(24);

  private final TimelineQueries queries;
  private final ChangeQueries changes;
  private final InstantSource clock;

  TimelineController(TimelineQueries queries, ChangeQueries changes, InstantSource clock) {
    this.queries = queries;
    this.changes = changes;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<Timeline> getTimeline(
      @Nullable String from,
      @Nullable String to,
      @Nullable UUID ancestor,
      Integer limit,
      Integer newestChanges) {
    Instant until = to == null ? clock.instant() : Moments.parameter("to", to);
    Instant since = from == null ? until.minus(DEFAULT) : Moments.parameter("from", from);
    if (!since.isBefore(until)) {
      throw ApiException.invalidParameter("from", "is not before to");
    }
    Timeline timeline = queries.between(since, until, ancestor, limit);
    if (newestChanges > 0) {
      timeline.setChanges(changes.newest(since, until, newestChanges));
    }
    return ResponseEntity.ok(timeline);
  }
}
