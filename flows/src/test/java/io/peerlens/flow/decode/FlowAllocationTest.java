package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoding makes no garbage, so that it costs other threads nothing. */
class FlowAllocationTest {

  private static final int RECORDS = 20_000;

  private static final String GOFLOW2 =
      """
      {"type":"%s","time_received_ns":1795219600000000000,"sequence_num":7,"sampling_rate":100,\
      "sampler_address":"192.0.2.%d","time_flow_start_ns":1795219590001000000,\
      "time_flow_end_ns":1795219599002000000,"bytes":%d,"packets":3,"src_addr":"10.0.%d.1",\
      "dst_addr":"2001:db8::%d","etype":"IPv4","proto":"TCP","src_port":51000,"dst_port":443,\
      "in_if":4,"out_if":5,"src_mac":"00:00:00:00:00:00","forwarding_status":0,"tcp_flags":27,\
      "icmp_type":0,"as_path":[1,2],"mpls_ip":["10.9.9.9"],"observation_domain_id":%d}
      """;

  private static final FlowVersion[] VERSIONS = {
    FlowVersion.IPFIX, FlowVersion.NETFLOW_V9, FlowVersion.SFLOW_5
  };

  /** The second time; the first one grows the columns and meets the exporters. */
  private static double allocatedByRecord(List<byte[]> values) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    FlowDecoding d = new FlowDecoding();
    Rejects none =
        (number, reason, detail, from, to) -> {
          throw new AssertionError(detail);
        };
    long before = 0;
    for (int pass = 0; pass < 2; pass++) {
      d.batch.clear();
      before = threads.getCurrentThreadAllocatedBytes();
      for (byte[] value : values) {
        d.decoder.decode(value, 0, value.length, 0, d.batch, none);
      }
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(d.batch.size()).isEqualTo(values.size());
    return (double) allocated / values.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 200})
  void goflow2sJsonMakesNone(int exporters) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      values.add(
          GOFLOW2
              .formatted(VERSIONS[i % 3], i % exporters, i, i % 256, i % 1_000, i % 7)
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(allocatedByRecord(values)).isLessThan(1);
  }

  @Test
  void protobufMakesNone() {
    byte[] value =
        new FlowMessages()
            .varint(1, 4)
            .bytes(6, 10, 0, 0, 1)
            .bytes(7, 10, 0, 0, 2)
            .varint(9, 1500)
            .bytes(11, 192, 0, 2, 1)
            .varint(110, 1_795_219_600_000_000_000L)
            .delimited();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      values.add(value);
    }
    assertThat(allocatedByRecord(values)).isLessThan(1);
  }

  @Test
  void telegrafsLinesMakeNoMoreThanAKeyForTheirExporter() {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      values.add(
          ("netflow,source=192.0.2.1,version=IPFIX src=\"10.0.0.1\",dst=\"10.0.0.2\",src_port="
                  + (i + 1)
                  + "i,dst_port=443i,protocol=\"tcp\",in_bytes=1500i,in_packets=3i 1795219600000000000")
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(allocatedByRecord(values)).isLessThan(64);
  }
}
