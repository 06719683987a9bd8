package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetric.Policy;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShardsTest {

  private static UUID id(int number) {
    return new UUID(7, number);
  }

  private static SuperMetricRule rule(int number, String formula, String... kinds) {
    return new SuperMetricRule(
        id(number),
        "rule " + number,
        Formula.parse(formula),
        Arrays.stream(kinds).map(kind -> new ObjectKind("VMWARE", kind)).toList(),
        Duration.ofMinutes(1),
        null,
        Policy.ALL);
  }

  private static List<List<SuperMetricRule>> divide(List<SuperMetricRule> rules, int count) {
    return Shards.divide(new Rules(rules, List.of(), List.of(), List.of(), List.of()), count)
        .stream()
        .map(Rules::superMetrics)
        .toList();
  }

  private static Set<UUID> ids(List<SuperMetricRule> shard) {
    Set<UUID> ids = new HashSet<>();
    shard.forEach(rule -> ids.add(rule.id()));
    return ids;
  }

  @Test
  void rulesThatReadOneAnotherOrShareAKindStayTogether() {
    List<SuperMetricRule> rules =
        List.of(
            rule(1, "1", "VirtualMachine"),
            rule(2, "2", "VirtualMachine", "HostSystem"),
            rule(3, "3", "HostSystem"),
            rule(4, "${this, metric=Super Metric|sm_" + id(1) + "}", "Datastore"),
            rule(5, "5", "Datacenter"),
            rule(6, "${this, metric=Super Metric|sm_" + id(99) + "}", "ResourcePool"));
    List<List<SuperMetricRule>> shards = divide(rules, 3);
    assertThat(shards.stream().map(ShardsTest::ids))
        .containsExactlyInAnyOrder(
            Set.of(id(1), id(2), id(3), id(4)), Set.of(id(5)), Set.of(id(6)));
  }

  @Test
  @DisplayName("every evaluator divides the same, seed 5")
  void theOrderOfTheRulesDoesNotMatter() {
    Random random = new Random(5);
    List<SuperMetricRule> rules = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rules.add(rule(i, "1", "Kind" + random.nextInt(25)));
    }
    List<List<SuperMetricRule>> shards = divide(rules, 4);
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(rules, random);
      assertThat(divide(rules, 4)).isEqualTo(shards);
    }
    assertThat(shards).allMatch(shard -> shard.size() > 5);
    assertThat(shards.stream().mapToInt(List::size).sum()).isEqualTo(60);
  }

  @Test
  void ticksAreOnAGridOfTheirInterval() {
    Instant noon = Instant.parse("2026-11-21T12:00:00Z");
    assertThat(Evaluation.next(noon, Duration.ofSeconds(5))).isEqualTo(noon.plusSeconds(5));
    assertThat(Evaluation.next(noon.plusMillis(1), Duration.ofMinutes(5)))
        .isEqualTo(noon.plusSeconds(300));
    assertThat(Evaluation.next(noon.minusMillis(1), Duration.ofMinutes(5))).isEqualTo(noon);
  }
}
