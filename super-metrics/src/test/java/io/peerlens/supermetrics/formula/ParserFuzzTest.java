package io.peerlens.supermetrics.formula;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the text, reading it ends soon and yields a formula or issues, never an exception. */
class ParserFuzzTest {

  private static final String PIECES =
      "${ } ( ) [ ] , . ? : ! && || == != < > <= >= + - * / % = \" ' \u201c \u201d \u2013 \u200b"
          + " \u00a0 \n \t this metric= attribute= where= depth= objectname= identifiers={ $value"
          + " .isFresh() as contains !equals sum( max( pow( sumN( 1 .5 1e9 adaptertype=VMWARE"
          + " objecttype=* \ud83d\ude00 \ud800 \u0000 a|b:c|d";

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void damagedFormulasAreRead(long seed) {
    damaged(seed, 4_000);
  }

  @Tag("proof")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {101, 102, 103, 104})
  void manyDamagedFormulasAreRead(long seed) {
    damaged(seed, 500_000);
  }

  private static void damaged(long seed, int formulas) {
    Random random = new Random(seed);
    RandomFormulas whole = new RandomFormulas(seed);
    String[] pieces = PIECES.split(" ");
    int invalid = 0;
    for (int i = 0; i < formulas; i++) {
      StringBuilder text = new StringBuilder();
      if (i % 4 == 0) {
        for (int p = random.nextInt(60); p > 0; p--) {
          text.append(pieces[random.nextInt(pieces.length)])
              .append(random.nextBoolean() ? " " : "");
        }
      } else if (i % 16 == 1) {
        byte[] bytes = new byte[random.nextInt(80)];
        random.nextBytes(bytes);
        text.append(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
      } else {
        text.append(Formula.print(whole.next()));
        for (int change = 1 + random.nextInt(4); change > 0; change--) {
          int at = random.nextInt(text.length() + 1);
          int end = Math.min(text.length(), at + random.nextInt(8));
          String piece = random.nextBoolean() ? "" : pieces[random.nextInt(pieces.length)];
          text.replace(at, end, piece);
        }
      }
      invalid += read(text.toString()).isValid() ? 0 : 1;
    }
    assertThat(invalid).isGreaterThan(formulas / 4);
  }

  /** Reads a text and looks at everything that can be asked of the result. */
  private static Formula read(String text) {
    Formula formula;
    try {
      formula = Formula.parse(text);
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("reading " + text, e);
    }
    for (Issue issue : formula.issues()) {
      assertThat(issue.at().start()).as(text).isBetween(0, text.length());
      assertThat(issue.at().end()).as(text).isBetween(issue.at().start(), text.length() + 1);
      assertThat(issue.line(text)).isPositive();
      assertThat(issue.column(text)).isPositive();
    }
    assertThat(formula.render()).isNotNull();
    if (formula.isValid()) {
      Expr tree = formula.tree().unplaced();
      String printed;
      try {
        printed = Formula.print(tree);
      } catch (RuntimeException e) {
        throw new AssertionError("printing " + text, e);
      }
      assertThat(printed).isNotEmpty();
    }
    return formula;
  }

  /** Texts that make something repeat: as long as allowed, and half as long. */
  static List<String> repeating() {
    List<String> all = new ArrayList<>();
    for (String piece :
        List.of(
            "1+",
            "(",
            "[",
            "-",
            "!",
            "1?",
            "1?1:",
            "max(",
            "max([",
            "${",
            "${this,",
            "a as ",
            ",",
            "${this, where=(",
            "${this, metric=a, where=\"",
            "'",
            "\"",
            "&&",
            ".",
            "as ",
            "}",
            "${this, metric=a}+",
            "metric=",
            "sum(${this, metric=a, where=($value>1)})+",
            "[1,agv(2),",
            "(1 +) * ",
            "$",
            " ",
            "\u200b",
            "\n",
            "1 2 ",
            "=",
            "${a,b,c,d=",
            "x as y",
            "${identifiers={",
            "${objectname=a,b,c,d,",
            "${where=((((${metric=a}")) {
      all.add(piece.repeat(20_000 / piece.length()));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("repeating")
  void timeGrowsWithLengthAndNoMore(String text) {
    read(text);
    read("sum(" + text);
    long half = fastest(text.substring(0, text.length() / 2));
    long whole = fastest(text);
    // twice the text takes twice the time; ten times leaves room for a busy machine
    assertThat(whole).isLessThan(10 * half + 20_000_000);
  }

  private static long fastest(String text) {
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long start = System.nanoTime();
      Formula.parse(text);
      fastest = Math.min(fastest, System.nanoTime() - start);
    }
    return fastest;
  }

  @Test
  void aFormulaAsLargeAsAllowedIsReadAndOneBeyondIsNot() {
    assertThat(read("1" + "+1".repeat(1000)).isValid()).isTrue();
    assertThat(codes("1" + "+1".repeat(1001))).containsExactly(Issue.Code.TOO_LARGE);
    assertThat(read("(".repeat(98) + "1" + ")".repeat(98)).isValid()).isTrue();
    assertThat(codes("(".repeat(101) + "1" + ")".repeat(101))).contains(Issue.Code.TOO_LARGE);
    assertThat(codes("1" + " ".repeat(20_000))).containsExactly(Issue.Code.TOO_LARGE);
    String entries = "${this, metric=a}" + " + ${this, metric=a}".repeat(200);
    assertThat(codes(entries)).contains(Issue.Code.TOO_LARGE);
    assertThat(codes("-".repeat(200) + "1")).containsExactly(Issue.Code.TOO_LARGE);
  }

  @Test
  void aliasesWithinAliasesDoNotGrowWithoutBound() {
    StringBuilder doubling = new StringBuilder("sum([[1, 2] as a0");
    for (int i = 1; i < 60; i++) {
      doubling.append(", [a").append(i - 1).append(", a").append(i - 1).append("] as a").append(i);
    }
    assertThat(codes(doubling + "])")).containsExactly(Issue.Code.TOO_LARGE);
    assertThat(codes("(x + 1) as y + (y + 1) as x")).contains(Issue.Code.ALIAS_WITHIN_ITSELF);
  }

  private static List<Issue.Code> codes(String text) {
    return read(text).issues().stream().map(Issue::code).toList();
  }
}
