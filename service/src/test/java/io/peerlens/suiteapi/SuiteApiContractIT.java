package io.peerlens.suiteapi;

import static io.peerlens.suiteapi.SuiteApiWorld.ALERT;
import static io.peerlens.suiteapi.SuiteApiWorld.HOST;
import static io.peerlens.suiteapi.SuiteApiWorld.OTHER;
import static io.peerlens.suiteapi.SuiteApiWorld.SECOND_ALERT;
import static io.peerlens.suiteapi.SuiteApiWorld.VM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests and answers of every operation against the vendor's contract. */
class SuiteApiContractIT {

  @TempDir static Path folder;

  private static final SuiteApiContract CONTRACT = new SuiteApiContract();

  private static SuiteApiWorld world;

  private final Set<String> called = new TreeSet<>();
  private final List<String> wrong = new ArrayList<>();

  @BeforeAll
  static void start() {
    world = new SuiteApiWorld(folder);
  }

  @AfterAll
  static void stop() {
    if (world != null) {
      world.close();
    }
  }

  /** Calls an operation, and holds request and answer against the contract. */
  private JsonNode call(String method, String path, @Nullable String body) {
    Routes routes = world.server.context().getBean(Routes.class);
    String plain = path.replaceFirst("\\?.*", "");
    Routes.Found found =
        routes.find(method, Arrays.stream(plain.split("/")).filter(p -> !p.isEmpty()).toList());
    assertThat(found).as("a route for " + method + " " + plain).isNotNull();
    String operation = SuiteApiContract.operation(found.route());
    called.add(operation);
    HttpResponse<String> response =
        world.send(method, "/suite-api" + path, body, "OpsToken " + world.token);
    try {
      if (response.statusCode() >= 300) {
        throw new AssertionError(
            operation + " -> " + response.statusCode() + " " + response.body());
      }
      CONTRACT.verifyRequest(operation, query(path), body);
      CONTRACT.verifyAnswer(operation, response.body());
    } catch (AssertionError e) {
      wrong.add(String.valueOf(e.getMessage()));
    }
    return response.body().isEmpty()
        ? JsonMapper.shared().createObjectNode()
        : JsonMapper.shared().readTree(response.body());
  }

  private static Set<String> query(String path) {
    int at = path.indexOf('?');
    return at < 0
        ? Set.of()
        : Arrays.stream(path.substring(at + 1).split("&"))
            .map(pair -> pair.replaceFirst("=.*", ""))
            .collect(Collectors.toSet());
  }

  private JsonNode get(String path) {
    return call("GET", path, null);
  }

  private JsonNode post(String path, String body) {
    return call("POST", path, body);
  }

  @Test
  void everyOperationTakesAndGivesWhatTheVendorSays() {
    system();
    kinds();
    resources();
    stats();
    alerts();
    writes();
    assertThat(wrong).isEmpty();
    Set<String> missing = new TreeSet<>();
    world
        .server
        .context()
        .getBean(Routes.class)
        .all()
        .forEach(route -> missing.add(SuiteApiContract.operation(route)));
    missing.removeAll(called);
    assertThat(missing).as("operations that this test does not call").isEmpty();
  }

  private void system() {
    get("/api/versions");
    get("/api/versions/current");
    get("/api/deployment/node/status");
    get("/api/deployment/node/services/info");
    String source = get("/api/auth/sources").get("sources").get(0).get("id").stringValue();
    get("/api/auth/sources/" + source);
    String token =
        post(
                "/api/auth/token/acquire",
                "{\"username\": \"admin\", \"password\": \"%s\", \"authSource\": \"Local\"}"
                    .formatted(world.token))
            .get("token")
            .stringValue();
    called.add("POST /api/auth/token/release");
    called.add("GET /api/credentials/{}"); // there are none
    HttpResponse<String> released =
        world.send("POST", "/suite-api/api/auth/token/release", null, "OpsToken " + token);
    assertThat(released.statusCode()).isEqualTo(200);
    CONTRACT.verifyAnswer("POST /api/auth/token/release", released.body());
  }

