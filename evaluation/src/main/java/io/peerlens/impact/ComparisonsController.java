package io.peerlens.impact;

import io.peerlens.api.ComparisonsApi;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonPeriod;
import io.peerlens.api.model.ComparisonRequest;
import io.peerlens.api.model.Goal;
import io.peerlens.api.model.GoalList;
import io.peerlens.api.model.GoalMetric;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.RecordedChange;
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

  private static final Duration SHORTEST = Duration.ofMinutes(30);
  private static final Duration LONGEST = Duration.ofDays(31);

  /** As in the contract; a body may say null. */
  private static final double RELATIVE = 0.03;

  private final Comparisons comparisons;
  private final ComparisonQueries queries;
  private final ChangeQueries changes;
  private final Goals goals;
  private final InstantSource clock;

  ComparisonsController(
      Comparisons comparisons,
      ComparisonQueries queries,
      ChangeQueries changes,
      Goals goals,
      InstantSource clock) {
    this.comparisons = comparisons;
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
            asked(
                a,
                b,
                request.getGoal(),
                request.getKeys(),
                zone(request.getZone(), ApiException::invalidField),
                Objects.requireNonNullElse(request.getMinimumChange(), RELATIVE),
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
    RecordedChange recorded = change.getRecorded();
    Instant until =
        recorded == null || recorded.getUntil() == null ? change.getTime() : recorded.getUntil();
    Instant start = ceil(until.plusMillis(1));
    Duration lengthAfter = length("after", after);
    if (start.plus(SHORTEST).isAfter(clock.instant())) {
      throw ApiException.invalidParameter(
              "after", "the change was at " + until + ", less than 35 minutes ago")
          .hint("Ask again when there are at least 30 minutes of values after it.");
    }
    List<ObjectRef> objects = List.of(change.getObject());
    Instant end = floor(change.getTime());
    ComparisonSide a =
        new ComparisonSide(objects, ceil(end.minus(length("before", before))), end, false);
    ComparisonSide b = cut(objects, start, start.plus(lengthAfter));
    String wantedGoal = goal != null || recorded == null ? goal : recorded.getGoal();
    List<String> wantedKeys =
        keys != null || goal != null || recorded == null ? keys : recorded.getMetrics();
    Comparison answer =
        comparisons.compare(
            asked(
                a,
                b,
                wantedGoal,
                wantedKeys,
                zone(zone, ApiException::invalidParameter),
                RELATIVE,
                id,
                ApiException::invalidParameter));
    return ResponseEntity.ok(answer.change(change));
  }

  /** Blames a field of the body, or a parameter. */
  @FunctionalInterface
  private interface Blame {
    ApiException of(String what, String reason);
  }

  private Comparisons.Asked asked(
      ComparisonSide a,
      ComparisonSide b,
      @Nullable String goal,
      @Nullable List<String> keys,
      ZoneId zone,
      double relative,
      long change,
      Blame blame) {
    if (keys == null || keys.isEmpty()) {
      String id = goal == null ? Goals.USUAL : goal;
      Goal found = goals.get(id, blame.of("goal", "there is no goal \"" + id + "\""));
      return new Comparisons.Asked(a, b, found, found.getMetrics(), zone, relative, change);
    }
    List<GoalMetric> metrics =
        new LinkedHashSet<>(keys)
            .stream().map(key -> new GoalMetric(List.of(key), goals.direction(key), 1.0)).toList();
    return new Comparisons.Asked(a, b, null, metrics, zone, relative, change);
  }

  private ComparisonSide side(String name, ComparisonPeriod period) {
    Instant from = floor(Moments.field(name + ".from", period.getFrom()));
    Instant to = ceil(Moments.field(name + ".to", period.getTo()));
    Duration length = Duration.between(from, to);
    if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
      throw ApiException.invalidField(
              name + ".to",
              "the period from " + from + " to " + to + " is not 30 minutes to 31 days long")
          .hint("Give periods of 30 minutes to 31 days.");
    }
    if (from.plus(SHORTEST).isAfter(clock.instant())) {
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
    return cut(wanted.stream().map(id -> Objects.requireNonNull(found.get(id))).toList(), from, to);
  }

  /** A period that ends now at the latest. */
  private ComparisonSide cut(List<ObjectRef> objects, Instant from, Instant to) {
    Instant now = floor(clock.instant());
    return to.isAfter(now)
        ? new ComparisonSide(objects, from, now, true)
        : new ComparisonSide(objects, from, to, false);
  }

  private static Duration length(String name, String text) {
    Duration length = Durations.parse(text);
    if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
      throw ApiException.invalidParameter(name, text + " is not 30 minutes to 31 days")
          .hint("Give 30m to 31d, such as 7d.");
    }
    return length;
  }

  private static ZoneId zone(@Nullable String name, Blame blame) {
    try {
      return ZoneId.of(name == null ? "UTC" : name);
    } catch (DateTimeException e) {
      throw blame
          .of("zone", "there is no time zone \"" + name + "\"")
          .hint("Give one as Europe/Berlin or UTC.");
    }
  }

  private static Instant floor(Instant moment) {
    long step = ComparisonSide.STEP.toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(moment.toEpochMilli(), step) * step);
  }

  private static Instant ceil(Instant moment) {
    long step = ComparisonSide.STEP.toMillis();
    return Instant.ofEpochMilli(Math.ceilDiv(moment.toEpochMilli(), step) * step);
  }
}
