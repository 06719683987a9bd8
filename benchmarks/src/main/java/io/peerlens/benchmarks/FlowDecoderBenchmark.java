package io.peerlens.benchmarks;

import io.peerlens.flow.decode.Exporters;
import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowDecoder;
import io.peerlens.flow.decode.FlowGuards;
import io.peerlens.flow.decode.Rejects;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Values of Kafka records in, flows in columns out. One operation is one flow record, with all the
 * members that goflow2 or Telegraf writes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FlowDecoderBenchmark {

  private static final int RECORDS = 20_000;

  private static final String GOFLOW2 =
      """
      {"type":"NETFLOW_V9","time_received_ns":%1$d,"sequence_num":73,"sampling_rate":1,\
      "sampler_address":"10.77.255.2","time_flow_start_ns":%2$d,"time_flow_end_ns":%3$d,\
      "bytes":%4$d,"packets":%5$d,"src_addr":"10.77.%6$d.%7$d","dst_addr":"10.78.%8$d.%9$d",\
      "etype":"IPv4","proto":"TCP","src_port":%10$d,"dst_port":443,"in_if":2,"out_if":2,\
      "src_mac":"00:00:00:00:00:00","dst_mac":"00:00:00:00:00:00","src_vlan":0,"dst_vlan":0,\
      "vlan_id":0,"ip_tos":0,"forwarding_status":0,"ip_ttl":0,"ip_flags":0,"tcp_flags":27,\
      "icmp_type":0,"icmp_code":0,"ipv6_flow_label":0,"fragment_id":0,"fragment_offset":0,\
      "src_as":0,"dst_as":0,"next_hop":"","next_hop_as":0,"src_net":"0.0.0.0/0",\
      "dst_net":"0.0.0.0/0","bgp_next_hop":"","bgp_communities":[],"as_path":[],"mpls_ttl":[],\
      "mpls_label":[],"mpls_ip":[],"observation_domain_id":0,"observation_point_id":0,\
      "layer_stack":[],"layer_size":[],"ipv6_routing_header_addresses":[],\
      "ipv6_routing_header_seg_left":0}
      """;

  private static final String TELEGRAF =
      """
      netflow,host=collector1,source=10.77.255.2,version=IPFIX flow_start_ms=%2$di,\
      flow_end_ms=%3$di,in_bytes=%4$di,in_snmp=1i,protocol="tcp",ip_version="IPv4",\
      in_packets=%5$di,direction="ingress",out_snmp=1i,src_tos="0x00",src="10.77.%6$d.%7$d",\
      dst="10.78.%8$d.%9$d",flow_end_reason="end of flow",src_port=%10$di,dst_port=443i,\
      tcp_flags="...AP.SF" %1$d
      """;

  /** What writes the records. */
  @Param({"goflow2-json", "goflow2-protobuf", "telegraf-line"})
  String form = "";

  private final FlowBatch batch = new FlowBatch();
  private final FlowDecoder decoder =
      new FlowDecoder(
          () -> FlowGuards.DEFAULT, new Exporters(), InstantSource.fixed(Workload.TIME));
  private final Rejects rejects =
      (number, reason, detail, from, to) -> {
        throw new IllegalStateException(detail);
      };
  private List<byte[]> values = List.of();

  @Setup(Level.Trial)
  public void write() {
    SplittableRandom random = new SplittableRandom(1);
    values = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = value(random);
      bytes += value.length;
      values.add(value);
    }
    System.out.printf("%.1f bytes a record%n", (double) bytes / RECORDS);
  }

  private byte[] value(SplittableRandom random) {
    long end = Workload.TIME.toEpochMilli() - random.nextInt(60_000);
    long start = end - random.nextInt(30_000);
    long packets = 1L + random.nextInt(200);
    long bytes = packets * (40 + random.nextInt(1_460));
    int[] src = {random.nextInt(256), random.nextInt(256)};
    int[] dst = {random.nextInt(256), random.nextInt(256)};
    int port = 32_768 + random.nextInt(28_000);
    if (form.equals("goflow2-protobuf")) {
      return message(start, end, bytes, packets, src, dst, port);
    }
    boolean json = form.equals("goflow2-json");
    long unit = json ? 1_000_000 : 1;
    return (json ? GOFLOW2 : TELEGRAF)
        .formatted(
            end * 1_000_000,
            start * unit,
            end * unit,
            bytes,
            packets,
            src[0],
            src[1],
            dst[0],
            dst[1],
            port)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** goflow2's FlowMessage after its length; see ProtobufFlows for the numbers. */
  private static byte[] message(
      long start, long end, long bytes, long packets, int[] src, int[] dst, int port) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    varint(message, 1, 3);
    varint(message, 3, 1);
    varint(message, 4, 73);
    address(message, 6, 77, src);
    address(message, 7, 78, dst);
    varint(message, 9, bytes);
    varint(message, 10, packets);
    address(message, 11, 77, new int[] {255, 2});
    varint(message, 18, 2);
    varint(message, 19, 2);
    varint(message, 20, 6);
    varint(message, 21, port);
    varint(message, 22, 443);
    varint(message, 26, 27);
    varint(message, 30, 0x800);
    varint(message, 110, end * 1_000_000);
    varint(message, 111, start * 1_000_000);
    varint(message, 112, end * 1_000_000);
    ByteArrayOutputStream delimited = new ByteArrayOutputStream();
    varint(delimited, message.size());
    delimited.writeBytes(message.toByteArray());
    return delimited.toByteArray();
  }

  private static void address(ByteArrayOutputStream out, int field, int second, int[] rest) {
    varint(out, (long) field << 3 | 2);
    out.writeBytes(new byte[] {4, 10, (byte) second, (byte) rest[0], (byte) rest[1]});
  }

  private static void varint(ByteArrayOutputStream out, int field, long value) {
    varint(out, (long) field << 3);
    varint(out, value);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    for (; rest > 127; rest >>>= 7) {
      out.write((int) ((rest & 127) | 128));
    }
    out.write((int) rest);
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public FlowBatch decode() {
    batch.clear();
    for (byte[] value : values) {
      decoder.decode(value, 0, value.length, -1, batch, rejects);
    }
    return batch;
  }
}
