package io.peerlens.slow.api;

import io.peerlens.api.WhySlowApi;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.SlowAlert;
import io.peerlens.api.model.WhySlow;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.slow.api.SlowQueries.Found;
import io.peerlens.slow.api.SlowQueries.FoundAlert;
import io.peerlens.slow.api.WhySlows.Explained;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class WhySlowController implements WhySlowApi {

  /** So long after its first sample an alert's trouble fills the window. */
  private static final Duration INTO_ALERT = Duration.ofMinutes(10);

  private static final Duration CHANGES = Duration.ofHours(24);
  private static final int MOST_CHANGES = 50;

  private final WhySlows slows;
  private final SlowQueries queries;
  private final ObjectLookup lookup;
  private final ChangeQueries changes;
  private final InstantSource clock;

  WhySlowController(
      WhySlows slows,
      SlowQueries queries,
      ObjectLookup lookup,
      ChangeQueries changes,
      InstantSource clock) {
    this.slows = slows;
    this.queries = queries;
    this.lookup = lookup;
    this.changes = changes;
    this.clock = clock;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<WhySlow> explainSlowness(
      @Nullable UUID object, @Nullable UUID alert, @Nullable String at) {
    if ((object == null) == (alert == null)) {
      throw ApiException.invalidParameter(
              object == null ? "object" : "alert",
              object == null
                  ? "name an object or an alert"
                  : "name an object or an alert, not both")
          .hint("Ask with ?object=ID or with ?alert=ID.");
    }
    FoundAlert from =
        alert == null
            ? null
            : queries.alert(alert).orElseThrow(() -> ApiException.notFound("alert", alert));
    UUID about = from == null ? Objects.requireNonNull(object) : from.object();
    Found asked = queries.object(about).orElseThrow(() -> ApiException.notFound("object", about));
    if (!WhySlows.isKnown(asked.kind())) {
      throw ApiException.invalidParameter(
              alert == null ? "object" : "alert",
              "%s is a %s".formatted(asked.name(), asked.kind().objectKind()))
          .hint("Ask about a virtual machine, a host, a cluster or a datastore of vSphere.");
    }
    Instant now = clock.instant();
    Instant moment =
        at != null
            ? Moments.parameter("at", at)
            : from == null ? now : from.since().plus(INTO_ALERT);
    moment = moment.isAfter(now) ? now : moment;
    Explained explained = slows.explain(asked, moment);
    Set<Integer> named = SlowAnswers.objects(explained);
    named.add(asked.id());
    Map<Integer, ObjectRef> objects = lookup.references(named);
    ObjectRef ref = objects.get(asked.id());
    if (ref == null) {
      throw ApiException.notFound("object", about);
    }
    return ResponseEntity.ok(
        new SlowAnswers(explained, objects)
            .answer(
                ref,
                from == null
                    ? null
                    : new SlowAlert(from.id(), from.number(), from.title(), from.since()),
                moment,
                changes(explained, objects, moment)));
  }

  private List<Change> changes(Explained explained, Map<Integer, ObjectRef> objects, Instant at) {
    Place place = explained.place();
    if (place == null) {
      return List.of();
    }
    List<UUID> path =
        place.path().stream()
            .map(objects::get)
            .filter(Objects::nonNull)
            .map(ObjectRef::getId)
            .toList();
    return path.isEmpty()
        ? List.of()
        : changes.of(path, at.minus(CHANGES), at.plusMillis(1), MOST_CHANGES).getItems();
  }
}
