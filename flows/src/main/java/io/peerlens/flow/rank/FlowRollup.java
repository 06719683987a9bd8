package io.peerlens.flow.rank;

import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.ingest.flow.TalkerMeasure;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Roll-up of flows: from partial rows by minute to traffic by bucket, and from short buckets to
 * longer ones.
 *
 * <p>Who talks to whom has a long tail, and a port scan makes tens of thousands of keys in a
 * minute. Of each sender the keys with most bytes are kept and the others are folded into one row
 * for internal receivers and one for external ones, so that nothing of the sender, of the traffic
 * type and of the total is lost, and rows are bounded by the number of senders. How much was folded
 * is told.
 *
 * <p>A bucket may be worked off in portions, as long as all rows of a sender are in the same one.
 * The same rows in any order give the same result.
 */
public final class FlowRollup {

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();
  private static final int PEAK = TalkerMeasure.PEAK.ordinal();

  private final int keep;
  private final FlowEnds ends;

  private long bytes;
  private long foldedBytes;
  private long foldedKeys;
  private long duplicateBytes;
  private long duplicateRows;

  /**
   * Starts with nothing counted.
   *
   * @param keep keys of a sender that are kept in a bucket
   */
  public FlowRollup(int keep, FlowEnds ends) {
    if (keep < 1) {
      throw new IllegalArgumentException("At least one key of a sender is kept, not " + keep);
    }
    this.keep = keep;
    this.ends = ends;
  }

  /**
   * Adds up what observers saw, each packet once.
   *
   * @param partial rows of one bucket, or of some senders of it, in any order
   * @param firstMinute where the bucket begins, minutes since 1970; a multiple of its length
   * @param deduplicate whether of several observers one counts, see {@link Deduplication};
   *     otherwise all do
   * @param traffic is told of every key before the tail is folded; of the same bucket; null =
   *     nobody
   * @throws IllegalArgumentException when a row lies in another bucket
   */
  public FlowSums bucket(
      MinuteRows partial,
      int firstMinute,
      int minutes,
      boolean deduplicate,
      @Nullable FlowTraffic traffic) {
    MinuteRows rows = partial.sorted(minutes);
    boolean[] counts = new boolean[rows.size()];
    if (deduplicate) {
      Deduplication.mark(rows, minutes, counts);
    } else {
      Arrays.fill(counts, true);
    }
    FlowSums out = new FlowSums();
    Sender sender = new Sender(minutes);
    int from = 0;
    while (from < rows.size()) {
      int src = rows.src(from);
      sender.begin();
      while (from < rows.size() && rows.src(from) == src) {
        from = key(rows, from, counts, firstMinute, sender, traffic);
      }
      sender.finish(out);
    }
    return out;
  }

  /** Adds up the rows of one key; returns where the next one begins. */
  private int key(
      MinuteRows rows,
      int from,
      boolean[] counts,
      int firstMinute,
      Sender sender,
      @Nullable FlowTraffic traffic) {
    int row = sender.next(rows.src(from), rows.dst(from), service(rows, from));
    int to = from;
    for (; to < rows.size() && rows.sameTraffic(from, to, sender.minutes); to++) {
      int minute = rows.minute(to) - firstMinute;
      if (minute < 0 || minute >= sender.minutes) {
        throw new IllegalArgumentException(
            "Minute %d is not one of the %d from %d"
                .formatted(rows.minute(to), sender.minutes, firstMinute));
      }
      if (counts[to]) {
        sender.add(row, rows, to, minute);
      } else {
        duplicateBytes += rows.bytes(to);
        duplicateRows++;
      }
    }
    sender.setPeak(row);
    bytes += sender.sums.get(row, TalkerMeasure.BYTES);
    if (traffic != null) {
      traffic.add(sender.sums, row, sender.byMinute, row * sender.minutes);
    }
    return to;
  }

  private static int service(MinuteRows rows, int row) {
    return MinuteRows.service(rows.port(row), rows.protocol(row), rows.towardsService(row), false);
  }

  /** The keys of one sender, before the tail is folded. */
  private final class Sender {
    final FlowSums sums = new FlowSums();
    final int minutes;
    private final long[] total = new long[2 * TalkerMeasure.SUMS];
    private final long[] totalByMinute;
    long[] byMinute = new long[64];

    Sender(int minutes) {
      this.minutes = minutes;
      totalByMinute = new long[2 * minutes];
    }

    void begin() {
      sums.clear();
    }

