package io.peerlens.ingest.flow;

/** One flow record of a test; what is not set says nothing. */
final class Flow {

  static final Observer ROUTER = observer("10.77.255.2", FlowVersion.NETFLOW_V9);
  static final Observer SWITCH = observer("10.77.255.3", FlowVersion.IPFIX);

  /** 2026-11-20 23:58:00 UTC. */
  static final long T0 = 1_795_219_080_000L;

  String src = "10.77.1.11";
  String dst = "10.77.2.13";
  int srcPort = 40_000;
  int dstPort = 80;
  int protocol = Protocols.TCP;
  long start = T0;
  long end = T0;
  long bytes = 1_000;
  long packets = 10;
  int flags = 27;
  int icmp = FlowBatch.UNKNOWN;
  boolean dropped;
  int direction = FlowBatch.NO_DIRECTION;
  Observer observer = ROUTER;

  static Observer observer(String address, FlowVersion version) {
    Addresses parsed = address(address);
    return new Observer(parsed.high(), parsed.low(), 0, version);
  }

  static Addresses address(String text) {
    Addresses parsed = new Addresses();
    if (!parsed.parse(text)) {
      throw new IllegalArgumentException(text);
    }
    return parsed;
  }

  static Flow from(String src, int srcPort, String dst, int dstPort) {
    Flow flow = new Flow();
    flow.src = src;
    flow.srcPort = srcPort;
    flow.dst = dst;
    flow.dstPort = dstPort;
    return flow;
  }

  Flow protocol(int number) {
    protocol = number;
    return this;
  }

  Flow icmp(int type, int code) {
    icmp = type * 256 + code;
    return this;
  }

  Flow traffic(long byteCount, long packetCount) {
    bytes = byteCount;
    packets = packetCount;
    return this;
  }

  Flow lasting(long fromMillis, long toMillis) {
    start = T0 + fromMillis;
    end = T0 + toMillis;
    return this;
  }

  Flow flags(int tcpFlags) {
    flags = tcpFlags;
    return this;
  }

  Flow dropped() {
    dropped = true;
    return this;
  }

  Flow seenBy(Observer who, int way) {
    observer = who;
    direction = way;
    return this;
  }

  void addTo(FlowBatch batch) {
    int row = batch.add(end, batch.observer(observer));
    Addresses sender = address(src);
    Addresses receiver = address(dst);
    batch.times(row, start, end);
    batch.source(row, sender.high(), sender.low(), srcPort);
    batch.destination(row, receiver.high(), receiver.low(), dstPort);
    batch.traffic(row, bytes, packets, dropped);
    batch.protocol(row, protocol, flags, icmp);
    batch.interfaces(row, 1, 2, direction);
  }

  static FlowBatch batch(Flow... flows) {
    FlowBatch batch = new FlowBatch();
    for (Flow flow : flows) {
      flow.addTo(batch);
    }
    return batch;
  }
}
