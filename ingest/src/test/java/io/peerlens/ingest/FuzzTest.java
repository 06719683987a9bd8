package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real lines, damaged at random. Whatever comes out, nothing is thrown, each line is stored or a
 * dead letter with a reason, and the sound lines before and behind a damaged one are untouched.
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

  @Test
  @DisplayName("5,000 damaged JSON records, seed 20261121")
  void takesDamagedJson() {
    SplittableRandom random = new SplittableRandom(SEED);
    byte[][] sound = {
      "{\"adapterKind\":\"A\",\"objectKind\":\"K\",\"id\":\"i\",\"time\":1795219680000,\"metrics\":{\"cpu|u\":1.5},\"parents\":[{\"objectKind\":\"P\",\"id\":\"p\"}],\"tags\":{\"a\":\"b\"}}"
          .getBytes(StandardCharsets.UTF_8),
      "{\"fields\":{\"v\":1,\"s\":\"x\"},\"name\":\"m\",\"tags\":{\"host\":\"a\"},\"timestamp\":1795219680}"
          .getBytes(StandardCharsets.UTF_8)
    };
    Decoding d = new Decoding().guards(GUARDS);
    int taken = 0;
    for (int i = 0; i < 5_000; i++) {
      if (i % 500 == 0) {
        d = new Decoding().guards(GUARDS); // damaged names make ever wider groups
      }
      byte[] damaged = damage(sound[random.nextInt(2)], sound, random);
      int before = d.letters().size();
      SampleBatch batch = new SampleBatch();
      d.decoder()
          .decode(
              List.of(d.record(damaged, 1_795_219_680_000L, "application/json")), Map.of(), batch);
      assertThat(batch.rows() + batch.deadLetters().size())
          .as(() -> new String(damaged, StandardCharsets.UTF_8))
          .isPositive();
      assertThat(d.letters()).hasSize(before);
      taken += batch.deadLetters().isEmpty() ? 1 : 0;
    }
    assertThat(taken).isBetween(250, 4_750);
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
        byte[] damaged = damage(sound[random.nextInt(sound.length)], sound, random);
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
    return batch.rows() + batch.deadLetters().size() > 0
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

  private static byte[] damage(byte[] sound, byte[][] others, SplittableRandom random) {
    byte[] line = sound.clone();
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      line = damageOnce(line, others, random);
    }
    return line;
  }

  private static byte[] damageOnce(byte[] line, byte[][] others, SplittableRandom random) {
    if (line.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(line.length);
    int to = at + random.nextInt(Math.min(40, line.length - at) + 1);
    return switch (random.nextInt(9)) {
      case 0 -> { // a flipped bit
        line[at] ^= (byte) (1 << random.nextInt(8));
        yield line;
      }
      case 1 -> Arrays.copyOf(line, at); // cut off
      case 2 -> join(Arrays.copyOf(line, at), Arrays.copyOfRange(line, to, line.length)); // a hole
      case 3 -> { // spliced with another line
        byte[] other = others[random.nextInt(others.length)];
        yield join(
            Arrays.copyOf(line, at),
            Arrays.copyOfRange(other, random.nextInt(other.length), other.length));
      }
      case 4 -> // a stretch twice
          join(Arrays.copyOf(line, to), Arrays.copyOfRange(line, at, line.length));
      case 5 -> { // random bytes
        byte[] noise = new byte[1 + random.nextInt(8)];
        for (int i = 0; i < noise.length; i++) {
          noise[i] = (byte) random.nextInt(256);
        }
        yield insert(line, at, noise);
      }
      case 6 -> // bytes that are no UTF-8, NULs
          insert(line, at, random.nextBoolean() ? new byte[] {(byte) 0xC3, 0x28} : new byte[1]);
      case 7 -> { // what means something
        byte[] special = " ,=\"\\\n\r\t#iu.-eE+0{[".getBytes(StandardCharsets.UTF_8);
        yield insert(line, at, new byte[] {special[random.nextInt(special.length)]});
      }
      default -> { // digits
        byte[] digits = new byte[random.nextInt(30)];
        Arrays.fill(digits, (byte) ('0' + random.nextInt(10)));
        yield insert(line, at, digits);
      }
    };
  }

  private static byte[] insert(byte[] line, int at, byte[] what) {
    return join(join(Arrays.copyOf(line, at), what), Arrays.copyOfRange(line, at, line.length));
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }

  private static int indexOf(byte[] all, byte[] part) {
    String text = new String(all, StandardCharsets.ISO_8859_1);
    return text.indexOf(new String(part, StandardCharsets.ISO_8859_1));
  }
}