  private void kinds() {
    get("/api/adapterkinds?adapterKindKey=VMWARE");
    get("/api/adapterkinds/VMWARE");
    get("/api/adapterkinds/VMWARE/resourcekinds?page=0&pageSize=10000");
    get("/api/adapterkinds/VMWARE/resourcekinds/VirtualMachine");
    get("/api/adapterkinds/VMWARE/resourcekinds/VirtualMachine/statkeys?statOnly=true");
    get("/api/adapterkinds/VMWARE/resourcekinds/VirtualMachine/properties");
    get("/api/adapterkinds/VMWARE/resources?pageSize=1");
    get("/api/adapterkinds/VMWARE/resourcekinds/VirtualMachine/resources?name=web");
    String adapter =
        get("/api/adapters?adapterKindKey=VMWARE")
            .get("adapterInstancesInfoDto")
            .get(0)
            .get("id")
            .stringValue();
    get("/api/adapters/" + adapter);
    get("/api/adapters/" + adapter + "/resources?page=0");
    String collector = get("/api/collectors").get("collector").get(0).get("id").stringValue();
    get("/api/collectors/" + collector + "/adapters");
    String group =
        get("/api/collectorgroups").get("collectorGroups").get(0).get("id").stringValue();
    get("/api/collectorgroups/" + group);
    get("/api/credentials");
    get("/api/credentialkinds");
  }

  private void resources() {
    get("/api/resources?adapterKind=VMWARE&page=1&pageSize=1&includeRelated=PARENT");
    get("/api/resources?propertyName=summary%7CparentHost&resourceState=STARTED");
    post(
        "/api/resources/query?page=0&pageSize=10000",
        """
        {"adapterKind": ["VMWARE"], "resourceKind": ["VirtualMachine"], "resourceTag": [{"category": "tier", "name": "web"}],
         "propertyConditions": {"conjunctionOperator": "OR", "conditions": [
           {"key": "config|hardware|num_Cpu", "operator": "GT", "doubleValue": 3}]},
         "statConditions": {"conditions": [{"key": "cpu|usage_average", "operator": "EXISTS"}]}}
        """);
    get("/api/resources/" + VM);
    get("/api/resources/" + VM + "/relationships?relationshipType=ALL");
    get("/api/resources/" + HOST + "/relationships/children?pageSize=10");
    post(
        "/api/resources/bulk/relationships?pageSize=10000",
        """
        {"relationshipType": "DESCENDANT", "resourceIds": ["%s"], "hierarchyDepth": 5,
         "resourceQuery": {"resourceKind": ["VirtualMachine"]}}
        """
            .formatted(HOST));
    get("/api/resources/groups?includePolicy=false");
    get("/api/resources/groups/" + world.group);
    get("/api/resources/groups/" + world.group + "/members");
    get("/api/resources/" + VM + "/properties");
    get("/api/resources/properties?resourceId=" + VM + "&resourceId=" + HOST);
    post(
        "/api/resources/properties/latest/query",
        "{\"resourceIds\": [\"%s\"], \"propertyKeys\": [\"summary|parentHost\"], \"instanced\": false}"
            .formatted(VM));
  }

  private void stats() {
    long begin = world.start.toEpochMilli();
    long end = begin + 2 * 3600_000;
    String window = "&begin=" + begin + "&end=" + end;
    post(
        "/api/resources/stats/query",
        """
        {"resourceId": ["%s", "%s"], "statKey": ["cpu|usage_average"], "begin": %d, "end": %d, "rollUpType": "AVG",
         "intervalType": "HOURS", "intervalQuantifier": 1, "currentOnly": false, "metrics": true}
        """
            .formatted(VM, OTHER, begin, end));
    post(
        "/api/resources/" + VM + "/stats/query",
        "{\"begin\": %d, \"end\": %d, \"dt\": false}".formatted(begin, end));
    post(
        "/api/resources/" + VM + "/stats/query",
        "{\"statKey\": [\"cpu|usage_average\"], \"begin\": %d, \"end\": %d, \"dt\": true}"
            .formatted(begin, end));
    get("/api/resources/stats?resourceId=" + VM + "&statKey=cpu%7Cusage_average" + window);
    get("/api/resources/" + VM + "/stats?rollUpType=MAX&intervalType=HOURS" + window);
    get("/api/resources/stats/latest?resourceId=" + VM + "&statKey=cpu%7Cusage_average");
    get("/api/resources/" + VM + "/stats/latest?maxSamples=2");
    post(
        "/api/resources/stats/latest/query",
        "{\"resourceId\": [\"%s\"], \"maxSamples\": 3, \"currentOnly\": false}".formatted(VM));
    get(
        "/api/resources/stats/topn?topN=1&sortOrder=DESCENDING&groupBy=RESOURCE&statKey=cpu%7Cusage_average&resourceId="
            + VM
            + "&resourceId="
            + OTHER
            + window);
    get("/api/resources/" + OTHER + "/stats/topn?topN=2&rollUpType=MIN" + window);
    get("/api/resources/" + VM + "/stats/dt?statKey=cpu%7Cusage_average&showSmooth=true" + window);
    post(
        "/api/resources/stats/dt/query",
        "{\"resourceIds\": [\"%s\"], \"statKeys\": [\"cpu|usage_average\"], \"begin\": %d, \"end\": %d, \"showSmooth\": false}"
            .formatted(VM, begin, end));
    get("/api/resources/" + VM + "/statkeys");
    get("/api/resources/statkeys?resourceId=" + VM + "&searchstring=usage");
  }

