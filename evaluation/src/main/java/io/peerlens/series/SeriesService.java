package io.peerlens.series;

import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleRow;
import io.peerlens.store.SampleSource;
import io.peerlens.store.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Values of metrics over time.
 *
 * <p>A query reads each stretch of its window from the coarsest level that is exact there, with one
 * statement for each metric group and stretch, and folds rows into cells as they arrive; so what it
 * costs is what has to be read, however many objects and metrics are asked for at once.
 *
 * <p>Thread-safe.
 */
public final class SeriesService {
  private static final long MICROS = 1_000;

  private final SeriesLines store;
  private final Supplier<Coverage> levels;
  private final SampleSource reader;
  private final SeriesSteps steps;
  private final PercentileReads percentiles;

  @Autowired
  SeriesService(
      SeriesStore store, LevelStates levels, SampleReader reader, SeriesProperties properties) {
    this(store, levels::read, reader, properties);
  }

  /**
   * Reads samples of any source.
   *
   * @param levels what the levels hold, asked for at each query
   */
  public SeriesService(
      SeriesLines store,
      Supplier<Coverage> levels,
      SampleSource reader,
      SeriesProperties properties) {
    this.store = store;
    this.levels = levels;
    this.reader = reader;
    this.steps = new SeriesSteps(properties.maxValues());
    this.percentiles = new PercentileReads(reader);
  }

  /**
   * Values over time, on one grid whose steps start at multiples of the step since 1970 UTC; steps
   * of whole days start at midnight of the zone that was asked for.
   *
   * <p>A step finer than what is kept of the start of the window becomes as wide as that. Where a
   * roll-up does not divide the step, its value stands in the step that holds its start.
   *
   * @throws TooManyPointsException when objects x metrics x steps exceed the limit
   */
  public SeriesAnswer query(SeriesRequest request) {
    Coverage coverage = levels.get();
    long step = steps.step(request, coverage);
    Grid grid = SeriesSteps.grid(request, step);
    int count = grid.steps();
    List<SeriesLines.Line> wanted = store.lines(request.objects(), request.metrics());

    int size = Math.multiplyExact(wanted.size(), count);
    Level level = SeriesSteps.levelOf(grid, step);
    List<Segment> plan = coverage.plan(level, grid.from() * MICROS, grid.to() * MICROS);
    Percentile percentile = request.percentile();
    if (request.aggregation() == Aggregation.PERCENTILE && percentile != null) {
      return percentiles(request, percentile, coverage, grid, step, wanted, plan);
    }
    Cells cells = new Cells(request.aggregation(), size);
    Cells least = new Cells(Aggregation.MIN, request.withRange() ? size : 0);
    Cells greatest = new Cells(Aggregation.MAX, request.withRange() ? size : 0);
    Set<Part> parts = EnumSet.copyOf(request.aggregation().parts());
    if (request.withRange()) {
      parts.add(Part.MIN);
      parts.add(Part.MAX);
    }
    for (Reading reading : readings(wanted)) {
      for (Segment segment : plan) {
        reading.read(
            reader,
            segment,
            parts,
            (line, row, index) -> {
              int cell = line * count + grid.of(row.time() / MICROS);
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
      SeriesLines.Line line = wanted.get(i);
      int start = i * count;
      int end = start + count;
      lines.add(
          new SeriesAnswer.Line(
              line.object(),
              line.metric(),
              line.unit(),
              cells.values(start, end),
              request.withRange() ? least.values(start, end) : null,
              request.withRange() ? greatest.values(start, end) : null,
              null));
    }
    return new SeriesAnswer(
        grid.from(), grid.to(), step, SeriesSteps.mainLevel(plan, level), grid.times(), lines);
  }

  private SeriesAnswer percentiles(
      SeriesRequest request,
      Percentile percentile,
      Coverage coverage,
      Grid grid,
      long step,
      List<SeriesLines.Line> wanted,
      List<Segment> ofRange) {
    int count = grid.steps();
    int range = request.withRange() ? Math.multiplyExact(wanted.size(), count) : 0;
    Cells least = new Cells(Aggregation.MIN, range);
    Cells greatest = new Cells(Aggregation.MAX, range);
    if (request.withRange()) {
      for (Reading reading : readings(wanted)) {
        for (Segment segment : ofRange) {
          reading.read(
              reader,
              segment,
              EnumSet.of(Part.MIN, Part.MAX),
              (line, row, index) -> {
                int cell = line * count + grid.of(row.time() / MICROS);
                least.add(cell, row, index);
                greatest.add(cell, row, index);
              });
        }
      }
    }
    Level level = SeriesSteps.levelOf(grid, step);
    long[] edges = Arrays.stream(grid.edges()).map(edge -> edge * MICROS).toArray();
    List<Segment> plan =
        PercentileReads.exact(coverage, level, grid.from() * MICROS, grid.to() * MICROS);
    PercentileReads.Answer read =
        percentiles.read(
            wanted.stream()
                .map(one -> new PercentileReads.Place(one.groupId(), one.setId(), one.position()))
                .toList(),
            edges,
            List.of(percentile),
            coverage,
            plan);
    List<SeriesAnswer.Line> lines = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      SeriesLines.Line line = wanted.get(i);
      int start = i * count;
      lines.add(
          new SeriesAnswer.Line(
              line.object(),
              line.metric(),
              line.unit(),
              Arrays.copyOfRange(read.values()[0], start, start + count),
              request.withRange() ? least.values(start, start + count) : null,
              request.withRange() ? greatest.values(start, start + count) : null,
              read.origins().get(i)));
    }
    return new SeriesAnswer(
        grid.from(), grid.to(), step, SeriesSteps.mainLevel(plan, level), grid.times(), lines);
  }

  /** Receiver of a value for a line of the answer. */
  @FunctionalInterface
  private interface LineHandler {
    void value(int line, SampleRow row, int index);
  }

  /** Input of one statement: some positions of the sets of one group. */
  private record Reading(SetSlots slots, int[] positions, int[][] lines) {

    void read(SampleSource reader, Segment segment, Set<Part> parts, LineHandler handler) {
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

  private static List<Reading> readings(List<SeriesLines.Line> wanted) {
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
        SeriesLines.Line one = wanted.get(line);
        table[slots.of(one.setId())][Arrays.binarySearch(positionList, one.position())] = line;
      }
      readings.add(new Reading(slots, positionList, table));
    }
    return readings;
  }

  private static int[] ints(Collection<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
