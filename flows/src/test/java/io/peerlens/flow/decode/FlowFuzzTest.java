package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Damage;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sound records, damaged at random. Whatever comes out, nothing is thrown, rows are what a flow can
 * be, dead letters have a reason and bytes of the value, and neighbours are untouched.
 */
class FlowFuzzTest {

  private static final long SEED = 20261121;

  private static final List<String> SOUND =
      List.of(
          """
          {"type":"IPFIX","time_received_ns":1795219600000000000,"sampling_rate":2,\
          "sampler_address":"192.0.2.1","time_flow_start_ns":1795219590001000000,\
          "time_flow_end_ns":1795219599002000000,"bytes":1500,"packets":3,"src_addr":"10.0.0.1",\
          "dst_addr":"fd00::2","proto":"TCP","src_port":51000,"dst_port":443,"in_if":4,"out_if":5,\
          "forwarding_status":64,"tcp_flags":27,"as_path":[1,2],"observation_domain_id":9}""",
          """
          {"metrics":[{"fields":{"src":"10.0.0.1","dst":"10.0.0.2","protocol":"udp","in_bytes":15,\
          "in_packets":3},"name":"netflow","tags":{"source":"192.0.2.1","version":"IPFIX"},\
          "timestamp":1795219600}]}""",
          "netflow,source=192.0.2.1,version=NetFlowV9 src=\"10.0.0.1\",dst=\"10.0.0.2\","
              + "src_port=51000i,dst_port=443u,protocol=\"tcp\",in_bytes=1500i,in_packets=3i,"
              + "tcp_flags=\"...AP.SF\",first_switched=12i,last_switched=15i 1795219600000999999",
          "netflow_options,source=192.0.2.1,version=NetFlowV9 sampling_interval=2i,"
              + "system_init_ms=1795219000000i 1795219600000999999");

  private static final String NEIGHBOUR =
      SOUND.getFirst().replace("192.0.2.1", "192.0.2.77").replace("51000", "7");

  private static FlowDecoding decoding() {
    return new FlowDecoding();
  }

  @Test
  @DisplayName("50,000 damaged lines, seed 20261121")
  void takesDamagedLines() {
    fuzz(50_000, SEED);
  }

  @Test
  @Tag("proof")
  @DisplayName("2,000,000 damaged lines, seed 20261122")
  void takesMillionsOfDamagedLines() {
    fuzz(2_000_000, SEED + 1);
  }

  private static void fuzz(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FlowDecoding d = decoding();
    int refused = 0;
    int stored = 0;
    for (int i = 0; i < count; i++) {
      byte[] damaged = damage(bytes(SOUND.get(random.nextInt(SOUND.size()))), random);
      byte[] value =
          FlowMessages.concat(bytes(NEIGHBOUR + "\n"), damaged, bytes("\n" + NEIGHBOUR + "\n"));
      d.batch.clear();
      d.rejects.clear();
      d.decode(value, FlowDecoding.NOW.toEpochMilli());
      String shown = new String(damaged, StandardCharsets.ISO_8859_1);
      assertThat(d.batch.size()).as(shown).isGreaterThanOrEqualTo(2);
      assertNeighbour(d, 0, shown);
      assertNeighbour(d, d.batch.size() - 1, shown);
      check(d, value);
      refused += d.rejects.size();
      stored += d.batch.size() - 2;
    }
    System.out.printf("%,d damaged lines: %,d refused, %,d stored%n", count, refused, stored);
    assertThat(refused).isGreaterThan(count / 4);
    assertThat(stored).isGreaterThan(count / 20);
  }

  private static void assertNeighbour(FlowDecoding d, int row, String shown) {
    assertThat(d.batch.srcPort(row)).as(shown).isEqualTo(7);
    assertThat(d.batch.bytes(row)).as(shown).isEqualTo(3_000);
  }

  @Test
  @DisplayName("50,000 damaged protobuf values, seed 20261121")
  void takesDamagedProtobuf() {
    fuzzProtobuf(50_000, SEED);
  }

  @Test
  @Tag("proof")
  @DisplayName("1,000,000 damaged protobuf values, seed 20261122")
  void takesAMillionDamagedProtobufValues() {
    fuzzProtobuf(1_000_000, SEED + 1);
  }

