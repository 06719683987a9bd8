package io.peerlens.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import io.peerlens.support.Vcsim;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The API of sources with a vCenter simulator, a Telegraf collector and an exporter of flows. */
@Timeout(400)
class SourcesIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TOPIC = "sources-" + UUID.randomUUID();
  private static final JsonMapper JSON = JsonMapper.shared();

  @TempDir static Path folder;

  private static Vcsim vcsim;
  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient admin;
  private static ApiClient viewer;
  private static ApiClient operator;
  private static KafkaProducer<byte[], byte[]> producer;
  private static String fingerprint;

  @BeforeAll
  static void start() {
    vcsim = Vcsim.startOrSkip(folder, "-vm", "4", "-host", "2", "-cluster", "1");
    TestKafka kafka = TestKafka.shared();
    for (String suffix : List.of("", "-flows", "-events")) {
      kafka.createTopic(TOPIC + suffix, 1);
    }
    data = SampleData.create();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.COLLECTOR, Role.INGEST),
            "peerlens.secrets.key=BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=",
            "peerlens.collector.egress.allow=127.0.0.0/8",
            "peerlens.collector.egress.ports=1024-65535",
            "peerlens.events.topic=" + TOPIC + "-events",
            "peerlens.events.group=" + TOPIC + "-events",
            "peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
            "peerlens.ingest.topic=" + TOPIC,
            "peerlens.ingest.group=" + TOPIC,
            "peerlens.flows.topic=" + TOPIC + "-flows",
            "peerlens.flows.group=" + TOPIC + "-flows",
            "peerlens.flows.flush=200ms");
    admin = server.admin();
    viewer = withRole("viewer");
    operator = withRole("operator");
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrap(),
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName(),
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName()));
    fingerprint =
        probe(Map.of("address", vcsim.address().toString()))
            .at("/certificate/sha256")
            .stringValue();
  }

  @AfterAll
  static void stop() {
    if (producer != null) {
      producer.close(Duration.ofSeconds(1));
    }
    if (server != null) {
      server.close();
    }
    if (data != null) {
      data.close();
    }
    if (vcsim != null) {
      vcsim.close();
    }
  }

  private static ApiClient withRole(String role) {
    Answer made =
        admin.post("/tokens", "{\"name\": \"%s\", \"role\": \"%s\"}".formatted(role, role));
    return new ApiClient(server.url(), made.json().path("secret").stringValue());
  }

  private static JsonNode probe(Map<String, Object> members) {
    ObjectNode request = JSON.createObjectNode().put("kind", "vcenter");
    request.setAll((ObjectNode) JSON.valueToTree(members));
    Answer answer = admin.post("/sources/probe", request.toString());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("p<a&s>s");
    return answer.json();
  }

  private static Map<String, Object> trust() {
    return Map.of("sha256", fingerprint);
  }

  private static ObjectNode edit(String name, String password) {
    ObjectNode edit =
        JSON.createObjectNode()
            .put("name", name)
            .put("kind", "vcenter")
            .put("address", vcsim.address().toString())
            .put("username", Vcsim.USERNAME);
    edit.putObject("password").put("value", password);
    edit.putObject("trust").put("sha256", fingerprint);
    return edit;
  }

  private static JsonNode created(ObjectNode edit) {
    Answer answer = admin.post("/sources", edit.toString());
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.header("Location")).endsWith(answer.json().path("id").stringValue());
    return answer.json();
  }

  private static JsonNode source(JsonNode of) {
    return admin.get("/sources/" + of.path("id").stringValue()).json();
  }

  private static JsonNode listed(String query) {
    Answer answer = viewer.get("/sources?" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path("items");
  }

  private static JsonNode summary(JsonNode of) {
    return listed("q=" + of.path("id").stringValue()).get(0);
  }

  private static void awaitState(JsonNode source, String state) {
    await(source.path("name").stringValue() + " " + state)
        .atMost(SOON)
        .until(() -> source(source).path("state").stringValue().equals(state));
  }

  /** Waits until an entry of an operation has some texts; other tests make some, too. */
  private static void awaitAudit(String operation, String... texts) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                admin
                    .get("/audit?operation=" + operation + "&limit=100")
                    .json()
                    .path("items")
                    .valueStream()
                    .map(JsonNode::toString)
                    .anyMatch(entry -> Stream.of(texts).allMatch(entry::contains)));
  }

  private static void remove(JsonNode source) {
    JsonNode now = source(source);
    Answer answer =
        admin
            .with("If-Match", "\"" + now.path("version").asLong() + "\"")
            .delete("/sources/" + now.path("id").stringValue());
    assertThat(answer.status()).as(answer.body()).isEqualTo(204);
  }

  private static Answer put(JsonNode source, ObjectNode edit) {
    return admin
        .with("If-Match", "*")
        .put("/sources/" + source.path("id").stringValue(), edit.toString());
  }

  /** Whether a secret of this name is stored. */
  private static boolean isKept(String secret) {
    return admin
        .get("/secrets")
        .json()
        .path("items")
        .valueStream()
        .anyMatch(one -> one.path("name").stringValue().equals(secret));
  }

  private static void send(String topic, String text) {
    producer.send(new ProducerRecord<>(topic, text.getBytes(StandardCharsets.UTF_8)));
    producer.flush();
  }

  @Test
  void aProbeWithoutTrustShowsTheCertificateAndSendsNoPassword() {
    JsonNode found =
        probe(
            Map.of(
                "address",
                vcsim.address().toString(),
                "username",
                Vcsim.USERNAME,
                "password",
                "wrong, and not to be tried"));
    assertThat(found.at("/problem/code").stringValue()).isEqualTo("certificate-not-known");
    assertThat(found.path("signedIn").booleanValue()).isFalse();
    assertThat(fingerprint).matches("([0-9A-F]{2}:){31}[0-9A-F]{2}");
    assertThat(found.at("/certificate/trustedByAuthorities").booleanValue()).isFalse();
  }

  @Test
  void aProbeWithTrustSaysWhatTheAccountMayRead() {
    JsonNode found =
        probe(
            Map.of(
                "address",
                vcsim.address().toString(),
                "username",
                Vcsim.USERNAME,
                "password",
                Vcsim.PASSWORD,
                "trust",
                trust()));
    assertThat(found.path("problem").isNull()).as(found.toString()).isTrue();
    assertThat(found.path("signedIn").booleanValue()).isTrue();
    assertThat(found.path("product").stringValue()).contains("vCenter");
    assertThat(found.at("/counts/VirtualMachine").asLong()).isPositive();
    assertThat(found.path("rights")).isNotEmpty();
    for (JsonNode right : found.path("rights")) {
      assertThat(right.path("missing").stringValue()).isNotBlank();
    }
  }

  @Test
  void aProbeWithAWrongPasswordSaysThatItIsRefused() {
    JsonNode found =
        probe(
            Map.of(
                "address",
                vcsim.address().toString(),
                "username",
                Vcsim.USERNAME,
                "password",
                "p<a&s>s, but wrong",
                "trust",
                trust()));
    assertThat(found.at("/problem/code").stringValue()).isEqualTo("sign-in-refused");
    assertThat(found.path("signedIn").booleanValue()).isFalse();
  }

  @Test
  void aProbeWithAnotherFingerprintSendsNoPassword() {
    JsonNode found =
        probe(
            Map.of(
                "address",
                vcsim.address().toString(),
                "username",
                Vcsim.USERNAME,
                "password",
                Vcsim.PASSWORD,
                "trust",
                Map.of("sha256", "00".repeat(32))));
    assertThat(found.at("/problem/code").stringValue()).isEqualTo("certificate-not-trusted");
    assertThat(found.path("signedIn").booleanValue()).isFalse();
  }

  @Test
  void aProbeOfAnAddressThatIsNotAllowedConnectsToNothing() {
    for (String address : List.of("https://127.0.0.1:443", "https://169.254.169.254:8443")) {
      JsonNode found = probe(Map.of("address", address));
      assertThat(found.at("/problem/code").stringValue()).isEqualTo("egress-refused");
      assertThat(found.path("certificate").isNull()).isTrue();
    }
  }

  @Test
  void theProbeOfAStoredSourceUsesItsPasswordForItsOwnAddressOnly() {
    JsonNode source = created(edit("Probed", Vcsim.PASSWORD));
    String id = source.path("id").stringValue();
    JsonNode same = probe(Map.of("id", id, "address", vcsim.address().toString()));
    assertThat(same.path("signedIn").booleanValue()).as(same.toString()).isTrue();
    // the same server under another name is another host
    JsonNode other =
        probe(Map.of("id", id, "address", "https://localhost:" + vcsim.port(), "trust", trust()));
    assertThat(other.path("signedIn").booleanValue()).isFalse();
    assertThat(other.at("/certificate/sha256").stringValue()).isEqualTo(fingerprint);
    remove(source);
  }

  @Test
  void aSourceIsReadAndItsObjectsAppear() {
    JsonNode source = created(edit("Frankfurt", Vcsim.PASSWORD));
    awaitState(source, "fresh");
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode summary = summary(source);
              assertThat(summary.path("kind").stringValue()).isEqualTo("vcenter");
              assertThat(summary.path("objects").asLong()).isGreaterThan(4);
              assertThat(summary.path("samplesPerSecond").asDouble()).isPositive();
              assertThat(summary.path("node").isString()).isTrue();
              assertThat(summary.path("detail").asString(""))
                  .matches("VMware vCenter Server \\d+\\.\\d+\\.\\d+ build \\d+");
              assertThat(summary.path("newestSampleAt").isString()).isTrue();
              assertThat(summary.at("/trend/samplesPerSecond").size()).isEqualTo(72);
              assertThat(source(source).path("rounds").size()).isGreaterThanOrEqualTo(2);
            });
    await()
        .atMost(SOON)
        .until(
            () ->
                viewer.get("/objects?objectKind=VirtualMachine").json().path("total").asLong()
                    >= 4);

    Answer paused = operator.post("/sources/" + source.path("id").stringValue() + "/pause", "");
    assertThat(paused.status()).as(paused.body()).isEqualTo(200);
    assertThat(paused.json().path("state").stringValue()).isEqualTo("paused");
    assertThat(paused.json().path("pausedBy").stringValue()).isEqualTo("operator");
    await().atMost(SOON).until(() -> summary(source).path("node").isNull());
    assertThat(summary(source).path("samplesPerSecond").asDouble()).isZero();
    Answer resumed = operator.post("/sources/" + source.path("id").stringValue() + "/resume", "");
    assertThat(resumed.json().path("pausedAt").isNull()).isTrue();
    awaitState(source, "fresh");

    String secret = source.at("/password/secret").stringValue();
    assertThat(isKept(secret)).isTrue();
    remove(source);
    assertThat(admin.get("/sources/" + source.path("id").stringValue()).status()).isEqualTo(404);
    assertThat(isKept(secret)).isFalse();
    assertThat(viewer.get("/objects?objectKind=VirtualMachine").json().path("total").asLong())
        .isGreaterThanOrEqualTo(4);
  }

  @Test
  void aSourceWithAWrongPasswordStopsAndItsErrorIsListed() {
    JsonNode source = created(edit("Wrong", "not the password"));
    awaitState(source, "stopped");
    JsonNode summary = summary(source);
    assertThat(summary.at("/problem/code").stringValue()).isEqualTo("sign-in-refused");
    assertThat(summary.at("/problem/whatToDo").stringValue()).isNotBlank();
    assertThat(summary.path("stateSince").isString()).isTrue();
    Answer errors = viewer.get("/sources/errors?source=" + source.path("id").stringValue());
    assertThat(errors.json().path("total").asLong()).isPositive();
    assertThat(errors.json().at("/items/0/sourceName").stringValue()).isEqualTo("Wrong");
    assertThat(errors.json().at("/items/0/problem/code").stringValue())
        .isEqualTo("sign-in-refused");
    JsonNode counts = viewer.get("/sources/counts").json();
    assertThat(counts.path("stopped").asLong()).isPositive();
    assertThat(counts.at("/worst/state").stringValue()).isEqualTo("stopped");

    ObjectNode right = edit("Wrong", Vcsim.PASSWORD);
    assertThat(put(source, right).status()).isEqualTo(200);
    awaitState(source, "fresh");
    assertThat(isKept(source.at("/password/secret").stringValue())).isFalse();
    remove(source);
  }

  @Test
  void aStoredPasswordIsNotSentToAnotherHostOrPort() {
    ObjectNode edit = edit("Kept", Vcsim.PASSWORD);
    JsonNode source = created(edit);
    String secret = source.at("/password/secret").stringValue();
    ObjectNode named = edit.deepCopy();
    named.putObject("password").put("secret", secret);
    ObjectNode without = edit.deepCopy();
    without.remove("password");
    for (ObjectNode change : List.of(named, without)) {
      for (String place :
          List.of("https://localhost:" + vcsim.port(), "https://127.0.0.1:" + (vcsim.port() ^ 1))) {
        Answer refused = put(source, change.deepCopy().put("address", place));
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains("must be sent again");
      }
      Answer kept = put(source, change.deepCopy().put("username", "somebody"));
      assertThat(kept.status()).as(kept.body()).isEqualTo(200);
      assertThat(kept.json().at("/password/secret").stringValue()).isEqualTo(secret);
    }
    Answer stolen =
        admin.post(
            "/sources",
            named
                .deepCopy()
                .put("name", "Thief")
                .put("address", "https://localhost:9443")
                .toString());
    assertThat(stolen.status()).as(stolen.body()).isEqualTo(400);
    Answer sent = put(source, edit.deepCopy().put("address", "https://localhost:" + vcsim.port()));
    assertThat(sent.status()).as(sent.body()).isEqualTo(200);
    assertThat(sent.json().at("/password/secret").stringValue()).isNotEqualTo(secret);
    Answer restored =
        admin
            .with("If-Match", "*")
            .post("/sources/" + source.path("id").stringValue() + "/history/1/restore", "");
    assertThat(restored.status()).as(restored.body()).isEqualTo(409);
    remove(source);
    Answer back =
        admin.post("/sources/" + source.path("id").stringValue() + "/history/1/restore", "");
    assertThat(back.status()).as(back.body()).isEqualTo(200);
    ObjectNode still = without.deepCopy();
    assertThat(put(source, still).status()).isEqualTo(400); // its password is gone
    remove(source);
  }

  @Test
  void aSourceIsRemovedWhileItsCollectorNotesSomething() throws Exception {
    JsonNode source = created(edit("Noted", Vcsim.PASSWORD));
    UUID id = UUID.fromString(source.path("id").stringValue());
    operator.post("/sources/" + id + "/pause", "");
    await().atMost(SOON).until(() -> summary(source).path("node").isNull());
    data.jdbc()
        .sql(
            "insert into source_lease values (?, gen_random_uuid(), 'other', now(), now() + interval '1 hour')")
        .param(id)
        .update();
    try (Connection collector = data.database().connect();
        Statement notes = collector.createStatement()) {
      collector.setAutoCommit(false);
      notes.execute("select 1 from source_lease where source_id = '" + id + "' for share");
      Future<Answer> removed =
          ForkJoinPool.commonPool()
              .submit(() -> admin.with("If-Match", "*").delete("/sources/" + id));
      await("the removal waits for the collector")
          .atMost(SOON)
          .until(
              () ->
                  data.jdbc()
                          .sql(
                              "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'source_lease'")
                          .query(Long.class)
                          .single()
                      > 0);
      notes.execute(
          "insert into source_position values ('" + id + "', 'configuration', '1', now())");
      collector.commit();
      assertThat(removed.get(60, TimeUnit.SECONDS).status()).isEqualTo(204);
    }
    assertThat(admin.get("/sources/" + id).status()).isEqualTo(404);
  }

  @Test
  void optionsThatAVCenterDoesNotHaveAreRefused() {
    Map<String, String> wrong =
        Map.of("counter", "cpu.ready.summation", "counters", "cpu.ready", "identity", "vc1/sdk");
    wrong.forEach(
        (name, value) -> {
          ObjectNode edit = edit("Options", Vcsim.PASSWORD);
          edit.putObject("options").put(name, value);
          Answer refused = admin.post("/sources", edit.toString());
          assertThat(refused.status()).as(refused.body()).isEqualTo(400);
          assertThat(refused.body()).contains("options." + name);
        });
  }

  @Test
  void namesAreUniqueWhateverTheirCase() {
    JsonNode source = created(edit("Munich", Vcsim.PASSWORD));
    Answer again = admin.post("/sources", edit("MUNICH", Vcsim.PASSWORD).toString());
    assertThat(again.status()).as(again.body()).isEqualTo(409);
    remove(source);
  }

  @Test
  void sourcesAreChangedByAdminsPausedByOperatorsAndSeenByAll() {
    JsonNode source = created(edit("Roles", Vcsim.PASSWORD));
    String path = "/sources/" + source.path("id").stringValue();
    String edit = edit("Roles", Vcsim.PASSWORD).toString();
    for (ApiClient other : List.of(viewer, operator)) {
      assertThat(other.get(path).status()).isEqualTo(200);
      assertThat(other.get(path + "/history").status()).isEqualTo(200);
      assertThat(other.post("/sources", edit).status()).isEqualTo(403);
      assertThat(other.with("If-Match", "*").put(path, edit).status()).isEqualTo(403);
      assertThat(other.with("If-Match", "*").delete(path).status()).isEqualTo(403);
      assertThat(
              other
                  .post(
                      "/sources/probe",
                      "{\"kind\": \"vcenter\", \"address\": \"https://vc.example.com\"}")
                  .status())
          .isEqualTo(403);
    }
    assertThat(viewer.post(path + "/pause", "").status()).isEqualTo(403);
    assertThat(operator.post(path + "/pause", "").status()).isEqualTo(200);
    remove(source);
  }

  @Test
  void noAnswerAndNoEntryOfTheAuditLogHoldsAPassword() {
    String password = "Marker-of-a-password-77";
    JsonNode source = created(edit("Silent", password));
    String path = "/sources/" + source.path("id").stringValue();
    awaitState(source, "stopped");
    probe(
        Map.of(
            "address",
            vcsim.address().toString(),
            "username",
            Vcsim.USERNAME,
            "password",
            password,
            "trust",
            trust()));
    put(source, edit("Silent 2", password));
    for (String one :
        List.of(path, path + "/history", "/sources", "/sources/errors", "/audit?limit=1000")) {
      assertThat(admin.get(one).body()).as(one).doesNotContain(password);
    }
    // entries are written a moment after the answer
    awaitAudit("probeSource", vcsim.address().toString());
    awaitAudit("putSource", "password", "Silent 2");
    String stored =
        data.jdbc()
            .sql("select string_agg(h.definition::text, ' ') from source_history h")
            .query(String.class)
            .single();
    assertThat(stored).doesNotContain(password);
    remove(source);
  }

  @Test
  void collectorsThatSendByThemselvesAreListedWithWhatTheySend() {
    long now = Instant.now().getEpochSecond();
    StringBuilder lines = new StringBuilder();
    for (int vm = 0; vm < 3; vm++) {
      lines.append(
          "vsphere_vm_cpu,vcenter=vc,moid=vm-%d,vmname=t%d,host=tg-east usage_average=1 %d000000000\n"
              .formatted(vm, vm, now - 11));
    }
    lines.append("cpu,host=tg-slow,cpu=cpu-total usage_idle=5 %d000000000\n".formatted(now - 400));
    send(TOPIC, lines.toString());
    send(
        TOPIC,
        """
        {"resourceMetrics":[{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"web-otlp"}}]},
          "scopeMetrics":[{"scope":{"name":"example.org/receiver/hostmetricsreceiver/internal/scraper/loadscraper"},
            "metrics":[{"name":"system.cpu.load_average.1m","gauge":{"dataPoints":[{"timeUnixNano":"%d000000000","asDouble":1}]}}]}]}]}
        """
            .formatted(now - 11));
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode points = listed("kind=opentelemetry").get(0);
              assertThat(points).isNotNull();
              assertThat(points.path("name").stringValue()).isEqualTo("OpenTelemetry");
              assertThat(points.path("detail").stringValue()).isEqualTo("hostmetricsreceiver");
              JsonNode east = listed("kind=telegraf&q=tg-east").get(0);
              assertThat(east).isNotNull();
              assertThat(east.path("objects").asLong()).isEqualTo(3);
              assertThat(east.path("detail").stringValue()).isEqualTo("vsphere");
              assertThat(east.path("state").stringValue()).isIn("starting", "fresh");
              assertThat(east.path("clockOffsetSeconds").asDouble()).isBetween(-60.0, -10.0);
              assertThat(east.path("id").isNull()).isTrue();
              JsonNode slow = listed("kind=telegraf&q=tg-slow").get(0);
              assertThat(slow.path("state").stringValue()).isEqualTo("behind");
              assertThat(slow.path("reason").stringValue()).contains("6 min in the past");
            });
    data.jdbc()
        .sql("update sender set last_at = last_at - interval '3 hours' where name = 'tg-slow'")
        .update();
    JsonNode silent = listed("kind=telegraf&q=tg-slow").get(0);
    assertThat(silent.path("state").stringValue()).isEqualTo("stopped");
    assertThat(silent.path("samplesPerSecond").asDouble()).isZero();
  }

  @Test
  void anExporterOfFlowsIsListedWithItsProtocol() {
    long now = Instant.now().toEpochMilli() * 1_000_000;
    send(
        TOPIC + "-flows",
        """
        {"type": "IPFIX", "time_received_ns": %d, "sequence_num": 1, "sampling_rate": 100,
         "sampler_address": "10.1.2.3", "time_flow_start_ns": %d, "time_flow_end_ns": %d,
         "bytes": 1500, "packets": 3, "src_addr": "10.0.0.1", "dst_addr": "10.0.0.2",
         "etype": "IPv4", "proto": "TCP", "src_port": 40000, "dst_port": 443}
        """
            .replace("\n", " ")
            .formatted(now, now - 5_000_000_000L, now - 1_000_000_000L));
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode exporter = listed("kind=flow-exporter").get(0);
              assertThat(exporter).isNotNull();
              assertThat(exporter.path("name").stringValue()).isEqualTo("10.1.2.3");
              assertThat(exporter.path("detail").stringValue()).startsWith("IPFIX");
              assertThat(exporter.path("state").stringValue()).isIn("starting", "fresh");
              assertThat(exporter.path("trend").isObject()).isTrue();
            });
  }
}
