package io.peerlens.inventory;

import io.peerlens.api.ChangesApi;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangeKind;
import io.peerlens.api.model.ChangePage;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ChangesController implements ChangesApi {

  private static final Duration DEFAULT_WINDOW = Duration.ofHours(24);

  private final ChangeQueries changes;
  private final InstantSource clock;

  ChangesController(ChangeQueries changes, InstantSource clock) {
    this.changes = changes;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<ChangePage> listChanges(
      @Nullable String from,
      @Nullable String to,
      @Nullable UUID object,
      @Nullable List<ChangeKind> kind,
      Integer limit,
      @Nullable String cursor) {
    return list(from, to, object, false, kind, limit, cursor);
  }

  /**
   * Lists changes.
   *
   * @param moves whether what came to the object and what left it counts as well
   */
  ResponseEntity<ChangePage> list(
      @Nullable String from,
      @Nullable String to,
      @Nullable UUID object,
      boolean moves,
      @Nullable List<ChangeKind> kind,
      Integer limit,
      @Nullable String cursor) {
    Instant end = to == null ? clock.instant() : Moments.parameter("to", to);
    Instant begin = from == null ? end.minus(DEFAULT_WINDOW) : Moments.parameter("from", from);
    if (!begin.isBefore(end)) {
      throw ApiException.invalidParameter("from", begin + " is not before to (" + end + ")");
    }
    List<ChangeKind> kinds = kind == null ? List.of() : kind;
    String scope = "changes " + from + " " + to + " " + object + " " + moves + " " + kinds;
    return ResponseEntity.ok(changes.find(scope, begin, end, object, moves, kinds, limit, cursor));
  }

  @Override
  public ResponseEntity<Change> getChange(Long id) {
    return ResponseEntity.ok(
        changes.get(id).orElseThrow(() -> ApiException.notFound("change", id)));
  }
}