  private void alerts() {
    get("/api/alerts?resourceId=" + VM);
    get("/api/alerts/" + ALERT);
    post(
        "/api/alerts/query?pageSize=10000",
        """
        {"compositeOperator": "AND", "activeOnly": true, "alertCriticality": ["WARNING"], "alertStatus": ["ACTIVE"],
         "alertImpact": ["HEALTH"], "startTimeRange": {"startTime": 0, "endTime": %d},
         "resource-query": {"resourceKind": ["Virtualmachine"]}}
        """
            .formatted(System.currentTimeMillis()));
    get("/api/alerts/contributingsymptoms?id=" + ALERT);
    get("/api/alerts/types");
    post("/api/alerts/" + ALERT + "/notes", "{\"content\": \"seen\"}");
    get("/api/alerts/" + ALERT + "/notes?page=0&pageSize=10");
    get("/api/symptoms?activeOnly=true&resourceId=" + VM);
    post(
        "/api/symptoms/query",
        "{\"activeOnly\": true, \"resource-query\": {\"resourceId\": [\"%s\"]}}".formatted(VM));
    for (String action : List.of("takeownership", "releaseownership", "suspend&minutes=30")) {
      post("/api/alerts?action=" + action, "{\"uuids\": [\"%s\"]}".formatted(SECOND_ALERT));
    }
    get("/api/alertdefinitions?adapterKind=VMWARE&resourceKind=VirtualMachine&pageSize=10000");
    get("/api/alertdefinitions/" + world.alertDefinition);
    get("/api/symptomdefinitions?name=cpu");
    get("/api/symptomdefinitions/" + world.symptomDefinition);
    JsonNode recommendations = get("/api/recommendations").get("recommendations");
    get("/api/recommendations/" + recommendations.get(0).get("id").stringValue());
  }

  private void writes() {
    String metric =
        post(
                "/api/supermetrics",
                "{\"name\": \"Of the contract\", \"formula\": \"1 + 1\", \"description\": \"d\"}")
            .get("id")
            .stringValue();
    call(
        "PUT",
        "/api/supermetrics",
        "{\"id\": \"%s\", \"name\": \"Of the contract\", \"formula\": \"1 + 2\"}"
            .formatted(metric));
    get("/api/supermetrics?name=contract");
    get("/api/supermetrics/" + metric);
    call("DELETE", "/api/supermetrics/" + metric, null);
    call("PUT", "/api/resources/" + HOST + "/maintained?duration=5", null);
    call("DELETE", "/api/resources/" + HOST + "/maintained", null);
    call("PUT", "/api/resources/maintained?duration=5&id=" + HOST + "&id=" + VM, null);
    call("DELETE", "/api/resources/maintained?id=" + HOST + "&id=" + VM, null);
    String id =
        post(
                "/api/resources/adapterkinds/ContractPush",
                """
                {"description": "a pump", "resourceKey": {"name": "pump-1", "adapterKindKey": "ContractPush",
                 "resourceKindKey": "Pump", "resourceIdentifiers": [{"value": "17",
                   "identifierType": {"name": "serial", "dataType": "STRING", "isPartOfUniqueness": true}}]}}
                """)
            .get("identifier")
            .stringValue();
    long now = System.currentTimeMillis();
    String values =
        "{\"statKey\": \"pump|power\", \"timestamps\": [%d], \"data\": [2.5]}".formatted(now);
    String told =
        "{\"statKey\": \"pump|maker\", \"timestamps\": [%d], \"values\": [\"ACME\"]}"
            .formatted(now);
    for (String more : List.of("", "/adapterkinds/ContractPush")) {
      post(
          "/api/resources/" + id + "/stats" + more + "?disableAnalyticsProcessing=false",
          "{\"stat-content\": [%s]}".formatted(values));
      post(
          "/api/resources/stats" + more,
          "{\"resource-stat-content\": [{\"id\": \"%s\", \"stat-contents\": [%s]}]}"
              .formatted(id, values));
      post(
          "/api/resources/" + id + "/properties" + more,
          "{\"property-content\": [%s]}".formatted(told));
      post(
          "/api/resources/properties" + more,
          "{\"values\": [{\"resourceId\": \"%s\", \"property-contents\": {\"property-content\": [%s]}}]}"
              .formatted(id, told));
    }
    related(id);
    definitions();
    call("DELETE", "/api/alertdefinitions/" + world.alertDefinition, null);
    call("DELETE", "/api/resources/" + id, null);
  }

