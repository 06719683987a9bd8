package io.peerlens.flow.minute;

import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.Observer;
import io.peerlens.flow.network.AddressBook;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Mix;
import io.peerlens.flow.network.Networks;
import io.peerlens.ingest.flow.Protocols;
import io.peerlens.ingest.flow.ServicePorts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums of flow records by minute, observer, sender, receiver and service.
 *
 * <p>The same records in any order and in any batches give the same sums, also when they are taken
 * out in parts in between: nothing depends on records that were there before. That is what lets the
 * store be append-only and a replay or a restart change nothing.
 *
 * <ul>
 *   <li>A record belongs to the objects that had its addresses when it ended.
 *   <li>Bytes, packets and drops of a record that lasts over several minutes are spread over them
 *       in proportion to the time in each; the parts are whole numbers and add up to the whole.
 *       Over more than {@value #MOST_MINUTES} minutes it is put down every second minute, every
 *       third and so on, to keep the number of rows in bounds.
 *   <li>Flows, sessions and resets count in the minute in which the record begins.
 *   <li>Sessions count towards the service only: a TCP record counts when it saw a SYN or does not
 *       tell its flags, any other record counts.
 *   <li>A record of dropped packets counts as a flow and with its packets as drops, and with
 *       nothing else, because nothing was delivered.
 * </ul>
 *
 * <p>Memory is bounded: {@link #add} stops when there are too many rows, to be called again once
 * they were taken away. Not thread-safe.
 */
public final class FlowMinutes {

  /** A record is put down in at most this many minutes. */
  static final int MOST_MINUTES = 24 * 60;

  /** The part of a longer record that is before this is put into what is left; 31 days. */
  static final long LONGEST_MILLIS = 31L * 24 * 60 * 60 * 1000;

  private static final int MOST_OBSERVERS = 10_000;
  private static final long MINUTE = 60_000;
  private static final int SYN = 2;
  private static final int RST = 4;

  private final Endpoints endpoints;
  private final int maxRows;
  private final int maxEndpoints;
  private final KnownEndpoints known = new KnownEndpoints();
  private final Map<Observer, Integer> observers = new HashMap<>();
  private final MinuteRows rows = new MinuteRows();
  private int[] slots = new int[1 << 11]; // row + 1, 0 = free

  private AddressBook addresses = AddressBook.empty();
  private Networks networks = Networks.unnamed();

  private int answered; // entries of "known" before this one have ids

  // What the records of the batch in hand were resolved to.
  private int[] srcEntry = new int[0];
  private int[] dstEntry = new int[0];
  private int[] observerIds = new int[0];
  private boolean[] observerKnown = new boolean[0];

  /**
   * Starts without rows.
   *
   * @param maxRows rows to hold at most, at least {@value #MOST_MINUTES}; one takes 64 bytes, and 8
   *     to 16 in the index
   * @param maxEndpoints endpoints to remember between batches; one takes 24 bytes, and 8 to 16 in
   *     the index
   */
  public FlowMinutes(Endpoints endpoints, int maxRows, int maxEndpoints) {
    if (maxRows < MOST_MINUTES) {
      throw new IllegalArgumentException(
          "maxRows must be at least %d, so that any one record fits, not %d"
              .formatted(MOST_MINUTES, maxRows));
    }
    this.endpoints = endpoints;
    this.maxRows = maxRows;
    this.maxEndpoints = maxEndpoints;
  }

  /** Takes these to resolve addresses from the next {@link #add} on; until then there are none. */
  public void use(AddressBook book, Networks named) {
    if (named != networks) {
      forget(); // the store may give other ids to addresses that change their network
    }
    addresses = book;
    networks = named;
  }

  /** Forgets all ids that it knows, so that it asks for them again. */
  public void forget() {
    known.clear();
    answered = 0;
    observers.clear();
  }

  /**
   * Adds records until all are added or the rows are full.
   *
   * @param from the first record to add
   * @return the first record that was not added: {@code batch.size()} when all were; otherwise
   *     {@link #rows} want to be stored and {@link #clear}ed before the rest is added
   */
  public int add(FlowBatch batch, int from) {
    resolve(batch, from);
    int size = batch.size();
    for (int r = from; r < size; r++) {
      long end = batch.endMillis(r);
      long start = Math.clamp(batch.startMillis(r), end - LONGEST_MILLIS, end);
      int first = minute(start);
      int last = end == start ? first : minute(end - 1);
      int minutes = last - first + 1;
      int step = (minutes + MOST_MINUTES - 1) / MOST_MINUTES;
      if (rows.size() + (minutes + step - 1) / step > maxRows) {
        return r;
      }
      add(batch, r, start, end, first, last, step);
    }
    return size;
  }

  private static int minute(long millis) {
    return (int) Math.floorDiv(millis, MINUTE);
  }

  private void add(FlowBatch batch, int r, long start, long end, int first, int last, int step) {
    int protocol = batch.protocol(r);
    int srcPort = batch.srcPort(r);
    int dstPort = batch.dstPort(r);
    int icmp = batch.icmp(r);
    boolean towardsService =
        ServicePorts.towardsService(protocol, srcPort, dstPort, icmp, destinationFirst(batch, r));
    int port = ServicePorts.port(protocol, srcPort, dstPort, icmp);
    int service =
        MinuteRows.service(port, protocol, towardsService, batch.direction(r) == FlowBatch.EGRESS);
    long pair = MinuteRows.pair(known.id(srcEntry[r]), known.id(dstEntry[r]));
    int observer = observerIds[batch.observer(r)];
    boolean dropped = batch.dropped(r);
    long bytes = dropped ? 0 : batch.bytes(r);
    long packets = batch.packets(r);

    int flags = batch.tcpFlags(r);
    boolean tcp = protocol == Protocols.TCP;
    boolean session =
        towardsService && !dropped && (!tcp || flags == FlowBatch.UNKNOWN || (flags & SYN) != 0);
    boolean reset = tcp && !dropped && flags != FlowBatch.UNKNOWN && (flags & RST) != 0;
    int row = row(MinuteRows.when(first, observer), pair, service);
    rows.addFlows(row, 1, session ? 1 : 0, reset ? 1 : 0);
    if (first == last) {
      put(row, bytes, packets, dropped);
      return;
    }

    long took = end - start;
    long bytesBefore = 0;
    long packetsBefore = 0;
    for (int minute = first; minute <= last; minute += step) {
      long until = Math.min(end, (minute + (long) step) * MINUTE) - start;
      long bytesUntil = part(bytes, until, took);
      long packetsUntil = part(packets, until, took);
      if (bytesUntil != bytesBefore || packetsUntil != packetsBefore) {
        if (minute != first) {
          row = row(MinuteRows.when(minute, observer), pair, service);
        }
        put(row, bytesUntil - bytesBefore, packetsUntil - packetsBefore, dropped);
        bytesBefore = bytesUntil;
        packetsBefore = packetsUntil;
      }
    }
  }

  private static boolean destinationFirst(FlowBatch batch, int r) {
    int c = Long.compareUnsigned(batch.dstHigh(r), batch.srcHigh(r));
    return c != 0 ? c < 0 : Long.compareUnsigned(batch.dstLow(r), batch.srcLow(r)) < 0;
  }

  private void put(int row, long bytes, long packets, boolean dropped) {
    if (dropped) {
      rows.addDrops(row, packets);
    } else {
      rows.addTraffic(row, bytes, packets);
    }
  }

  /**
   * {@code total * time / whole} rounded down, exactly: times are below {@link #LONGEST_MILLIS}, so
   * the product of two of them fits.
   */
  static long part(long total, long time, long whole) {
    return total / whole * time + total % whole * time / whole;
  }

  private int row(long when, long pair, int service) {
    int mask = slots.length - 1;
    int slot = Mix.of(when, pair, service) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      if (rows.is(found - 1, when, pair, service)) {
        return found - 1;
      }
    }
    int row = rows.append(when, pair, service);
    slots[slot] = row + 1;
    if (rows.size() * 2 > slots.length) {
      rehash();
    }
    return row;
  }

  private void rehash() {
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int row = 0; row < rows.size(); row++) {
      int slot = rows.hash(row) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = row + 1;
    }
  }

  /** Finds endpoints and observers of all records, and asks for those that have no id. */
  private void resolve(FlowBatch batch, int from) {
    if (known.size() > maxEndpoints) {
      known.clear();
      answered = 0;
    }
    int size = batch.size();
    if (srcEntry.length < size) {
      int length = Math.max(size, srcEntry.length * 2);
      srcEntry = new int[length];
      dstEntry = new int[length];
    }
    List<Observer> ofBatch = batch.observers();
    if (observerIds.length < ofBatch.size()) {
      observerIds = new int[ofBatch.size() * 2];
      observerKnown = new boolean[ofBatch.size() * 2];
    }
    Arrays.fill(observerKnown, false);
    for (int r = from; r < size; r++) {
      long time = batch.endMillis(r);
      srcEntry[r] = entry(batch.srcHigh(r), batch.srcLow(r), time);
      dstEntry[r] = entry(batch.dstHigh(r), batch.dstLow(r), time);
      int observer = batch.observer(r);
      if (!observerKnown[observer]) {
        observerIds[observer] = observerId(ofBatch.get(observer));
        observerKnown[observer] = true;
      }
    }
    if (answered < known.size()) {
      EndpointRequest request = new EndpointRequest(known, networks, answered);
      endpoints.find(request);
      int missing = request.missing();
      if (missing >= 0) {
        throw new IllegalStateException(
            "Endpoint %s got no id"
                .formatted(Addresses.text(request.high(missing), request.low(missing))));
      }
      answered = known.size();
    }
  }

  private int entry(long high, long low, long timeMillis) {
    int owner = addresses.find(high, low, timeMillis);
    return known.entry(
        high,
        low,
        owner == AddressBook.NONE ? EndpointRequest.NO_OBJECT : addresses.objectId(owner));
  }

  private int observerId(Observer who) {
    Integer id = observers.get(who);
    if (id == null) {
      if (observers.size() == MOST_OBSERVERS) {
        observers.clear();
      }
      id = endpoints.observer(who);
      observers.put(who, id);
    }
    return id;
  }

  /** The sums so far, in no particular order. */
  public MinuteRows rows() {
    return rows;
  }

  /** Makes the sums empty again. */
  public void clear() {
    rows.clear();
    Arrays.fill(slots, 0);
  }
}
