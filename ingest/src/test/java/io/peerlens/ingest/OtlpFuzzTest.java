package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.support.Damage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages of OpenTelemetry, damaged at random: each is stored, in dead letters with a reason, or
 * says nothing; nothing is thrown, and sound records beside them are untouched.
 */
class OtlpFuzzTest {

  private static final long T = Decoding.NOW.getEpochSecond() - 600;
  private static final int BATCH = 200;

  private static final IngestGuards GUARDS =
      new IngestGuards(
          Duration.ofMinutes(10),
          Duration.ofDays(400),
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          4 << 20,
          500);

  /** Small ones: each kind of point in both orders of fields. */
  private static byte[][] sound() {
    List<byte[]> all = new ArrayList<>();
    for (boolean descending : new boolean[] {false, true}) {
      OtlpMessages m = new OtlpMessages(descending);
      all.addAll(OtlpSamples.small(m, T));
    }
    return all.toArray(byte[][]::new);
  }

  @Test
  @DisplayName("100,000 damaged messages, seed 20261126")
  void takesDamagedMessages() {
    fuzz(100_000, 20261126);
  }

  @Test
  @Tag("proof")
  @DisplayName("1,000,000 damaged messages, seed 20261127")
  void takesAMillionDamagedMessages() {
    fuzz(1_000_000, 20261127);
  }

  private static void fuzz(int count, long seed) {
    byte[][] sound = sound();
    SplittableRandom random = new SplittableRandom(seed);
    Mappings mappings = Mappings.shipped();
    Decoding d = new Decoding(mappings, TimePrecision.NS).guards(GUARDS);
    SampleBatch batch = new SampleBatch();
    long begin = System.nanoTime();
    long rejected = 0;
    long values = 0;
    for (int done = 0; done < count; done += BATCH) {
      if (done % 2_000 == 0) {
        d = new Decoding(mappings, TimePrecision.NS).guards(GUARDS); // names add up in groups
      }
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      records.add(d.record(neighbour("before", done), 0, null));
      for (int i = 0; i < BATCH; i++) {
        byte[] one = sound[random.nextInt(sound.length)];
        byte[] damaged = i % 2 == 0 ? Damage.of(one, sound, random) : changed(one, random);
        records.add(d.record(damaged, 1_795_219_680_000L, "application/x-protobuf"));
      }
      records.add(d.record(neighbour("behind", done), 0, null));
      batch.clear();
      d.decoder().decode(records, Map.of(), batch);
      values += batch.points() - 2;
      rejected += batch.deadLetters().size();
      for (DeadLetter letter : batch.deadLetters()) {
        if (letter.reason() == RejectReason.DECODER
            || letter.detail().isBlank()
            || letter.detail().length() > 400) {
          throw new AssertionError(letter.detail());
        }
      }
      int found = 0;
      for (int row = 0; row < batch.rows(); row++) {
        if (batch.time(row) == T * 1_000_000 + done && batch.value(row, 0) == 7) {
          found++;
        }
      }
      assertThat(found).as("sound neighbours").isEqualTo(2);
    }
    System.out.printf(
        "%,d damaged messages, %,d values, %,d dead letters in %.1f s%n",
        count, values, rejected, (System.nanoTime() - begin) / 1e9);
    assertThat(rejected).isBetween(count / 10L, count * 2L);
    assertThat(values).isGreaterThan(count / 10);
  }

  /** Some bytes are others, which mostly leaves a message of the same form. */
  private static byte[] changed(byte[] message, SplittableRandom random) {
    byte[] changed = message.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return changed;
  }

  private static byte[] neighbour(String name, long micros) {
    return "probe,host=%s v=7 %d000\n"
        .formatted(name, T * 1_000_000 + micros)
        .getBytes(StandardCharsets.UTF_8);
  }
}
