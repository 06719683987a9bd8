package io.peerlens.flow.minute;

import io.peerlens.flow.network.Mix;
import io.peerlens.flow.rank.Deduplication;
import java.util.Arrays;

/**
 * Sums of traffic: one row is what one observer saw in one minute from one sender to one receiver
 * for one service. Several rows may have the same key: their sums are to be added.
 *
 * <p>A row takes 64 bytes in one array, not one place in each of nine, since rows are looked up in
 * no order and memory comes in lines of 64 bytes.
 *
 * <p>Filled by one thread, then read by another; never both at once. {@link #clear} keeps the array
 * for the next use.
 */
public final class MinuteRows {

  private static final int TOWARDS_SERVICE = 2;
  private static final int EGRESS = 1;

  // The words of a row. The key: minute and observer; sender and receiver; and in "service" port
  // (16 bits), protocol (8), towards the service (1), egress (1). Sessions are above, resets below.
  private static final int WHEN = 0;
  private static final int PAIR = 1;
  private static final int SERVICE = 2;
  private static final int BYTES = 3;
  private static final int PACKETS = 4;
  private static final int DROPS = 5;
  private static final int FLOWS = 6;
  private static final int SESSIONS_RESETS = 7;
  private static final int SHIFT = 3; // 8 words a row

  private int size;
  private long[] words;

  /** Starts without rows. */
  public MinuteRows() {
    this(1 << 10);
  }

  private MinuteRows(int capacity) {
    words = new long[capacity << SHIFT];
  }

  static long when(int minute, int observer) {
    return (long) minute << 32 | observer & 0xFFFFFFFFL;
  }

  public static long pair(int src, int dst) {
    return (long) src << 32 | dst & 0xFFFFFFFFL;
  }

  public static int service(int port, int protocol, boolean towardsService, boolean egress) {
    return port << 10
        | protocol << 2
        | (towardsService ? TOWARDS_SERVICE : 0)
        | (egress ? EGRESS : 0);
  }

  /**
   * Adds a row with sums of 0.
   *
   * @param minute minutes since 1970
   * @param observer id of the observer
   * @param egress whether these are the records that say that they were seen going out; those that
   *     say nothing or that they were seen coming in are apart
   * @param src id of the sending endpoint
   * @param dst id of the receiving endpoint
   * @param port of the service, whichever side it is on; ICMP: type * 256 + code; 0 = no ports
   * @param protocol IANA's number, 0..255
   * @param towardsService whether the bytes go to the service, not from it
   * @return the row
   */
  public int append(
      int minute,
      int observer,
      boolean egress,
      int src,
      int dst,
      int port,
      int protocol,
      boolean towardsService) {
    return append(
        when(minute, observer), pair(src, dst), service(port, protocol, towardsService, egress));
  }

  int append(long when, long pair, int service) {
    int at = size << SHIFT;
    if (at == words.length) {
      words = Arrays.copyOf(words, at * 2);
    }
    words[at + WHEN] = when;
    words[at + PAIR] = pair;
    words[at + SERVICE] = service;
    Arrays.fill(words, at + BYTES, at + SESSIONS_RESETS + 1, 0);
    return size++;
  }

  /** Adds traffic to a row. */
  public void addTraffic(int row, long moreBytes, long morePackets) {
    words[(row << SHIFT) + BYTES] += moreBytes;
    words[(row << SHIFT) + PACKETS] += morePackets;
  }

  /** Adds packets that were not forwarded to a row. */
  public void addDrops(int row, long morePackets) {
    words[(row << SHIFT) + DROPS] += morePackets;
  }

  /** Adds flow records to a row, and what they say of sessions. */
  public void addFlows(int row, int moreFlows, int moreSessions, int moreResets) {
    words[(row << SHIFT) + FLOWS] += moreFlows;
    words[(row << SHIFT) + SESSIONS_RESETS] += (long) moreSessions << 32 | moreResets;
  }

  /** Makes it empty again. */
  public void clear() {
    size = 0;
  }

  private long when(int row) {
    return words[(row << SHIFT) + WHEN];
  }

  private long pair(int row) {
    return words[(row << SHIFT) + PAIR];
  }

  private int service(int row) {
    return (int) words[(row << SHIFT) + SERVICE];
  }

  boolean is(int row, long when, long pair, int service) {
    return pair(row) == pair && when(row) == when && service(row) == service;
  }

