package io.peerlens.supermetrics.formula;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What people are told about their mistakes, word for word. When it differs, the new text lies in
 * target/MistakesTest: read it as somebody who does not know this code, and copy it.
 */
class MistakesTest {

  private static final String VM = "adaptertype=VMWARE, objecttype=VirtualMachine, ";

  enum Topic {
    SYNTAX(
        "",
        "   ",
        "1 +",
        "1 + * 2",
        "(1 + 2",
        "1 + 2)",
        "max([1, 2)",
        "max(1, 2]",
        "[]",
        "max([])",
        "1 2",
        "a = 1",
        "1 = 1",
        "1 & 1",
        "1 | 1",
        "1 ? 2",
        "1 ? : 2",
        "60%",
        "20 MB + 1",
        "20MB + 1",
        "1e999",
        "1 // a remark",
        "1 /* a remark */ + 2",
        "1 and 2",
        "1 or 2",
        "not 1",
        "(1) not 2",
        "\"text\" == 1",
        "'text",
        "'text' == 1",
        "$value > 1",
        "$This:cpu",
        "1 }",
        "${this, metric=a|b",
        "sum(${this, metric=a|b)",
        "1 +\n\t2 * )\n+ 3",
        "avg(\u200b1 + \u200b\u200b) + 1",
        "\u00a0\u00a01 \u2013 ",
        "1.isFresh()",
        "# 1",
        "1 + ".repeat(100) + ")" + " + 1".repeat(100),
        "1 + ".repeat(100) + "1 )",
        ")" + " + 1".repeat(100)),
    NAMES(
        "agv(1)",
        "round(1.5)",
        "if(1, 2, 3)",
        "mod(1, 2)",
        "power(1, 2)",
        "AND(1, 2)",
        "percentile(1)",
        "sumN(1, 2)",
        "avgN($This:cpu|demandmhz, 2)",
        "pow(2)",
        "sqrt(1, 2)",
        "rand(1)",
        "max(1, 2)",
        "sum()",
        "cpu + 1",
        "min + 1",
        "${this, metric=a} as load + laod",
        "${this, metric=a} as load + ${this, metric=b} as LOAD",
        "${this, metric=a} as max + 1",
        "${this, metric=a} as 1st + 1",
        "(x + 1) as x",
        "agv(1) + sqr(2) + [3, mxa(4)]",
        "max([agv(1), 2 +, 3 $ 4]) + foo"),
    ENTRIES(
        "${}",
        "${metric=a|b}",
        "${this}",
        "${this, }",
        "${this, metric=}",
        "${this, metirc=a|b}",
        "${this, foo=a|b}",
        "${metric=a|b, this}",
        "${this=1, metric=a|b}",
        "${this, metric=a, metric=b}",
        "${this, metric=a, attribute=b}",
        "${this, adaptertype=VMWARE, metric=a}",
        "max(${adaptertype=VMWARE, metric=a})",
        "max(${objecttype=VirtualMachine, metric=a})",
        "max(${adaptertype=*, objecttype=VirtualMachine, metric=a})",
        "${adaptertype=VMWARE, objecttype=*, objectname=x, metric=a}",
        "max(${" + VM + "metric=a, depth=0})",
        "max(${" + VM + "metric=a, depth=two})",
        "max(${" + VM + "metric=a, depth=1.5})",
        "max(${" + VM + "metric=a, depth=101})",
        "max(${" + VM + "metric=a, identifiers={a=b}})",
        "${" + VM + "objectname=x, identifiers=a=b, metric=a}",
        "${" + VM + "objectname=x, identifiers={a}, metric=a}",
        "${" + VM + "objectname=x, identifiers={a=b, a=c}, metric=a}",
        "${this, metric=a, defval=none}",
        "${this, property=a, defval=1, depth=1}",
        "${this metric=a}",
        "max(${adaptertype=VMWARE objecttype=HostSystem, metric=a|b})",
        "max(${adaptertype=VMWARE, objecttype=HostSystem metric=a|b, depth=1})",
        "max(${adaptertype=VMWARE, objecttype=HostSystem,\n  metric=a|b\n  depth=1})",
        "count(${this, metric=a where=\"> 1\"})",
        "max(${" + VM + "metric=a, where=($value > 1) depth=2})",
        "${" + VM + "objectname=x metric=a}",
        "${" + VM + "objectname=x, identifiers={a=b} metric=a}"),
    WHERE(
        "count(${this, metric=a, where=> 1})",
        "count(${this, metric=a, where=\"\"})",
        "count(${this, metric=a, where=()})",
        "count(${this, metric=a, where=\"> b\"})",
        "count(${this, metric=a, where=\">\"})",
        "count(${this, metric=a, where=\"a\"})",
        "count(${this, metric=a, where=\"a equals x && b equals y\"})",
        "count(${this, metric=a, where=(a > 1)})",
        "count(${this, metric=a, where=($value contains x)})",
        "count(${this, metric=a, where=($value > )})",
        "count(${this, metric=a, where=($value > 1})",
        "count(${this, metric=a, where=(${this, metric=b} > 1)})",
        "count(${this, metric=a, where=(${" + VM + "metric=b} > 1)})",
        "count(${this, metric=a, where=(${} > 1)})",
        "count(${this, metric=a, where=($value as x > 1)})",
        "count(${this, metric=a, where=(max([$value, 1]) > 1)})",
        "count(${this, metric=a, where=([1] > 1)})",
        "count(${this, metric=a, where=(rand() > 1)})",
        "count(${this, metric=a, where=(5.isFresh())})",
        "count(${this, metric=a, where=($value.fresh())})",
        "count(${this, metric=a, where=($value > 1 and $value < 3)})",
        "${this, metric=a} contains 'x'",
        "${this, metric=a} !equals 'x'",
        "${this, metric=a}.isFresh()"),
    SETS(
        "${this, attribute=a}",
        "${this, attribute=a} + 1",
        "floor(${this, attribute=a})",
        "${" + VM + "metric=a}",
        "(${" + VM + "metric=a, depth=2} as q) > 0 ? q : 1",
        "[1, 2]",
        "sqrt([1, 2])",
        "[1, 2] ? 1 : 0",
        "combine([1, 2])",
        "sum([1, 2] + [3, 4])",
        "sum(${" + VM + "metric=a} + ${" + VM + "metric=b, depth=2})",
        "sum(${" + VM + "metric=a} * ${this, attribute=b})",
        "sum(${" + VM + "metric=a} > 1 ? ${this, attribute=b} : 0)",
        "max(${" + VM + "attribute=a} as q) > 0 ? q : 0");

    final List<String> formulas;

    Topic(String... formulas) {
      this.formulas = List.of(formulas);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyErrorSaysWhatIsWrongAndHowToCorrectIt(Topic topic) throws IOException {
    StringBuilder told = new StringBuilder();
    for (String text : topic.formulas) {
      Formula formula = Formula.parse(text);
      assertThat(formula.issues()).as(text).isNotEmpty();
      told.append("Formula: ").append(visible(text)).append('\n');
      told.append(formula.isValid() ? "Warnings:\n" : "Mistakes:\n");
      told.append(formula.render()).append("\n\n");
    }
    String file = topic.name().toLowerCase(java.util.Locale.ROOT) + ".txt";
    Path actual = Path.of("target", "MistakesTest", file);
    Files.createDirectories(actual.getParent());
    Files.writeString(actual, told);
    assertThat(told.toString()).isEqualTo(golden(file));
  }

  private static String golden(String file) throws IOException {
    try (InputStream in = MistakesTest.class.getResourceAsStream("/MistakesTest/" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String visible(String text) {
    return text.replace("\n", "\u240a").replace("\t", "\u2409").replace("\u200b", "\u2423");
  }
}
