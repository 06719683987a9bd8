package io.peerlens.notify.relay;

import static io.peerlens.notify.relay.RelayWorld.basic;
import static io.peerlens.notify.relay.RelayWorld.bearer;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestCertificates;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Relays as their senders see them, and what comes out at the other end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RelayIT {

  private static final String ID = "45b6a1e0-0cc4-4c3d-8f0e-1d3a4f6f9a01";
  private static final String BASIC =
      "{'type': 'basic', 'username': 'vrops', 'password': {'value': 'open:sesame'}}";
  private static final Map<String, String> VROPS = basic("vrops", "open:sesame");

  private RelayWorld world;

  @BeforeAll
  void open() {
    world = new RelayWorld();
  }

  @AfterAll
  void close() {
    world.close();
  }

  /** As the REST plug-in writes it. */
  private static String alert(String id, String status, String criticality, long updated) {
    return """
        {"alertId": "%s", "alertName": "VM is slow", "status": "%s", "criticality": "ALERT_CRITICALITY_LEVEL_%s",
         "type": "ALERT_TYPE_APPLICATION_PROBLEM", "subType": "ALERT_SUBTYPE_PERFORMANCE_PROBLEM",
         "startDate": 1795255200000, "updateDate": %d, "cancelDate": %d, "resourceId": "7d0f3e06-62c5-4a0b-9d0c-8c1f1d0a7a11",
         "resourceName": "web-01", "resourceKind": "VirtualMachine", "adapterKind": "VMWARE", "Health": 3.0, "Risk": 1.0,
         "Efficiency": 1.0, "attributeKeyID": 5325, "info": "CPU ready 12 %%"}
        """
        .formatted(id, status, criticality, updated, status.equals("ACTIVE") ? 0 : updated);
  }

  private static Map<String, String> as(Map<String, String> who, String contentType) {
    Map<String, String> headers = new HashMap<>(who);
    headers.put("Content-Type", contentType);
    return headers;
  }

  @Test
  void anAlertOfVropsGoesThroughThePipelineWithWhatTheInventoryKnows() {
    int vm = world.data.object("VMWARE", "VirtualMachine", "web-01");
    int host = world.data.object("VMWARE", "HostSystem", "esx-a-05");
    world.data.sql(
        "insert into relation (parent_id, child_id) values (%d, %d)".formatted(host, vm));
    world.data.sql("update object set tags = '{\"team\": \"storage\"}' where id = " + vm);
    String relay = world.relay("vrops", BASIC, "");
    String path = "/relay/vrops/" + ID;

    String opened = alert(ID, "ACTIVE", "IMMEDIATE", 1795255200000L);
    HttpResponse<String> first = world.send("POST", path, as(VROPS, "application/json"), opened);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
    HttpResponse<String> again = world.send("POST", path, as(VROPS, "application/json"), opened);
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.body()).as("what is said again is answered the same").isEqualTo(first.body());
    world.awaitTold("vrops", "NEW IMMEDIATE");

    JsonNode message = world.messages("vrops").getFirst();
    assertThat(message.at("/source").asString("")).isEqualTo("vrops");
    assertThat(message.at("/alert/id").asString("")).isEqualTo(ID);
    assertThat(message.at("/alert/startTime").asString("")).startsWith("2026-11-21T10:00:00");
    assertThat(message.at("/object/id").asString(""))
        .as("the object of our inventory")
        .isEqualTo(SampleData.uuid("VirtualMachine", "web-01").toString());
    assertThat(message.at("/object/tags/team").asString("")).isEqualTo("storage");
    assertThat(message.at("/object/parents/0/name").asString("")).isEqualTo("esx-a-05");

    // Said to be JSON, but XML; and the other way round.
    String worse = RelayBodyTest.REST_XML.strip().replace("1795255260000", "1795255300000");
    assertThat(world.send("PUT", path, as(VROPS, "application/json"), worse).statusCode())
        .isEqualTo(202);
    world.awaitTold("vrops", "NEW IMMEDIATE", "UPDATE CRITICAL");
    assertThat(world.messages("vrops").get(1).at("/change").asString("")).isEqualTo("severity");
    String late = alert(ID, "ACTIVE", "WARNING", 1795255250000L);
    assertThat(world.send("PUT", path, as(VROPS, "application/xml"), late).statusCode())
        .isEqualTo(202);
    String over = alert(ID, "CANCELED", "CRITICAL", 1795255400000L);
    assertThat(world.send("PUT", path, as(VROPS, "application/xml"), over).statusCode())
        .isEqualTo(202);
    // Only messages about one alert have an order.
    world.awaitTold("vrops", "NEW IMMEDIATE", "UPDATE CRITICAL", "CANCEL CRITICAL");
    assertThat(world.send("PUT", path, as(VROPS, "text/plain"), over).statusCode()).isEqualTo(202);
    assertThat(world.send("PUT", path, VROPS, worse).statusCode())
        .as("an update that comes late is taken, and opens nothing")
        .isEqualTo(202);
    assertThat(world.send("POST", path, VROPS, opened).statusCode()).isEqualTo(201);
    // Something that does happen, so that what must not has had its time.
    assertThat(
            world
                .send(
                    "POST",
                    "/relay/vrops/another",
                    VROPS,
                    alert("another", "ACTIVE", "INFO", 1795255500000L))
                .statusCode())
        .isEqualTo(201);
    world.awaitTold(
        "vrops", "NEW IMMEDIATE", "UPDATE CRITICAL", "CANCEL CRITICAL", "NEW INFORMATION");

    JsonNode alerts = world.api.get("/notification-relays/" + relay + "/alerts").json();
    assertThat(alerts.path("total").asInt(0)).isEqualTo(2);
    JsonNode known = alerts.path("items").get(1);
    assertThat(known.path("key").asString("")).isEqualTo(ID);
    assertThat(known.path("open").asBoolean(true)).isFalse();
    assertThat(known.path("objectName").asString("")).isEqualTo("web-01");
    String id = ForeignAlertStore.id("vrops", ID).toString();
    assertThat(known.path("id").asString("")).isEqualTo(id);
    JsonNode page = world.api.get("/notification-relays/" + relay + "/alerts?limit=1").json();
    assertThat(page.path("items")).hasSize(1);
    assertThat(
            world
                .api
                .get(
                    "/notification-relays/"
                        + relay
                        + "/alerts?limit=1&cursor="
                        + page.path("nextCursor").asString(""))
                .json()
                .path("items")
                .get(0)
                .path("id")
                .asString(""))
        .isEqualTo(id);
    assertThat(
            world
                .api
                .get("/notification-relays/" + relay + "/alerts?open=true")
                .json()
                .path("items")
                .get(0)
                .path("key")
                .asString(""))
        .isEqualTo("another");

    JsonNode why = world.api.get("/alerts/" + id + "/notifications").json();
    assertThat(why.path("deliveries")).hasSize(3);
    JsonNode end =
        why.path("traces")
            .valueStream()
            .filter(trace -> trace.at("/rule/name").asString("").equals("from vrops"))
            .findFirst()
            .orElseThrow();
    assertThat(end.path("event").asString("")).isEqualTo("CANCEL");
    assertThat(end.path("matched").asBoolean(false)).isTrue();

    JsonNode state = world.state(relay);
    assertThat(state.path("received").asInt(0)).isEqualTo(9);
    assertThat(state.path("events").asInt(0)).isEqualTo(4);
    assertThat(state.path("open").asInt(0)).isEqualTo(1);
    assertThat(state.path("error").isNull()).isTrue();
    assertThat(state.path("receivedAt").isString()).isTrue();
  }

  @Test
  void wrongCredentialsAndUnknownRelaysGetTheSameAnswer() {
    String relay = world.relay("guarded", BASIC, "");
    String body = alert(ID, "ACTIVE", "CRITICAL", 1);
    String session = world.api.post("/session", "{\"token\": \"x\"}").status() + "";
    assertThat(session).isEqualTo("401");
    for (Map<String, String> who :
        List.of(
            Map.<String, String>of(),
            basic("vrops", "wrong"),
            basic("other", "open:sesame"),
            bearer("open:sesame"),
            bearer(world.server.adminToken()),
            Map.of("Authorization", "Basic ///"),
            Map.of("Cookie", "peerlens_session=abc"))) {
      HttpResponse<String> there = world.send("POST", "/relay/guarded/" + ID, who, body);
      HttpResponse<String> nowhere = world.send("POST", "/relay/no-such/" + ID, who, body);
      assertThat(there.statusCode()).as(who + " " + there.body()).isEqualTo(401);
      assertThat(there.body().replace("guarded", "no-such")).isEqualTo(nowhere.body());
      assertThat(there.headers().map().keySet()).isEqualTo(nowhere.headers().map().keySet());
      assertThat(there.headers().allValues("WWW-Authenticate"))
          .isEqualTo(nowhere.headers().allValues("WWW-Authenticate"))
          .contains("Basic realm=\"Peerlens relay\"");
      assertThat(there.body()).doesNotContain("sesame");
    }
    JsonNode state = world.state(relay);
    assertThat(state.path("error").asString("")).startsWith("A sender at 127.0.0.1 sent ");
    assertThat(state.path("received").asInt(-1)).isZero();
    for (int i = 0; i < 10; i++) {
      world.send("POST", "/relay/guarded/" + ID, basic("vrops", "guess" + i), body);
      world.send("POST", "/relay/no-such/" + ID, basic("vrops", "guess" + i), body);
    }
    for (String name : List.of("guarded", "no-such")) {
      HttpResponse<String> braked = world.send("POST", "/relay/" + name + "/" + ID, VROPS, body);
      assertThat(braked.statusCode()).as(name).isEqualTo(429);
      assertThat(braked.headers().firstValue("Retry-After")).isPresent();
    }
    world.relay("beside", BASIC, "");
    assertThat(world.send("POST", "/relay/beside/" + ID, VROPS, body).statusCode())
        .as("the brake of one relay does not stop another")
        .isEqualTo(201);
    assertThat(world.send("GET", "/relay/beside", VROPS, null).statusCode()).isEqualTo(200);
    assertThat(world.send("GET", "/relay/beside", Map.of(), null).statusCode()).isEqualTo(401);
    assertThat(world.send("DELETE", "/relay/beside", VROPS, null).statusCode()).isEqualTo(405);
  }

  @Test
  void alertsOfAlertmanagerComeSeveralAtOnceAndWithAToken() {
    String relay =
        world.relay(
            "prometheus",
            "{'type': 'bearer', 'token': {'value': 'a-long-token'}}",
            "'labels': {'severities': {'page': 'IMMEDIATE'}, 'object': ['instance']}");
    Map<String, String> who = bearer("a-long-token");
    HttpResponse<String> taken =
        world.send("POST", "/relay/prometheus", who, RelayBodyTest.ALERTMANAGER);
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
    assertThat(JsonMapper.shared().readTree(taken.body()).path("alerts")).hasSize(2);
    world.awaitTold("prometheus", "NEW IMMEDIATE"); // the other one was over before it was heard of
    assertThat(world.messages("prometheus").getFirst().at("/object/tags/env").asString(""))
        .isEqualTo("lab");
    String resolved =
        RelayBodyTest.ALERTMANAGER
            .replace("\"status\": \"firing\", \"labels\"", "\"status\": \"resolved\", \"labels\"")
            .replace("0001-01-01T00:00:00Z", "2026-11-21T11:58:00Z");
    assertThat(world.send("POST", "/relay/prometheus", who, resolved).statusCode()).isEqualTo(201);
    assertThat(
            world.send("POST", "/relay/prometheus", who, RelayBodyTest.ALERTMANAGER).statusCode())
        .as("a repetition that comes just after the end")
        .isEqualTo(201);
    String anew =
        RelayBodyTest.ALERTMANAGER
            .replace("11:50:00.123Z", "11:59:00Z")
            .replace("\"truncatedAlerts\": 0", "\"truncatedAlerts\": 3");
    assertThat(world.send("POST", "/relay/prometheus", who, anew).statusCode()).isEqualTo(201);
    world.awaitTold("prometheus", "NEW IMMEDIATE", "CANCEL IMMEDIATE", "NEW IMMEDIATE");
    assertThat(world.state(relay).path("error").asString("")).contains("left out 3 alerts");
    assertThat(world.state(relay).path("refused").asInt(-1)).isZero();

    JsonNode open =
        world.api.get("/notification-relays/" + relay + "/alerts?open=true").json().path("items");
    assertThat(open).hasSize(1);
    String end =
        "/notification-relays/" + relay + "/alerts/" + open.get(0).path("id").asString("") + "/end";
    assertThat(world.api.post(end, "").status()).isEqualTo(204);
    world.awaitTold(
        "prometheus", "NEW IMMEDIATE", "CANCEL IMMEDIATE", "NEW IMMEDIATE", "CANCEL IMMEDIATE");
    assertThat(world.api.post(end, "").status()).isEqualTo(204);
    assertThat(
            world
                .api
                .post("/notification-relays/" + relay + "/alerts/" + UUID.randomUUID() + "/end", "")
                .status())
        .isEqualTo(404);
  }

  @Test
  void anEndWithoutAStartOpensNothingAndOneAlertMayComeThroughTwoRelays() {
    world.relay("east", BASIC, "");
    world.relay("west", BASIC, "");
    String key = "0cc45b6a-1e00-4c3d-8f0e-1d3a4f6f9a01";
    String over = alert(key, "CANCELED", "CRITICAL", 1795255400000L);
    String opened = alert(key, "ACTIVE", "CRITICAL", 1795255300000L);
    assertThat(world.send("PUT", "/relay/east/" + key, VROPS, over).statusCode()).isEqualTo(202);
    assertThat(world.send("POST", "/relay/east/" + key, VROPS, opened).statusCode()).isEqualTo(201);
    assertThat(world.send("POST", "/relay/west/" + key, VROPS, opened).statusCode()).isEqualTo(201);
    world.awaitTold("west", "NEW CRITICAL");
    assertThat(world.told("east")).isEmpty();
    String later = alert(key, "ACTIVE", "WARNING", 1795255500000L);
    assertThat(world.send("PUT", "/relay/east/" + key, VROPS, later).statusCode()).isEqualTo(202);
    world.awaitTold("east", "NEW WARNING");
  }

  @Test
  void invalidBodiesAreReportedAndCounted() {
    String relay = world.relay("strict", BASIC, "");
    HttpResponse<String> broken =
        world.send("POST", "/relay/strict/" + ID, VROPS, "{\"alertName\": \"a\"b\"}");
    assertThat(broken.statusCode()).isEqualTo(400);
    JsonNode problem = JsonMapper.shared().readTree(broken.body());
    assertThat(problem.path("code").asString("")).isEqualTo("invalid-body");
    assertThat(problem.path("detail").asString("")).contains("line 1, column");
    assertThat(problem.path("hint").asString("")).contains("escape");
    assertThat(world.state(relay).path("error").asString("")).contains("line 1, column");
    byte[] large =
        ("{\"alertName\": \"" + "x".repeat(1_100_000) + "\"}").getBytes(StandardCharsets.UTF_8);
    assertThat(
            world
                .send(
                    "POST", "/relay/strict/" + ID, VROPS, new String(large, StandardCharsets.UTF_8))
                .statusCode())
        .isEqualTo(413);
    assertThat(world.stream("/relay/strict/" + ID, VROPS, large).statusCode())
        .as("of unknown length")
        .isEqualTo(413);
    assertThat(
            world
                .send(
                    "POST",
                    "/relay/strict/" + ID,
                    VROPS,
                    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><alert>&x;</alert>")
                .body())
        .contains("DTD")
        .doesNotContain("root:");
    assertThat(world.state(relay).path("refused").asInt(0)).isEqualTo(4);
    assertThat(world.state(relay).path("received").asInt(-1)).isZero();
    HttpResponse<String> test =
        world.send(
            "POST",
            "/relay/strict/" + ID,
            VROPS,
            alert(ID, "ACTIVE", "CRITICAL", 1).replace("VMWARE", "sample-adapter-type"));
    assertThat(test.statusCode()).isEqualTo(201);
    assertThat(world.state(relay).path("testedAt").isString()).isTrue();
    assertThat(world.state(relay).path("received").asInt(-1)).isZero();
  }

  @Test
  void aCertificateOpensTheRelayThatKnowsItAndWhatANodeTookIsSentByAnother(@TempDir Path folder)
      throws Exception {
    TestCertificates own =
        TestCertificates.make(folder, "CN=peerlens", "dns:localhost,ip:127.0.0.1");
    TestCertificates sender = TestCertificates.make(folder, "CN=vrops,O=Example", "");
    TestCertificates other = TestCertificates.make(folder, "CN=other,O=Example", "");
    Path pem = Files.writeString(folder.resolve("server.pem"), own.keyPem());
    Path trusted =
        Files.writeString(
            folder.resolve("trusted.pem"), sender.certificatePem() + other.certificatePem());
    String colons = sender.sha256().toUpperCase(Locale.ROOT).replaceAll("(..)(?!$)", "$1:");
    String relay =
        world.relay(
            "pinned", "{'type': 'certificate', 'fingerprints': ['%s']}".formatted(colons), "");
    world.relay(
        "named",
        "{'type': 'certificate', 'subjects': ['O=Example, CN=x', 'CN=vrops,O=Example']}",
        "");
    String body = alert(ID, "ACTIVE", "CRITICAL", 1795255200000L);
    try (PeerlensServer node =
        world.start(
            Set.of(Role.API),
            "server.ssl.certificate=" + pem.toUri(),
            "server.ssl.certificate-private-key=" + pem.toUri(),
            "server.ssl.client-auth=want",
            "server.ssl.trust-certificate=" + trusted.toUri())) {
      String url = node.url().replace("http:", "https:");
      try (HttpClient known = HttpClient.newBuilder().sslContext(sender.context(own)).build();
          HttpClient stranger = HttpClient.newBuilder().sslContext(other.context(own)).build()) {
        for (String name : List.of("pinned", "named")) {
          String path = "/relay/" + name + "/" + ID;
          assertThat(
                  RelayWorld.send(
                          stranger, url, "POST", path, Map.of(), BodyPublishers.ofString(body))
                      .statusCode())
              .isEqualTo(401);
          assertThat(
                  RelayWorld.send(known, url, "POST", path, Map.of(), BodyPublishers.ofString(body))
                      .statusCode())
              .isEqualTo(201);
        }
      }
    }
    assertThat(world.state(relay).path("error").asString(""))
        .contains("CN=other,O=Example")
        .contains(other.sha256());
    assertThat(world.send("POST", "/relay/pinned/" + ID, VROPS, body).statusCode())
        .as("no certificate, no entry")
        .isEqualTo(401);
    world.awaitTold("pinned", "NEW CRITICAL");
    world.awaitTold("named", "NEW CRITICAL");
  }

  @Test
  void aRelayIsADefinitionLikeOthersAndItsSecretsNeverComeBack() {
    String relay = world.relay("managed", BASIC, "'description': 'The old one'");
    String at = "/notification-relays/" + relay;
    Answer got = world.api.get(at);
    JsonNode managed = got.json();
    assertThat(managed.path("path").asString("")).isEqualTo("/relay/managed");
    String secret = managed.at("/auth/password/secret").asString("");
    assertThat(secret).isEqualTo("relay-" + relay.substring(0, 13) + "-password");
    assertThat(managed.path("issues")).isEmpty();
    assertThat(world.api.get("/secrets").body()).contains("relay \\\"managed\\\"");
    assertThat(world.api.delete("/secrets/" + secret).status()).isEqualTo(409);

    String edit =
        "{\"name\": \"%s\", \"enabled\": %s, \"auth\": {\"type\": \"basic\", \"username\": \"vrops\", \"password\": {\"secret\": \"%s\"}}}";
    assertThat(world.api.put(at, edit.formatted("managed", true, secret)).status()).isEqualTo(428);
    String tag = got.header("ETag");
    assertThat(
            world.api.with("If-Match", tag).put(at, edit.formatted("renamed", true, secret)).body())
        .contains("senders and rules know it by that");
    String opened = alert(ID, "ACTIVE", "CRITICAL", 1795255200000L);
    assertThat(world.send("POST", "/relay/managed/" + ID, VROPS, opened).statusCode())
        .isEqualTo(201);
    Answer disabled =
        world.api.with("If-Match", tag).put(at, edit.formatted("managed", false, secret));
    assertThat(disabled.status()).as(disabled.body()).isEqualTo(200);
    assertThat(world.send("POST", "/relay/managed/" + ID, VROPS, opened).statusCode())
        .isEqualTo(403);
    assertThat(world.api.with("If-Match", tag).delete(at).status()).isEqualTo(412);

    Answer export = world.api.get("/rules/export");
    JsonNode section = export.json().path("notificationRelays");
    assertThat(section.size()).isPositive();
    for (String text :
        List.of(
            export.body(),
            world.api.get("/notification-relays").body(),
            world.api.get(at + "/history").body(),
            world.api.get("/notification-relays?q=managed&enabled=false").body())) {
      assertThat(text).contains("managed").doesNotContain("sesame");
    }
    Answer imported =
        world.api.post(
            "/rules/import?dryRun=true",
            "{\"format\": \"peerlens-rules\", \"version\": 1, \"notificationRelays\": [{\"name\": \"x\", \"auth\": {\"type\": \"basic\","
                + " \"username\": \"u\", \"password\": {\"value\": \"open:sesame\"}}}]}");
    assertThat(imported.body()).contains("holds a secret").doesNotContain("sesame");

    world.awaitTold("managed", "NEW CRITICAL");
    assertThat(world.api.with("If-Match", disabled.header("ETag")).delete(at).status())
        .isEqualTo(204);
    world.awaitTold("managed", "NEW CRITICAL", "CANCEL CRITICAL");
    assertThat(world.send("POST", "/relay/managed/" + ID, VROPS, opened).statusCode())
        .isEqualTo(401);
    assertThat(world.api.post(at + "/history/1/restore", "").status()).isEqualTo(200);
    assertThat(world.send("GET", "/relay/managed", VROPS, null).statusCode()).isEqualTo(200);
  }

  @Test
  void aDefinitionThatMakesNoSenseIsRefused() {
    Map<String, String> wrong =
        Map.of(
            "{'name': 'peerlens', 'auth': " + BASIC + "}",
            "Peerlens itself",
            "{'name': 'a', 'auth': {'type': 'basic', 'username': 'u'}}",
            "auth.password",
            "{'name': 'a', 'auth': {'type': 'basic', 'username': 'u:v', 'password': {'value': 'abcd'}}}",
            "colon",
            "{'name': 'a', 'auth': {'type': 'bearer', 'username': 'u', 'token': {'value': 'abcd'}}}",
            "auth.username",
            "{'name': 'a', 'auth': {'type': 'certificate'}}",
            "names no certificate",
            "{'name': 'a', 'auth': {'type': 'certificate', 'subjects': ['nonsense']}}",
            "auth.subjects[0]",
            "{'name': 'a', 'auth': {'type': 'certificate', 'fingerprints': ['%s']}}"
                .formatted("x".repeat(64)),
            "auth.fingerprints[0]",
            "{'name': 'No Slug', 'auth': " + BASIC + "}",
            "name");
    wrong.forEach(
        (body, words) -> {
          Answer refused = world.api.post("/notification-relays", body.replace('\'', '"'));
          assertThat(refused.status()).as(body).isEqualTo(400);
          assertThat(refused.body()).as(body).contains(words);
        });
  }
}
