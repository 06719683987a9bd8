package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.support.Damage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real lines and JSON, damaged at random. Whatever comes out, nothing is thrown, each line is
 * stored or a dead letter with a reason, and the sound lines before and behind a damaged one are
 * untouched.
 */
class FuzzTest {

  private static final long SEED = 20261121;

  /**
   * Guards wide open, so that a line is refused for what it is and not for how many came before.
   */
  private static final IngestGuards GUARDS =
      new IngestGuards(
          Duration.ofMinutes(10),
          Duration.ofDays(400),
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          4 << 20,
          500);

  @Test
  @DisplayName("20,000 damaged lines, seed 20261121")
  void takesDamagedLines() throws IOException {
    fuzz(20_000, SEED);
  }

  @Test
  @Tag("proof")
  @DisplayName("1,000,000 damaged lines, seed 20261122")
  void takesAMillionDamagedLines() throws IOException {
    fuzz(1_000_000, SEED + 1);
  }

  /** Our own form with all members, alone and in an array, and both of Telegraf's. */
  private static final byte[][] JSON =
      Stream.of(
              """
              {"adapterKind":"A","objectKind":"K","id":"i","name":"n","time":1795219680000,\
              "metrics":{"cpu|u":1.5,"net:eth0|rx":7,"up":true},"units":{"cpu|u":"%"},\
              "parents":[{"objectKind":"P","id":"p"}],"tags":{"a":"b"},"properties":{"c|d":4}}""",
              """
              [{"adapterKind":"A","objectKind":"K","id":"i","instance":"0",\
              "time":"2026-11-21T00:08:00Z","metrics":{"disk|u":1e3}},\
              {"adapterKind":"A","objectKind":"K","id":"j","metrics":{"disk|u":-2.5E-3}}]""",
              """
              {"adapterKind":"A","objectKind":"K","id":"k","name":"n","locator":"l",\
              "parents":[{"objectKind":"P","id":"p"},{"objectKind":"Q","id":null}],\
              "tags":{"a":null},"properties":{"c|d":"x","e":null},\
              "children":[{"objectKind":"R","id":"r"},{"objectKind":"S","id":null}]}""",
              """
              {"adapterKind":"A","objectKind":"K","id":"k","time":1795219680000,"gone":true}""",
              """
              {"fields":{"v":1,"s":"x","b":false},"name":"m","tags":{"host":"a"},"timestamp":1795219680}""",
              """
              {"metrics":[{"fields":{"usage_idle":99.5,"total":123456789012},"name":"cpu",\
              "tags":{"host":"a","cpu":"cpu-total"},"timestamp":1795219680}]}""")
          .map(text -> text.getBytes(StandardCharsets.UTF_8))
          .toArray(byte[][]::new);

  @Test
  @DisplayName("10,000 damaged JSON records, seed 20261121")
  void takesDamagedJson() {
    fuzzJson(10_000, SEED);
  }

  @Test
  @Tag("proof")
  @DisplayName("1,000,000 damaged JSON records, seed 20261122")
  void takesAMillionDamagedJsonRecords() {
    fuzzJson(1_000_000, SEED + 1);
  }

