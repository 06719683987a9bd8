package io.peerlens.series;

import io.peerlens.series.SeriesStore.Group;
import io.peerlens.series.SeriesStore.NamedObject;
import io.peerlens.series.SeriesStore.RankedSet;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.Segment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ranking of the objects of a kind by a metric. Thread-safe. */
final class TopObjects {

  private static final int SPARKLINE_POINTS = 60;
  private static final Duration WEEK = Duration.ofDays(7);

  private final SeriesStore store;
  private final LevelStates levels;
  private final SampleReader reader;
  private final SeriesService series;
  private final PercentileReads percentiles;

  TopObjects(SeriesStore store, LevelStates levels, SampleReader reader, SeriesService series) {
    this.store = store;
    this.levels = levels;
    this.reader = reader;
    this.series = series;
    this.percentiles = new PercentileReads(reader);
  }

  /**
   * Ranks the objects of a kind. Equal values are ranked by name.
   *
   * @throws AmbiguousKindException when the kind's name alone does not say which kind is meant
   */
  TopAnswer top(TopRequest request) {
    Coverage coverage = levels.read();
    List<Group> groups = groupsOfKind(request);
    String metric = request.metric().metric();
    Map<Integer, List<Integer>> groupsByPosition = new HashMap<>();
    for (Group group : groups) {
      groupsByPosition
          .computeIfAbsent(group.positions().get(metric), position -> new ArrayList<>())
          .add(group.id());
    }
    Map<Integer, List<RankedSet>> sets = new HashMap<>();
    groupsByPosition.forEach(
        (position, groupIds) ->
            sets.put(
                position,
                store.sets(
                    groupIds, request.metric().instance(), request.parent(), request.ancestor())));
    List<Segment> plan =
        coverage.plan(Level.ONE_HOUR, Level.micros(request.from()), Level.micros(request.to()));

    List<Ranked> ranked = new ArrayList<>();
    sets.forEach(
        (position, of) ->
            ranked.addAll(
                values(request, of, position, coverage, plan, request.from(), request.to())));
    List<Ranked> best = best(ranked, request);
    Duration length = Duration.between(request.from(), request.to());
    Map<Integer, Double> before =
        request.before() ? earlier(request, length, coverage, sets, best) : Map.of();
    Map<Integer, Double> weekAgo =
        request.weekAgo() ? earlier(request, WEEK, coverage, sets, best) : Map.of();

    String unit = groups.isEmpty() ? null : groups.getFirst().unit(metric);
    SeriesAnswer lines = request.sparkline() ? sparklines(request, best) : null;
    Map<UUID, double[]> sparklines = new HashMap<>();
    if (lines != null) {
      lines.lines().forEach(line -> sparklines.put(line.object(), line.values()));
    }
    List<TopAnswer.Entry> entries = new ArrayList<>();
    for (Ranked one : best) {
      NamedObject object = one.object();
      entries.add(
          new TopAnswer.Entry(
              entries.size() + 1,
              object.uuid(),
              object.adapterKind(),
              object.objectKind(),
              object.name(),
              one.value(),
              one.mean(),
              one.peak(),
              before.getOrDefault(one.objectId(), Double.NaN),
              weekAgo.getOrDefault(one.objectId(), Double.NaN),
              sparklines.get(object.uuid()),
              one.origin()));
    }
    return new TopAnswer(
        unit,
        SeriesSteps.mainLevel(plan, Level.RAW),
        ranked.size(),
        total(ranked),
        lines == null ? null : lines.times(),
        origin(ranked),
        entries);
  }

  private static double total(List<Ranked> ranked) {
    double total = 0;
    for (Ranked one : ranked) {
      total += one.value() < 0 ? Double.NaN : one.value();
    }
    return total;
  }

  private static @Nullable PercentileOrigin origin(List<Ranked> ranked) {
    PercentileOrigin worst = null;
    for (Ranked one : ranked) {
      if (one.origin() != null) {
        worst = worst == null ? one.origin() : worst.worse(one.origin());
      }
    }
    return worst;
  }

  /** What some objects had in the window so much earlier. */
  private Map<Integer, Double> earlier(
      TopRequest request,
      Duration earlier,
      Coverage coverage,
      Map<Integer, List<RankedSet>> sets,
      List<Ranked> best) {
    Set<Integer> objects = new HashSet<>();
    best.forEach(one -> objects.add(one.objectId()));
    Instant from = request.from().minus(earlier);
    Instant to = request.to().minus(earlier);
    List<Segment> plan = coverage.plan(Level.ONE_HOUR, Level.micros(from), Level.micros(to));
    Map<Integer, Double> values = new HashMap<>();
    sets.forEach(
        (position, all) -> {
          List<RankedSet> ofBest =
              all.stream().filter(set -> objects.contains(set.objectId())).toList();
          for (Ranked one : values(request, ofBest, position, coverage, plan, from, to)) {
            values.put(one.objectId(), one.value());
          }
        });
    return values;
  }

