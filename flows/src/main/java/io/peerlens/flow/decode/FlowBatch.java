package io.peerlens.flow.decode;

import io.peerlens.flow.network.Addresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Flow records in columns: row {@code r} is one record, the sender's side first.
 *
 * <p>Bytes and packets are those of the traffic, not those of the sample: the sampling rate is
 * applied. Addresses are 128 bits in two halves, IPv4 as {@code ::ffff:a.b.c.d} (see {@link
 * Addresses}).
 *
 * <p>Filled by one thread, then read by another; never both at once. {@link #clear} keeps the
 * arrays for the next use.
 */
public final class FlowBatch {

  /** {@link #tcpFlags} and {@link #icmp} of a record that does not say. */
  public static final int UNKNOWN = -1;

  /** {@link #direction} of a record that does not say. */
  public static final int NO_DIRECTION = 0;

  /** The flow was seen coming in at the interface. */
  public static final int INGRESS = 1;

  /** The flow was seen going out of the interface. */
  public static final int EGRESS = 2;

  /** More observers than any network has: beyond that they are forgotten with the next batch. */
  private static final int MAX_KEPT_OBSERVERS = 10_000;

  private int rows;
  private long[] receivedMillis = new long[1 << 10];
  private long[] startMillis = new long[1 << 10];
  private long[] endMillis = new long[1 << 10];
  private long[] srcHigh = new long[1 << 10];
  private long[] srcLow = new long[1 << 10];
  private long[] dstHigh = new long[1 << 10];
  private long[] dstLow = new long[1 << 10];
  private long[] bytes = new long[1 << 10];
  private long[] packets = new long[1 << 10];
  private long[] inIf = new long[1 << 10];
  private long[] outIf = new long[1 << 10];
  private int[] srcPort = new int[1 << 10];
  private int[] dstPort = new int[1 << 10];
  private int[] protocol = new int[1 << 10];
  private int[] tcpFlags = new int[1 << 10];
  private int[] icmp = new int[1 << 10];
  private int[] observer = new int[1 << 10];
  private byte[] direction = new byte[1 << 10];
  private boolean[] dropped = new boolean[1 << 10];

  private final List<Observer> observers = new ArrayList<>();
  private final List<Observer> shownObservers = Collections.unmodifiableList(observers);

  // Open addressing over the observers; a slot holds index + 1, 0 = free.
  private int[] observerSlots = new int[1 << 6];

  /**
   * Adds a row, with every column set to what a record says that says nothing: both times are the
   * time of receipt, flags, ICMP unknown, the rest 0.
   *
   * @param received time of receipt, milliseconds since 1970
   * @return the row, to be filled by the setters
   */
  public int add(long received, int observerIndex) {
    if (rows == receivedMillis.length) {
      grow(rows * 2);
    }
    int row = rows++;
    receivedMillis[row] = received;
    startMillis[row] = received;
    endMillis[row] = received;
    srcHigh[row] = 0;
    srcLow[row] = 0;
    dstHigh[row] = 0;
    dstLow[row] = 0;
    bytes[row] = 0;
    packets[row] = 0;
    inIf[row] = 0;
    outIf[row] = 0;
    srcPort[row] = 0;
    dstPort[row] = 0;
    protocol[row] = 0;
    tcpFlags[row] = UNKNOWN;
    icmp[row] = UNKNOWN;
    observer[row] = observerIndex;
    direction[row] = NO_DIRECTION;
    dropped[row] = false;
    return row;
  }

  private void grow(int capacity) {
    receivedMillis = Arrays.copyOf(receivedMillis, capacity);
    startMillis = Arrays.copyOf(startMillis, capacity);
    endMillis = Arrays.copyOf(endMillis, capacity);
    srcHigh = Arrays.copyOf(srcHigh, capacity);
    srcLow = Arrays.copyOf(srcLow, capacity);
    dstHigh = Arrays.copyOf(dstHigh, capacity);
    dstLow = Arrays.copyOf(dstLow, capacity);
    bytes = Arrays.copyOf(bytes, capacity);
    packets = Arrays.copyOf(packets, capacity);
    inIf = Arrays.copyOf(inIf, capacity);
    outIf = Arrays.copyOf(outIf, capacity);
    srcPort = Arrays.copyOf(srcPort, capacity);
    dstPort = Arrays.copyOf(dstPort, capacity);
    protocol = Arrays.copyOf(protocol, capacity);
    tcpFlags = Arrays.copyOf(tcpFlags, capacity);
    icmp = Arrays.copyOf(icmp, capacity);
    observer = Arrays.copyOf(observer, capacity);
    direction = Arrays.copyOf(direction, capacity);
    dropped = Arrays.copyOf(dropped, capacity);
  }

  /** The time that a flow took, milliseconds since 1970; the end not before the start. */
  public void times(int row, long start, long end) {
    startMillis[row] = start;
    endMillis[row] = end;
  }

  /** The sender's address. */
  public void source(int row, long high, long low, int port) {
    srcHigh[row] = high;
    srcLow[row] = low;
    srcPort[row] = port;
  }

  /** The receiver's address. */
  public void destination(int row, long high, long low, int port) {
    dstHigh[row] = high;
    dstLow[row] = low;
    dstPort[row] = port;
  }

  /**
   * How much was sent.
   *
   * @param byteCount with the sampling rate applied, not negative
   * @param packetCount with the sampling rate applied, not negative
   */
  public void traffic(int row, long byteCount, long packetCount, boolean wasDropped) {
    bytes[row] = byteCount;
    packets[row] = packetCount;
    dropped[row] = wasDropped;
  }

  /**
   * What kind of traffic it is.
   *
   * @param ianaNumber IANA's number of the protocol above IP, 0..255
   * @param flags the TCP flags of all packets, or {@link #UNKNOWN}
   * @param typeAndCode ICMP type * 256 + code, or {@link #UNKNOWN}
   */
  public void protocol(int row, int ianaNumber, int flags, int typeAndCode) {
    protocol[row] = ianaNumber;
    tcpFlags[row] = flags;
    icmp[row] = typeAndCode;
  }

  /**
   * Where the exporter saw the flow.
   *
   * @param in SNMP index of the interface that it came in by, 0 = not said; unsigned 32 bits
   * @param out and of the one that it left by
   * @param way {@link #NO_DIRECTION}, {@link #INGRESS} or {@link #EGRESS}
   */
  public void interfaces(int row, long in, long out, int way) {
    inIf[row] = in;
    outIf[row] = out;
    direction[row] = (byte) way;
  }

  /** The index of an observer, new or met before; it holds until {@link #clear}. */
  public int observer(Observer who) {
    return observer(who.addressHigh(), who.addressLow(), who.domain(), who.version());
  }

  /** The same from the parts of an {@link Observer}, which is made only when it is new. */
  public int observer(long addressHigh, long addressLow, long domain, FlowVersion version) {
    int mask = observerSlots.length - 1;
    int slot = hash(addressHigh, addressLow, domain, version) & mask;
    for (int found; (found = observerSlots[slot]) != 0; slot = (slot + 1) & mask) {
      Observer known = observers.get(found - 1);
      if (known.addressLow() == addressLow
          && known.addressHigh() == addressHigh
          && known.domain() == domain
          && known.version() == version) {
        return found - 1;
      }
    }
    observers.add(new Observer(addressHigh, addressLow, domain, version));
    observerSlots[slot] = observers.size();
    if (observers.size() * 2 > observerSlots.length) {
      rehashObservers(observerSlots.length * 2);
    }
    return observers.size() - 1;
  }

  private void rehashObservers(int capacity) {
    observerSlots = new int[capacity];
    for (int i = 0; i < observers.size(); i++) {
      Observer o = observers.get(i);
      int slot = hash(o.addressHigh(), o.addressLow(), o.domain(), o.version()) & (capacity - 1);
      while (observerSlots[slot] != 0) {
        slot = (slot + 1) & (capacity - 1);
      }
      observerSlots[slot] = i + 1;
    }
  }

  private static int hash(long high, long low, long domain, FlowVersion version) {
    long h = (high * 31 + low) * 0x9E3779B97F4A7C15L;
    h = (h ^ (domain * 5 + version.code())) * 0xFF51AFD7ED558CCDL;
    return (int) (h >>> 32);
  }

  /** Makes the batch empty again; indexes of observers no longer hold. */
  public void clear() {
    rows = 0;
    if (observers.size() > MAX_KEPT_OBSERVERS) {
      observers.clear();
      observerSlots = new int[1 << 6];
    }
  }

  /** Takes back all rows from this one on. */
  public void truncate(int size) {
    rows = size;
  }

  /** Number of rows. */
  public int size() {
    return rows;
  }

  /** When the collector took the record in, milliseconds since 1970. */
  public long receivedMillis(int row) {
    return receivedMillis[row];
  }

  /** Begin of the flow, milliseconds since 1970; {@link #receivedMillis} when not said. */
  public long startMillis(int row) {
    return startMillis[row];
  }

  /** End of the flow, not before its start; {@link #receivedMillis} when not said. */
  public long endMillis(int row) {
    return endMillis[row];
  }

  public long srcHigh(int row) {
    return srcHigh[row];
  }

  public long srcLow(int row) {
    return srcLow[row];
  }

  public long dstHigh(int row) {
    return dstHigh[row];
  }

  public long dstLow(int row) {
    return dstLow[row];
  }

  /** 0..65535. */
  public int srcPort(int row) {
    return srcPort[row];
  }

  /** 0..65535. */
  public int dstPort(int row) {
    return dstPort[row];
  }

  /** IANA's number of the protocol above IP, 0..255. */
  public int protocol(int row) {
    return protocol[row];
  }

  /** Not negative, sampling applied. */
  public long bytes(int row) {
    return bytes[row];
  }

  /** Not negative, sampling applied. */
  public long packets(int row) {
    return packets[row];
  }

  /** TCP flags of all packets of the flow as in the header (FIN 1, SYN 2, RST 4), or -1. */
  public int tcpFlags(int row) {
    return tcpFlags[row];
  }

  /** Whether the exporter says that it did not forward this. */
  public boolean dropped(int row) {
    return dropped[row];
  }

  /** {@link #NO_DIRECTION}, {@link #INGRESS} or {@link #EGRESS}. */
  public int direction(int row) {
    return direction[row];
  }

  /** Index into {@link #observers}. */
  public int observer(int row) {
    return observer[row];
  }

  /** SNMP index of the interface, 0 = not said; unsigned 32 bits. */
  public long inIf(int row) {
    return inIf[row];
  }

  /** SNMP index of the interface, 0 = not said; unsigned 32 bits. */
  public long outIf(int row) {
    return outIf[row];
  }

  /** ICMP type * 256 + code, or -1. */
  public int icmp(int row) {
    return icmp[row];
  }

  /** All observers met; rows refer to them by index. Some may have no row in this batch. */
  public List<Observer> observers() {
    return shownObservers;
  }
}
