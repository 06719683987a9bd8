package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.frame.MetricSets.Sets;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleRow;
import io.peerlens.store.Segment;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Means over buckets of many objects at once: one query for each group of metrics and stretch of
 * time, whoever asks. Means are as precise as a float, so that what is kept as floats is what was
 * read. Thread-safe.
 */
public final class Means {

  private static final Set<SampleReader.Part> COUNTED = Set.of(SampleReader.Part.COUNT);

  /** So many sets are read one by one rather than all of their group. */
  private static final int FEW = 500;

  private final Frames frames;
  private final SampleReader reader;
  private final LevelStates levels;

  public Means(Frames frames, SampleReader reader, LevelStates levels) {
    this.frames = frames;
    this.reader = reader;
    this.levels = levels;
  }

  /**
   * Question for means: keys and objects.
   *
   * @param keys metric keys; one that does not exist has no values
   * @param objects internal ids of objects of the kind
   */
  public record Wanted(ObjectKind kind, List<String> keys, int[] objects) {}

  /**
   * Reads buckets that follow one another.
   *
   * @param from start of the first, a multiple of the width
   * @return for each who asks {@code [key][bucket][object]}; NaN = no value in the bucket
   */
  public List<double[][][]> read(List<Wanted> wanted, Instant from, int buckets, Duration width) {
    Frames.Known known = frames.known();
    long begin = Level.micros(from);
    long step = width.toMillis() * 1000;
    List<Cells> cells = new ArrayList<>();
    Map<Integer, Need> needs = new HashMap<>();
    for (Wanted one : wanted) {
      for (String key : one.keys()) {
        Cells of = new Cells(buckets, one.objects().length);
        cells.add(of);
        for (Keyed keyed : Keyed.find(one.kind(), key, false, known)) {
          Group group = keyed.group();
          String instance = keyed.instance();
          if (group != null && instance != null) {
            needs
                .computeIfAbsent(group.id(), id -> new Need(group, known.inventory().graph()))
                .add(one, keyed.position(), instance, of);
          }
        }
      }
    }
    Coverage coverage = levels.read();
    List<Segment> plan = coverage.plan(coarsest(step), begin, begin + buckets * step);
    needs.values().forEach(need -> need.read(known, plan, begin, step));
    List<double[][][]> read = new ArrayList<>();
    int next = 0;
    for (Wanted one : wanted) {
      double[][][] values = new double[one.keys().size()][][];
      for (int m = 0; m < values.length; m++) {
        values[m] = cells.get(next++).means();
      }
      read.add(values);
    }
    return read;
  }

  /** The coarsest level whose buckets fill a bucket exactly. */
  private static Level coarsest(long step) {
    Level coarsest = Level.RAW;
    for (Level level : Level.values()) {
      if (level != Level.RAW && step % level.widthMicros() == 0) {
        coarsest = level;
      }
    }
    return coarsest;
  }

  /** Sums on the way to means. */
  private static final class Cells {
    final int objects;
    final double[][] sums;
    final int[][] counts;

    Cells(int buckets, int objects) {
      this.objects = objects;
      sums = new double[buckets][objects];
      counts = new int[buckets][objects];
    }

    void add(int bucket, int object, double sum, int count) {
      sums[bucket][object] += sum;
      counts[bucket][object] += count;
    }

    double[][] means() {
      for (int b = 0; b < sums.length; b++) {
        for (int i = 0; i < objects; i++) {
          sums[b][i] = counts[b][i] == 0 ? Double.NaN : (float) (sums[b][i] / counts[b][i]);
        }
      }
      return sums;
    }
  }

  /** Destination of the values of one metric of a group. */
  private record Target(int position, String instance, Cells cells) {}

  /** Need of one group of metrics, and where each value goes. */
  private final class Need {
    private final Group group;
    private final ObjectGraph graph;
    private final List<Target> targets = new ArrayList<>();
    private final TreeSet<Integer> positions = new TreeSet<>();
    private final Set<String> instances = new HashSet<>();

    // A list for each object: which target, and which place in it.
    private final int[] first;
    private int[] target = new int[64];
    private int[] place = new int[64];
    private int[] next = new int[64];
    private int count;

    Need(Group group, ObjectGraph graph) {
      this.group = group;
      this.graph = graph;
      first = new int[graph.count(group.kind())];
      Arrays.fill(first, -1);
    }

    void add(Wanted wanted, int position, String instance, Cells cells) {
      positions.add(position);
      instances.add(instance);
      targets.add(new Target(position, instance, cells));
      for (int i = 0; i < wanted.objects().length; i++) {
        int number = graph.number(group.kind(), wanted.objects()[i]);
        if (number >= 0) {
          if (count == target.length) {
            target = Arrays.copyOf(target, count * 2);
            place = Arrays.copyOf(place, count * 2);
            next = Arrays.copyOf(next, count * 2);
          }
          target[count] = targets.size() - 1;
          place[count] = i;
          next[count] = first[number];
          first[number] = count++;
        }
      }
    }

    void read(Frames.Known known, List<Segment> plan, long begin, long step) {
      Sets sets = known.sets().sets(group, instances);
      int[] columns = positions.stream().mapToInt(Integer::intValue).toArray();
      int[] columnOf = new int[targets.size()];
      for (int t = 0; t < columnOf.length; t++) {
        columnOf[t] = Arrays.binarySearch(columns, targets.get(t).position());
      }
      int[] wanted = new int[sets.ids().length];
      int some = 0;
      for (int s = 0; s < wanted.length; s++) {
        int object = sets.objects()[s];
        if (object >= 0 && first[object] >= 0) {
          wanted[some++] = sets.ids()[s];
        }
      }
      int @Nullable [] few =
          some > FEW && some * 4L > sets.ids().length ? null : Arrays.copyOf(wanted, some);
      for (Segment segment : plan) {
        SampleReader.RowHandler handler =
            row -> tell(row, sets, columnOf, segment.level(), begin, step);
        if (few == null) {
          reader.readGroup(
              segment.level(),
              group.id(),
              instances,
              columns,
              COUNTED,
              segment.from(),
              segment.to(),
              handler);
        } else {
          reader.read(
              segment.level(), few, columns, COUNTED, segment.from(), segment.to(), handler);
        }
      }
    }

    /** A row that is wider than buckets counts in each of those that it covers. */
    private void tell(
        SampleRow row, Sets sets, int[] columnOf, Level level, long begin, long step) {
      int at = sets.place(row.setId());
      if (at < 0 || sets.objects()[at] < 0) {
        return; // a set that was made just now
      }
      long end = row.time() + Math.max(1, level.widthMicros());
      int from = (int) Math.max(0, Math.floorDiv(row.time() - begin, step));
      for (int node = first[sets.objects()[at]]; node >= 0; node = next[node]) {
        Target to = targets.get(target[node]);
        int column = columnOf[target[node]];
        double mean = row.avg(column);
        if (Double.isNaN(mean) || !to.instance().equals(sets.instances()[at])) {
          continue;
        }
        int values = row.count(column);
        for (int b = from; b < to.cells().sums.length && begin + b * step < end; b++) {
          to.cells().add(b, place[node], mean * values, values);
        }
      }
    }
  }
}
