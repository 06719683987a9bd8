package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.AlertCondition;
import io.peerlens.api.model.AlertConditionType;
import io.peerlens.api.model.ConditionTarget;
import io.peerlens.api.model.Population;
import io.peerlens.api.model.PopulationType;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Conditions of ours in the vendor's form, also those that no client has written. */
class AlertDefinitionFormTest {

  private static final UUID ONE = new UUID(0, 1);
  private static final UUID TWO = new UUID(0, 2);

  private static AlertCondition symptom(UUID id) {
    AlertCondition condition = new AlertCondition(AlertConditionType.THRESHOLD);
    condition.setThreshold(id);
    return condition;
  }

  private static AlertCondition onChildren(UUID id, PopulationType type) {
    AlertCondition condition = symptom(id);
    condition.setOn(ConditionTarget.CHILD);
    condition.setPopulation(new Population(type));
    return condition;
  }

  private static AlertCondition of(AlertConditionType type, AlertCondition... parts) {
    AlertCondition condition = new AlertCondition(type);
    condition.setConditions(List.of(parts));
    return condition;
  }

  private static String form(AlertCondition condition) {
    return JsonMapper.shared().writeValueAsString(AlertDefinitionForm.form(condition));
  }

  private static String set(String relation, String aggregation, String operator, String ids) {
    return "{\"type\":\"SYMPTOM_SET\",\"relation\":\"%s\",\"aggregation\":\"%s\",\"symptomSetOperator\":\"%s\",\"symptomDefinitionIds\":[%s]}"
        .formatted(relation, aggregation, operator, ids);
  }

  private static String id(String prefix, UUID id) {
    return "\"" + prefix + id + "\"";
  }

  @Test
  void theOppositeOfAllIsAnyOfTheOpposites() {
    assertThat(
            form(
                of(
                    AlertConditionType.NOT,
                    of(
                        AlertConditionType.ALL,
                        symptom(ONE),
                        of(AlertConditionType.NOT, symptom(TWO))))))
        .isEqualTo(set("SELF", "ANY", "OR", id("!", ONE) + "," + id("", TWO)));
  }

  @Test
  void noChildWithASymptomIsAllChildrenWithoutIt() {
    assertThat(form(of(AlertConditionType.NOT, onChildren(ONE, PopulationType.ANY))))
        .isEqualTo(set("CHILD", "ALL", "OR", id("!", ONE)));
    assertThat(form(of(AlertConditionType.NOT, onChildren(ONE, PopulationType.ALL))))
        .isEqualTo(set("CHILD", "ANY", "OR", id("!", ONE)));
  }

  @Test
  void symptomsThatTogetherWouldSayMoreAreSetsOfTheirOwn() {
    String one = set("CHILD", "ANY", "OR", id("", ONE));
    String two = set("CHILD", "ANY", "OR", id("", TWO));
    assertThat(
            form(
                of(
                    AlertConditionType.ALL,
                    onChildren(ONE, PopulationType.ANY),
                    onChildren(TWO, PopulationType.ANY))))
        .as("one child may have the one, another child the other")
        .isEqualTo(
            "{\"type\":\"SYMPTOM_SET_COMPOSITE\",\"operator\":\"AND\",\"symptom-sets\":["
                + one
                + ","
                + two
                + "]}");
    assertThat(
            form(
                of(
                    AlertConditionType.ANY,
                    onChildren(ONE, PopulationType.ANY),
                    onChildren(TWO, PopulationType.ANY))))
        .isEqualTo(set("CHILD", "ANY", "OR", id("", ONE) + "," + id("", TWO)));
  }
}