  private void related(String pump) {
    String path = "/api/resources/" + pump + "/relationships/children";
    String body = "{\"uuids\": [\"%s\"]}".formatted(VM);
    post(path, body);
    call("PUT", path, body);
    call("DELETE", path + "/" + VM, null);
  }

  private void definitions() {
    String symptom =
        """
        {%s"name": "Of the contract", "adapterKindKey": "VMWARE", "resourceKindKey": "VirtualMachine", "waitCycles": 2,
         "cancelCycles": 2, "state": {"severity": "%s", "condition": {"type": "CONDITION_HT", "key": "cpu|usage_average",
           "operator": "GT", "value": "90", "valueType": "NUMERIC", "instanced": false, "thresholdType": "STATIC"}}}
        """;
    String id =
        post("/api/symptomdefinitions", symptom.formatted("", "WARNING")).get("id").stringValue();
    call(
        "PUT",
        "/api/symptomdefinitions",
        symptom.formatted("\"id\": \"" + id + "\", ", "CRITICAL"));
    String alert =
        """
        {%s"name": "Alert of the contract", "description": "d", "adapterKindKey": "VMWARE", "resourceKindKey": "VirtualMachine",
         "waitCycles": 1, "cancelCycles": 1, "type": 16, "subType": 19, "states": [{"severity": "AUTO",
           "impact": {"impactType": "BADGE", "detail": "%s"}, "recommendationPriorityMap": {},
           "base-symptom-set": {"type": "SYMPTOM_SET", "relation": "SELF", "aggregation": "ANY", "symptomSetOperator": "OR",
             "symptomDefinitionIds": ["%s"]}}]}
        """;
    String made =
        post("/api/alertdefinitions", alert.formatted("", "risk", id)).get("id").stringValue();
    call(
        "PUT",
        "/api/alertdefinitions",
        alert.formatted("\"id\": \"" + made + "\", ", "health", id));
    call("PUT", "/api/alertdefinitions/" + made + "/disable", null);
    call("PUT", "/api/alertdefinitions/" + made + "/enable", null);
    call("DELETE", "/api/alertdefinitions/" + made, null);
    call("DELETE", "/api/symptomdefinitions/" + id, null);
  }

  @Test
  void anAnswerThatLacksAddsOrMistypesAMemberIsRefused() {
    String operation = "GET /api/resources/{}/stats";
    String good =
        "{\"values\": [{\"resourceId\": \"x\", \"stat-list\": {\"stat\": [{\"timestamps\": [1],"
            + " \"statKey\": {\"key\": \"a|b\"}, \"rollUpType\": \"AVG\", \"data\": [1.5]}]}}]}";
    CONTRACT.verifyAnswer(operation, good);
    for (String bad :
        List.of(
            good.replace("\"timestamps\": [1],", ""),
            good.replace("\"data\"", "\"number\""),
            good.replace("[1.5]", "[\"1.5\"]"),
            good.replace("AVG", "MEDIAN"),
            good.replace("\"statKey\": {\"key\": \"a|b\"}", "\"statKey\": \"a|b\""),
            "")) {
      assertThat(bad).isNotEqualTo(good);
      assertThatThrownBy(() -> CONTRACT.verifyAnswer(operation, bad))
          .as(bad)
          .isInstanceOf(AssertionError.class);
    }
    assertThatThrownBy(() -> CONTRACT.verifyAnswer("GET /api/nothing", "{}"))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(
            () -> CONTRACT.verifyRequest("POST /api/resources/query", Set.of("limit"), "{}"))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(
            () ->
                CONTRACT.verifyRequest(
                    "POST /api/resources/query",
                    Set.of(),
                    "{\"resourceKind\": \"VirtualMachine\"}"))
        .isInstanceOf(AssertionError.class);
  }
}
