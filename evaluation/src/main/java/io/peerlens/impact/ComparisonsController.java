package io.peerlens.impact;

import io.peerlens.api.ComparisonsApi;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonPeriod;
import io.peerlens.api.model.ComparisonRequest;
import io.peerlens.api.model.GoalList;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.Moments;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ComparisonsController implements ComparisonsApi {

  private final Comparisons comparisons;
  private final ChangeImpacts impacts;
  private final ComparisonQueries queries;
  private final ChangeQueries changes;
  private final Goals goals;
  private final InstantSource clock;

  ComparisonsController(
      Comparisons comparisons,
      ChangeImpacts impacts,
      ComparisonQueries queries,
      ChangeQueries changes,
      Goals goals,
      InstantSource clock) {
    this.comparisons = comparisons;
    this.impacts = impacts;
    this.queries = queries;
    this.changes = changes;
    this.goals = goals;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<GoalList> listGoals() {
    return ResponseEntity.ok(new GoalList(goals.all()));
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<Comparison> comparePeriods(ComparisonRequest request) {
    ComparisonSide a = side("a", request.getA());
    ComparisonSide b = side("b", request.getB());
    if (a.from().isBefore(b.to())
        && b.from().isBefore(a.to())
        && !Collections.disjoint(a.ids(), b.ids())) {
      throw ApiException.invalidField("b", "overlaps a, of the same object")
          .hint("Give periods that do not overlap, or different objects.");
    }
    return ResponseEntity.ok(
        comparisons.compare(
            goals.asked(
                a,
                b,
                request.getGoal(),
                request.getKeys(),
                zone(request.getZone(), ApiException::invalidField),
                Objects.requireNonNullElse(request.getMinimumChange(), Goals.RELATIVE),
                0,
                ApiException::invalidField)));
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<Comparison> getChangeImpact(
      Long id,
      String before,
      String after,
      @Nullable String goal,
      @Nullable List<String> keys,
      String zone) {
    Change change = changes.get(id).orElseThrow(() -> ApiException.notFound("change", id));
    return ResponseEntity.ok(
        impacts.of(
            change,
            length("before", before),
            length("after", after),
            goal,
            keys,
            zone(zone, ApiException::invalidParameter),
            clock.instant()));
  }

  private ComparisonSide side(String name, ComparisonPeriod period) {
    Instant from = ComparisonSide.floor(Moments.field(name + ".from", period.getFrom()));
    Instant to = ComparisonSide.ceil(Moments.field(name + ".to", period.getTo()));
    Duration length = Duration.between(from, to);
    if (length.compareTo(ComparisonSide.SHORTEST) < 0
        || length.compareTo(ComparisonSide.LONGEST) > 0) {
      throw ApiException.invalidField(
              name + ".to",
              "the period from " + from + " to " + to + " is not 30 minutes to 31 days long")
          .hint("Give periods of 30 minutes to 31 days.");
    }
    if (from.plus(ComparisonSide.SHORTEST).isAfter(clock.instant())) {
      throw ApiException.invalidField(
              name + ".from", from + " is not at least 30 minutes in the past")
          .hint("Give a period of which at least 30 minutes are over.");
    }
    List<UUID> wanted = List.copyOf(new LinkedHashSet<>(period.getObjects()));
    Map<UUID, ObjectRef> found = queries.objects(wanted);
    for (UUID id : wanted) {
      if (!found.containsKey(id)) {
        throw ApiException.notFound("object", id);
      }
    }
    List<ObjectRef> objects =
        wanted.stream().map(id -> Objects.requireNonNull(found.get(id))).toList();
    return ComparisonSide.until(clock.instant(), objects, from, to);
  }

  private static Duration length(String name, String text) {
    Duration length = Durations.parse(text);
    if (length.compareTo(ComparisonSide.SHORTEST) < 0
        || length.compareTo(ComparisonSide.LONGEST) > 0) {
      throw ApiException.invalidParameter(name, text + " is not 30 minutes to 31 days")
          .hint("Give 30m to 31d, such as 7d.");
    }
    return length;
  }

  private static ZoneId zone(@Nullable String name, Goals.Blame blame) {
    try {
      return ZoneId.of(name == null ? "UTC" : name);
    } catch (DateTimeException e) {
      throw blame
          .of("zone", "there is no time zone \"" + name + "\"")
          .hint("Give one as Europe/Berlin or UTC.");
    }
  }
}
