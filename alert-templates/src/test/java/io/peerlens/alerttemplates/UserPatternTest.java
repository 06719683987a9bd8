package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import com.sun.management.ThreadMXBean;
import io.peerlens.alerttemplates.UserPattern.InvalidPatternException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserPatternTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MOST_MEMORY = 64 << 20;
  private static final Duration MOST_TIME = Duration.ofSeconds(2);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((a{0,1000}){0,1000}){0,1000}",
        "(x{1,1000}){1,1000}",
        "a{1000}{1000}",
        "(?:(?:a{100}){100}){100}",
        "(a|b|[c-z]{200}){100}",
        "((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9})",
        "(?i)(?P<name>(\\pL{0,500}){0,500})",
        "[^]]{1000}([[:alpha:]]{1000}){1000}",
        "(\\Qa.b\\E){1000}(.{1000,}){11}",
      })
  void aPatternWithTooManyRepetitionsIsRefusedAtOnce(String pattern) {
    Cost cost = Cost.of(() -> isRefused(pattern, "repeats too much"));
    assertThat(cost.bytes()).isLessThan(1 << 20);
    assertThat(cost.time()).isLessThan(Duration.ofMillis(250));
  }

  @Test
  void aPatternThatIsTooLongOrTooDeepIsRefused() {
    isRefused("a".repeat(10_000), "is longer than the 500 characters");
    isRefused("(".repeat(60) + "a" + ")".repeat(60), "brackets within more than 50");
    isRefused("(a)".repeat(101), "more than 100 groups");
  }

  /** RE2/J would look for the other cases of these nine characters for ever. */
  @Test
  void aPatternThatWouldNeverCompileIsRefused() {
    for (char endless = 0x1c80; endless <= 0x1c88; endless++) {
      isRefused("(?i)a" + endless, "U+1C80");
      isRefused("(?i:[a" + endless + "])", "U+1C80");
      isRefused("x(?i)\\Q" + endless + "\\E", "U+1C80");
      assertThat(UserPattern.compile("a" + endless).matches("a" + endless)).isTrue();
    }
    isRefused("(?i)\\x{1c80}", "U+1C80");
    isRefused("(?i)[B-\\x{1e942}]", "U+1C80");
    isRefused("(?si)[b-\u1cff]", "U+1C80");
    assertThat(UserPattern.compile("(?i)[a-zé]+ß").matches("BÉß")).isTrue();
  }

  @Test
  void anInvalidPatternIsRefused() {
    isRefused("(", "is no pattern of RE2");
    isRefused("(?=a)", "is no pattern of RE2");
    isRefused("[z-a]", "is no pattern of RE2");
    isRefused("a{2000}", "is no pattern of RE2");
    isRefused("a**", "is no pattern of RE2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web-.*",
        "(?i)^(prod|test)-[a-z]{1,20}[0-9]{1,4}$",
        "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        "a{1000}",
        ".{0,1000}x",
        "\\d{1,3}(\\.\\d{1,3}){3}",
        "a{,3}b{x}c{",
        "\\x{1F600}\\p{Greek}\\pL",
        "",
      })
  void commonPatternsAreAccepted(String pattern) {
    assertThat(UserPattern.compile(pattern).pattern()).isEqualTo(pattern);
  }

  /** Random patterns of the grammar: refused, or compiled within the bounds. */
  @Test
  void anyPatternIsRefusedOrCompilesWithinBounds() {
    UserPattern.compile("warm(up){1,3}[a-z]\\pL");
    int taken = 0;
    Random random = new Random(7);
    for (int i = 0; i < 1_500; i++) {
      StringBuilder text = new StringBuilder();
      write(text, random, 0);
      String pattern = text.toString();
      int[] size = {0};
      Cost cost =
          Cost.of(
              () -> {
                try {
                  Pattern compiled = UserPattern.compile(pattern);
                  size[0] = compiled.programSize();
                } catch (InvalidPatternException e) {
                  assertThat(e.reason()).isNotEmpty();
                }
              });
      assertThat(size[0]).as(pattern).isLessThanOrEqualTo(UserPattern.MAX_SIZE + 10);
      assertThat(cost.bytes()).as("memory of " + pattern).isLessThan(MOST_MEMORY);
      assertThat(cost.time()).as("time of " + pattern).isLessThan(MOST_TIME);
      taken += size[0] > 0 ? 1 : 0;
    }
    assertThat(taken).as("patterns that were taken").isBetween(100, 1_499);
  }

  private static final String[] ATOMS = {
    "a",
    ".",
    "\\d",
    "\\W",
    "\\pL",
    "\\P{Greek}",
    "[a-z]",
    "[^\\x{0}-\\x{1e940}]",
    "[[:^alpha:]x]",
    "(?i)",
    "(?is)",
    "\\Qx{9}\\E",
    "^",
    "$",
    "\\b",
    "é",
    "\\x{10FFFF}",
    "]",
    "{",
    "[B-\\x{1e942}]"
  };

  private static void write(StringBuilder text, Random random, int depth) {
    int parts = 1 + random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      if (depth < 6 && random.nextInt(3) == 0) {
        text.append(random.nextBoolean() ? "(" : "(?:");
        write(text, random, depth + 1);
        text.append(")");
      } else {
        text.append(ATOMS[random.nextInt(ATOMS.length)]);
      }
      switch (random.nextInt(6)) {
        case 0 -> text.append("*");
        case 1 -> text.append("{").append(random.nextInt(1001)).append("}");
        case 2 -> text.append("{0,").append(random.nextInt(depth > 2 ? 20 : 1001)).append("}?");
        case 3 -> text.append("{").append(random.nextInt(30)).append(",}");
        case 4 -> text.append("|");
        default -> {}
      }
    }
  }

  private static void isRefused(String pattern, String reason) {
    assertThatThrownBy(() -> UserPattern.compile(pattern))
        .isInstanceOf(InvalidPatternException.class)
        .hasMessageContaining(reason);
  }

  /** Memory and processor time. */
  private record Cost(long bytes, Duration time) {
    static Cost of(Runnable work) {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long began = THREADS.getCurrentThreadCpuTime();
      work.run();
      return new Cost(
          THREADS.getCurrentThreadAllocatedBytes() - bytes,
          Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - began));
    }
  }
}
