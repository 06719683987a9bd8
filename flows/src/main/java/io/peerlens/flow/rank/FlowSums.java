package io.peerlens.flow.rank;

import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.ingest.flow.TalkerMeasure;
import java.util.Arrays;

/**
 * Traffic of one bucket of time: one row a sender, receiver and service, and for each sender at
 * most two more rows for what was folded. In the order of sender, receiver, port, protocol, towards
 * the service or not; no two rows with the same key.
 */
public final class FlowSums {

  /** Receiver of a row of folded traffic to the user's own networks; port and protocol are 0. */
  public static final int OTHER_INTERNAL = -1;

  /** Receiver of a row of folded traffic to elsewhere. */
  public static final int OTHER_EXTERNAL = -2;

  private static final int PAIR = 0;
  private static final int SERVICE = 1;
  private static final int SUMS = 2; // one for each measure
  private static final int KEYS = SUMS + TalkerMeasure.COUNT;
  private static final int WIDTH = KEYS + 1;

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();

  private int size;
  private long[] words = new long[64 * WIDTH];

  /** The receiver that stands for folded ones. */
  static int other(boolean internal) {
    return internal ? OTHER_INTERNAL : OTHER_EXTERNAL;
  }

  /** Whether an endpoint stands for folded receivers. */
  public static boolean isOther(int dst) {
    return dst == OTHER_INTERNAL || dst == OTHER_EXTERNAL;
  }

  /**
   * Adds a row with sums of 0, which must come after the last one.
   *
   * @return the row
   * @throws IllegalArgumentException when it does not
   */
  public int append(int src, int dst, int port, int protocol, boolean towardsService, long keys) {
    int row =
        append(
            MinuteRows.pair(src, dst),
            MinuteRows.service(port, protocol, towardsService, false),
            keys);
    if (row > 0 && compare(row - 1, this, row) >= 0) {
      size--;
      throw new IllegalArgumentException("Row %d is out of order".formatted(row));
    }
    return row;
  }

  int append(long pair, long service, long keys) {
    int at = size * WIDTH;
    if (at == words.length) {
      words = Arrays.copyOf(words, Math.multiplyExact(at, 2));
    }
    words[at + PAIR] = pair;
    words[at + SERVICE] = service;
    Arrays.fill(words, at + SUMS, at + KEYS, 0);
    words[at + KEYS] = keys;
    return size++;
  }

  /** Copies a row of another bucket. */
  int append(FlowSums from, int row) {
    int at = append(0, 0, 0) * WIDTH;
    System.arraycopy(from.words, row * WIDTH, words, at, WIDTH);
    return size - 1;
  }

  /** Sets what a row has of a measure. */
  public void set(int row, TalkerMeasure measure, long value) {
    words[row * WIDTH + SUMS + measure.ordinal()] = value;
  }

  /** Value of a measure in a row. */
  public long get(int row, TalkerMeasure measure) {
    return words[row * WIDTH + SUMS + measure.ordinal()];
  }

  /** Adds a row of another bucket to a row: sums are added, of the peaks the higher one is kept. */
  void add(int row, FlowSums from, int fromRow) {
    for (TalkerMeasure measure : MEASURES) {
      set(row, measure, measure.together(get(row, measure), from.get(fromRow, measure)));
    }
    words[row * WIDTH + KEYS] += isOther(dst(row)) ? from.keys(fromRow) : 0;
  }

  int compare(int row, FlowSums with, int withRow) {
    int c = Long.compare(pair(row), with.pair(withRow));
    return c != 0 ? c : Long.compare(service(row), with.service(withRow));
  }

  long pair(int row) {
    return words[row * WIDTH + PAIR];
  }

  long service(int row) {
    return words[row * WIDTH + SERVICE];
  }

  /** Makes it empty again. */
  public void clear() {
    size = 0;
  }

  /** Number of rows. */
  public int size() {
    return size;
  }

  /** Id of the sending endpoint. */
  public int src(int row) {
    return (int) (pair(row) >> 32);
  }

  /** Id of the receiving endpoint, {@link #OTHER_INTERNAL} or {@link #OTHER_EXTERNAL}. */
  public int dst(int row) {
    return (int) pair(row);
  }

  /** Port of the service; ICMP: type * 256 + code; 0 = no ports, or folded. */
  public int port(int row) {
    return (int) (service(row) >>> 10);
  }

  /** IANA's number; 0 in folded rows. */
  public int protocol(int row) {
    return (int) (service(row) >>> 2) & 0xFF;
  }

  /** Whether the bytes go to the service, not from it; false in folded rows. */
  public boolean towardsService(int row) {
    return (service(row) & 2) != 0;
  }

  /**
   * How many keys a row stands for: 1, or how many were folded. One that was folded in several
   * buckets counts in each of them.
   */
  public long keys(int row) {
    return words[row * WIDTH + KEYS];
  }
}
