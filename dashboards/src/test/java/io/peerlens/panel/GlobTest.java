package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Patterns with stars. */
class GlobTest {

  @Test
  void aPatternMatchesWhatTheRegularExpressionMatches() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      String pattern = word(random, "ab*", 6);
      String text = word(random, "aB", 8);
      boolean expected =
          Pattern.compile(pattern.replace("*", ".*"), Pattern.CASE_INSENSITIVE)
              .matcher(text)
              .matches();
      assertThat(new Glob(pattern).matches(text)).as(pattern + " on " + text).isEqualTo(expected);
    }
  }

  @Test
  void aHostilePatternTakesNoTime() {
    String pattern = "*a".repeat(100) + "b";
    String text = "a".repeat(400);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(2),
        () -> {
          for (int i = 0; i < 1000; i++) {
            assertThat(new Glob(pattern).matches(text)).isFalse();
          }
        });
    assertThatCode(() -> new Glob("").matches("")).doesNotThrowAnyException();
  }

  private static String word(Random random, String letters, int longest) {
    StringBuilder word = new StringBuilder();
    int length = random.nextInt(longest + 1);
    for (int i = 0; i < length; i++) {
      word.append(letters.charAt(random.nextInt(letters.length())));
    }
    return word.toString();
  }
}
