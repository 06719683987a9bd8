package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.series.SeriesStore.Group;
import io.peerlens.series.SeriesStore.NamedObject;
import io.peerlens.series.SeriesStore.RankedSet;
import io.peerlens.series.SeriesStore.SetOfObject;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Newest;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.Segment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the values of metrics were.
 *
 * <p>A query reads each stretch of its window from the coarsest level that is exact there, with one
 * statement for each metric group and stretch, and folds rows into cells as they arrive; so what it
 * costs is what has to be read, however many objects and metrics are asked for at once.
 *
 * <p>Thread-safe.
 */
public final class SeriesService {
  private static final long MICROS = 1_000;
  private static final long FINEST_AUTOMATIC_STEP = 20_000;
  private static final int SPARKLINE_POINTS = 60;
  private static final Duration WEEK = Duration.ofDays(7);

  private final SeriesStore store;
  private final LevelStates levels;
  private final SampleReader reader;
  private final int maxValues;

  SeriesService(
      SeriesStore store, LevelStates levels, SampleReader reader, SeriesProperties properties) {
    this.store = store;
    this.levels = levels;
    this.reader = reader;
    this.maxValues = properties.maxValues();
  }

  /**
   * Values over time, on one grid whose steps begin at multiples of the step since 1970 UTC; steps
   * of whole days begin at midnight of the zone that was asked for.
   *
   * <p>A step finer than what is kept of the begin of the window becomes as wide as that. Where a
   * roll-up does not divide the step, its value stands in the step that holds its begin.
   *
   * @throws TooManyPointsException when objects x metrics x steps exceed the limit
   */
  public SeriesAnswer query(SeriesRequest request) {
    Coverage coverage = levels.read();
    long step = step(request, coverage);
    Grid grid = grid(request, step);
    int steps = grid.steps();
    List<Wanted> wanted = wanted(request.objects(), request.metrics());

    int size = Math.multiplyExact(wanted.size(), steps);
    Cells cells = new Cells(request.aggregation(), size);
    Cells least = new Cells(Aggregation.MIN, request.withRange() ? size : 0);
    Cells greatest = new Cells(Aggregation.MAX, request.withRange() ? size : 0);
    Set<Part> parts = EnumSet.copyOf(request.aggregation().parts());
    if (request.withRange()) {
      parts.add(Part.MIN);
      parts.add(Part.MAX);
    }
    Level level = levelOf(grid, step);
    List<Segment> plan = coverage.plan(level, grid.from() * MICROS, grid.to() * MICROS);
    for (Reading reading : readings(wanted)) {
      for (Segment segment : plan) {
        reading.read(
            reader,
            segment,
            parts,
            (line, row, index) -> {
              int cell = line * steps + grid.of(row.time() / MICROS);
              cells.add(cell, row, index);
              if (request.withRange()) {
                least.add(cell, row, index);
                greatest.add(cell, row, index);
              }
            });
      }
    }

    List<SeriesAnswer.Line> lines = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Wanted line = wanted.get(i);
      int begin = i * steps;
      int end = begin + steps;
      lines.add(
          new SeriesAnswer.Line(
              line.object(),
              line.metric(),
              line.unit(),
              cells.values(begin, end),
              request.withRange() ? least.values(begin, end) : null,
              request.withRange() ? greatest.values(begin, end) : null));
    }
    return new SeriesAnswer(
        grid.from(), grid.to(), step, mainLevel(plan, level), grid.times(), lines);
  }

  /**
   * The newest value of each pair that has one not older than {@code maxAge}, in the order of the
   * request.
   */
  public List<LatestValue> latest(
      List<UUID> objects, List<MetricKey> metrics, Duration maxAge, Instant now) {
    List<Wanted> wanted = wanted(objects, metrics);
    int[] sets = new int[wanted.size()];
    int[] positions = new int[wanted.size()];
    for (int i = 0; i < wanted.size(); i++) {
      sets[i] = wanted.get(i).setId();
      positions[i] = wanted.get(i).position();
    }
    Newest newest = reader.newest(sets, positions, Level.micros(now.minus(maxAge)));
    List<LatestValue> result = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      if (!Double.isNaN(newest.values()[i])) {
        Wanted line = wanted.get(i);
        result.add(
            new LatestValue(
                line.object(),
                line.metric(),
                line.unit(),
                Math.floorDiv(newest.times()[i], MICROS),
                newest.values()[i]));
      }
    }
    return result;
  }

  /**
   * Ranks the objects of a kind. Equal values are ranked by name.
   *
   * @throws AmbiguousKindException when the kind's name alone does not say which kind is meant
   */
  public TopAnswer top(TopRequest request) {
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
        coverage.plan(Level.ONE_HOUR, micros(request.from()), micros(request.to()));

    List<Ranked> ranked = new ArrayList<>();
    sets.forEach(
        (position, of) -> ranked.addAll(values(request.aggregation(), of, position, plan)));
    List<Ranked> best = best(ranked, request);
    Duration length = Duration.between(request.from(), request.to());
    Map<Integer, Double> before =
        request.before() ? earlier(request, length, coverage, sets, best) : Map.of();
    Map<Integer, Double> weekAgo =
        request.weekAgo() ? earlier(request, WEEK, coverage, sets, best) : Map.of();

    String unit = groups.isEmpty() ? null : unit(groups.getFirst(), metric);
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
              sparklines.get(object.uuid())));
    }
    return new TopAnswer(
        unit,
        mainLevel(plan, Level.RAW),
        ranked.size(),
        total(ranked),
        lines == null ? null : lines.times(),
        entries);
  }

  private static double total(List<Ranked> ranked) {
    double total = 0;
    for (Ranked one : ranked) {
      total += one.value() < 0 ? Double.NaN : one.value();
    }
    return total;
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
    List<Segment> plan =
        coverage.plan(
            Level.ONE_HOUR,
            micros(request.from().minus(earlier)),
            micros(request.to().minus(earlier)));
    Map<Integer, Double> values = new HashMap<>();
    sets.forEach(
        (position, all) -> {
          List<RankedSet> ofBest =
              all.stream().filter(set -> objects.contains(set.objectId())).toList();
          for (Ranked one : values(request.aggregation(), ofBest, position, plan)) {
            values.put(one.objectId(), one.value());
          }
        });
    return values;
  }

  private static long micros(Instant moment) {
    return Level.micros(moment);
  }

  // ---- what is wanted, and from where ---------------------------------------------------------

  /** A line of the answer: where its values are stored. */
  private record Wanted(
      UUID object, MetricKey metric, @Nullable String unit, int groupId, int setId, int position) {}

  private List<Wanted> wanted(List<UUID> objects, List<MetricKey> metrics) {
    Map<Integer, Group> groups = new HashMap<>();
    Set<String> instances = new HashSet<>();
    for (Group group : store.groups(metrics)) {
      if (metrics.stream().anyMatch(key -> holds(group, key))) {
        groups.put(group.id(), group);
      }
    }
    metrics.forEach(key -> instances.add(key.instance()));
    if (groups.isEmpty()) {
      return List.of();
    }
    Map<UUID, List<SetOfObject>> setsByObject = new HashMap<>();
    for (SetOfObject set : store.sets(objects, groups.keySet(), instances)) {
      setsByObject.computeIfAbsent(set.object(), object -> new ArrayList<>()).add(set);
    }
    List<Wanted> wanted = new ArrayList<>();
    for (UUID object : new LinkedHashSet<>(objects)) {
      List<SetOfObject> sets = setsByObject.getOrDefault(object, List.of());
      for (MetricKey key : new LinkedHashSet<>(metrics)) {
        for (SetOfObject set : sets) {
          Group group = groups.get(set.groupId());
          if (group != null && holds(group, key) && set.instance().equals(key.instance())) {
            wanted.add(
                new Wanted(
                    object,
                    key,
                    unit(group, key.metric()),
                    group.id(),
                    set.setId(),
                    position(group, key.metric())));
          }
        }
      }
    }
    return wanted;
  }

  private static boolean holds(Group group, MetricKey key) {
    return group.name().equals(key.group()) && group.positions().containsKey(key.metric());
  }

  private static int position(Group group, String metric) {
    Integer position = group.positions().get(metric);
    return position == null ? -1 : position;
  }

  private static @Nullable String unit(Group group, String metric) {
    int position = position(group, metric);
    return position >= 0 && position < group.units().size() ? group.units().get(position) : null;
  }

  /** Takes a value into a line of the answer. */
  @FunctionalInterface
  private interface LineHandler {
    void value(int line, io.peerlens.store.SampleRow row, int index);
  }

  /** What one statement reads: some positions of the sets of one group. */
  private record Reading(SetSlots slots, int[] positions, int[][] lines) {

    void read(SampleReader reader, Segment segment, Set<Part> parts, LineHandler handler) {
      reader.read(
          segment.level(),
          slots.setIds(),
          positions,
          parts,
          segment.from(),
          segment.to(),
          row -> {
            int[] linesOfSet = lines[slots.of(row.setId())];
            for (int i = 0; i < linesOfSet.length; i++) {
              if (linesOfSet[i] >= 0) {
                handler.value(linesOfSet[i], row, i);
              }
            }
          });
    }
  }

  private static List<Reading> readings(List<Wanted> wanted) {
    Map<Integer, List<Integer>> linesByGroup = new LinkedHashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      linesByGroup.computeIfAbsent(wanted.get(i).groupId(), group -> new ArrayList<>()).add(i);
    }
    List<Reading> readings = new ArrayList<>();
    for (List<Integer> lines : linesByGroup.values()) {
      Set<Integer> sets = new TreeSet<>();
      Set<Integer> positions = new TreeSet<>();
      for (int line : lines) {
        sets.add(wanted.get(line).setId());
        positions.add(wanted.get(line).position());
      }
      SetSlots slots = new SetSlots(ints(sets));
      int[] positionList = ints(positions);
      int[][] table = new int[sets.size()][positionList.length];
      for (int[] row : table) {
        Arrays.fill(row, -1);
      }
      for (int line : lines) {
        Wanted one = wanted.get(line);
        table[slots.of(one.setId())][Arrays.binarySearch(positionList, one.position())] = line;
      }
      readings.add(new Reading(slots, positionList, table));
    }
    return readings;
  }

  // ---- steps and levels -----------------------------------------------------------------------

  private long step(SeriesRequest request, Coverage coverage) {
    long from = request.from().toEpochMilli();
    long to = request.to().toEpochMilli();
    long pairs =
        (long) request.objects().size() * request.metrics().size() * (request.withRange() ? 3 : 1);
    long fitting = Math.max(1, maxValues / pairs);
    if (request.step() == null) {
      long step =
          Step.fitting(
              from,
              to,
              FINEST_AUTOMATIC_STEP,
              finestKept(coverage, request.from()),
              Math.min(request.maxPoints(), fitting));
      check(request, step, pairs);
      return step;
    }
    long kept = finestKept(coverage, request.from());
    long step = request.step().toMillis();
    step = step < kept ? kept : step;
    check(request, step, pairs);
    return step;
  }

  private static Grid grid(SeriesRequest request, long step) {
    long from = request.from().toEpochMilli();
    long to = request.to().toEpochMilli();
    return request.zone() != null && step % Step.DAY == 0
        ? Grid.days(from, to, Math.toIntExact(step / Step.DAY), request.zone())
        : Grid.even(from, to, step);
  }

  private void check(SeriesRequest request, long step, long pairs) {
    long from = request.from().toEpochMilli();
    long to = request.to().toEpochMilli();
    long steps = Step.count(from, to, step);
    if (steps <= maxValues / pairs) {
      return;
    }
    OptionalLong enough = Step.usual(from, to, maxValues / pairs);
    throw new TooManyPointsException(
        "%,d objects x %,d metrics x %,d steps%s are %,d values; the limit is %,d."
            .formatted(
                request.objects().size(),
                request.metrics().size(),
                steps,
                request.withRange() ? " x 3 (value, least, greatest)" : "",
                Math.multiplyExact(pairs, steps),
                maxValues),
        Step.text(step) + " is too fine for this window",
        enough.isPresent()
            ? "Use a step of at least %s, or fewer objects."
                .formatted(Step.text(enough.getAsLong()))
            : "Ask for fewer objects, fewer metrics or a shorter window.");
  }

  /** Width in milliseconds of the finest level that reaches back so far; 1 for raw samples. */
  private static long finestKept(Coverage coverage, Instant from) {
    for (Level level : Level.values()) {
      if (coverage.isKept(level, Level.micros(from))) {
        return Math.max(1, level.width().toMillis());
      }
    }
    return Level.ONE_HOUR.width().toMillis();
  }

  /** The coarsest level whose buckets fill the steps exactly. */
  private static Level levelOf(Grid grid, long stepMillis) {
    Level coarsest = Level.RAW;
    for (Level level : Level.values()) {
      long width = level.width().toMillis();
      if (level != Level.RAW && stepMillis % width == 0 && grid.fits(width)) {
        coarsest = level;
      }
    }
    return coarsest;
  }

  private static Level mainLevel(Collection<Segment> plan, Level otherwise) {
    Map<Level, Long> lengths = new EnumMap<>(Level.class);
    for (Segment segment : plan) {
      lengths.merge(segment.level(), segment.to() - segment.from(), Long::sum);
    }
    return lengths.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(otherwise);
  }

  // ---- ranking --------------------------------------------------------------------------------

  private record Ranked(
      int objectId, double value, double mean, double peak, @Nullable NamedObject named) {
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
            .filter(group -> holds(group, request.metric()))
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
      Aggregation aggregation, List<RankedSet> sets, int position, List<Segment> plan) {
    SetSlots slots = new SetSlots(sets.stream().mapToInt(RankedSet::setId).sorted().toArray());
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
    double[] ofMeans = means.values(0, sets.size());
    double[] ofPeaks = peaks.values(0, sets.size());
    List<Ranked> ranked = new ArrayList<>();
    for (RankedSet set : sets) {
      int slot = slots.of(set.setId());
      if (!Double.isNaN(values[slot])) {
        ranked.add(new Ranked(set.objectId(), values[slot], ofMeans[slot], ofPeaks[slot], null));
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
        .map(
            one ->
                new Ranked(
                    one.objectId(), one.value(), one.mean(), one.peak(), names.get(one.objectId())))
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
    return query(
        new SeriesRequest(
            best.stream().map(one -> one.object().uuid()).toList(),
            List.of(request.metric()),
            request.from(),
            request.to(),
            null,
            request.aggregation(),
            SPARKLINE_POINTS,
            false));
  }

  private static int[] ints(Collection<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
