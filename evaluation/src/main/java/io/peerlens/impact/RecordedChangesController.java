package io.peerlens.impact;

import io.peerlens.api.RecordedChangesApi;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangeRecord;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class RecordedChangesController implements RecordedChangesApi {

  private final RecordedChangeStore store;
  private final ChangeQueries changes;
  private final Goals goals;
  private final InstantSource clock;

  RecordedChangesController(
      RecordedChangeStore store, ChangeQueries changes, Goals goals, InstantSource clock) {
    this.store = store;
    this.changes = changes;
    this.goals = goals;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<Change> recordChange(ChangeRecord wanted) {
    Instant now = clock.instant();
    Instant time = wanted.getTime() == null ? now : Moments.field("time", wanted.getTime());
    Instant until = wanted.getUntil() == null ? null : Moments.field("until", wanted.getUntil());
    if (time.isAfter(now)) {
      throw ApiException.invalidField("time", time + " is in the future")
          .hint("Record a change once it was made; use maintenance windows for planned ones.");
    }
    if (until != null && until.isBefore(time)) {
      throw ApiException.invalidField("until", until + " is before time (" + time + ")");
    }
    String goal = wanted.getGoal();
    if (goal != null) {
      goals.get(goal, ApiException.invalidField("goal", "there is no goal \"" + goal + "\""));
    }
    String author = Caller.current().name();
    String externalId = wanted.getExternalId();
    text("externalId", externalId);
    String sort = Objects.requireNonNullElse(wanted.getSort(), "change");
    List<String> metrics = Objects.requireNonNullElse(wanted.getMetrics(), List.of());
    text("title", wanted.getTitle());
    text("sort", sort);
    text("note", wanted.getNote());
    for (int i = 0; i < metrics.size(); i++) {
      text("metrics[" + i + "]", metrics.get(i));
    }
    RecordedChangeStore.New change =
        new RecordedChangeStore.New(
            wanted.getObject(),
            time,
            until,
            wanted.getTitle(),
            sort,
            author,
            wanted.getNote(),
            goal,
            metrics,
            externalId);
    if (externalId != null) {
      OptionalLong known = store.find(author, externalId);
      if (known.isPresent()) {
        return known(known.getAsLong());
      }
    }
    long id;
    try {
      id =
          store
              .insert(change)
              .orElseThrow(() -> ApiException.notFound("object", wanted.getObject()));
    } catch (DuplicateKeyException e) {
      return known(store.find(author, Objects.requireNonNull(externalId)).orElseThrow(() -> e));
    }
    return ResponseEntity.created(URI.create("/api/v1/changes/" + id))
        .body(changes.get(id).orElseThrow());
  }

  /** What was recorded first stays as it is. */
  private ResponseEntity<Change> known(long id) {
    return ResponseEntity.ok()
        .location(URI.create("/api/v1/changes/" + id))
        .body(changes.get(id).orElseThrow());
  }

  private static void text(String field, @Nullable String text) {
    if (text != null) {
      if (text.isBlank()) {
        throw ApiException.invalidField(field, "is blank");
      }
      ScopeReader.storable(field, text);
    }
  }

  @Override
  public ResponseEntity<Void> deleteChange(Long id) {
    if (!store.delete(id)) {
      if (changes.get(id).isEmpty()) {
        throw ApiException.notFound("change", id);
      }
      throw ApiException.of(
              ErrorCode.CONFLICT, "Change " + id + " was shown by a collector, not recorded.")
          .hint("Only recorded changes can be deleted; others go by their age.");
    }
    return ResponseEntity.noContent().build();
  }
}