  private static void fuzzJson(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Mappings mappings = Mappings.shipped();
    Decoding d = new Decoding(mappings, TimePrecision.NS).guards(GUARDS);
    int taken = 0;
    int rejected = 0;
    long bytes = 0;
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      if (i % 500 == 0) {
        // Damaged names make ever wider groups.
        d = new Decoding(mappings, TimePrecision.NS).guards(GUARDS);
      }
      byte[] damaged = Damage.of(JSON[random.nextInt(JSON.length)], JSON, random);
      bytes += damaged.length;
      SampleBatch batch = new SampleBatch();
      d.decoder()
          .decode(
              List.of(
                  d.record(neighbour("before", 1_795_219_680_000_000L + i), 0, null),
                  d.record(damaged, 1_795_219_680_000L, "application/json"),
                  d.record(neighbour("behind", 1_795_219_680_000_000L + i), 0, null)),
              Map.of(),
              batch);
      int rows = batch.rows() - 2;
      long noRows = batch.deadLetters().size() + batch.passedOver() + batch.descriptions();
      if (rows < 0 || rows + noRows == 0) {
        throw new AssertionError("no trace: " + new String(damaged, StandardCharsets.UTF_8));
      }
      for (DeadLetter letter : batch.deadLetters()) {
        assertThat(letter.reason()).isNotEqualTo(RejectReason.DECODER);
        assertThat(letter.detail()).isNotBlank().hasSizeLessThan(400);
        assertThat(letter.payload()).isNotEmpty();
        rejected++;
      }
      taken += batch.deadLetters().isEmpty() ? 1 : 0;
    }
    System.out.printf(
        "%,d damaged JSON records, %,d taken, %,d dead letters, %,d bytes in %.1f s%n",
        count, taken, rejected, bytes, (System.nanoTime() - begin) / 1e9);
    assertThat(taken).isBetween(count / 40, count - count / 20);
  }

  private static void fuzz(int count, long seed) throws IOException {
    byte[][] sound = excerpt();
    SplittableRandom random = new SplittableRandom(seed);
    Decoding d = new Decoding().guards(GUARDS);
    int rejected = 0;
    long bytes = 0;
    long begin = System.nanoTime();
    for (int done = 0; done < count; ) {
      if (done % 20_000 == 0) {
        d = new Decoding().guards(GUARDS); // what the fakes keep would fill the memory
      }
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      List<byte[]> damagedLines = new ArrayList<>();
      long[] times = new long[100];
      for (int i = 0; i < times.length; i++) {
        byte[] damaged = Damage.of(sound[random.nextInt(sound.length)], sound, random);
        damagedLines.add(damaged);
        times[i] = 1_795_219_680_000_000L + done + i;
        // Sound neighbours in the same record, before and behind.
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(neighbour("before", times[i]));
        record.writeBytes(damaged);
        record.write('\n');
        record.writeBytes(neighbour("behind", times[i]));
        bytes += record.size();
        records.add(d.record(record.toByteArray(), 1_795_219_680_000L, null));
      }
      SampleBatch batch = new SampleBatch();
      d.decoder().decode(records, d.sink.positions(List.of(Decoding.PARTITION)), batch);
      int lettersBefore = d.letters().size();
      d.sink.write(batch);
      for (int i = 0; i < times.length; i++) {
        String shown = new String(damagedLines.get(i), StandardCharsets.UTF_8);
        assertThat(d.value(Decoding.host("before"), "probe|v", times[i])).as(shown).isEqualTo(7);
        assertThat(neighbourBehindIsThere(d, records.get(i), times[i])).as(shown).isTrue();
        if (i % 4 == 0) {
          assertThat(leavesATrace(d, damagedLines.get(i))).as(shown).isTrue();
        }
      }
      for (DeadLetter letter : d.letters().subList(lettersBefore, d.letters().size())) {
        assertThat(letter.detail()).isNotBlank().hasSizeLessThan(400);
        byte[] record = records.get((int) (letter.offset() - records.getFirst().offset())).value();
        assertThat(indexOf(record, letter.payload())).as(letter.detail()).isNotNegative();
        rejected++;
      }
      done += times.length;
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "%,d damaged lines, %,d dead letters, %,d bytes in %.1f s%n",
        count, rejected, bytes, seconds);
    assertThat(rejected).isBetween(count / 10, count * 3);
  }

  /** Alone in a batch, a line is a row, a dead letter or nothing that means anything. */
  private static boolean leavesATrace(Decoding d, byte[] damaged) {
    SampleBatch batch = new SampleBatch();
    d.decoder()
        .decode(List.of(d.record(damaged, 1_795_219_680_000L, "text/plain")), Map.of(), batch);
    String text = new String(damaged, StandardCharsets.ISO_8859_1);
    return batch.rows() + batch.deadLetters().size() + batch.passedOver() > 0
        || text.lines().allMatch(l -> l.matches("[ \t\r]*(#.*)?"))
        || text.contains("memory"); // a number that is a property and no metric
  }

  /**
   * Damage can open a quote that swallows the neighbour: only when the whole is a well-formed line
   * with text over line ends, or a dead letter that holds the neighbour's bytes, is it gone.
   */
  private static boolean neighbourBehindIsThere(
      Decoding d, ConsumerRecord<byte[], byte[]> record, long time) {
    if (d.value(Decoding.host("behind"), "probe|v", time) == 7) {
      return true;
    }
    String text = new String(record.value(), StandardCharsets.ISO_8859_1);
    return text.indexOf('"', text.indexOf('\n')) >= 0;
  }

  private static byte[] neighbour(String name, long micros) {
    return "probe,host=%s v=7 %d000\n".formatted(name, micros).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[][] excerpt() throws IOException {
    try (InputStream in = FuzzTest.class.getResourceAsStream("/captures/excerpt.lp")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(l -> l.getBytes(StandardCharsets.UTF_8))
          .toArray(byte[][]::new);
    }
  }

  private static int indexOf(byte[] all, byte[] part) {
    String text = new String(all, StandardCharsets.ISO_8859_1);
    return text.indexOf(new String(part, StandardCharsets.ISO_8859_1));
  }
}