    int next(int src, int dst, int service) {
      int row = sums.append(MinuteRows.pair(src, dst), service, 1);
      int end = (row + 1) * minutes;
      if (end > byMinute.length) {
        byMinute = Arrays.copyOf(byMinute, Math.max(end, 2 * byMinute.length));
      }
      Arrays.fill(byMinute, row * minutes, end, 0);
      return row;
    }

    void add(int row, MinuteRows rows, int from, int minute) {
      add(row, TalkerMeasure.BYTES, rows.bytes(from));
      add(row, TalkerMeasure.PACKETS, rows.packets(from));
      add(row, TalkerMeasure.FLOWS, rows.flows(from));
      add(row, TalkerMeasure.SESSIONS, rows.sessions(from));
      add(row, TalkerMeasure.RESETS, rows.resets(from));
      add(row, TalkerMeasure.DROPS, rows.drops(from));
      byMinute[row * minutes + minute] += rows.bytes(from);
    }

    private void add(int row, TalkerMeasure measure, long more) {
      sums.set(row, measure, sums.get(row, measure) + more);
    }

    void setPeak(int row) {
      sums.set(row, TalkerMeasure.PEAK, highest(byMinute, row * minutes, minutes));
    }

    void finish(FlowSums out) {
      boolean[] kept = Largest.marks(sums.size(), keep, heaviest(sums));
      long[] keys = new long[2];
      Arrays.fill(total, 0);
      Arrays.fill(totalByMinute, 0);
      for (int row = 0; row < sums.size(); row++) {
        if (!kept[row]) {
          int side = ends.internal(sums.dst(row)) ? 1 : 0;
          keys[side]++;
          for (int i = 0; i < TalkerMeasure.SUMS; i++) {
            total[side * TalkerMeasure.SUMS + i] += sums.get(row, MEASURES[i]);
          }
          for (int i = 0; i < minutes; i++) {
            totalByMinute[side * minutes + i] += byMinute[row * minutes + i];
          }
        }
      }
      // Negative receivers come last: their lower half of the pair is the greatest.
      appendKept(sums, kept, out);
      for (int side = 0; side < 2; side++) { // external first: it is the smaller number
        if (keys[side] > 0) {
          int row =
              out.append(MinuteRows.pair(sums.src(0), FlowSums.other(side == 1)), 0, keys[side]);
          for (int i = 0; i < TalkerMeasure.SUMS; i++) {
            out.set(row, MEASURES[i], total[side * TalkerMeasure.SUMS + i]);
          }
          out.set(row, TalkerMeasure.PEAK, highest(totalByMinute, side * minutes, minutes));
          foldedKeys += keys[side];
          foldedBytes += out.get(row, TalkerMeasure.BYTES);
        }
      }
    }
  }

  private static void appendKept(FlowSums from, boolean[] kept, FlowSums out) {
    for (int row = 0; row < from.size(); row++) {
      if (kept[row]) {
        out.append(from, row);
      }
    }
  }

  private static long highest(long[] values, int from, int count) {
    long highest = 0;
    for (int i = from; i < from + count; i++) {
      highest = Math.max(highest, values[i]);
    }
    return highest;
  }

  /** Most bytes first, then packets, then drops, then the order of the keys. */
  private static Largest.Order heaviest(FlowSums sums) {
    return (a, b) -> {
      int c = Long.compare(sums.get(a, TalkerMeasure.BYTES), sums.get(b, TalkerMeasure.BYTES));
      if (c == 0) {
        c = Long.compare(sums.get(a, TalkerMeasure.PACKETS), sums.get(b, TalkerMeasure.PACKETS));
      }
      if (c == 0) {
        c = Long.compare(sums.get(a, TalkerMeasure.DROPS), sums.get(b, TalkerMeasure.DROPS));
      }
      return c != 0 ? c > 0 : a < b;
    };
  }

  /**
   * Makes one longer bucket of several: sums are added, of the peak minutes the highest is kept,
   * and the tail of each sender is folded again. The peak minute of what is folded is then an upper
   * bound, since its parts need not have had theirs in the same minute.
   *
   * @param buckets that do not overlap in time; all of the same senders
   */
  public FlowSums merge(List<FlowSums> buckets) {
    FlowSums all = new FlowSums();
    int[] at = new int[buckets.size()];
    FlowSums out = new FlowSums();
    FlowSums sender = new FlowSums();
    int[] first = new int[buckets.size()];
    while (true) {
      int src = Integer.MAX_VALUE;
      boolean any = false;
      for (int i = 0; i < at.length; i++) {
        if (at[i] < buckets.get(i).size()) {
          src = Math.min(src, buckets.get(i).src(at[i]));
          any = true;
        }
      }
      if (!any) {
        return out;
      }
      all.clear();
      sender.clear();
      System.arraycopy(at, 0, first, 0, at.length);
      mergeSender(buckets, src, at, all);
      fold(buckets, first, at, all, sender);
      appendKept(sender, filled(sender.size()), out);
    }
  }

