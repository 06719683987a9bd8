package io.peerlens.ingest.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "usage_average, usage_average, true",
    "usage_average, usage_averages, false",
    "*, '', true",
    "*_average, _average, true",
    "*_average, usage_average, true",
    "*_average, usage_average_, false",
    "usage*, usage, true",
    "a*a, a, false",
    "a*a, aa, true",
    "a*b*a, aba, true",
    "a*b*b, ab, false",
    "**x**, xx, true",
    "cpu|*, usage, true",
    "mem|*, usage, false"
  })
  void anAsteriskStandsForAnyText(String pattern, String metric, boolean fits) {
    assertThat("u".equals(new Units(Map.of(pattern, "u")).of("cpu", metric))).isEqualTo(fits);
  }

  @Test
  void patternsMatchAsRegularExpressionsWould() {
    Random random = new Random(17);
    for (int i = 0; i < 200_000; i++) {
      String pattern = text(random, "ab*");
      String text = text(random, "ab");
      String regex =
          Arrays.stream(pattern.split("\\*", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining(".*"));

      assertThat(new Units(Map.of(pattern, "u")).of("", text) != null)
          .as(pattern + " on " + text)
          .isEqualTo(Pattern.matches(regex, text));
    }
  }

  private static String text(Random random, String of) {
    return random
        .ints(random.nextInt(8), 0, of.length())
        .mapToObj(i -> of.substring(i, i + 1))
        .collect(Collectors.joining());
  }

  @Test
  @Timeout(10)
  void manyAsterisksTakeNoLonger() {
    Units units = new Units(Map.of("*a".repeat(500) + "*b", "u"));
    String text = "a".repeat(10_000);
    long start = System.nanoTime();

    assertThat(units.of("g", text)).isNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
  }
}
