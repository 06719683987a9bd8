package io.peerlens.supermetrics.formula;

import static io.peerlens.supermetrics.formula.Issue.Code.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.formula.Issue.Code;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is an error and what a warning, one by one. */
class CheckerTest {

  private static final String VM = "${adaptertype=VMWARE, objecttype=VirtualMachine, ";
  private static final ObjectKind VM_KIND = new ObjectKind("VMWARE", "VirtualMachine");

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of("1 +", SYNTAX),
        Arguments.of("median([1])", UNKNOWN_FUNCTION),
        Arguments.of("x + 1", UNKNOWN_NAME),
        Arguments.of("pow(1)", WRONG_ARGUMENT_COUNT),
        Arguments.of("rand(1)", WRONG_ARGUMENT_COUNT),
        Arguments.of("floor(1, 2)", WRONG_ARGUMENT_COUNT),
        Arguments.of("sum(1, 2)", WRONG_ARGUMENT_COUNT),
        Arguments.of("floor(" + VM + "attribute=a})", SET_WITHOUT_LOOPING_FUNCTION),
        Arguments.of(VM + "attribute=a}", SET_WITHOUT_LOOPING_FUNCTION),
        Arguments.of("${this, attribute=a}", SET_WITHOUT_LOOPING_FUNCTION),
        Arguments.of("[1]", ARRAY_OUTSIDE_LOOPING_FUNCTION),
        Arguments.of("combine([1])", COMBINE_AS_RESULT),
        Arguments.of("sum([1] + [2])", MIXED_SETS),
        Arguments.of("max(" + VM + "metric=a, depth=0})", BAD_DEPTH),
        Arguments.of("max(" + VM + "metric=a, depth=1.5})", BAD_DEPTH),
        Arguments.of("max(${objecttype=VirtualMachine, metric=a})", MISSING_CLAUSE),
        Arguments.of("max(" + VM + "depth=1})", MISSING_CLAUSE),
        Arguments.of("${this, metric=a, attribute=b}", DUPLICATE_CLAUSE),
        Arguments.of("${this, metric=a, metric=b}", DUPLICATE_CLAUSE),
        Arguments.of("${this, color=b, metric=a}", BAD_CLAUSE),
        Arguments.of("${this, metric=a} as x + ${this, metric=b} as X", DUPLICATE_ALIAS),
        Arguments.of("${this, metric=a} as sum", DUPLICATE_ALIAS),
        Arguments.of("(x + 1) as y + (y + 1) as x", ALIAS_WITHIN_ITSELF),
        Arguments.of("${this, metric=a} contains 'b'", TEXT_OUTSIDE_WHERE),
        Arguments.of("'b'", TEXT_OUTSIDE_WHERE),
        Arguments.of("count(${this, metric=a, where=\"equals b && c\"})", COMPOUND_TEXT_WHERE),
        Arguments.of("count(${this, metric=a, where=(b)})", BAD_WHERE),
        Arguments.of("maxN(1, 2)", OLD_SPELLING),
        Arguments.of("1" + " + 1".repeat(1_001), TOO_LARGE));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("errors")
  void theFormulaHasAnError(String text, Code code) {
    Formula formula = Formula.parse(text);
    assertThat(formula.isValid()).isFalse();
    assertThat(formula.issues()).filteredOn(Issue::isError).extracting(Issue::code).contains(code);
  }

  static Stream<Arguments> warnings() {
    return Stream.of(
        Arguments.of("${this, property=a}", UNDOCUMENTED_CLAUSE),
        Arguments.of("${this, metric=a, defval=1}", UNDOCUMENTED_CLAUSE),
        Arguments.of("${this, metric=a, depth=8}", IGNORED_DEPTH),
        Arguments.of("${this, metric=a, depth=0}", IGNORED_DEPTH),
        Arguments.of(VM + "objectname=x, metric=a, depth=8}", IGNORED_DEPTH),
        Arguments.of(VM + "metric=a}", SET_WITHOUT_LOOPING_FUNCTION),
        Arguments.of("max(" + VM + "metric=a} as q) + q", SET_WITHOUT_LOOPING_FUNCTION),
        Arguments.of(
            "max(${adaptertype=VMWARE, objecttype=VirtualMachin, metric=a})", UNKNOWN_KIND),
        Arguments.of(
            "max(${adaptertype=VMWARF, objecttype=VirtualMachine, metric=a})", UNKNOWN_KIND),
        Arguments.of("max(" + VM + "metric=cpu|usage_avg})", UNKNOWN_KEY),
        Arguments.of("max(${adaptertype=VMWARE, objecttype=*, metric=mem|usge})", UNKNOWN_KEY),
        Arguments.of("${this, metric=cpu|usage_avg}", UNKNOWN_KEY),
        Arguments.of("max(" + VM + "attribute=cpu|usage_average})", ATTRIBUTE_WITHOUT_INSTANCES),
        Arguments.of("max(${this, attribute=cpu|usage_average})", ATTRIBUTE_WITHOUT_INSTANCES),
        Arguments.of("${this, metric=" + Keys.superMetric(Known.SELF) + "} + 1", SELF_REFERENCE));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("warnings")
  void theFormulaHasAWarning(String text, Code code) {
    Formula formula = inAnInstallation(text);
    assertThat(formula.isValid()).as(formula.render()).isTrue();
    assertThat(formula.issues()).extracting(Issue::code).contains(code);
  }

  @Test
  void everyCodeIsTested() {
    Set<Code> tested = EnumSet.noneOf(Code.class);
    Stream.concat(errors(), warnings()).forEach(a -> tested.add((Code) a.get()[1]));
    assertThat(tested).containsExactlyInAnyOrderElementsOf(Arrays.asList(Code.values()));
  }

  /** An installation with virtual machines and hosts. */
  private static final class Known implements Vocabulary {

    static final UUID SELF = UUID.fromString("3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01");

    @Override
    public Collection<String> adapterKinds() {
      return List.of("VMWARE", "Telegraf");
    }

    @Override
    public Collection<String> objectKinds(String adapterKind) {
      return adapterKind.equals("VMWARE") ? List.of("VirtualMachine", "HostSystem") : List.of();
    }

    @Override
    public Collection<String> keys(String adapterKind, String objectKind) {
      return List.of("cpu|usage_average", "mem|usage", "net|usage_average");
    }

    @Override
    public boolean hasInstances(String adapterKind, String objectKind, String key) {
      return key.equals("net|usage_average");
    }

    @Override
    public @Nullable UUID superMetric(String name) {
      return name.equals("Powered on VMs") ? new UUID(1, 2) : null;
    }
  }

  private static Formula inAnInstallation(String text) {
    return Formula.parse(
        text,
        new Formula.Options(
            FormulaLimits.DEFAULT, true, new Known(), Known.SELF, List.of(VM_KIND)));
  }

  @Test
  void namesThatLeadNowhereComeWithTheNearestName() {
    assertThat(warningsOf("max(${adaptertype=VMWARE, objecttype=VirtualMachin, metric=mem|usage})"))
        .containsExactly("no objects of kind \"VirtualMachin\" here; did you mean VirtualMachine?");
    assertThat(warningsOf("max(${adaptertype=vmware, objecttype=VirtualMachine, metric=a})"))
        .containsExactly("no objects of adapter kind \"vmware\" here; did you mean VMWARE?");
    assertThat(warningsOf("max(" + VM + "metric=cpu|usage_averag})"))
        .containsExactly(
            "no VirtualMachine has \"cpu|usage_averag\" here; did you mean cpu|usage_average?");
    assertThat(warningsOf("${this, metric=mem|usagee}"))
        .containsExactly("no VirtualMachine has \"mem|usagee\" here; did you mean mem|usage?");
    assertThat(warningsOf("max(" + VM + "attribute=mem|usage})"))
        .containsExactly(
            "\"mem|usage\" has no instances here; metric= reads the same and is faster");
  }

  @Test
  void keysOfConditionsAreLookedForToo() {
    String near = "no VirtualMachine has \"mem|usagee\" here; did you mean mem|usage?";
    assertThat(
            warningsOf("count(" + VM + "metric=cpu|usage_average, where=\"mem|usagee equals 1\"})"))
        .containsExactly(near);
    assertThat(
            warningsOf(
                "count("
                    + VM
                    + "metric=cpu|usage_average, where=($value > 1 && !(${metric=mem|usagee}"
                    + " contains 'a'))})"))
        .containsExactly(near);
    assertThat(warningsOf("count(${this, metric=mem|usage, where=(${metric=mem|usagee} > 1)})"))
        .containsExactly(near);
    assertThat(
            warningsOf(
                "count(${this, metric=mem|usage, where=(${metric=net:4000|usage_average} > 1 ||"
                    + " ${metric="
                    + Keys.superMetric(new UUID(1, 2))
                    + "} > 1)})"))
        .isEmpty();
  }

  @Test
  void aSuperMetricThatIsNamedByItsNameComesWithItsKey() {
    String hint =
        "; a super metric is read by its id: metric=Super Metric|sm_"
            + "00000000-0000-0001-0000-000000000002";
    assertThat(warningsOf("${this, metric=Super Metric|Powered on VMs}"))
        .containsExactly("no VirtualMachine has \"Super Metric|Powered on VMs\" here" + hint);
    assertThat(warningsOf("max(" + VM + "metric=Powered on VMs})"))
        .containsExactly("no VirtualMachine has \"Powered on VMs\" here" + hint);
  }

  private static List<String> warningsOf(String text) {
    return inAnInstallation(text).issues().stream()
        .map(issue -> issue.message() + "; " + issue.hint())
        .toList();
  }

  @Test
  void knownNamesInstancesAndSuperMetricsAreNoReasonToWarn() {
    assertThat(warningsOf("max(" + VM + "metric=net:4000|usage_average})")).isEmpty();
    assertThat(warningsOf("max(" + VM + "attribute=net|usage_average})")).isEmpty();
    assertThat(warningsOf("max(" + VM + "metric=" + Keys.superMetric(new UUID(1, 2)) + "})"))
        .isEmpty();
    assertThat(warningsOf("${this, metric=cpu|usage_average} + ${this, metric=mem|usage}"))
        .isEmpty();
    assertThat(warningsOf("max([${this, metric=" + Keys.superMetric(Known.SELF) + ", defval=0}])"))
        .hasSize(1); // of defval
  }

  @Test
  void compoundTextIsPartOfTheTextUnlessStrict() {
    Formula.Options compatible =
        new Formula.Options(FormulaLimits.DEFAULT, false, null, null, List.of());
    Formula formula =
        Formula.parse("count(${this, metric=a, where=\"equals b && c\"})", compatible);
    assertThat(formula.isValid()).isTrue();
    assertThat(formula.issues()).extracting(Issue::code).containsExactly(COMPOUND_TEXT_WHERE);
    assertThat(Formula.print(formula.tree()))
        .isEqualTo("count(${this, metric=a, where=\"equals b && c\"})");
  }
}