  private static void fuzzProtobuf(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FlowDecoding d = decoding();
    int refused = 0;
    for (int i = 0; i < count; i++) {
      byte[] message =
          new FlowMessages()
              .varint(1, 1 + random.nextInt(4))
              .varint(3, 2)
              .bytes(6, 10, 0, 0, 1)
              .bytes(7, 10, 0, 0, 2)
              .varint(9, random.nextInt(2_000))
              .varint(10, 3)
              .bytes(11, 192, 0, 2, 1)
              .varint(20, 6)
              .varint(22, 443)
              .varint(110, 1_795_219_600_000_000_000L)
              .delimited();
      byte[] value = FlowMessages.concat(message, damage(message, random), message);
      d.batch.clear();
      d.rejects.clear();
      d.decode(value, FlowDecoding.NOW.toEpochMilli());
      assertThat(d.batch.size()).isPositive();
      check(d, value);
      refused += d.rejects.size();
    }
    System.out.printf("%,d damaged protobuf values: %,d refused%n", count, refused);
    assertThat(refused).isGreaterThan(count / 5);
  }

  private static void check(FlowDecoding d, byte[] value) {
    String all = new String(value, StandardCharsets.ISO_8859_1);
    for (FlowDecoding.Reject reject : d.rejects) {
      assertThat(reject.detail()).isNotBlank().hasSizeLessThan(400);
      assertThat(reject.payload()).isNotEmpty();
      assertThat(all).contains(reject.payload());
    }
    FlowBatch b = d.batch;
    for (int i = 0; i < b.size(); i++) {
      assertThat(b.bytes(i)).isBetween(0L, 1L << 53);
      assertThat(b.packets(i)).isBetween(0L, 1L << 53);
      assertThat(b.srcPort(i)).isBetween(0, 65_535);
      assertThat(b.dstPort(i)).isBetween(0, 65_535);
      assertThat(b.protocol(i)).isBetween(0, 255);
      assertThat(b.tcpFlags(i)).isBetween(-1, 65_535);
      assertThat(b.icmp(i)).isBetween(-1, 65_535);
      assertThat(b.direction(i)).isBetween(0, 2);
      assertThat(b.observer(i)).isBetween(0, b.observers().size() - 1);
      long now = FlowDecoding.NOW.toEpochMilli();
      assertThat(b.receivedMillis(i)).isBetween(now - 2 * 86_400_000L, now + 600_000);
      assertThat(b.endMillis(i)).isBetween(now - 2 * 86_400_000L, now + 600_000);
      assertThat(b.startMillis(i)).isBetween(b.endMillis(i) - 86_400_000L, b.endMillis(i));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "}{",
        "{\"",
        "[",
        "[{",
        "{\"a\":",
        "{\"a\":[",
        "{\"a\":\"\\",
        "\"",
        "\\",
        "{\"a\":1}",
        "{\"a\":1},",
        "[{\"a\":1}],",
        "{\n",
        "{\"a\":\"\n",
        "netflow,",
        "netflow a=\"\n",
        "netflow,a\\",
        "netflow a=1,",
        "a\n",
        "9",
        "{\"bytes\":9",
        "{\"metrics\":[{",
        "\n",
        " ",
        "#",
        "\r"
      })
  void timeIsLinearWhateverIsRepeated(String part) {
    byte[] value = bytes(part.repeat((4 << 20) / part.length()));
    FlowDecoding d = decoding();
    FlowDecoder decoder = d.decoder;
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long[] letters = {0};
    decoder.decode(
        value, 0, value.length, -1, d.batch, (number, reason, detail, from, to) -> letters[0]++);
    double seconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
    // A step for each pair of the 4 million bytes would take hours.
    assertThat(seconds).isLessThan(20);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] damage(byte[] sound, SplittableRandom random) {
    return Damage.of(sound, new byte[][] {sound}, random);
  }

  @Test
  @DisplayName("glued objects, one damaged: 20,000 times, seed 20261121")
  void ofGluedObjectsTheSoundOnesBehindADamagedOneAreFound() {
    SplittableRandom random = new SplittableRandom(SEED);
    FlowDecoding d = decoding();
    int found = 0;
    List<String> lost = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged =
          Damage.once(bytes(SOUND.getFirst()), new byte[][] {bytes(SOUND.getFirst())}, random);
      d.batch.clear();
      d.rejects.clear();
      d.decode(
          FlowMessages.concat(bytes(NEIGHBOUR), damaged, bytes(NEIGHBOUR)),
          FlowDecoding.NOW.toEpochMilli());
      assertNeighbour(d, 0, new String(damaged, StandardCharsets.ISO_8859_1));
      if (d.batch.srcPort(d.batch.size() - 1) == 7 && d.batch.size() > 1) {
        found++;
      } else {
        lost.add(new String(damaged, StandardCharsets.ISO_8859_1));
        assertThat(d.rejects).as(lost.getLast()).isNotEmpty();
      }
    }
    // An open quote or bracket swallows what is glued behind it, into the dead letter.
    assertThat(found).isGreaterThan(17_000);
  }
}
