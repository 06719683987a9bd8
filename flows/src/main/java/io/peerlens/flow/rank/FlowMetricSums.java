package io.peerlens.flow.rank;

import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums of traffic by object for flow metrics, in one bucket of time: exact, added up before
 * anything is folded. An object is what has the address at an end, and the host that it runs on;
 * traffic within a host is both sent and received by it.
 *
 * <p>Objects are told by dense ids. Memory: some 300 bytes an object that talks, and 80 for each
 * part that is asked for of it. Not thread-safe.
 */
public final class FlowMetricSums implements FlowTraffic {

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();
  private static final TrafficType[] TYPES = TrafficType.values();
  private static final int SUMS = TalkerMeasure.SUMS;
  private static final int RECEIVED = SUMS; // sent first, then received
  private static final int WIDTH = 2 * SUMS;

  private final FlowEnds ends;
  private final FlowPart[] parts;
  private final int[][] partsOf; // by object, numbers of parts; null = none are asked for

  private int size;
  private int[] rowOf = new int[1024]; // by object, row + 1; 0 = none
  private int[] objects = new int[256];
  private long[] words = new long[256 * TYPES.length * WIDTH];

  // Of parts that are asked for, as many rows as they have objects that talk.
  private final int[] partRowsOf; // by object, first row + 1; 0 = none
  private int partRows;
  private long[] partWords = new long[64 * WIDTH];

  /**
   * Starts with no traffic.
   *
   * @param asked parts that are asked for beyond {@link FlowPart#STANDARD}, and of which objects
   */
  public FlowMetricSums(FlowEnds ends, Map<FlowPart, int[]> asked) {
    this.ends = ends;
    parts = asked.keySet().toArray(FlowPart[]::new);
    int highest = -1;
    for (int[] of : asked.values()) {
      highest = Math.max(highest, Arrays.stream(of).max().orElse(-1));
    }
    partsOf = new int[highest + 1][];
    partRowsOf = new int[highest + 1];
    for (int p = 0; p < parts.length; p++) {
      for (int object : asked.getOrDefault(parts[p], new int[0])) {
        int[] before = partsOf[object];
        int[] now = before == null ? new int[1] : Arrays.copyOf(before, before.length + 1);
        now[now.length - 1] = p;
        partsOf[object] = now;
      }
    }
  }

  @Override
  public void add(FlowSums sums, int row, long[] byMinute, int firstMinute) {
    int src = sums.src(row);
    int dst = sums.dst(row);
    TrafficType type = TrafficType.of(ends.internal(src), ends.internal(dst));
    end(src, type, 0, sums, row);
    end(dst, type, RECEIVED, sums, row);
  }

  private void end(int endpoint, TrafficType type, int side, FlowSums sums, int row) {
    int pair = ends.talker(TalkerDimension.PAIR, endpoint);
    int object = (pair & 1) == 0 ? pair >> 1 : FlowEnds.NO_TALKER;
    int host = ends.talker(TalkerDimension.HOST, endpoint);
    if (object != FlowEnds.NO_TALKER) {
      object(object, type, side, sums, row);
    }
    if (host != FlowEnds.NO_TALKER && host != object) {
      object(host, type, side, sums, row);
    }
  }

  private void object(int object, TrafficType type, int side, FlowSums sums, int row) {
    int at = (find(object) * TYPES.length + type.ordinal()) * WIDTH + side;
    for (int i = 0; i < SUMS; i++) {
      words[at + i] += sums.get(row, MEASURES[i]);
    }
    int[] asked = object < partsOf.length ? partsOf[object] : null;
    if (asked == null) {
      return;
    }
    int first = findParts(object, asked.length);
    for (int p = 0; p < asked.length; p++) {
      if (parts[asked[p]].holds(type, sums.port(row), sums.protocol(row))) {
        int to = (first + p) * WIDTH + side;
        for (int i = 0; i < SUMS; i++) {
          partWords[to + i] += sums.get(row, MEASURES[i]);
        }
      }
    }
  }

  private int find(int object) {
    if (object >= rowOf.length) {
      rowOf = Arrays.copyOf(rowOf, Math.max(object + 1, 2 * rowOf.length));
    }
    if (rowOf[object] == 0) {
      if (size == objects.length) {
        objects = Arrays.copyOf(objects, 2 * size);
        words = Arrays.copyOf(words, 2 * words.length);
      }
      objects[size] = object;
      rowOf[object] = ++size;
    }
    return rowOf[object] - 1;
  }

  private int findParts(int object, int count) {
    if (partRowsOf[object] == 0) {
      partRowsOf[object] = partRows + 1;
      partRows += count;
      if (partRows * WIDTH > partWords.length) {
        partWords = Arrays.copyOf(partWords, Math.max(partRows, 2 * (partRows - count)) * WIDTH);
      }
    }
    return partRowsOf[object] - 1;
  }

  /** Objects that talked, in no order. */
  public int[] objects() {
    return Arrays.copyOf(objects, size);
  }

  /** Whether an object talked. */
  public boolean talked(int object) {
    return object < rowOf.length && rowOf[object] != 0;
  }

  /** The parts that are asked for of an object, beside the standard ones. */
  public List<FlowPart> asked(int object) {
    int[] of = object < partsOf.length ? partsOf[object] : null;
    return of == null ? List.of() : Arrays.stream(of).mapToObj(p -> parts[p]).toList();
  }

  /**
   * A metric of an object.
   *
   * @param part a standard one, or one of {@link #asked}
   * @param seconds length of the bucket
   * @return 0 when there was no such traffic
   */
  public double value(int object, FlowPart part, FlowMetric metric, int seconds) {
    return metric.value(sum(object, part, metric), 1, seconds);
  }

  private long sum(int object, FlowPart part, FlowMetric metric) {
    if (!talked(object)) {
      return 0;
    }
    int in = (metric.received() ? RECEIVED : 0) + metric.measure().ordinal();
    if (part.isOnDemand()) {
      int row = partRow(object, part);
      return row < 0 ? 0 : partWords[row * WIDTH + in];
    }
    @Nullable TrafficType only = part.type();
    long sum = 0;
    for (TrafficType type : TYPES) {
      if (only == null || only == type) {
        sum += words[((rowOf[object] - 1) * TYPES.length + type.ordinal()) * WIDTH + in];
      }
    }
    return sum;
  }

  private int partRow(int object, FlowPart part) {
    int[] asked = object < partsOf.length ? partsOf[object] : null;
    if (asked != null && partRowsOf[object] > 0) {
      for (int p = 0; p < asked.length; p++) {
        if (parts[asked[p]].equals(part)) {
          return partRowsOf[object] - 1 + p;
        }
      }
    }
    return -1;
  }
}
