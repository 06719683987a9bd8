package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.baselines.State;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestCertificates;
import io.peerlens.support.TestKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A small datacentre with all that suite-api tells of, and the service on it, which speaks https
 * with a certificate of its own making.
 */
final class SuiteApiWorld implements AutoCloseable {

  static final UUID HOST = SampleData.uuid("HostSystem", "esx-1");
  static final UUID VM = SampleData.uuid("VirtualMachine", "web-1");
  static final UUID OTHER = SampleData.uuid("VirtualMachine", "web-2");

  /** An open alert on {@link #VM}, of a threshold that {@link #symptomDefinition} names. */
  static final UUID ALERT = new UUID(21, 1);

  /** Another one on it, to act on. */
  static final UUID SECOND_ALERT = new UUID(21, 2);

  /** Three hours ago, on the hour; values follow every five minutes for two hours. */
  final Instant start = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(3));

  final SampleData data = SampleData.create();
  final PeerlensServer server;
  final String token;
  final Path certificate;
  final String symptomDefinition;
  final String alertDefinition;
  final String group;
  private final HttpClient http;

  /** A world whose certificate is written into a folder. */
  SuiteApiWorld(Path folder) {
    TestCertificates certificates =
        TestCertificates.make(folder, "CN=localhost", "dns:localhost,ip:127.0.0.1");
    certificate = folder.resolve("peerlens.pem");
    Path key = folder.resolve("peerlens.key");
    try {
      Files.writeString(certificate, certificates.certificatePem());
      Files.writeString(key, certificates.keyPem());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    inventory();
    String topic = "suite-api-" + UUID.randomUUID();
    TestKafka.createTopic(TestKafka.shared().bootstrap(), topic, 1);
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.INGEST),
            "server.ssl.certificate=" + certificate.toUri(),
            "server.ssl.certificate-private-key=" + key.toUri(),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.dead-letter-topic=" + topic + "-dead",
            "peerlens.load.requests-per-second=1000");
    token = Objects.requireNonNull(server.adminToken());
    http = HttpClient.newBuilder().sslContext(certificates.context(certificates)).build();
    symptomDefinition =
        made(
            "/thresholds",
            """
            {"name": "CPU of a machine", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
             "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt", "levels": [
               {"severity": "warning", "bound": {"type": "number", "value": 20}}]},
             "alert": {"impact": "health", "recommendations": ["Look at it."], "type": "Virtualization/Hypervisor",
               "subType": "Performance"}}
            """);
    alertDefinition =
        made(
            "/alert-definitions",
            """
            {"name": "Several", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}, "impact": "risk",
             "condition": {"type": "all", "conditions": [{"type": "threshold", "threshold": "%1$s"},
               {"type": "threshold", "threshold": "%1$s", "on": "parent"}]}}
            """
                .formatted(symptomDefinition));
    group = made("/groups", "{\"name\": \"Web\", \"scope\": {\"tags\": [\"tier=web\"]}}");
    alerts();
  }

  private void inventory() {
    int cpu = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready"));
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    int vm = data.object("VMWARE", "VirtualMachine", "web-1");
    int other = data.object("VMWARE", "VirtualMachine", "web-2");
    data.sql(
        "insert into relation (parent_id, child_id) values (%1$d, %2$d), (%1$d, %3$d)"
            .formatted(host, vm, other));
    data.sql(
        """
        update object set properties = '{"config|hardware|num_Cpu": "4", "summary|parentHost": "esx-1"}', tags = '{"tier": "web"}'
        where id = %d
        """
            .formatted(vm));
    data.sql("insert into object_liveness (object_id, last_seen) select id, now() from object");
    int set = data.set(vm, cpu, "");
    int second = data.set(other, cpu, "");
    try (SampleData.Samples rows = data.samples()) {
      for (int i = 1; i <= 24; i++) {
        Instant time = start.plus(Duration.ofMinutes(5L * i));
        rows.add(time, set, i, Double.NaN).add(time, second, 100 + i, i / 2.0);
      }
    }
    bands(cpu, set);
  }

  /** What is usual is between 10 and 30 in all hours of the days with values. */
  private void bands(int cpu, int set) {
    Instant first = start.truncatedTo(ChronoUnit.DAYS);
    for (Instant day = first; !day.isAfter(Instant.now()); day = day.plus(1, ChronoUnit.DAYS)) {
      long block =
          data.jdbc()
              .sql(
                  """
                  insert into learned_block (group_id, day, first_position, width, sets, set_ids, empty_ids, state, days, spread,
                    learning, learned, few_valued, constant, computed_at, since)
                  values (?, ?, 0, 1, 1, ?, '{}', ?, '\\x0e', ?, 0, 1, 0, 0, now(), ?) returning id
                  """)
              .params(
                  cpu,
                  SampleData.time(day),
                  new Integer[] {set},
                  new byte[] {(byte) State.LEARNED.ordinal()},
                  floats(1),
                  SampleData.time(first))
              .query(Long.class)
              .single();
      for (int hour = 0; hour < 24; hour++) {
        data.jdbc()
            .sql("insert into learned_band (block_id, hour, lower, upper) values (?, ?, ?, ?)")
            .params(block, hour, floats(10), floats(30))
            .update();
      }
    }
  }

  private static byte[] floats(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  private void alerts() {
    for (UUID id : List.of(ALERT, SECOND_ALERT)) {
      boolean first = id.equals(ALERT);
      data.jdbc()
          .sql(
              """
              insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
                opened_at, updated_at, last_tick, openings, member_count, members, member_print, explanation, recommendations,
                type, sub_type)
              select :id, :definition, :source, :name, id, 'health', 2, 'active', :time, :time, :time, :time,
                '{}', 1, jsonb_build_array(jsonb_build_object('threshold', :threshold::text, 'object', id, 'key', 'cpu|usage_average',
                  'instance', '')), 0, '{"key": "cpu|usage_average", "text": "CPU is high."}', '{Look at it.}',
                'Virtualization/Hypervisor', 'Performance'
              from object where name = 'web-1'
              """)
          .param("id", id)
          .param("definition", UUID.fromString(first ? symptomDefinition : alertDefinition))
          .param("source", first ? "threshold" : "alert-definition")
          .param("name", first ? "CPU of a machine" : "Several")
          .param("threshold", symptomDefinition)
          .param("time", SampleData.time(start))
          .update();
    }
    data.jdbc()
        .sql(
            """
            insert into symptom (threshold_id, object_id, severity, history, runs, good, good_held, since, last_sample, value,
              bound, updated_at)
            select ?, id, 2, '', '{}', 0, 0, ?, now(), 24, 20, now() from object where name = 'web-1'
            """)
        .params(UUID.fromString(symptomDefinition), SampleData.time(start))
        .update();
  }

  /** Without a slash at its end. */
  String url() {
    return server.url().replace("http:", "https:");
  }

  /** Makes something with our own API and returns its id. */
  private String made(String path, String json) {
    HttpResponse<String> response = send("POST", "/api/v1" + path, json, "Bearer " + token);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return JsonMapper.shared().readTree(response.body()).get("id").stringValue();
  }

  /** Sends a request to any path of the server. */
  HttpResponse<String> send(
      String method, String path, @Nullable String body, @Nullable String authorization) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What a program has to know, as JSON. */
  JsonNode forPrograms() {
    ObjectNode world =
        JsonMapper.shared()
            .createObjectNode()
            .put("url", url())
            .put("certificate", certificate.toString())
            .put("password", token)
            .put("start", start.toEpochMilli())
            .put("host", HOST.toString())
            .put("vm", VM.toString())
            .put("other", OTHER.toString())
            .put("alert", ALERT.toString())
            .put("secondAlert", SECOND_ALERT.toString())
            .put("symptomDefinition", symptomDefinition)
            .put("alertDefinition", alertDefinition)
            .put("group", group);
    for (Routes.Route route : server.context().getBean(Routes.class).all()) {
      world
          .withArrayProperty("routes")
          .add(route.method() + " /" + String.join("/", route.parts()));
    }
    return world;
  }

  @Override
  public void close() {
    http.close();
    server.close();
    data.close();
  }
}