  private static boolean[] filled(int size) {
    boolean[] all = new boolean[size];
    Arrays.fill(all, true);
    return all;
  }

  /** Adds up the rows of one sender, moving {@code at} behind them. */
  private static void mergeSender(List<FlowSums> buckets, int src, int[] at, FlowSums all) {
    while (true) {
      int next = -1;
      for (int i = 0; i < at.length; i++) {
        FlowSums bucket = buckets.get(i);
        if (at[i] < bucket.size()
            && bucket.src(at[i]) == src
            && (next < 0 || bucket.compare(at[i], buckets.get(next), at[next]) < 0)) {
          next = i;
        }
      }
      if (next < 0) {
        return;
      }
      FlowSums bucket = buckets.get(next);
      int last = all.size() - 1;
      if (last >= 0 && all.compare(last, bucket, at[next]) == 0) {
        all.add(last, bucket, at[next]);
      } else {
        all.append(bucket, at[next]);
      }
      at[next]++;
    }
  }

  /**
   * Folds the tail of one sender, whose rows in each bucket go from {@code first} to {@code end}.
   */
  private void fold(List<FlowSums> buckets, int[] first, int[] end, FlowSums all, FlowSums out) {
    int own = 0; // keys that are not folded yet; those that are come last
    while (own < all.size() && !FlowSums.isOther(all.dst(own))) {
      own++;
    }
    boolean[] kept = Largest.marks(own, keep, heaviest(all));
    for (int row = 0; row < own; row++) {
      bytes += all.get(row, TalkerMeasure.BYTES);
      if (kept[row]) {
        out.append(all, row);
      }
    }
    for (int side = 0; side < 2; side++) {
      int other = FlowSums.other(side == 1);
      long[] values = new long[TalkerMeasure.COUNT];
      long keys = 0;
      for (int row = 0; row < all.size(); row++) {
        if (foldsInto(all, row, own, kept, other)) {
          for (int i = 0; i < PEAK; i++) {
            values[i] += all.get(row, MEASURES[i]);
          }
          keys += all.keys(row);
          bytes += row < own ? 0 : all.get(row, TalkerMeasure.BYTES);
        }
      }
      if (keys == 0) {
        continue;
      }
      values[PEAK] = foldedPeak(buckets, first, end, all, own, kept, other);
      int row = out.append(MinuteRows.pair(all.src(0), other), 0, keys);
      for (int i = 0; i < MEASURES.length; i++) {
        out.set(row, MEASURES[i], values[i]);
      }
      foldedKeys += keys;
      foldedBytes += values[TalkerMeasure.BYTES.ordinal()];
    }
  }

  private boolean foldsInto(FlowSums all, int row, int own, boolean[] kept, int other) {
    if (row >= own) {
      return all.dst(row) == other;
    }
    return !kept[row] && FlowSums.other(ends.internal(all.dst(row))) == other;
  }

  /** Of each bucket the sum of the peaks that are folded, and of the buckets the highest. */
  private long foldedPeak(
      List<FlowSums> buckets,
      int[] first,
      int[] end,
      FlowSums all,
      int own,
      boolean[] kept,
      int other) {
    long highest = 0;
    for (int i = 0; i < end.length; i++) {
      FlowSums bucket = buckets.get(i);
      long peak = 0;
      int row = 0;
      for (int from = first[i]; from < end[i]; from++) {
        while (all.compare(row, bucket, from) < 0) { // both are in order, and it is in all
          row++;
        }
        if (foldsInto(all, row, own, kept, other)) {
          peak += bucket.get(from, TalkerMeasure.PEAK);
        }
      }
      highest = Math.max(highest, peak);
    }
    return highest;
  }

  /** Bytes of all rows that were given out so far. */
  public long bytes() {
    return bytes;
  }

  /** Of these the bytes in folded rows. */
  public long foldedBytes() {
    return foldedBytes;
  }

  /** Keys in folded rows; one that was folded in several buckets counts in each of them. */
  public long foldedKeys() {
    return foldedKeys;
  }

  /** Bytes that other observers told, too, and that did not count. */
  public long duplicateBytes() {
    return duplicateBytes;
  }

  /** Partial rows that did not count. */
  public long duplicateRows() {
    return duplicateRows;
  }
}
