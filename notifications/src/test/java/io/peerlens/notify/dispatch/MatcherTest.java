package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.notify.definition.InScope;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRule.Criteria;
import io.peerlens.notify.definition.Windows;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class MatcherTest {

  private static final UUID VM = new UUID(7, 7);
  private static final InScope NOWHERE = (scope, object) -> false;

  private static final JsonNode CONTEXT =
      JsonMapper.shared()
          .readTree(
              """
              {"event": "UPDATE", "change": "severity", "source": "peerlens",
               "alert": {"id": "11111111-0000-0000-0000-000000000000", "name": "CPU high", "definitionId": "d1",
                 "criticality": "WARNING", "impact": "HEALTH", "controlState": "OPEN", "type": "VIRTUALIZATION",
                 "subType": "PERFORMANCE"},
               "object": {"id": "%s", "name": "vm-1", "adapterKind": "VMWARE", "kind": "VirtualMachine"}}
              """
                  .formatted(VM));

  @Test
  void aRuleWithoutConditionsTakesEverything() {
    Match match = match(Criteria.ALL, null, NOWHERE);
    assertThat(match.matches()).isTrue();
    assertThat(match.checks()).isEmpty();
  }

  @Test
  void everyConditionReportsItsActualAndExpectedValue() {
    Criteria criteria =
        new Criteria(
            null,
            Set.of("NEW", "CANCEL"),
            Set.of("members"),
            Set.of("IMMEDIATE", "CRITICAL"),
            Set.of("STORAGE"),
            Set.of("performance"),
            Set.of("risk"),
            Set.of("d2"),
            Set.of("open"),
            Set.of(new ObjectKind("VMWARE", "HostSystem")),
            Set.of("edge-relay"),
            "alert.number > 3",
            1);
    Match match = match(criteria, context -> "alert.number is not known", NOWHERE);
    assertThat(match.checks().stream().map(Match.Check::words))
        .containsExactly(
            "event is UPDATE, not CANCEL or NEW",
            "change is severity, not members",
            "source is peerlens, not edge-relay",
            "severity is WARNING, not CRITICAL or IMMEDIATE",
            "type is VIRTUALIZATION, not STORAGE",
            "sub-type is PERFORMANCE",
            "impact is HEALTH, not risk",
            "raised by CPU high, which the rule does not name",
            "control state is OPEN",
            "object kind is VMWARE/VirtualMachine, not VMWARE/HostSystem",
            "alert.number is not known");
    assertThat(match.matches()).isFalse();
    assertThat(match.isAbout()).isFalse();
    assertThat(match.words()).startsWith("event is UPDATE, not CANCEL or NEW; change is severity");
  }

  @ParameterizedTest
  @CsvSource({
    "Virtualization/Hypervisor, VIRTUALIZATION, true",
    "virtualization, Virtualization/Hypervisor, true",
    "Hardware (OSI), hardware, true",
    "Storage, Network, false",
    "Power plant, power-plant, true",
    "Virtualization/Hypervisor, , false"
  })
  void typesAreMatchedHoweverTheyAreWritten(String wanted, String found, boolean matches) {
    Criteria criteria =
        new Criteria(
            null,
            Set.of(),
            Set.of(),
            Set.of(),
            Set.of(wanted),
            Set.of(),
            Set.of(),
            Set.of(),
            Set.of(),
            Set.of(),
            Set.of(),
            null,
            1);
    ObjectNode context = (ObjectNode) CONTEXT.deepCopy();
    ((ObjectNode) context.path("alert")).put("type", found);

    assertThat(
            new Matcher(rule(criteria), null)
                .match(new NotificationContext((ObjectNode) context), NOWHERE)
                .matches())
        .isEqualTo(matches);
  }

  @Test
  void aRuleThatDoesNotWantTheEventIsStillAboutTheAlert() {
    Criteria criteria = only(null, Set.of("NEW"), 1);
    Match match = match(criteria, null, NOWHERE);
    assertThat(match.matches()).isFalse();
    assertThat(match.wantsEvent()).isFalse();
    assertThat(match.isAbout()).isTrue();
  }

  @Test
  void scopesAreAskedForTheObject() {
    Scope scope =
        new Scope(
            new ScopeCondition(
                List.of(), List.of(), List.of("tier=web"), List.of(), null, List.of(), List.of()),
            List.of());
    Set<UUID> asked = new HashSet<>();
    Match in =
        match(
            only(scope, Set.of(), 1), null, (of, object) -> of.equals(scope) && asked.add(object));
    assertThat(asked).containsExactly(VM);
    assertThat(in.matches()).isTrue();
    assertThat(match(only(scope, Set.of(), 1), null, NOWHERE).words())
        .isEqualTo("vm-1 is not in the rule's scope");
  }

  @Test
  void anAlertWithoutObjectIsInNoScopeButEverythingElseIsJudged() {
    Scope scope =
        new Scope(
            new ScopeCondition(
                List.of(), List.of(), List.of("a"), List.of(), null, List.of(), List.of()),
            List.of());
    JsonNode without =
        JsonMapper.shared().readTree("{\"event\": \"NEW\", \"alert\": {}, \"object\": null}");
    assertThat(
            new Matcher(rule(only(scope, Set.of(), 1)), null)
                .match(new NotificationContext((ObjectNode) without), NOWHERE)
                .words())
        .isEqualTo("the alert has no object, the rule has a scope");
    assertThat(
            new Matcher(rule(only(Scope.ALL, Set.of(), 1)), null)
                .match(new NotificationContext((ObjectNode) without), NOWHERE)
                .matches())
        .isTrue();
  }

  @Test
  void samplingTakesItsShareAndTheSameAlertsEachTime() {
    Matcher matcher = new Matcher(rule(only(null, Set.of(), 0.25)), null);
    int taken = 0;
    for (int i = 0; i < 4_000; i++) {
      JsonNode context =
          JsonMapper.shared()
              .readTree(
                  "{\"event\": \"NEW\", \"alert\": {\"id\": \"%s\"}}"
                      .formatted(UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)})));
      boolean matches =
          matcher.match(new NotificationContext((ObjectNode) context), NOWHERE).matches();
      assertThat(matcher.match(new NotificationContext((ObjectNode) context), NOWHERE).matches())
          .isEqualTo(matches);
      taken += matches ? 1 : 0;
    }
    assertThat(taken).isBetween(850, 1150);
  }

  private static Match match(Criteria criteria, @Nullable When when, InScope scopes) {
    return new Matcher(rule(criteria), when)
        .match(new NotificationContext((ObjectNode) CONTEXT), scopes);
  }

  private static Criteria only(@Nullable Scope scope, Set<String> events, double sampling) {
    return new Criteria(
        scope, events, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(),
        Set.of(), Set.of(), null, sampling);
  }

  private static NotificationRule rule(Criteria criteria) {
    return new NotificationRule(
        new UUID(1, 1),
        "all",
        true,
        0,
        false,
        criteria,
        Windows.ALWAYS,
        "generic-json",
        List.of(),
        Map.of(),
        Duration.ZERO,
        null,
        null);
  }
}
