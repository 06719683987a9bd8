package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbers are read as the JDK reads them, bit for bit. */
class DecimalsTest {

  private static final long SEED = 20261121;

  @Test
  @DisplayName("numbers equal Double.parseDouble, 1 million texts, seed 20261121")
  void numbersAreReadAsByTheJdk() {
    compare(1_000_000, SEED);
  }

  @Test
  @Tag("proof")
  @DisplayName("numbers equal Double.parseDouble, 50 million texts, seed 20261122")
  void fiftyMillionNumbersAreReadAsByTheJdk() {
    compare(50_000_000, SEED + 1);
  }

  @Test
  void numbersNearTheMiddleOfTwoDoublesAreLeftToTheJdk() {
    // Decimal texts of exact middles, and one unit of the last digit to both sides.
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 200_000; i++) {
      long odd = random.nextLong(1L << 53, 1L << 54) | 1; // 54 bits: half of an ulp set
      for (long mantissa = odd - 1; mantissa <= odd + 1; mantissa++) {
        check(mantissa, 0);
        check(mantissa, -random.nextInt(Decimals.MAX_EXPONENT));
      }
    }
  }

  @Test
  void numbersBeyondTheTableAreLeftToTheJdk() {
    assertThat(Decimals.toDouble(1L << 60, Decimals.MAX_EXPONENT + 1)).isNaN();
    assertThat(Decimals.toDouble(1L << 60, -Decimals.MAX_EXPONENT - 1)).isNaN();
    assertThat(Decimals.toDouble(0, 300)).isZero();
  }

  @Test
  void mostNumbersNeedNoJdk() {
    SplittableRandom random = new SplittableRandom(SEED);
    int unanswered = 0;
    for (int i = 0; i < 100_000; i++) {
      String text = Double.toString(random.nextDouble() * 100);
      int point = text.indexOf('.');
      if (text.indexOf('E') < 0) {
        long mantissa = Long.parseLong(text.replace(".", ""));
        unanswered += Double.isNaN(Decimals.toDouble(mantissa, point + 1 - text.length())) ? 1 : 0;
      }
    }
    assertThat(unanswered).isZero();
  }

  private static void check(long mantissa, int exponent) {
    double got = Decimals.toDouble(mantissa, exponent);
    if (!Double.isNaN(got)) {
      double expected = Double.parseDouble(Long.toUnsignedString(mantissa) + "e" + exponent);
      if (got != expected) {
        throw new AssertionError(mantissa + "e" + exponent + " gave " + got);
      }
    }
  }

  private static void compare(int texts, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Decoding d = new Decoding();
    d.records("m,host=a v=1 1795219680000000000\n");
    for (int done = 0; done < texts; ) {
      // One line with many fields would need many metrics: one value each, many times instead.
      StringBuilder record = new StringBuilder();
      double[] expected = new double[1_000];
      for (int i = 0; i < expected.length; i++) {
        String text = text(random);
        expected[i] =
            text.endsWith("i")
                ? (double) Long.parseLong(text.substring(0, text.length() - 1))
                : Double.parseDouble(text);
        record.append("m,host=a v=").append(text).append(' ');
        record.append(1_795_219_680_000_000_000L + i * 1_000L).append('\n');
      }
      SampleBatch batch = new SampleBatch();
      d.decoder()
          .decode(
              java.util.List.of(
                  d.record(record.toString().getBytes(StandardCharsets.UTF_8), 0, null)),
              java.util.Map.of(),
              batch);
      assertThat(batch.rows() + batch.deadLetters().size()).isEqualTo(expected.length);
      int row = 0;
      for (int i = 0; i < expected.length; i++) {
        if (Double.isInfinite(expected[i])) {
          continue; // a dead letter
        }
        if (expected[i] == 0
            && Double.doubleToRawLongBits(batch.values()[batch.offset(row)]) == 0) {
          row++;
          continue; // an integer has no negative zero
        }
        if (Double.doubleToRawLongBits(expected[i])
            != Double.doubleToRawLongBits(batch.values()[batch.offset(row)])) {
          throw new AssertionError(
              "line %d of: %s gave %s".formatted(i + 1, record, batch.values()[batch.offset(row)]));
        }
        row++;
      }
      assertThat(row).isEqualTo(batch.rows());
      done += expected.length;
    }
  }

  private static String text(SplittableRandom random) {
    String sign = random.nextInt(4) == 0 ? "-" : "";
    return switch (random.nextInt(8)) {
      case 0 -> sign + random.nextLong(Long.MAX_VALUE) / pow(random.nextInt(18)) + "i";
      case 1 ->
          sign + Double.toString(random.nextDouble() * pow(random.nextInt(9))).replace("E", "e");
      case 2 ->
          sign + digits(random, 1 + random.nextInt(25)) + "." + digits(random, random.nextInt(25));
      case 3 ->
          sign + "0." + "0".repeat(random.nextInt(12)) + digits(random, 1 + random.nextInt(20));
      case 4 -> Double.toString(bits(random));
      case 5 ->
          "%s%s.%se%d"
              .formatted(
                  sign,
                  digits(random, 1 + random.nextInt(5)),
                  digits(random, random.nextInt(19)),
                  random.nextInt(-340, 320));
      case 6 -> String.format(Locale.ROOT, "%.3f", random.nextDouble() * 1000);
      default -> sign + new java.math.BigDecimal(random.nextDouble()).toPlainString();
    };
  }

  private static double bits(SplittableRandom random) {
    double value = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(value) ? value : 1;
  }

  private static long pow(int exponent) {
    return (long) Math.pow(10, exponent);
  }

  private static String digits(SplittableRandom random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append((char) ('0' + random.nextInt(10)));
    }
    return text.toString();
  }
}