  int hash(int row) {
    return Mix.of(when(row), pair(row), service(row));
  }

  /** Whether two rows of one bucket differ in nothing but observer, its direction and minute. */
  public boolean sameTraffic(int a, int b, int bucketMinutes) {
    return pair(a) == pair(b)
        && service(a) >>> 1 == service(b) >>> 1
        && bucket(a, bucketMinutes) == bucket(b, bucketMinutes);
  }

  private int bucket(int row, int minutes) {
    return Math.floorDiv(minute(row), minutes);
  }

  /** The order of {@link #sorted}; 0 when two rows differ in nothing but the minute. */
  public int compare(int a, int b, int bucketMinutes) {
    int c = Integer.compare(bucket(a, bucketMinutes), bucket(b, bucketMinutes));
    if (c == 0) {
      c = Long.compare(pair(a), pair(b));
    }
    if (c == 0) {
      c = Integer.compare(service(a) >>> 1, service(b) >>> 1);
    }
    if (c == 0) {
      c = Integer.compare(observer(a), observer(b));
    }
    return c != 0 ? c : Integer.compare(service(a) & EGRESS, service(b) & EGRESS);
  }

  /**
   * A copy in the order of bucket, sender, receiver, port, protocol, towards the service or not,
   * observer, egress last: what {@link Deduplication} wants.
   *
   * @param bucketMinutes how long a bucket is; buckets begin at multiples of it since 1970
   */
  public MinuteRows sorted(int bucketMinutes) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
    order = mergeSort(order, bucketMinutes);
    MinuteRows copy = new MinuteRows(Math.max(size, 16));
    for (int from : order) {
      System.arraycopy(words, from << SHIFT, copy.words, copy.size++ << SHIFT, 1 << SHIFT);
    }
    return copy;
  }

  /** Sorts row numbers; the JDK sorts numbers by a comparator only when each is an object. */
  private int[] mergeSort(int[] order, int bucketMinutes) {
    int[] from = order;
    int[] to = new int[order.length];
    for (long width = 1; width < order.length; width *= 2) {
      for (long left = 0; left < order.length; left += 2 * width) {
        int middle = (int) Math.min(left + width, order.length);
        int end = (int) Math.min(left + 2 * width, order.length);
        int a = (int) left;
        int b = middle;
        for (int out = (int) left; out < end; out++) {
          boolean takeA = a < middle && (b >= end || compare(from[a], from[b], bucketMinutes) <= 0);
          to[out] = takeA ? from[a++] : from[b++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** Number of rows. */
  public int size() {
    return size;
  }

  /** Minutes since 1970. */
  public int minute(int row) {
    return (int) (when(row) >> 32);
  }

  /** Id of the observer. */
  public int observer(int row) {
    return (int) when(row);
  }

  /** Id of the sending endpoint. */
  public int src(int row) {
    return (int) (pair(row) >> 32);
  }

  /** Id of the receiving endpoint. */
  public int dst(int row) {
    return (int) pair(row);
  }

  /** Port of the service; ICMP: type * 256 + code; 0 = no ports. */
  public int port(int row) {
    return service(row) >>> 10;
  }

  /** IANA's number, 0..255. */
  public int protocol(int row) {
    return service(row) >>> 2 & 0xFF;
  }

  /** Whether the bytes go to the service, not from it. */
  public boolean towardsService(int row) {
    return (service(row) & TOWARDS_SERVICE) != 0;
  }

  /** Whether these are the records that say that they were seen going out. */
  public boolean egress(int row) {
    return (service(row) & EGRESS) != 0;
  }

  /** Bytes forwarded. */
  public long bytes(int row) {
    return words[(row << SHIFT) + BYTES];
  }

  /** Packets forwarded. */
  public long packets(int row) {
    return words[(row << SHIFT) + PACKETS];
  }

  /** Packets not forwarded. */
  public long drops(int row) {
    return words[(row << SHIFT) + DROPS];
  }

  /** Flow records that began in this minute. */
  public int flows(int row) {
    return (int) words[(row << SHIFT) + FLOWS];
  }

  /** Sessions that began in this minute; 0 in rows that come from the service. */
  public int sessions(int row) {
    return (int) (words[(row << SHIFT) + SESSIONS_RESETS] >> 32);
  }

  /** Of the flow records those that saw a TCP reset. */
  public int resets(int row) {
    return (int) words[(row << SHIFT) + SESSIONS_RESETS];
  }
}
