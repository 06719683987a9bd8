package io.peerlens.flow.decode;

import io.peerlens.flow.network.Addresses;
import io.peerlens.ingest.flow.Protocols;

/** One flow record of a test; what is not set says nothing. */
public final class Flow {

  public static final Observer ROUTER = observer("10.77.255.2", FlowVersion.NETFLOW_V9);
  public static final Observer SWITCH = observer("10.77.255.3", FlowVersion.IPFIX);

  /** 2026-11-20 23:58:00 UTC. */
  public static final long T0 = 1_795_219_080_000L;

  String src = "10.77.1.11";
  String dst = "10.77.2.13";
  int srcPort = 40_000;
  int dstPort = 80;
  int protocol = Protocols.TCP;
  long start = T0;
  long end = T0;
  public long bytes = 1_000;
  public long packets = 10;
  int flags = 27;
  int icmp = FlowBatch.UNKNOWN;
  public boolean dropped;
  int direction = FlowBatch.NO_DIRECTION;
  Observer observer = ROUTER;

  static Observer observer(String address, FlowVersion version) {
    Addresses parsed = address(address);
    return new Observer(parsed.high(), parsed.low(), 0, version);
  }

  public static Addresses address(String text) {
    Addresses parsed = new Addresses();
    if (!parsed.parse(text)) {
      throw new IllegalArgumentException(text);
    }
    return parsed;
  }

  public static Flow from(String src, int srcPort, String dst, int dstPort) {
    Flow flow = new Flow();
    flow.src = src;
    flow.srcPort = srcPort;
    flow.dst = dst;
    flow.dstPort = dstPort;
    return flow;
  }

  public Flow protocol(int number) {
    protocol = number;
    return this;
  }

  public Flow icmp(int type, int code) {
    icmp = type * 256 + code;
    return this;
  }

  public Flow traffic(long byteCount, long packetCount) {
    bytes = byteCount;
    packets = packetCount;
    return this;
  }

  public Flow lasting(long fromMillis, long toMillis) {
    start = T0 + fromMillis;
    end = T0 + toMillis;
    return this;
  }

  public Flow flags(int tcpFlags) {
    flags = tcpFlags;
    return this;
  }

  public Flow dropped() {
    dropped = true;
    return this;
  }

  public Flow seenBy(Observer who, int way) {
    observer = who;
    direction = way;
    return this;
  }

  public void addTo(FlowBatch batch) {
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

  public static FlowBatch batch(Flow... flows) {
    FlowBatch batch = new FlowBatch();
    for (Flow flow : flows) {
      flow.addTo(batch);
    }
    return batch;
  }
}
