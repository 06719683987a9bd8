package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Numbers and texts that no exporter should write, in every place of a flow record of each form.
 * Each record is stored or a dead letter with a reason, and its neighbours are stored.
 */
class FlowNumbersEverywhereTest {

  private static final List<String> SOUND =
      List.of(
          """
          {"type":"IPFIX","time_received_ns":1795219600000000000,"sequence_num":7,"sampling_rate":2,\
          "sampler_address":"192.0.2.1","time_flow_start_ns":1795219590001000000,\
          "time_flow_end_ns":1795219599002000000,"bytes":1500,"packets":3,"src_addr":"10.0.0.1",\
          "dst_addr":"fd00::2","etype":"IPv6","proto":"TCP","src_port":51000,"dst_port":443,"in_if":4,\
          "out_if":5,"forwarding_status":64,"tcp_flags":27,"icmp_type":0,"icmp_code":0,"as_path":[1,2],\
          "observation_domain_id":9,"direction":1}""",
          """
          {"fields":{"src":"10.0.0.1","dst":"10.0.0.2","protocol":"tcp","in_bytes":15,"in_packets":3,\
          "src_port":1,"dst_port":2,"tcp_flags":"...AP.SF","first_switched":12,"last_switched":15,\
          "sampling_interval":2,"flow_start_ms":1795219590001,"flow_end_ms":1795219599002,\
          "in_snmp":1,"out_snmp":2,"direction":"ingress"},"name":"netflow",\
          "tags":{"source":"192.0.2.1","version":"IPFIX"},"timestamp":1795219600}""",
          "netflow,source=192.0.2.1,version=NetFlowV9 src=\"10.0.0.1\",dst=\"10.0.0.2\","
              + "src_port=51000i,dst_port=443u,protocol=\"tcp\",in_bytes=1500i,in_packets=3i,"
              + "tcp_flags=\"...AP.SF\",first_switched=12i,last_switched=15i 1795219600000999999",
          "netflow_options,source=192.0.2.1,version=NetFlowV9 sampling_interval=2i,"
              + "system_init_ms=1795219000000i,sampler_id=7i 1795219600000999999");

  /** A value of JSON or line protocol; the bytes of each are replaced in turn. */
  private static final Pattern VALUE =
      Pattern.compile("(?<=[:=])(\"[^\"]*\"|[-0-9a-zA-Z.]+)|(?<= )[0-9]+$");

  private static final String NEIGHBOUR =
      SOUND.getFirst().replace("192.0.2.1", "192.0.2.77").replace("51000", "7");

  static List<String> values() {
    return List.of(
        "9".repeat(309),
        "-" + "9".repeat(309),
        "9".repeat(1_001),
        "9".repeat(100_000),
        "1e400",
        "-1e400",
        "1e999999999",
        "1e-400",
        "-0",
        "-1",
        "0",
        "1.5",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "4294967296",
        "NaN",
        "null",
        "true",
        "\"\"",
        "\"" + "9".repeat(309) + "\"",
        "\"" + "\\" + "ud800\"",
        "\"" + "\\" + "u0000\"",
        "\"+1000000000-12-31T23:59:59Z\"",
        "\"-1000000000-01-01T00:00:00Z\"",
        "\"" + "1:".repeat(50_000) + "\"",
        "[]",
        "{}",
        "[".repeat(10_000) + "]".repeat(10_000),
        "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000),
        "[".repeat(100_000),
        "1,\"bytes\":2,\"bytes\":3");
  }

