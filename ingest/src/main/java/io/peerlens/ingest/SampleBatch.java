package io.peerlens.ingest;

import io.peerlens.ingest.sender.Sender;
import io.peerlens.ingest.sender.SenderTally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Samples in columns, with the dead letters and Kafka offsets that belong to them.
 *
 * <p>Row {@code r} is metric set {@code setId(r)} at {@code time(r)} microseconds since 1970; its
 * values are {@code values()[offset(r) .. offset(r) + width(r))}, by position in the metric group,
 * NaN = no value. Lines with the same set and time share a row, because collectors spread the
 * fields of one moment over several lines; a position written twice keeps the later value.
 *
 * <p>Filled by one thread, then read by another; never both at once. {@link #clear} keeps the
 * arrays for the next use.
 */
public final class SampleBatch {

  /** Offsets of one partition covered by a batch: {@code from} is what the store must hold now. */
  public record Range(long from, long to) {}

  private int rows;
  private long[] time = new long[1 << 12];
  private int[] setId = new int[1 << 12];
  private int[] offset = new int[1 << 12];
  private int[] width = new int[1 << 12];
  private int valueCount;
  private double[] values = new double[1 << 15];
  private long points;

  // Open addressing over (set, time); a slot holds row + 1, 0 = free.
  private int[] slots = new int[1 << 13];

  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private final Map<TopicPartition, Range> ranges = new HashMap<>();
  private final Map<Integer, Long> liveness = new HashMap<>();
  private final Map<Integer, Long> livenessBefore = new HashMap<>();
  private final Map<Sender, SenderTally> senders = new HashMap<>();
  private @Nullable Sender lastSender;
  private @Nullable SenderTally lastTally;
  private @Nullable TopicPartition tookPartition;
  private long tookExpected;
  private long tookNext;
  private long records;
  private long bytes;
  private long passedOver;
  private long descriptions;

  /**
   * The row of a set and time, new or shared.
   *
   * @param timeMicros microseconds since 1970
   * @param minWidth number of positions that the row must have room for
   */
  public int row(int set, long timeMicros, int minWidth) {
    int mask = slots.length - 1;
    int slot = hash(set, timeMicros) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int row = found - 1;
      if (setId[row] == set && time[row] == timeMicros) {
        if (width[row] < minWidth) {
          widen(row, minWidth);
        }
        return row;
      }
    }
    int row = rows++;
    slots[slot] = row + 1;
    if (row == time.length) {
      time = Arrays.copyOf(time, row * 2);
      setId = Arrays.copyOf(setId, row * 2);
      offset = Arrays.copyOf(offset, row * 2);
      width = Arrays.copyOf(width, row * 2);
    }
    time[row] = timeMicros;
    setId[row] = set;
    width[row] = minWidth;
    offset[row] = reserve(minWidth);
    if (rows * 2 > slots.length) {
      rehash();
    }
    return row;
  }

  /**
   * Puts a value into a row, in place of one that is there.
   *
   * @param position from 0, less than the width of the row
   */
  public void put(int row, int position, double value) {
    int at = offset[row] + position;
    if (Double.isNaN(values[at])) {
      points++;
    }
    values[at] = value;
  }

  /** A value of a row, NaN when there is none. */
  double value(int row, int position) {
    return position < width[row] ? values[offset[row] + position] : Double.NaN;
  }

  /** The set's group has grown since the row was made: the row moves to the end. */
  private void widen(int row, int minWidth) {
    int from = offset[row];
    int to = reserve(minWidth);
    System.arraycopy(values, from, values, to, width[row]);
    offset[row] = to;
    width[row] = minWidth;
  }

  private int reserve(int count) {
    int at = valueCount;
    valueCount += count;
    if (valueCount > values.length) {
      values = Arrays.copyOf(values, Math.max(valueCount, values.length * 2));
    }
    Arrays.fill(values, at, valueCount, Double.NaN);
    return at;
  }

  private void rehash() {
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int row = 0; row < rows; row++) {
      int slot = hash(setId[row], time[row]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = row + 1;
    }
  }

  private static int hash(int set, long timeMicros) {
    long h = (timeMicros ^ ((long) set << 32 | set)) * 0x9E3779B97F4A7C15L;
    return (int) (h >>> 32) ^ (int) (h >>> 17);
  }

  /**
   * The tally of a sender. Lines of one sender come one after the other, so it is seldom sought.
   */
  SenderTally of(Sender sender, long nowMillis) {
    SenderTally tally = lastTally;
    if (tally == null || sender != lastSender) {
      tally = senders.computeIfAbsent(sender, one -> new SenderTally(nowMillis));
      lastSender = sender;
      lastTally = tally;
    }
    return tally;
  }

  void passOver() {
    passedOver++;
  }

  void described() {
    descriptions++;
  }

  void reject(DeadLetter letter) {
    deadLetters.add(letter);
  }

  /** Forgets the letters beyond the first so many. */
  void keepLetters(int count) {
    deadLetters.subList(count, deadLetters.size()).clear();
  }

  /** Notes that a record was taken in, whatever became of its lines. */
  void took(TopicPartition partition, long expected, long nextOffset, int recordBytes) {
    if (partition != tookPartition) {
      noteTaken();
      tookPartition = partition;
      tookExpected = expected;
    }
    tookNext = nextOffset;
    records++;
    bytes += recordBytes;
  }

  /** Records come in runs of one partition; a run is noted when it ends. */
  private void noteTaken() {
    if (tookPartition != null) {
      ranges.merge(
          tookPartition,
          new Range(tookExpected, tookNext),
          (old, now) -> new Range(old.from, now.to));
      tookPartition = null;
    }
  }

  /** Makes of this batch one that holds nothing but a dead letter and its offset. */
  public void refuse(TopicPartition partition, long expected, DeadLetter letter) {
    clear();
    took(partition, expected, letter.offset() + 1, letter.payload().length);
    reject(letter);
  }

  void seen(int objectId, long timeMicros) {
    Long newest = liveness.get(objectId);
    if (newest == null || timeMicros > newest) {
      liveness.put(objectId, timeMicros);
      if (newest != null) {
        livenessBefore.put(objectId, newest);
      }
    } else if (timeMicros < newest) {
      livenessBefore.merge(objectId, timeMicros, Math::max);
    }
  }

  /** Makes the batch empty again. */
  public void clear() {
    rows = 0;
    valueCount = 0;
    points = 0;
    records = 0;
    bytes = 0;
    passedOver = 0;
    descriptions = 0;
    Arrays.fill(slots, 0);
    deadLetters.clear();
    ranges.clear();
    senders.clear();
    lastSender = null;
    lastTally = null;
    tookPartition = null;
    liveness.clear();
    livenessBefore.clear();
  }

  /** Whether there is nothing to store, not even offsets. */
  public boolean isEmpty() {
    return records == 0;
  }

  public int rows() {
    return rows;
  }

  /** Number of values that are not NaN. */
  public long points() {
    return points;
  }

  /** Kafka records taken in. */
  public long records() {
    return records;
  }

  /** Bytes of the Kafka record values taken in. */
  public long bytes() {
    return bytes;
  }

  /** Lines that hold texts alone, of which nothing is stored. */
  public long passedOver() {
    return passedOver;
  }

  /** Records in our own form that tell of their object and hold no value. */
  public long descriptions() {
    return descriptions;
  }

  /** Microseconds since 1970. */
  public long time(int row) {
    return time[row];
  }

  public int setId(int row) {
    return setId[row];
  }

  /** Begin of the row's values in {@link #values()}. */
  public int offset(int row) {
    return offset[row];
  }

  /** Number of positions of the row. */
  public int width(int row) {
    return width[row];
  }

  /** All values of all rows; shared, not to be changed. NaN = no value. */
  public double[] values() {
    return values;
  }

  /** What each sender sent. */
  public Map<Sender, SenderTally> senders() {
    return senders;
  }

  public List<DeadLetter> deadLetters() {
    return deadLetters;
  }

  public Map<TopicPartition, Range> ranges() {
    noteTaken();
    return ranges;
  }

  /**
   * Newest sample time in microseconds by object id, only of objects whose time moved on notably.
   */
  public Map<Integer, Long> liveness() {
    return liveness;
  }

  /**
   * The sample time before the newest, in microseconds by object id, of those objects of {@link
   * #liveness} that have several in this batch.
   */
  public Map<Integer, Long> livenessBefore() {
    return livenessBefore;
  }
}
