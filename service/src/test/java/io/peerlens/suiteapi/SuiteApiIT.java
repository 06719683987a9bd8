package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.suiteapi.SuiteClient.Got;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/**
 * The API of vRealize Operations as programs speak it, down to the text that goes over the wire.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuiteApiIT {

  private static final UUID VM = SampleData.uuid("VirtualMachine", "web-1");
  private static final UUID HOST = SampleData.uuid("HostSystem", "esx-1");

  /** Three hours ago, on the hour. */
  private final Instant start =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(3));

  private SampleData data;
  private PeerlensServer server;
  private SuiteClient client;
  private String admin;
  private String viewer;

  @BeforeAll
  void start() {
    data = SampleData.create();
    int cpu = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready"));
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    int vm = data.object("VMWARE", "VirtualMachine", "web-1");
    int other = data.object("VMWARE", "VirtualMachine", "web-2");
    data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(host, vm));
    data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(host, other));
    data.sql(
        "update object set properties = '{\"config|hardware|num_Cpu\": \"4\"}' where id = " + vm);
    int set = data.set(vm, cpu, "");
    try (SampleData.Samples rows = data.samples()) {
      // As vRealize Operations has them: one value each five minutes, the last of an hour on it.
      for (int i = 1; i <= 24; i++) {
        rows.add(start.plus(Duration.ofMinutes(5L * i)), set, i, Double.NaN);
      }
    }
    String topic = "suite-api-" + UUID.randomUUID();
    TestKafka.createTopic(TestKafka.shared().bootstrap(), topic, 1);
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.INGEST),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.dead-letter-topic=" + topic + "-dead",
            "peerlens.load.requests-per-second=1000");
    client = SuiteClient.admin(server);
    admin = Objects.requireNonNull(server.adminToken());
    viewer =
        server
            .admin()
            .post("/tokens", "{\"name\": \"reader\", \"role\": \"viewer\"}")
            .json()
            .get("secret")
            .stringValue();
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
    data.close();
  }

  private Got send(
      String method, String path, @Nullable String body, @Nullable String authorization) {
    return client.send(method, path, body, authorization);
  }

  private Got get(String path) {
    return send("GET", path, null, "vRealizeOpsToken " + admin);
  }

  private Got post(String path, String body) {
    return send("POST", path, body, "vRealizeOpsToken " + admin);
  }

  private static void isError(Got got, int status) {
    assertThat(got.status()).as(got.body()).isEqualTo(status);
    assertThat(got.response().headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/json");
    assertThat(got.json().get("httpStatusCode").intValue()).isEqualTo(status);
    assertThat(got.json().get("message").stringValue()).isNotBlank();
    assertThat(got.json().get("apiErrorCode").isNumber()).isTrue();
    assertThat(got.json().get("validationFailures").isArray()).isTrue();
    assertThat(got.json().get("moreInformation").isArray()).isTrue();
  }

  @Test
  void aTokenIsAcquiredWithAnApiTokenAsPasswordAndReleased() {
    Instant before = Instant.now();
    Got acquired =
        send(
            "POST",
            "/api/auth/token/acquire",
            "{\"username\": \"exporter\", \"password\": \"%s\", \"authSource\": null, \"x\": 1}"
                .formatted(viewer),
            null);
    assertThat(acquired.status()).as(acquired.body()).isEqualTo(200);
    long validity = acquired.json().get("validity").longValue();
    assertThat(Instant.ofEpochMilli(validity))
        .isBetween(
            before.plus(Duration.ofHours(6)).minusSeconds(1), before.plus(Duration.ofHours(7)));
    String token = acquired.json().get("token").stringValue();
    assertThat(token).isNotEqualTo(viewer);
    for (String scheme : List.of("vRealizeOpsToken ", "OpsToken ", "Bearer ")) {
      assertThat(send("GET", "/api/versions/current", null, scheme + token).status())
          .isEqualTo(200);
    }
    assertThat(server.admin().get("/sessions").body()).contains("\"reader\"");
    assertThat(send("POST", "/api/auth/token/release", null, "OpsToken " + token).status())
        .isEqualTo(200);
    Got after = send("GET", "/api/versions/current", null, "OpsToken " + token);
    isError(after, 401);
    assertThat(after.json().get("apiErrorCode").intValue()).isEqualTo(1512);
  }

  @Test
  void basicTakesAnApiTokenAsPassword() {
    String pair =
        Base64.getEncoder().encodeToString(("x:" + viewer).getBytes(StandardCharsets.UTF_8));
    assertThat(send("GET", "/api/adapterkinds", null, "Basic " + pair).status()).isEqualTo(200);
  }

  @Test
  void everyFailureHasTheErrorBody() {
    isError(send("GET", "/api/resources", null, null), 401);
    isError(get("/api/nothing/here"), 404);
    isError(get("/"), 404);
    isError(send("DELETE", "/api/versions/current", null, "OpsToken " + admin), 405);
    isError(post("/api/resources/query", "{\"name\": "), 400);
    isError(get("/api/resources/" + UUID.randomUUID()), 404);
    isError(get("/api/resources/no-uuid"), 404);
    isError(get("/api/resources?pageSize=x"), 400);
    isError(post("/api/resources/query", " ".repeat(9 << 20)), 413);
  }

  @Test
  void whatIsNoJsonIsRefusedInJson() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create(server.url() + "/suite-api/api/resources"))
                  .header("Accept", "application/xml")
                  .build(),
              BodyHandlers.ofString());
      isError(new Got(response.statusCode(), response.body(), response), 406);
    }
  }

  @Test
  void resourcesAreFoundByKindInAnyCaseAndByTheBeginningOfTheirName() {
    JsonNode found =
        get("/api/resources?resourceKind=virtualmachine&name=WEB&pageSize=10000").json();
    assertThat(found.get("pageInfo").toString())
        .isEqualTo("{\"totalCount\":2,\"page\":0,\"pageSize\":10000}");
    JsonNode vm = found.get("resourceList").get(0);
    assertThat(vm.get("identifier").stringValue()).isEqualTo(VM.toString());
    assertThat(vm.get("resourceKey").get("name").stringValue()).isEqualTo("web-1");
    assertThat(vm.get("resourceKey").get("resourceIdentifiers").isArray()).isTrue();
    assertThat(vm.get("resourceStatusStates").get(0).get("resourceState").stringValue())
        .isEqualTo("STARTED");
    assertThat(vm.get("badges").get(0).get("type").stringValue()).isEqualTo("HEALTH");
    assertThat(found.get("links").isEmpty()).isFalse();
    JsonNode none = get("/api/resources?name=eb-1&_no_links=true").json();
    assertThat(none.get("resourceList").isEmpty()).isTrue();
    assertThat(none.has("links")).isFalse();
  }

  @Test
  void aPagePastTheEndIsEmpty() {
    Got past = get("/api/resources?adapterKind=VMWARE&page=7&pageSize=1");
    assertThat(past.status()).isEqualTo(200);
    assertThat(past.json().get("resourceList").isEmpty()).isTrue();
    assertThat(past.json().get("pageInfo").get("totalCount").intValue()).isEqualTo(3);
    assertThat(
            get("/api/resources?adapterKind=VMWARE&page=1&pageSize=2")
                .json()
                .get("resourceList")
                .size())
        .isOne();
  }

  @Test
  void aQueryIgnoresWhatItDoesNotKnowAndNothing() {
    JsonNode all =
        post(
                "/api/resources/query",
                "{\"name\": null, \"adapterKind\": [], \"currentOnly\": true, \"resourceKind\": [\"HOSTSYSTEM\"]}")
            .json();
    assertThat(all.get("resourceList").size()).isOne();
    JsonNode byProperty =
        post(
                "/api/resources/query",
                """
                {"propertyConditions": {"conjunctionOperator": "AND", "conditions": [
                  {"key": "config|hardware|num_Cpu", "operator": "GT", "doubleValue": "3"}]}}
                """)
            .json();
    assertThat(byProperty.get("resourceList").get(0).get("identifier").stringValue())
        .isEqualTo(VM.toString());
    JsonNode byStat =
        post(
                "/api/resources/query",
                """
                {"statConditions": {"conditions": [
                  {"key": "cpu|usage_average", "operator": "EQ", "doubleValue": 24}]}}
                """)
            .json();
    assertThat(byStat.get("resourceList").size()).isOne();
  }

  @Test
  void relationsNameTheGivenResources() {
    JsonNode parents =
        get("/api/resources/" + VM + "/relationships?relationshipType=PARENT").json();
    assertThat(parents.get("resourceList").get(0).get("identifier").stringValue())
        .isEqualTo(HOST.toString());
    JsonNode bulk =
        post(
                "/api/resources/bulk/relationships?pageSize=10000",
                """
                {"relationshipType": "DESCENDANT", "resourceIds": ["%s"],
                 "resourceQuery": {"adapterKind": ["vmware"], "resourceKind": ["VirtualMachine"], "name": null}}
                """
                    .formatted(HOST))
            .json();
    assertThat(bulk.get("resourcesRelations").size()).isEqualTo(2);
    assertThat(bulk.get("resourcesRelations").get(0).get("relatedResources").toString())
        .isEqualTo("[\"" + HOST + "\"]");
    isError(
        post(
            "/api/resources/bulk/relationships",
            "{\"relationshipType\": \"CHILD\", \"resourceIds\": [\"%s\"]}"
                .formatted(UUID.randomUUID())),
        404);
  }

  @Test
  void valuesAreWrittenInTheOrderThatClientsRead() {
    Got got =
        post(
            "/api/resources/stats/query",
            """
            {"resourceId": ["%s", "%s"], "statKey": ["cpu|usage_average", "cpu|never"], "begin": "%d", "end": "%d",
             "maxSamples": null, "rollUpType": "AVG", "intervalType": "HOURS", "intervalQuantifier": "1"}
            """
                .formatted(
                    VM,
                    HOST,
                    start.toEpochMilli(),
                    start.plus(Duration.ofHours(2)).toEpochMilli()));
    assertThat(got.status()).as(got.body()).isEqualTo(200);
    assertThat(got.body())
        .isEqualTo(
            ("{\"values\":[{\"resourceId\":\"%s\",\"stat-list\":{\"stat\":[{\"timestamps\":[%d,%d],"
                    + "\"statKey\":{\"key\":\"cpu|usage_average\"},\"rollUpType\":\"AVG\","
                    + "\"intervalUnit\":{\"quantifier\":1,\"intervalType\":\"HOURS\"},\"data\":[6.5,18.5]}]}}]}")
                .formatted(
                    VM,
                    start.plus(Duration.ofHours(1)).toEpochMilli(),
                    start.plus(Duration.ofHours(2)).toEpochMilli()));
  }

  @Test
  void theNewestValueAndKeysAreGiven() {
    JsonNode latest =
        get("/api/resources/" + VM + "/stats/latest?statKey=cpu%7Cusage_average").json();
    assertThat(
            latest.get("values").get(0).get("stat-list").get("stat").get(0).get("data").toString())
        .isEqualTo("[24.0]");
    assertThat(
            post(
                    "/api/resources/stats/latest/query",
                    "{\"resourceId\": [\"%s\"], \"maxSamples\": 3}".formatted(VM))
                .json()
                .get("values")
                .get(0)
                .get("stat-list")
                .get("stat")
                .get(0)
                .get("data")
                .toString())
        .isEqualTo("[22.0,23.0,24.0]");
    assertThat(get("/api/resources/" + HOST + "/stats/latest").body()).isEqualTo("{\"values\":[]}");
    assertThat(get("/api/resources/" + VM + "/statkeys").body())
        .isEqualTo("{\"stat-key\":[{\"key\":\"cpu|ready\"},{\"key\":\"cpu|usage_average\"}]}");
  }

  @Test
  void theSmallestComeFirstUnlessTheLargestAreAskedFor() {
    JsonNode top =
        get("/api/resources/stats/topn?topN=5&sortOrder=DESCENDING&rollUpType=MAX&statKey=cpu%7Cusage_average&resourceId="
                + VM
                + "&resourceId="
                + HOST)
            .json();
    assertThat(top.get("resourceStatGroups").size()).isOne();
    assertThat(
            top.get("resourceStatGroups")
                .get(0)
                .get("resourceStats")
                .get(0)
                .get("stat")
                .get("data")
                .toString())
        .isEqualTo("[24.0]");
  }

  @Test
  void kindsAndTheirKeysAreListed() {
    assertThat(
            get("/api/adapterkinds")
                .json()
                .get("adapter-kind")
                .get(0)
                .get("resourceKinds")
                .toString())
        .contains("VirtualMachine");
    JsonNode keys = get("/api/adapterkinds/vmware/resourcekinds/virtualmachine/statkeys").json();
    assertThat(keys.get("resourceTypeAttributes").get(1).get("key").stringValue())
        .isEqualTo("cpu|usage_average");
    assertThat(
            get("/api/adapterkinds/VMWARE/resourcekinds/VirtualMachine/properties")
                .json()
                .get("resourceTypeAttributes")
                .get(0)
                .get("key")
                .stringValue())
        .isEqualTo("config|hardware|num_Cpu");
    assertThat(get("/api/adapters?adapterKindKey=nobody").body())
        .isEqualTo("{\"adapterInstancesInfoDto\":[]}");
    assertThat(get("/api/adapters").json().get("adapterInstancesInfoDto").size()).isOne();
    assertThat(get("/api/deployment/node/status").json().get("status").stringValue())
        .isEqualTo("ONLINE");
    assertThat(get("/api/deployment/node/services/info").json().get("service").isEmpty()).isFalse();
  }

  @Test
  void whatIsCreatedIsFoundAtOnceAndWhatIsPushedComesBackAsItWasSent() {
    Got created =
        post(
            "/api/resources/adapterkinds/MyPush",
            """
            {"description": "a pump", "resourceKey": {"name": "pump-1", "adapterKindKey": "MyPush", "resourceKindKey": "Pump",
             "resourceIdentifiers": [{"identifierType": {"name": "serial", "dataType": "STRING", "isPartOfUniqueness": true}, "value": "17"}]}}
            """);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String id = created.json().get("identifier").stringValue();
    Got found = get("/api/resources/" + id);
    assertThat(found.status()).isEqualTo(200);
    assertThat(
            found
                .json()
                .get("resourceKey")
                .get("resourceIdentifiers")
                .get(0)
                .get("value")
                .stringValue())
        .isEqualTo("17");
    long time = Instant.now().minusSeconds(600).toEpochMilli();
    Got pushed =
        post(
            "/api/resources/" + id + "/stats?disableAnalyticsProcessing=false",
            "{\"stat-content\": [{\"statKey\": \"pump|flow rate\", \"timestamps\": [%d, %d], \"data\": [1.5, 2.25]}]}"
                .formatted(time, time + 300_000));
    assertThat(pushed.status()).as(pushed.body()).isEqualTo(200);
    assertThat(pushed.body()).isEmpty();
    assertThat(
            post(
                    "/api/resources/" + id + "/properties",
                    "{\"property-content\": [{\"statKey\": \"pump|maker\", \"timestamps\": [%d], \"values\": [\"ACME\"]}]}"
                        .formatted(time))
                .status())
        .isEqualTo(200);
    String expected =
        "{\"values\":[{\"resourceId\":\"%s\",\"stat-list\":{\"stat\":[{\"timestamps\":[%d,%d],\"statKey\":{\"key\":\"pump|flow rate\"},\"rollUpType\":\"NONE\","
            .formatted(id, time, time + 300_000);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(get("/api/resources/" + id + "/stats?statKey=pump%7Cflow%20rate").body())
                    .startsWith(expected)
                    .endsWith("\"data\":[1.5,2.25]}]}}]}"));
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(get("/api/resources/" + id + "/properties").body())
                    .contains("{\"name\":\"pump|maker\",\"value\":\"ACME\"}")
                    .contains("{\"name\":\"summary|tagJson\",\"value\":\"none\"}"));
    isError(
        post(
            "/api/resources/" + UUID.randomUUID() + "/stats",
            "{\"stat-content\": [{\"statKey\": \"a|b\", \"timestamps\": [1], \"data\": [1]}]}"),
        404);
    isError(
        post(
            "/api/resources/" + id + "/stats",
            "{\"stat-content\": [{\"statKey\": \"a|b\", \"timestamps\": [1, 2], \"data\": [1]}]}"),
        400);
  }

  @Test
  void aSuperMetricIsCreatedChangedFoundByItsNameAndDeleted() {
    Got created =
        post(
            "/api/supermetrics",
            "{\"name\": \"Suite Twice\", \"formula\": \"${this, metric=cpu|usage_average} * 2\", \"description\": \"d\"}");
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String id = created.json().get("id").stringValue();
    Got changed =
        send(
            "PUT",
            "/api/supermetrics",
            "{\"id\": \"%s\", \"name\": \"Suite Twice\", \"formula\": \"${this, metric=cpu|usage_average} * 3\"}"
                .formatted(id),
            "OpsToken " + admin);
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(changed.json().get("description").stringValue()).isEqualTo("d");
    assertThat(
            get("/api/supermetrics?name=suite%20twice")
                .json()
                .get("superMetrics")
                .get(0)
                .get("formula")
                .stringValue())
        .endsWith("* 3");
    Got deleted = send("DELETE", "/api/supermetrics/" + id, null, "OpsToken " + admin);
    assertThat(deleted.status()).isEqualTo(204);
    isError(get("/api/supermetrics/" + id), 404);
    assertThat(server.admin().get("/audit?limit=50").body()).contains("createSuperMetric");
  }

  @Test
  void aResourceInMaintenanceSaysSoUntilItEnds() {
    String path = "/api/resources/" + HOST + "/maintained";
    assertThat(send("PUT", path + "?duration=10", null, "OpsToken " + admin).status())
        .isEqualTo(200);
    assertThat(get("/api/resources/" + HOST).body()).contains("MAINTAINED_MANUAL");
    assertThat(
            get("/api/resources?resourceState=MAINTAINED_MANUAL")
                .json()
                .get("pageInfo")
                .get("totalCount")
                .intValue())
        .isOne();
    assertThat(send("DELETE", path, null, "OpsToken " + admin).status()).isEqualTo(200);
    assertThat(get("/api/resources/" + HOST).body()).doesNotContain("MAINTAINED");
  }

  @Test
  void listsOfAlertsAndDefinitionsHaveTheirMembers() {
    Got alerts =
        post(
            "/api/alerts/query?pageSize=10000",
            """
            {"compositeOperator": "AND", "activeOnly": true, "alertCriticality": ["CRITICAL"], "alertStatus": ["ACTIVE"],
             "resource-query": {"resourceKind": ["Virtualmachine"], "name": null}}
            """);
    assertThat(alerts.status()).as(alerts.body()).isEqualTo(200);
    assertThat(alerts.json().get("alerts").isArray()).isTrue();
    for (String list :
        List.of(
            "alertdefinitions alertDefinitions",
            "symptomdefinitions symptomDefinitions",
            "recommendations recommendations",
            "symptoms symptom",
            "supermetrics superMetrics",
            "resources/groups groups",
            "alerts alerts")) {
      Got got = get("/api/" + list.split(" ")[0] + "?pageSize=10000");
      assertThat(got.status()).as(got.body()).isEqualTo(200);
      assertThat(got.json().get(list.split(" ")[1]).isArray()).isTrue();
      assertThat(got.json().get("pageInfo").get("pageSize").intValue()).isEqualTo(10_000);
    }
    isError(post("/api/alerts?action=cancel", "{\"uuids\": [\"%s\"]}".formatted(VM)), 404);
    isError(get("/api/alerts/" + VM), 404);
    isError(post("/api/symptomdefinitions", "{}"), 400);
  }

  @Test
  void nobodyIsAnsweredWithoutATokenAndReadersChangeNothing() {
    Routes routes = server.context().getBean(Routes.class);
    assertThat(routes.all()).hasSizeGreaterThan(60);
    for (Routes.Route route : routes.all()) {
      String path =
          "/"
              + String.join("/", route.parts())
                  .replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
      String body = route.method().equals("GET") || route.method().equals("DELETE") ? null : "{}";
      if (route.right() != Routes.Right.OPEN) {
        isError(send(route.method(), path, body, null), 401);
      }
      if (route.right() == Routes.Right.OPERATE || route.right() == Routes.Right.PUSH) {
        isError(send(route.method(), path, body, "OpsToken " + viewer), 403);
      } else if (route.right() == Routes.Right.READ && !path.endsWith("/release")) {
        assertThat(send(route.method(), path, body, "OpsToken " + viewer).status())
            .as(path)
            .isIn(200, 400, 404);
      }
    }
  }
}