  @ParameterizedTest(name = "[{index}]")
  @MethodSource("values")
  void inTextEachIsStoredOrRefusedWithAReason(String value) {
    int places = 0;
    for (String sound : SOUND) {
      Matcher at = VALUE.matcher(sound);
      while (at.find()) {
        places++;
        String changed = sound.substring(0, at.start()) + value + sound.substring(at.end());
        String place = sound.substring(Math.max(0, at.start() - 30), at.start());
        FlowDecoding d = new FlowDecoding();
        FlowDeadLetters letters = new FlowDeadLetters();
        d.decoder.decode(
            record(
                (NEIGHBOUR + "\n" + changed + "\n" + NEIGHBOUR).getBytes(StandardCharsets.UTF_8)),
            d.batch,
            letters);
        check(d, letters.take(), place);
        assertThat(d.batch.srcPort(0)).as(place).isEqualTo(7);
        assertThat(d.batch.srcPort(d.batch.size() - 1)).as(place).isEqualTo(7);
      }
    }
    assertThat(places).isGreaterThan(50);
  }

  private static void check(FlowDecoding d, List<DeadLetter> letters, String place) {
    assertThat(d.batch.size()).as(place).isPositive();
    for (DeadLetter letter : letters) {
      assertThat(letter.reason()).as(place).isNotEqualTo(RejectReason.DECODER);
      assertThat(letter.detail()).as(place).isNotBlank().hasSizeLessThan(400);
      assertThat(letter.payload()).as(place).isNotEmpty();
    }
    for (int i = 0; i < d.batch.size(); i++) {
      assertThat(d.batch.bytes(i)).as(place).isBetween(0L, 1L << 53);
      assertThat(d.batch.packets(i)).as(place).isBetween(0L, 1L << 53);
      assertThat(d.batch.startMillis(i)).as(place).isLessThanOrEqualTo(d.batch.endMillis(i));
    }
  }

  @Test
  void inProtobufEachNumberIsStoredOrRefusedWithAReason() {
    long[] odd = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 1L << 53, (1L << 53) + 1};
    for (int field = 1; field <= 127; field++) {
      for (long value : odd) {
        byte[] sound = message(0, 0);
        FlowDecoding d = new FlowDecoding();
        FlowDeadLetters letters = new FlowDeadLetters();
        d.decoder.decode(
            record(FlowMessages.concat(sound, message(field, value), sound)), d.batch, letters);
        check(d, letters.take(), field + " " + value);
        assertThat(d.batch.size()).as(field + " " + value).isGreaterThanOrEqualTo(2);
      }
    }
  }

  private static byte[] message(int field, long value) {
    FlowMessages message =
        new FlowMessages()
            .varint(1, 3)
            .varint(3, 2)
            .bytes(6, 10, 0, 0, 1)
            .bytes(7, 10, 0, 0, 2)
            .varint(9, 1_500)
            .varint(10, 3)
            .bytes(11, 192, 0, 2, 1)
            .varint(20, 6)
            .varint(22, 443)
            .varint(110, 1_795_219_600_000_000_000L);
    return (field == 0 ? message : message.varint(field, value)).delimited();
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] value) {
    return new ConsumerRecord<>(
        "flows",
        0,
        5,
        FlowDecoding.NOW.toEpochMilli(),
        TimestampType.CREATE_TIME,
        -1,
        value.length,
        null,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  @Test
  void anErrorOfTheDecoderAffectsOneRecord() {
    AtomicInteger asked = new AtomicInteger();
    FlowDecoder failing =
        new FlowDecoder(
            () -> {
              if (asked.incrementAndGet() == 2) {
                throw new StackOverflowError();
              }
              return FlowGuards.DEFAULT;
            },
            new Exporters(),
            InstantSource.fixed(FlowDecoding.NOW));
    FlowBatch batch = new FlowBatch();
    FlowDeadLetters letters = new FlowDeadLetters();
    List<DeadLetter> taken = new ArrayList<>();
    byte[] value = ("nonsense\n" + NEIGHBOUR).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 3; i++) {
      failing.decode(record(value), batch, letters);
    }
    taken.addAll(letters.take());

    assertThat(batch.size()).isEqualTo(2);
    assertThat(taken)
        .extracting(DeadLetter::reason)
        .containsExactly(RejectReason.SYNTAX, RejectReason.DECODER, RejectReason.SYNTAX);
    assertThat(taken.get(1).payload()).isEqualTo(value);
    assertThat(taken.get(1).detail()).contains("StackOverflowError");
  }
}