  private record Ranked(
      int objectId,
      double value,
      double mean,
      double peak,
      @Nullable PercentileOrigin origin,
      @Nullable NamedObject named) {

    Ranked named(@Nullable NamedObject object) {
      return new Ranked(objectId, value, mean, peak, origin, object);
    }

    NamedObject object() {
      if (named == null) {
        throw new IllegalStateException("The object has no name yet");
      }
      return named;
    }
  }

  private List<Group> groupsOfKind(TopRequest request) {
    List<Group> groups =
        store.groups(List.of(request.metric())).stream()
            .filter(group -> group.holds(request.metric()))
            .filter(group -> group.objectKind().equalsIgnoreCase(request.objectKind()))
            .filter(
                group ->
                    request.adapterKind() == null
                        || group.adapterKind().equalsIgnoreCase(request.adapterKind()))
            .toList();
    List<String> adapterKinds =
        groups.stream().map(Group::adapterKind).distinct().sorted().toList();
    if (adapterKinds.size() > 1) {
      throw new AmbiguousKindException(request.objectKind(), adapterKinds);
    }
    return groups;
  }

  private List<Ranked> values(
      TopRequest request,
      List<RankedSet> sets,
      int position,
      Coverage coverage,
      List<Segment> plan,
      Instant from,
      Instant to) {
    SetSlots slots = new SetSlots(sets.stream().mapToInt(RankedSet::setId).sorted().toArray());
    Percentile percentile = request.percentile();
    boolean plain = percentile == null || request.aggregation() != Aggregation.PERCENTILE;
    Aggregation aggregation = plain ? request.aggregation() : Aggregation.AVG;
    Cells cells = new Cells(aggregation, sets.size());
    Cells means = new Cells(Aggregation.AVG, sets.size());
    Cells peaks = new Cells(Aggregation.MAX, sets.size());
    Set<Part> parts = EnumSet.copyOf(aggregation.parts());
    parts.addAll(Aggregation.AVG.parts());
    parts.addAll(Aggregation.MAX.parts());
    for (Segment segment : plan) {
      reader.read(
          segment.level(),
          slots.setIds(),
          new int[] {position},
          parts,
          segment.from(),
          segment.to(),
          row -> {
            int slot = slots.of(row.setId());
            cells.add(slot, row, 0);
            means.add(slot, row, 0);
            peaks.add(slot, row, 0);
          });
    }
    double[] values = cells.values(0, sets.size());
    Map<Integer, PercentileOrigin> origins = Map.of();
    if (!plain && percentile != null) {
      long[] window = {Level.micros(from), Level.micros(to)};
      PercentileReads.Answer read =
          percentiles.read(
              Arrays.stream(slots.setIds())
                  .mapToObj(set -> new PercentileReads.Place(0, set, position))
                  .toList(),
              window,
              List.of(percentile),
              coverage,
              PercentileReads.exact(coverage, Level.ONE_HOUR, window[0], window[1]));
      values = read.values()[0];
      origins = read.origins();
    }
    double[] ofMeans = means.values(0, sets.size());
    double[] ofPeaks = peaks.values(0, sets.size());
    List<Ranked> ranked = new ArrayList<>();
    for (RankedSet set : sets) {
      int slot = slots.of(set.setId());
      if (!Double.isNaN(values[slot])) {
        ranked.add(
            new Ranked(
                set.objectId(),
                values[slot],
                ofMeans[slot],
                ofPeaks[slot],
                origins.get(slot),
                null));
      }
    }
    return ranked;
  }

  /** The first ones with their names; of those that tie for the last place, the first by name. */
  private List<Ranked> best(List<Ranked> ranked, TopRequest request) {
    int direction = request.descending() ? -1 : 1;
    List<Ranked> byValue = new ArrayList<>(ranked);
    byValue.sort((a, b) -> direction * Double.compare(a.value(), b.value()));
    int candidates = Math.min(request.limit(), byValue.size());
    while (candidates > 0
        && candidates < byValue.size()
        && byValue.get(candidates).value() == byValue.get(candidates - 1).value()) {
      candidates++;
    }
    List<Ranked> first = byValue.subList(0, candidates);
    Map<Integer, NamedObject> names = store.objects(first.stream().map(Ranked::objectId).toList());
    return first.stream()
        .map(one -> one.named(names.get(one.objectId())))
        .filter(one -> one.named() != null) // deleted since
        .sorted(
            (a, b) -> {
              int byWorth = direction * Double.compare(a.value(), b.value());
              return byWorth != 0 ? byWorth : a.object().name().compareTo(b.object().name());
            })
        .limit(request.limit())
        .toList();
  }

  private @Nullable SeriesAnswer sparklines(TopRequest request, List<Ranked> best) {
    if (best.isEmpty()) {
      return null;
    }
    return series.query(
        new SeriesRequest(
            best.stream().map(one -> one.object().uuid()).toList(),
            List.of(request.metric()),
            request.from(),
            request.to(),
            null,
            request.aggregation(),
            SPARKLINE_POINTS,
            false,
            null,
            request.percentile()));
  }
}
