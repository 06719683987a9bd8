package io.peerlens.flow.decode;

import io.peerlens.ingest.flow.Protocols;

/** Rows of a batch, from the record that is being read, whose meaning its dialect has told. */
final class FlowRows {

  /** More bytes or packets in one record are taken for a mistake; sums have to fit 63 bits. */
  static final long MAX_VOLUME = 1L << 53;

  private final FlowFields fields;
  private final FlowTimes times;
  private final SamplingRate rate;

  /** Takes the rows. */
  FlowBatch batch = new FlowBatch();

  FlowRows(FlowFields fields, FlowTimes times, SamplingRate rate) {
    this.fields = fields;
    this.times = times;
    this.rate = rate;
  }

  /** Checks what all forms have in common, and adds the row; false = the record is refused. */
  boolean add(
      long bytes, long packets, long reverseBytes, long reversePackets, FlowVersion version) {
    times.complete();
    int protocol = fields.protocol();
    int srcPort = fields.port(Field.SRC_PORT, Field.TRANSPORT_SRC_PORT);
    int dstPort = fields.port(Field.DST_PORT, Field.TRANSPORT_DST_PORT);
    int icmp = FlowBatch.UNKNOWN;
    if (protocol == Protocols.ICMP || protocol == Protocols.ICMP6) {
      int type = (int) fields.whole(Field.ICMP_TYPE, 0, 255);
      int code = (int) fields.whole(Field.ICMP_CODE, 0, 255);
      icmp = type << 8 | code;
      if (icmp == 0) {
        icmp = dstPort; // where NetFlow keeps it
      }
      srcPort = 0;
      dstPort = 0;
    }
    int flags = protocol == Protocols.TCP ? fields.tcpFlags(Field.TCP_FLAGS) : FlowBatch.UNKNOWN;
    long in = fields.whole(Field.IN_IF, 0, FlowFields.MAX_UNSIGNED_32);
    long out = fields.whole(Field.OUT_IF, 0, FlowFields.MAX_UNSIGNED_32);
    boolean dropped = fields.isDropped();
    if (version == FlowVersion.SFLOW_5 && out >>> 30 != 0) {
      dropped |= out >>> 30 == 1; // sFlow's way to say that the packet went nowhere
      out = 0; // or to several interfaces
    }
    long domain = fields.whole(Field.DOMAIN, 0, FlowFields.MAX_UNSIGNED_32);
    int direction = fields.direction();
    bytes = rate.scaled(bytes);
    packets = rate.scaled(packets);
    reverseBytes = rate.scaled(reverseBytes);
    reversePackets = rate.scaled(reversePackets);
    if (fields.refusal != null || !times.isInTime() || !fields.address(Field.EXPORTER)) {
      return false;
    }
    long exporterHigh = fields.addresses.high();
    long exporterLow = fields.addresses.low();
    if (!fields.address(Field.SRC)) {
      return false;
    }
    long srcHigh = fields.addresses.high();
    long srcLow = fields.addresses.low();
    if (!fields.address(Field.DST)) {
      return false;
    }
    long dstHigh = fields.addresses.high();
    long dstLow = fields.addresses.low();
    int observer = batch.observer(exporterHigh, exporterLow, domain, version);

    int row = batch.add(times.received, observer);
    batch.times(row, times.startMillis, times.endMillis);
    batch.source(row, srcHigh, srcLow, srcPort);
    batch.destination(row, dstHigh, dstLow, dstPort);
    batch.traffic(row, bytes, packets, dropped);
    batch.protocol(row, protocol, flags, icmp);
    batch.interfaces(row, in, out, direction);
    if (reverseBytes > 0 || reversePackets > 0) {
      // The answers, in the same record: what went the other way.
      int back = batch.add(times.received, observer);
      batch.times(back, times.startMillis, times.endMillis);
      batch.source(back, dstHigh, dstLow, dstPort);
      batch.destination(back, srcHigh, srcLow, srcPort);
      batch.traffic(back, reverseBytes, reversePackets, dropped);
      batch.protocol(
          back,
          protocol,
          protocol == Protocols.TCP ? fields.tcpFlags(Field.REVERSE_TCP_FLAGS) : FlowBatch.UNKNOWN,
          icmp);
      batch.interfaces(back, out, in, direction);
    }
    return true;
  }
}
