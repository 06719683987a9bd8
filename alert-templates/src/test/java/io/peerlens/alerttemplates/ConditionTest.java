package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConditionTest {

  private static final JsonNode NEW = BuiltInTemplates.contexts().get("new");

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "event == 'NEW' ~ true",
        "event in ['UPDATE', 'CANCEL'] ~ false",
        "object.tags.tier == 'web' && !object.name.startsWith('test-') ~ true",
        "object.tags['tier'].upperAscii() == 'WEB' ~ true",
        "object.metrics['cpu|usage_average'] > 90 ~ true",
        "alert.health >= 3 && alert.health < 4 ~ true",
        "alert.number == 20418.0 ~ true",
        "alert.owner == null && previous == null ~ true",
        "alert.symptoms.exists(s, s.value > 92) ~ true",
        "alert.symptoms.all(s, s.message.contains('peers')) ~ false",
        "object.name.matches('^shop-.*-[0-9]+$') ~ true",
        "object.parents.filter(p, p.kind == 'HostSystem').map(p, p.name) == ['DC0_C0_H1'] ~ true",
        "'app' in object.tags ~ true",
        "has(object.tags.nothing) ~ false",
        "now - alert.startTime < 60000 ~ true",
        "object.tags.nothing == 'x' || event == 'NEW' ~ true",
        "object.ancestors.ClusterComputeResource.tags.owner == 'team-compute' ~ true",
      })
  void aConditionIsEvaluated(String cel, boolean wanted) {
    assertThat(Condition.compile(cel).evaluate(NEW)).isEqualTo(new Condition.Outcome(wanted, null));
  }

  @Test
  void patternsAreBoundedBeforeTheyAreCompiled() {
    assertThatThrownBy(() -> Condition.compile("object.name.matches('(x{1,1000}){1,1000}')"))
        .isInstanceOf(ConditionException.class)
        .hasMessageContaining("repeats too much");
    Condition computed =
        Condition.compile("matches(object.name, '(x{1,1000}){1,10' + string(0) + '0}')");
    assertThat(computed.evaluate(NEW).holds()).isFalse();
    assertThat(computed.evaluate(NEW).reason()).contains("matches");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "object.tags.nothing == 'x' ~ key 'nothing' is not present",
        "vars.x == 'x' ~ key 'x' is not present",
        "previous.criticality == 'x' ~ field 'criticality'",
        "object.name > 3 ~ No matching overload",
        "alert.name ~ is no yes or no here",
        "alert.symptoms[7].value == 1 ~ ndex",
        "alert.number / 0 == 1 ~ zero",
      })
  void anUndecidableConditionDoesNotHoldAndSaysWhy(String cel, String reason) {
    Condition.Outcome outcome = Condition.compile(cel).evaluate(NEW);

    assertThat(outcome.holds()).isFalse();
    assertThat(outcome.reason()).contains(reason);
    assertThat(Condition.compile(cel).test(NEW)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "event = 'NEW' ~ 6",
        "event == ~ 8",
        "evnt == 'NEW' ~ 0",
        "event == 'NEW' && nope.x ~ 18",
        "alert.shout() ~ 11",
        "'yes' ~ 0",
        "1 + 1 ~ 0",
      })
  void anInvalidConditionIsRefusedWithItsPosition(String cel, int offset) {
    assertThatThrownBy(() -> Condition.compile(cel))
        .isInstanceOfSatisfying(
            ConditionException.class, e -> assertThat(e.offset()).isEqualTo(offset));
  }

  @Test
  void anErrorIsReportedWithItsLine() {
    assertThatThrownBy(() -> Condition.compile("event == 'NEW'\n  && nope"))
        .isInstanceOfSatisfying(
            ConditionException.class, e -> assertThat(e.offset()).isEqualTo(20));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c,"
            + " [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, true)))))",
        "['aaaaaaaaaaaaaaaa'].map(a,a+a+a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a+a+a).map(a,a+a+a+a+a"
            + "+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a"
            + "+a+a+a).map(a,a+a+a+a+a+a+a+a+a+a).size() == 1",
        "[[1,1,1,1,1,1,1,1]].map(a,a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a)"
            + ".map(a,a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a).map(a,a+a+a+a+a+a+a+a).size() == 1",
      })
  void everyConditionTerminates(String bomb) {
    long start = System.nanoTime();

    Condition.Outcome outcome = Condition.compile(bomb).evaluate(NEW);

    assertThat(outcome.holds()).isFalse();
    assertThat(outcome.reason()).isNotNull();
    assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
  }

  @Test
  void conditionsThatAreTooLongOrTooDeepAreRefused() {
    assertThatThrownBy(() -> Condition.compile("event == '" + "x".repeat(5000) + "'"))
        .isInstanceOf(ConditionException.class);
    assertThatThrownBy(() -> Condition.compile("(".repeat(200) + "true" + ")".repeat(200)))
        .isInstanceOf(ConditionException.class);
  }

  @Test
  void matchesPatternsInLinearTime() {
    JsonNode context =
        JsonMapper.shared().readTree("{\"alert\": {\"name\": \"" + "a".repeat(50_000) + "\"}}");
    long start = System.nanoTime();

    assertThat(Condition.compile("alert.name.matches('^(a+)+$b')").test(context)).isFalse();

    assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
  }

  @Test
  void aConditionReportsThePathsItReads() {
    Needs needs =
        Condition.compile(
                """
                object.metrics["cpu|usage_average"] > 5 && "env" in object.tags
                  && object.ancestors.HostSystem.tags["rack"] == object.properties.site
                  && object.superMetrics["Head room"] > 1 && alert.name != ""
                  && (group == null || group.alerts.all(a, a.object.tags.owner == "x"))
                """)
            .needs();

    assertThat(needs.metrics()).isEqualTo(names("cpu|usage_average"));
    assertThat(needs.superMetrics()).isEqualTo(names("Head room"));
    assertThat(needs.properties()).isEqualTo(names("site"));
    assertThat(needs.tags().names()).containsExactly("env", "owner");
    assertThat(needs.ancestors())
        .containsExactly(
            java.util.Map.entry(
                "HostSystem", new Needs.OfAncestor(names("rack"), Needs.Names.NONE)));
    assertThat(needs.parents()).isFalse();
  }

  @Test
  void aDynamicNameNeedsTheWholeObject() {
    assertThat(Condition.compile("object.tags[vars.tag] == 'x'").needs().tags().all()).isTrue();
    assertThat(Condition.compile("object.tags.exists(t, t == 'x')").needs().tags().all()).isTrue();
    assertThat(Condition.compile("object.parents.exists(p, p.name == 'x')").needs().parents())
        .isTrue();
    assertThat(Condition.compile("size(object) > 3").needs().metrics().all()).isTrue();
    assertThat(Condition.compile("object != null && group == null").needs()).isEqualTo(Needs.NONE);
  }

  @Test
  void aConditionMayNameFieldsThatStepsAdd() {
    JsonNode context = JsonMapper.shared().readTree("{\"owner\": \"x\", \"list\": 1}");

    assertThat(Condition.compile("owner == 'x'", Set.of("owner", "list")).test(context)).isTrue();
  }

  private static Needs.Names names(String name) {
    return new Needs.Names(false, new TreeSet<>(Set.of(name)));
  }
}
