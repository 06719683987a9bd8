package io.peerlens.series;

import io.peerlens.series.PercentileOrigin.From;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleRow;
import io.peerlens.store.SampleSource;
import io.peerlens.store.Segment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reader of percentiles of many series over the steps of a grid. Thread-safe.
 *
 * <p>They are exact where raw samples are kept. Beyond, they come from the sketches of hours, and
 * from means where there is no sketch: in hours of before there were sketches, in those that were
 * filled in later, in steps shorter than an hour, and in the parts of hours at the ends of a
 * window. {@link PercentileOrigin} says which.
 *
 * <p>Series and steps are read some at a time, so that no more than {@link #VALUES} values and
 * {@link #SKETCHES} sketches are held at once, however much is asked for.
 */
final class PercentileReads {

  /** How many values are held at once; 40 MB. */
  static final int VALUES = 2_000_000;

  /** How many sketches are held at once; mostly 2 kB each, at most 32 kB. */
  static final int SKETCHES = 5_000;

  private static final int CELLS = 200_000;
  private static final long USUAL_INTERVAL = 20_000_000;
  private static final Set<Part> PARTS =
      EnumSet.of(Part.AVG, Part.COUNT, Part.MIN, Part.MAX, Part.SKETCH);

  private final SampleSource reader;
  private final int mostValues;

  PercentileReads(SampleSource reader) {
    this(reader, VALUES);
  }

  /**
   * @param mostValues how many values are held at once
   */
  PercentileReads(SampleSource reader, int mostValues) {
    this.reader = reader;
    this.mostValues = mostValues;
  }

  /** Where the values of a series are stored. */
  record Place(int group, int set, int position) {}

  /**
   * The stretches of a window, so that raw samples are read where they are kept.
   *
   * @param preferred the coarsest level that fills the steps where there are no raw samples
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  static List<Segment> exact(Coverage coverage, Level preferred, long from, long to) {
    long raw = Math.clamp(coverage.keptFrom(Level.RAW), from, to);
    List<Segment> plan = new ArrayList<>(coverage.plan(preferred, from, raw));
    if (raw < to) {
      plan.add(new Segment(Level.RAW, raw, to));
    }
    return plan;
  }

  /**
   * The stretches of a window, so that sketches are read where there are whole hours, and the rest
   * as in {@link #exact}.
   *
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  static List<Segment> quick(Coverage coverage, long from, long to) {
    long begin = Level.ONE_HOUR.ceil(from);
    long end = Math.min(Level.ONE_HOUR.floor(to), coverage.rolledUntil(Level.ONE_HOUR));
    if (begin >= end) {
      return exact(coverage, Level.FIVE_MINUTES, from, to);
    }
    List<Segment> plan = new ArrayList<>(exact(coverage, Level.FIVE_MINUTES, from, begin));
    plan.addAll(coverage.plan(Level.ONE_HOUR, begin, end));
    plan.addAll(exact(coverage, Level.FIVE_MINUTES, end, to));
    return plan;
  }

  /**
   * Percentiles by series and step.
   *
   * @param values by percentile, then by series and step: {@code line * steps + step}; NaN = none
   * @param counts number of values of each cell
   * @param origins of each line; absent = it has no values
   */
  record Answer(double[][] values, long[] counts, Map<Integer, PercentileOrigin> origins) {}

  /** Steps: the begin of each and the end of the last, in microseconds since 1970. */
  private record Steps(long[] edges) {
    int of(long micros) {
      int at = Arrays.binarySearch(edges, micros);
      return at >= 0 ? at : -at - 2;
    }

    int count() {
      return edges.length - 1;
    }
  }

  /** A rectangle of lines and steps that is read at once. */
  private record Piece(int[] lines, int firstStep, int endStep) {
    int steps() {
      return endStep - firstStep;
    }
  }

  /**
   * Reads percentiles.
   *
   * @param edges begin of each step and end of the last, in microseconds since 1970
   * @param plan stretches that make up the whole of it
   */
  Answer read(
      List<Place> places,
      long[] edges,
      List<Percentile> percentiles,
      Coverage coverage,
      List<Segment> plan) {
    Steps steps = new Steps(edges);
    int cells = Math.multiplyExact(places.size(), steps.count());
    double[][] values = new double[percentiles.size()][cells];
    for (double[] of : values) {
      Arrays.fill(of, Double.NaN);
    }
    long[] counts = new long[cells];
    long[] ofMeans = new long[places.size()];
    From[] worst = new From[places.size()];
    Arrays.fill(worst, From.RAW);
    Deque<Piece> pieces = new ArrayDeque<>(pieces(places.size(), steps, plan));
    while (!pieces.isEmpty()) {
      Piece piece = pieces.removeFirst();
      int size = piece.lines().length * piece.steps();
      PercentileCells into = new PercentileCells(size, mostValues);
      try {
        read(places, piece, steps, coverage, plan, into);
      } catch (PercentileCells.FullException e) {
        halves(piece).forEach(pieces::addFirst);
        continue;
      }
      into.finish(
          percentiles,
          (cell, count, means, from, found) -> {
            int line = piece.lines()[cell / piece.steps()];
            int at = line * steps.count() + piece.firstStep() + cell % piece.steps();
            for (int p = 0; p < found.length; p++) {
              values[p][at] = found[p];
            }
            counts[at] = count;
            ofMeans[line] += means;
            worst[line] = from.compareTo(worst[line]) > 0 ? from : worst[line];
          });
    }
    Map<Integer, PercentileOrigin> origins = new HashMap<>();
    for (int line = 0; line < places.size(); line++) {
      long count = 0;
      for (int step = 0; step < steps.count(); step++) {
        count += counts[line * steps.count() + step];
      }
      if (count > 0) {
        origins.put(line, new PercentileOrigin(worst[line], (double) ofMeans[line] / count));
      }
    }
    return new Answer(values, counts, origins);
  }

  // -------------------------------------------------------------------------------------- pieces

  private List<Piece> pieces(int lines, Steps steps, List<Segment> plan) {
    if (lines == 0) {
      return List.of();
    }
    boolean sketches = plan.stream().anyMatch(one -> one.level() == Level.ONE_HOUR);
    int mostCells = sketches ? SKETCHES : CELLS;
    // Of raw samples every 20 s, which is usual; where there are more, a piece is halved.
    long perLine = 0;
    for (Segment one : plan) {
      perLine +=
          one.level() == Level.ONE_HOUR
              ? 0
              : (one.to() - one.from()) / Math.max(USUAL_INTERVAL, one.level().widthMicros());
    }
    long perStep = Math.max(1, perLine / steps.count());
    int linesAtOnce = (int) Math.clamp(mostValues / perStep, 1, Math.min(lines, mostCells));
    List<Piece> pieces = new ArrayList<>();
    for (int line = 0; line < lines; line += linesAtOnce) {
      int end = Math.min(lines, line + linesAtOnce);
      int[] some = new int[end - line];
      for (int i = 0; i < some.length; i++) {
        some[i] = line + i;
      }
      int stepsAtOnce =
          (int)
              Math.clamp(
                  Math.min(mostCells / some.length, mostValues / (perStep * some.length)),
                  1,
                  steps.count());
      for (int step = 0; step < steps.count(); step += stepsAtOnce) {
        pieces.add(new Piece(some, step, Math.min(steps.count(), step + stepsAtOnce)));
      }
    }
    return pieces;
  }

  private static List<Piece> halves(Piece piece) {
    if (piece.steps() > 1) {
      int middle = piece.firstStep() + piece.steps() / 2;
      return List.of(
          new Piece(piece.lines(), piece.firstStep(), middle),
          new Piece(piece.lines(), middle, piece.endStep()));
    }
    int[] lines = piece.lines();
    int middle = lines.length / 2;
    return List.of(
        new Piece(Arrays.copyOf(lines, middle), piece.firstStep(), piece.endStep()),
        new Piece(
            Arrays.copyOfRange(lines, middle, lines.length), piece.firstStep(), piece.endStep()));
  }

  // --------------------------------------------------------------------------------------- reading

  private void read(
      List<Place> places,
      Piece piece,
      Steps steps,
      Coverage coverage,
      List<Segment> plan,
      PercentileCells into) {
    long from = steps.edges()[piece.firstStep()];
    long to = steps.edges()[piece.endStep()];
    for (Statement statement : statements(places, piece.lines())) {
      for (Segment segment : plan) {
        long begin = Math.max(from, segment.from());
        long end = Math.min(to, segment.to());
        if (begin >= end) {
          continue;
        }
        Segment part = new Segment(segment.level(), begin, end);
        CellHandler taking =
            (line, row, index, bucket) -> {
              // A bucket that reaches over an edge belongs to the step that holds its start.
              int step = Math.clamp(steps.of(row.time()), piece.firstStep(), piece.endStep() - 1);
              int cell = line * piece.steps() + step - piece.firstStep();
              if (bucket) {
                into.addBucket(cell, row, index);
              } else {
                into.addRaw(cell, row, index);
              }
            };
        if (part.level() == Level.ONE_HOUR) {
          readHours(statement, part, coverage, taking);
        } else {
          boolean bucket = part.level() != Level.RAW;
          statement.read(reader, part, (line, row, index) -> taking.take(line, row, index, bucket));
        }
      }
    }
  }

  @FunctionalInterface
  private interface CellHandler {
    void take(int line, SampleRow row, int index, boolean bucket);
  }

  /** Reads hours, and what is finer in place of those that should have a sketch and have none. */
  private void readHours(
      Statement statement, Segment hours, Coverage coverage, CellHandler taking) {
    long width = Level.ONE_HOUR.widthMicros();
    long first = Level.ONE_HOUR.floor(hours.from());
    int count = Math.toIntExact(Math.ceilDiv(hours.to() - first, width));
    long finer = coverage.keptFrom(Level.FIVE_MINUTES);
    BitSet lacking = new BitSet();
    BitSet lackingHours = new BitSet(count);
    statement.read(
        reader,
        hours,
        (line, row, index) -> {
          if (row.count(index) > 0
              && row.sketch(index) == null
              && !PercentileCells.isEven(row, index)
              && row.time() >= finer) {
            int hour = (int) ((row.time() - first) / width);
            lacking.set(line * count + hour);
            lackingHours.set(hour);
          } else {
            taking.take(line, row, index, true);
          }
        });
    if (lacking.isEmpty()) {
      return;
    }
    long from = first + lackingHours.nextSetBit(0) * width;
    long to = first + lackingHours.length() * width;
    for (Segment part : exact(coverage, Level.FIVE_MINUTES, from, to)) {
      boolean bucket = part.level() != Level.RAW;
      statement.read(
          reader,
          part,
          (line, row, index) -> {
            int hour = (int) ((row.time() - first) / width);
            if (lacking.get(line * count + hour)) {
              taking.take(line, row, index, bucket);
            }
          });
    }
  }

  /** Receiver of a value for a line of a piece. */
  @FunctionalInterface
  private interface LineHandler {
    void value(int line, SampleRow row, int index);
  }

  /** Input of one statement: some positions of the sets of one group. */
  private record Statement(SetSlots slots, int[] positions, int[][] lines) {

    void read(SampleSource reader, Segment segment, LineHandler handler) {
      reader.read(
          segment.level(),
          slots.setIds(),
          positions,
          PARTS,
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

  /** Lines count from 0 within the piece. */
  private static List<Statement> statements(List<Place> places, int[] lines) {
    Map<Integer, List<Integer>> byGroup = new LinkedHashMap<>();
    for (int i = 0; i < lines.length; i++) {
      byGroup.computeIfAbsent(places.get(lines[i]).group(), group -> new ArrayList<>()).add(i);
    }
    List<Statement> statements = new ArrayList<>();
    for (List<Integer> some : byGroup.values()) {
      TreeSet<Integer> sets = new TreeSet<>();
      TreeSet<Integer> positions = new TreeSet<>();
      for (int i : some) {
        sets.add(places.get(lines[i]).set());
        positions.add(places.get(lines[i]).position());
      }
      SetSlots slots = new SetSlots(sets.stream().mapToInt(Integer::intValue).toArray());
      int[] positionList = positions.stream().mapToInt(Integer::intValue).toArray();
      int[][] table = new int[sets.size()][positionList.length];
      for (int[] row : table) {
        Arrays.fill(row, -1);
      }
      for (int i : some) {
        Place place = places.get(lines[i]);
        table[slots.of(place.set())][Arrays.binarySearch(positionList, place.position())] = i;
      }
      statements.add(new Statement(slots, positionList, table));
    }
    return statements;
  }
}
