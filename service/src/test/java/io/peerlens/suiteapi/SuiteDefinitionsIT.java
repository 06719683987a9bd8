package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.suiteapi.SuiteClient.Got;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Alert and symptom definitions as the vendor's clients write them, and as they come back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuiteDefinitionsIT {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String SUPER = "Super Metric|sm_" + UUID.randomUUID();

  private SampleData data;
  private PeerlensServer server;
  private SuiteClient client;
  private int made;

  @BeforeAll
  void start() {
    data = SampleData.create();
    data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    data.object("VMWARE", "VirtualMachine", "web-1");
    data.object("VMWARE", "HostSystem", "esx-1");
    server =
        PeerlensServer.start(
            data.database(), Set.of(Role.API), "peerlens.load.requests-per-second=1000");
    client = SuiteClient.admin(server);
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
    data.close();
  }

  private ObjectNode symptom(String condition) {
    made++;
    return (ObjectNode)
        JSON.readTree(
            """
            {"name": "Symptom %d", "adapterKindKey": "VMWARE", "resourceKindKey": "VirtualMachine", "waitCycles": 3,
             "cancelCycles": 2, "state": {"severity": "IMMEDIATE", "condition": %s}}
            """
                .formatted(made, condition.replace("THE_KEY", SUPER)));
  }

  private static final String PLAIN =
      """
      {"type": "CONDITION_HT", "key": "cpu|usage_average", "operator": "GT", "value": "90", "valueType": "NUMERIC",
       "instanced": false, "thresholdType": "STATIC"}""";

  private String symptomId() {
    return client
        .post("/api/symptomdefinitions", symptom(PLAIN).toString())
        .is(201)
        .json()
        .get("id")
        .stringValue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        """
        {"type": "CONDITION_HT", "key": "net|droppedRx_summation", "operator": "LT_EQ", "value": "0.5",
         "valueType": "NUMERIC", "instanced": true, "thresholdType": "STATIC"}""",
        """
        {"type": "CONDITION_HT", "key": "cpu|usage_average", "operator": "NOT_EQ", "valueType": "NUMERIC",
         "instanced": false, "thresholdType": "STATKEY", "targetKey": "cpu|limit"}""",
        """
        {"type": "CONDITION_HT", "key": "cpu|usage_average", "operator": "GT_EQ", "valueType": "NUMERIC",
         "instanced": false, "thresholdType": "PROPERTY", "targetKey": "config|limit"}""",
        """
        {"type": "CONDITION_HT", "key": "cpu|usage_average", "operator": "NOT_EXISTS", "value": "15m",
         "valueType": "STRING", "instanced": false, "thresholdType": "STATIC"}""",
        """
        {"type": "CONDITION_HT_SUPER", "key": "THE_KEY", "operator": "LT", "value": 1200, "instanced": false}""",
        """
        {"type": "CONDITION_DT", "key": "cpu|usage_average", "operator": "DT_ABOVE", "instanced": false}""",
        """
        {"type": "CONDITION_DT", "key": "cpu|usage_average", "operator": "DT_BELOW", "instanced": true}""",
        """
        {"type": "CONDITION_DT_SUPER", "key": "THE_KEY", "operator": "DT_ABNORMAL", "instanced": false}""",
        """
        {"type": "CONDITION_PROPERTY_STRING", "key": "config|guest", "operator": "NOT_CONTAINS", "stringValue": "Windows",
         "instanced": false, "thresholdType": "STATIC"}""",
        """
        {"type": "CONDITION_PROPERTY_STRING", "key": "config|guest", "operator": "REGEX", "stringValue": "Win.*",
         "instanced": false, "thresholdType": "STATIC"}""",
        """
        {"type": "CONDITION_PROPERTY_NUMERIC", "key": "config|hardware|num_Cpu", "operator": "GT", "value": 8,
         "instanced": false, "thresholdType": "STATIC"}"""
      })
  void aSymptomDefinitionReadsBackAsItWasWritten(String condition) {
    ObjectNode wanted = symptom(condition);
    Got created = client.post("/api/symptomdefinitions", wanted.toString()).is(201);
    String id = created.json().get("id").stringValue();
    wanted.put("id", id);
    assertThat(created.json()).isEqualTo(wanted);
    assertThat(client.get("/api/symptomdefinitions/" + id).is(200).json()).isEqualTo(wanted);
    wanted.put("waitCycles", 5);
    ((ObjectNode) wanted.get("state")).put("severity", "CRITICAL");
    assertThat(client.put("/api/symptomdefinitions", wanted.toString()).is(200).json())
        .isEqualTo(wanted);
    assertThat(
            client
                .get("/api/symptomdefinitions?resourceKind=virtualmachine&id=" + id)
                .json()
                .get("symptomDefinitions")
                .get(0))
        .isEqualTo(wanted);
    client.delete("/api/symptomdefinitions/" + id).is(204);
    client.get("/api/symptomdefinitions/" + id).is(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"type": "CONDITION_FAULT", "key": "fault|x"};                                                state.condition.type
          {"type": "CONDITION_OF_MINE", "key": "a|b"};                                                  state.condition.type
          {"key": "a|b"};                                                                               state.condition.type
          {"type": "CONDITION_HT", "operator": "GT", "value": "1"};                                     state.condition.key
          {"type": "CONDITION_HT", "key": "a|b", "operator": "CONTAINS", "value": "1"};                 state.condition.operator
          {"type": "CONDITION_HT", "key": "a|b", "operator": "GT"};                                     state.condition.value
          {"type": "CONDITION_HT", "key": "a|b", "operator": "GT", "value": "much"};                    state.condition.value
          {"type": "CONDITION_HT", "key": "a|b", "operator": "GT", "value": "x", "valueType": "STRING"}; state.condition.valueType
          {"type": "CONDITION_HT", "key": "a|b", "operator": "GT", "thresholdType": "STATKEY"};         state.condition.targetKey
          {"type": "CONDITION_HT", "key": "a|b", "operator": "GT", "settingValue": "s"};                state.condition.settingValue
          {"type": "CONDITION_HT", "key": "a|b", "operator": "NOT_EXISTS", "value": "soon"};            state.condition.value
          {"type": "CONDITION_HT_SUPER", "key": "a|b", "operator": "GT", "value": 1};                   state.condition.key
          {"type": "CONDITION_DT", "key": "a|b", "operator": "GT"};                                     state.condition.operator
          {"type": "CONDITION_PROPERTY_STRING", "key": "a|b", "operator": "EQ"};                        state.condition.stringValue
          {"type": "CONDITION_PROPERTY_STRING", "key": "a|b", "operator": "REGEX", "stringValue": "("}; state.condition.stringValue
          """)
  void aConditionThatThresholdsCannotSayIsRefusedWithTheMemberThatSaysIt(
      String condition, String path) {
    assertThat(client.post("/api/symptomdefinitions", symptom(condition).toString()).violations())
        .containsExactly(path);
  }

  @Test
  void aSymptomDefinitionNamesWhatIsMissingOrOutOfRange() {
    assertThat(client.post("/api/symptomdefinitions", "{}").violations())
        .containsExactly("adapterKindKey");
    ObjectNode wanted = symptom(PLAIN);
    wanted.put("waitCycles", 61);
    assertThat(client.post("/api/symptomdefinitions", wanted.toString()).violations())
        .containsExactly("waitCycles");
    wanted.put("waitCycles", "2");
    ((ObjectNode) wanted.get("state")).put("severity", "AUTO");
    assertThat(client.post("/api/symptomdefinitions", wanted.toString()).violations())
        .containsExactly("state.severity");
    ((ObjectNode) wanted.get("state")).put("severity", "warning");
    wanted.put("name", "n".repeat(201));
    assertThat(client.post("/api/symptomdefinitions", wanted.toString()).violations())
        .containsExactly("name");
    wanted.put("name", "Numbers may be texts");
    assertThat(
            client
                .post("/api/symptomdefinitions", wanted.toString())
                .is(201)
                .json()
                .get("waitCycles")
                .intValue())
        .isEqualTo(2);
    assertThat(client.post("/api/symptomdefinitions", wanted.toString()).status())
        .as("the name is taken")
        .isEqualTo(409);
    wanted.put("id", UUID.randomUUID().toString());
    client.put("/api/symptomdefinitions", wanted.toString()).is(404);
  }

  @Test
  void aChangeKeepsWhatTheFormDoesNotShowAndRefusesToLoseIt() {
    String id =
        server
            .admin()
            .post(
                "/thresholds",
                """
                {"name": "Two levels", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}, "interval": "5m",
                 "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt", "levels": [
                   {"severity": "critical", "bound": {"type": "number", "value": 95}},
                   {"severity": "warning", "bound": {"type": "number", "value": 80}}]},
                 "alert": {"impact": "health", "recommendations": ["Look at it."]}, "tags": ["mine"]}
                """)
            .json()
            .get("id")
            .asString();
    ObjectNode shown = (ObjectNode) client.get("/api/symptomdefinitions/" + id).is(200).json();
    assertThat(shown.get("state").get("severity").stringValue()).isEqualTo("CRITICAL");
    shown.put("name", "Two levels still").put("cancelCycles", 4);
    client.put("/api/symptomdefinitions", shown.toString()).is(200);
    JsonNode after = server.admin().get("/thresholds/" + id).json();
    assertThat(after.get("condition").get("levels").size()).isEqualTo(2);
    assertThat(after.get("tags").toString()).isEqualTo("[\"mine\"]");
    assertThat(after.get("interval").asString()).isEqualTo("5m");
    assertThat(after.get("trigger").get("clearAfter").intValue()).isEqualTo(4);
    ((ObjectNode) shown.get("state").get("condition")).put("value", "70");
    assertThat(client.put("/api/symptomdefinitions", shown.toString()).violations())
        .containsExactly("state");

    JsonNode own = client.get("/api/alertdefinitions/" + id).is(200).json();
    assertThat(own.get("states").get(0).get("severity").stringValue()).isEqualTo("AUTO");
    client.put("/api/alertdefinitions", own.toString()).is(400);
    client.put("/api/alertdefinitions/" + id + "/disable", null).is(200);
    assertThat(server.admin().get("/thresholds/" + id).json().get("enabled").booleanValue())
        .isFalse();
    client.delete("/api/alertdefinitions/" + id).is(204);
    client.get("/api/alertdefinitions/" + id).is(404);
    client.get("/api/symptomdefinitions/" + id).is(200);
  }

  private ObjectNode alert(String set) {
    made++;
    return (ObjectNode)
        JSON.readTree(
            """
            {"name": "Alert %d", "description": "of %d", "adapterKindKey": "VMWARE", "resourceKindKey": "HostSystem",
             "waitCycles": 2, "cancelCycles": 3, "type": 16, "subType": 20, "states": [{"severity": "AUTO",
               "base-symptom-set": %s, "impact": {"impactType": "BADGE", "detail": "risk"}, "recommendationPriorityMap": {}}]}
            """
                .formatted(made, made, set));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"type": "SYMPTOM_SET", "relation": "SELF", "aggregation": "ANY", "symptomSetOperator": "AND",
         "symptomDefinitionIds": ["ONE", "!TWO"]}""",
        """
        {"type": "SYMPTOM_SET", "relation": "SELF", "aggregation": "ANY", "symptomSetOperator": "OR",
         "symptomDefinitionIds": ["ONE"]}""",
        """
        {"type": "SYMPTOM_SET", "relation": "CHILD", "aggregation": "ANY", "symptomSetOperator": "OR",
         "symptomDefinitionIds": ["ONE", "!TWO"]}""",
        """
        {"type": "SYMPTOM_SET", "relation": "DESCENDANT", "aggregation": "ALL", "symptomSetOperator": "AND",
         "symptomDefinitionIds": ["ONE", "!TWO"], "adapterKindKey": "VMWARE", "resourceKindKey": "VirtualMachine"}""",
        """
        {"type": "SYMPTOM_SET", "relation": "CHILD", "aggregation": "PERCENT", "populationOperator": "GT_EQ", "value": 40.0,
         "symptomSetOperator": "OR", "symptomDefinitionIds": ["ONE"]}""",
        """
        {"type": "SYMPTOM_SET_COMPOSITE", "operator": "AND", "symptom-sets": [
          {"type": "SYMPTOM_SET", "relation": "SELF", "aggregation": "ANY", "symptomSetOperator": "OR",
           "symptomDefinitionIds": ["ONE", "TWO"]},
          {"type": "SYMPTOM_SET", "relation": "ANCESTOR", "aggregation": "COUNT", "populationOperator": "GT_EQ", "value": 2.0,
           "symptomSetOperator": "AND", "symptomDefinitionIds": ["TWO"]}]}"""
      })
  void anAlertDefinitionReadsBackAsItWasWritten(String set) {
    String one = symptomId();
    String two = symptomId();
    ObjectNode wanted = alert(set.replace("ONE", one).replace("TWO", two));
    Got created = client.post("/api/alertdefinitions", wanted.toString()).is(201);
    String id = created.json().get("id").stringValue();
    wanted.put("id", id);
    assertThat(created.json()).isEqualTo(wanted);
    assertThat(client.get("/api/alertdefinitions/" + id).is(200).json()).isEqualTo(wanted);
    client.put("/api/alertdefinitions/" + id + "/disable", null).is(200);
    wanted.put("name", "Renamed " + made).put("cancelCycles", 7);
    assertThat(client.put("/api/alertdefinitions", wanted.toString()).is(200).json())
        .isEqualTo(wanted);
    JsonNode stored = server.admin().get("/alert-definitions/" + id).json();
    assertThat(stored.get("enabled").booleanValue()).isFalse();
    assertThat(stored.get("type").asString()).isEqualTo("Virtualization/Hypervisor");
    assertThat(stored.get("subType").asString()).isEqualTo("Capacity");
    client.put("/api/alertdefinitions/" + id + "/enable", null).is(200);
    assertThat(server.admin().get("/alert-definitions/" + id).json().get("enabled").booleanValue())
        .isTrue();
    assertThat(client.delete("/api/symptomdefinitions/" + one).status())
        .as("it is in use")
        .isEqualTo(409);
    client.delete("/api/alertdefinitions/" + id).is(204);
    client.get("/api/alertdefinitions/" + id).is(404);
    client.put("/api/alertdefinitions/" + id + "/enable", null).is(404);
    assertThat(server.admin().get("/audit?limit=20").body())
        .contains("createAlertDefinition", "putAlertDefinition", "deleteAlertDefinition");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"symptomDefinitionIds": []};                                                                     symptomDefinitionIds
          {"symptomDefinitionIds": ["mine"]};                                                               symptomDefinitionIds[0]
          {"symptomDefinitionIds": ["ONE", "!7b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01"]};                       symptomDefinitionIds[1]
          {"symptomDefinitionIds": ["ONE"], "relation": "NEIGHBOUR"};                                       relation
          {"symptomDefinitionIds": ["ONE"], "relation": "CHILD", "aggregation": "COUNT"};                   value
          {"symptomDefinitionIds": ["ONE"], "relation": "CHILD", "aggregation": "COUNT", "value": 2, "populationOperator": "LT"}; populationOperator
          {"symptomDefinitionIds": ["!ONE"], "relation": "CHILD", "aggregation": "COUNT", "value": 2};      symptomDefinitionIds[0]
          {"symptomDefinitionIds": ["ONE", "!ONE"], "relation": "CHILD", "symptomSetOperator": "AND"};      symptomSetOperator
          {"symptomDefinitionIds": ["ONE"], "alertConditions": [{"type": "x"}]};                            alertConditions
          """)
  void aSetThatConditionsCannotSayIsRefusedWithTheMemberThatSaysIt(String set, String path) {
    assertThat(
            client
                .post("/api/alertdefinitions", alert(set.replace("ONE", symptomId())).toString())
                .violations())
        .containsExactly("states[0].base-symptom-set." + path);
  }

  @Test
  void anAlertDefinitionHasOneStateAndAnImpactAndRecommendationsThatExist() {
    String set = "{\"symptomDefinitionIds\": [\"" + symptomId() + "\"]}";
    ObjectNode none = alert(set);
    none.putArray("states");
    assertThat(client.post("/api/alertdefinitions", none.toString()).violations())
        .containsExactly("states");
    ObjectNode two = alert(set);
    two.withArray("states").add(two.get("states").get(0).deepCopy());
    assertThat(client.post("/api/alertdefinitions", two.toString()).violations())
        .containsExactly("states");
    ObjectNode wrong = alert(set);
    ((ObjectNode) wrong.get("states").get(0).get("impact")).put("detail", "beauty");
    assertThat(client.post("/api/alertdefinitions", wrong.toString()).violations())
        .containsExactly("states[0].impact.detail");
    ObjectNode unknown = alert(set);
    unknown
        .get("states")
        .get(0)
        .withObject("/recommendationPriorityMap")
        .put("Recommendation-1", 1);
    assertThat(client.post("/api/alertdefinitions", unknown.toString()).violations())
        .containsExactly("states[0].recommendationPriorityMap");
    ObjectNode cycles = alert(set);
    cycles.put("waitCycles", 1000);
    assertThat(client.post("/api/alertdefinitions", cycles.toString()).violations())
        .containsExactly("waitCycles");
  }
}
