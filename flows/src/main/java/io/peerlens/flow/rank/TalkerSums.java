package io.peerlens.flow.rank;

import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.flow.network.Mix;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sums of traffic by talker of every dimension, in one bucket of time: exact, added up before
 * anything is folded, with the bytes of each minute, because the peak minute of a host is not to be
 * had from the peaks of its keys.
 *
 * <p>Memory grows with the number of talkers. Pairs are the many: when a bucket is worked off in
 * portions of senders, {@link #endPortion} leaves only those pairs that can still be among the
 * first ones.
 *
 * <p>Not thread-safe.
 */
public final class TalkerSums implements FlowTraffic {

  private static final TalkerDimension[] DIMENSIONS = TalkerDimension.values();
  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();
  private static final TrafficType[] TYPES = TrafficType.values();
  private static final int SUMS = TalkerMeasure.SUMS;

  // Parts of a talker. One that has no direction has only the first.
  private static final int SENT = 0;
  private static final int RECEIVED = 1;
  private static final int INSIDE = 2; // from it to itself, so both sent and received
  private static final int PARTS = 3;

  private final int minutes;
  private final FlowEnds ends;
  private final Table[][] tables = new Table[DIMENSIONS.length][TYPES.length];

  // Of pairs in portions that have ended, by type and of all types: the first ones, and the sums of
  // all with the bytes of each minute.
  private final TalkerRanking[] pairs = new TalkerRanking[TYPES.length + 1];
  private final long[][] pairTotals;

  /** Starts with no traffic. */
  public TalkerSums(int minutes, FlowEnds ends) {
    this.minutes = minutes;
    this.ends = ends;
    int width = SUMS + minutes;
    for (TalkerDimension dimension : DIMENSIONS) {
      for (int type = 0; type < TYPES.length; type++) {
        tables[dimension.ordinal()][type] = new Table(dimension.ofEnds() ? PARTS * width : width);
      }
    }
    Arrays.fill(pairs, TalkerRanking.EMPTY);
    pairTotals = new long[TYPES.length + 1][width];
  }

  @Override
  public void add(FlowSums sums, int row, long[] byMinute, int firstMinute) {
    int src = sums.src(row);
    int dst = sums.dst(row);
    int type = TrafficType.of(ends.internal(src), ends.internal(dst)).ordinal();
    addTotal(pairTotals[type], sums, row, byMinute, firstMinute);
    addTotal(pairTotals[TYPES.length], sums, row, byMinute, firstMinute);
    for (TalkerDimension dimension : DIMENSIONS) {
      Table table = tables[dimension.ordinal()][type];
      if (!dimension.ofEnds()) {
        table.add(key(dimension, sums, row), SENT, sums, row, byMinute, firstMinute);
        continue;
      }
      int sender = ends.talker(dimension, src);
      int receiver = ends.talker(dimension, dst);
      table.add(sender, SENT, sums, row, byMinute, firstMinute);
      table.add(receiver, RECEIVED, sums, row, byMinute, firstMinute);
      if (sender == receiver) {
        table.add(sender, INSIDE, sums, row, byMinute, firstMinute);
      }
    }
  }

  private void addTotal(long[] total, FlowSums sums, int row, long[] byMinute, int firstMinute) {
    for (int i = 0; i < SUMS; i++) {
      total[i] += sums.get(row, MEASURES[i]);
    }
    for (int i = 0; i < minutes; i++) {
      total[SUMS + i] += byMinute[firstMinute + i];
    }
  }

  private long key(TalkerDimension dimension, FlowSums sums, int row) {
    return switch (dimension) {
      case PORT -> (long) sums.protocol(row) << 16 | sums.port(row);
      case PROTOCOL -> sums.protocol(row);
      case PAIR ->
          MinuteRows.pair(
              ends.talker(TalkerDimension.PAIR, sums.src(row)),
              ends.talker(TalkerDimension.PAIR, sums.dst(row)));
      case VM, HOST, CLUSTER, TIER, NETWORK ->
          throw new IllegalArgumentException(dimension + " is a quality of the ends");
    };
  }

  /**
   * Ends a portion of senders: of its pairs only the first ones by each measure are kept. All
   * senders that have the same talker of a pair must be in the same portion.
   *
   * @param most pairs to keep by each measure; not fewer than {@link #ranking} is asked for
   */
  public void endPortion(int most) {
    Table[] ofPairs = tables[TalkerDimension.PAIR.ordinal()];
    for (int i = 0; i <= TYPES.length; i++) {
      TrafficType type = i < TYPES.length ? TYPES[i] : null;
      TalkerRanking portion = rank(TalkerDimension.PAIR, TalkerDirection.BOTH, type);
      pairs[i] = pairs[i].beside(portion.cut(most)).cut(most);
    }
    for (Table table : ofPairs) {
      table.clear();
    }
  }

  /**
   * The talkers of one dimension.
   *
   * @param direction of dimensions that have none only {@link TalkerDirection#BOTH}
   * @param type null = traffic of all types
   * @param most talkers to keep by each measure; the others are kept only as a sum
   */
  public TalkerRanking ranking(
      TalkerDimension dimension, TalkerDirection direction, @Nullable TrafficType type, int most) {
    if (!dimension.ofEnds() && direction != TalkerDirection.BOTH) {
      throw new IllegalArgumentException("%s is not %s".formatted(dimension, direction));
    }
    TalkerRanking ranking = rank(dimension, direction, type);
    if (dimension == TalkerDimension.PAIR) {
      int i = type == null ? TYPES.length : type.ordinal();
      ranking = pairs[i].beside(ranking).withTotal(total(pairTotals[i]));
    }
    return ranking.cut(most);
  }

  private long[] total(long[] words) {
    long[] total = Arrays.copyOf(words, MEASURES.length);
    total[TalkerMeasure.PEAK.ordinal()] = highest(words, SUMS, minutes);
    return total;
  }

  private TalkerRanking rank(
      TalkerDimension dimension, TalkerDirection direction, @Nullable TrafficType type) {
    int width = SUMS + minutes;
    Table merged = new Table(width);
    for (TrafficType one : TYPES) {
      if (type == null || type == one) {
        Table table = tables[dimension.ordinal()][one.ordinal()];
        for (int i = 0; i < table.size; i++) {
          long key = table.keys[i];
          int into = merged.find(key) * width;
          int from = i * table.width;
          if (!dimension.ofEnds() || direction == TalkerDirection.SENT) {
            merged.combine(into, table, from, 1);
          } else if (direction == TalkerDirection.RECEIVED) {
            merged.combine(into, table, from + RECEIVED * width, 1);
          } else if (key == FlowEnds.NO_TALKER) {
            // With a talker at the other end it counts for that one.
            merged.combine(into, table, from + INSIDE * width, 1);
          } else {
            merged.combine(into, table, from, 1);
            merged.combine(into, table, from + RECEIVED * width, 1);
            merged.combine(into, table, from + INSIDE * width, -1);
          }
        }
      }
    }
    return merged.ranking(dimension != TalkerDimension.PAIR);
  }

  /** Talkers by number, each with as many words. */
  private final class Table {
    final int width;
    int size;
    long[] keys = new long[16];
    long[] words;
    private int[] heads = new int[64]; // number + 1, 0 = free

    Table(int width) {
      this.width = width;
      words = new long[16 * width];
    }

    void clear() {
      size = 0;
      keys = new long[16];
      words = new long[16 * width];
      heads = new int[64];
    }

    int find(long key) {
      int mask = heads.length - 1;
      int at = Mix.of(key, 0) & mask;
      while (heads[at] != 0) {
        if (keys[heads[at] - 1] == key) {
          return heads[at] - 1;
        }
        at = at + 1 & mask;
      }
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, 2 * size);
        words = Arrays.copyOf(words, Math.multiplyExact(2 * size, width));
      }
      keys[size] = key;
      heads[at] = ++size;
      if (2 * size > heads.length) {
        grow();
      }
      return size - 1;
    }

    private void grow() {
      heads = new int[2 * heads.length];
      int mask = heads.length - 1;
      for (int i = 0; i < size; i++) {
        int at = Mix.of(keys[i], 0) & mask;
        while (heads[at] != 0) {
          at = at + 1 & mask;
        }
        heads[at] = i + 1;
      }
    }

    void add(long key, int part, FlowSums sums, int row, long[] byMinute, int firstMinute) {
      int at = find(key) * width + part * (SUMS + minutes);
      for (int i = 0; i < SUMS; i++) {
        words[at + i] += sums.get(row, MEASURES[i]);
      }
      for (int i = 0; i < minutes; i++) {
        words[at + SUMS + i] += byMinute[firstMinute + i];
      }
    }

    void combine(int into, Table from, int at, int sign) {
      for (int i = 0; i < width; i++) {
        words[into + i] += sign * from.words[at + i];
      }
    }

    private boolean hasTraffic(int number) {
      for (int i = number * width; i < number * width + SUMS; i++) {
        if (words[i] != 0) {
          return true;
        }
      }
      return false;
    }

    /** Value in one place; the last one is that of the highest minute. */
    private long value(int number, TalkerMeasure measure) {
      int at = number * width;
      return measure == TalkerMeasure.PEAK
          ? highest(words, at + SUMS, minutes)
          : words[at + measure.ordinal()];
    }

    /** Without direction: a talker is one part wide. */
    TalkerRanking ranking(boolean mayHaveNone) {
      long[] sorted = new long[size];
      int listed = 0;
      int none = -1;
      Table all = new Table(width);
      all.find(0);
      for (int i = 0; i < size; i++) {
        all.combine(0, this, i * width, 1);
        if (mayHaveNone && keys[i] == FlowEnds.NO_TALKER) {
          none = i;
        } else if (hasTraffic(i)) {
          sorted[listed++] = keys[i];
        }
      }
      sorted = Arrays.copyOf(sorted, listed);
      Arrays.sort(sorted);
      long[][] values = new long[MEASURES.length][listed];
      for (int row = 0; row < listed; row++) {
        int number = find(sorted[row]);
        for (TalkerMeasure measure : MEASURES) {
          values[measure.ordinal()][row] = value(number, measure);
        }
      }
      long[] total = new long[MEASURES.length];
      long[] unassigned = new long[MEASURES.length];
      for (TalkerMeasure measure : MEASURES) {
        total[measure.ordinal()] = all.value(0, measure);
        unassigned[measure.ordinal()] = none < 0 ? 0 : value(none, measure);
      }
      return TalkerRanking.exact(sorted, values, total, unassigned);
    }
  }

  private static long highest(long[] values, int from, int count) {
    long highest = 0;
    for (int i = from; i < from + count; i++) {
      highest = Math.max(highest, values[i]);
    }
    return highest;
  }
}
