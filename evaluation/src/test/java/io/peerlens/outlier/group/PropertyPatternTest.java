package io.peerlens.outlier.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PropertyPatternTest {

  private static boolean fits(String pattern, String key) {
    return new PropertyPattern(pattern).fits(key);
  }

  @Test
  void aPatternWithoutStarsIsOneKey() {
    assertThat(fits("config|network|dnsserver", "config|network|dnsserver")).isTrue();
    assertThat(fits("config|network|dnsserver", "config|network|dnsservers")).isFalse();
    assertThat(fits("config|network|dnsserver", "config|network|DNSserver")).isFalse();
    assertThat(fits("a.b", "aXb")).isFalse();
  }

  @Test
  void aStarStandsForAnyTextAlsoForInstancesAndNothing() {
    assertThat(fits("disk:*|multipathPolicy", "disk:naa.6000|multipathPolicy")).isTrue();
    assertThat(fits("disk:*|multipathPolicy", "disk:naa.6000|preferredPath")).isFalse();
    assertThat(fits("config|*", "config|")).isTrue();
    assertThat(fits("*", "")).isTrue();
    assertThat(fits("", "a")).isFalse();
    assertThat(fits("a**b", "ab")).isTrue();
  }

  @Test
  void aPatternFitsWhatTheSameExpressionMatches() {
    Random random = new Random(16);
    for (int i = 0; i < 20_000; i++) {
      String pattern = text(random, "ab*");
      String key = text(random, "ab");
      StringBuilder expression = new StringBuilder();
      pattern.chars().forEach(c -> expression.append(c == '*' ? ".*" : Character.toString(c)));
      assertThat(fits(pattern, key))
          .as("%s and %s", pattern, key)
          .isEqualTo(Pattern.matches(expression.toString(), key));
    }
  }

  private static String text(Random random, String letters) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  @Test
  void theWorstPatternTakesItsLengthTimesThatOfTheKey() {
    String key = "a".repeat(20_000);
    for (String pattern : List.of("*a".repeat(10) + "b", "*" + "a".repeat(190) + "b")) {
      long start = System.nanoTime();
      assertThat(fits(pattern, key)).isFalse();
      assertThat(System.nanoTime() - start).as(pattern).isLessThan(2_000_000_000L);
    }
  }
}
