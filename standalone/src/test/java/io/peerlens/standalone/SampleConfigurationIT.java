package io.peerlens.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the vCenter of the sample tells, as the API has it: objects, properties, who changed what.
 */
class SampleConfigurationIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path parent;
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void theSampleTellsWhatIsConfiguredAndEachFaultHasItsCauseUnderWhatChanged() throws Exception {
    Path data = parent.resolve("data");
    try (StandaloneServer server = start(data)) {
      List<JsonNode> faults =
          Files.readAllLines(data.resolve("sample-truth.jsonl")).stream()
              .map(JSON::readTree)
              .toList();

      // Everything is there, and nothing twice, although two feeds tell of it.
      await()
          .atMost(Duration.ofMinutes(3))
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(() -> assertThat(objects(server, data, "VirtualMachine")).hasSize(300));
      for (Map.Entry<String, Integer> kind :
          Map.of(
                  "VirtualMachine", 300,
                  "HostSystem", 24,
                  "ClusterComputeResource", 3,
                  "Datastore", 9,
                  "Datacenter", 2,
                  "VmwareDistributedVirtualSwitch", 3,
                  "VMwareAdapter Instance", 1)
              .entrySet()) {
        List<JsonNode> objects = objects(server, data, kind.getKey());
        Set<String> names = new HashSet<>();
        objects.forEach(object -> names.add(object.path("name").asString()));
        assertThat(objects).as(kind.getKey()).hasSize(kind.getValue());
        assertThat(names).as(kind.getKey()).hasSize(kind.getValue());
      }

      // Properties of the collector stand beside those of Telegraf on one object.
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(
              () ->
                  assertThat(
                          object(server, data, "VirtualMachine", "batch-worker-05")
                              .path("properties")
                              .has("config|guestId"))
                      .as("Telegraf's")
                      .isTrue());
      JsonNode machine = object(server, data, "VirtualMachine", "batch-worker-05");
      assertThat(machine.path("properties").path("config|hardware|numCoresPerSocket").asString())
          .isEqualTo("16");
      assertThat(machine.path("properties").path("config|cpuAllocation|limit").asString())
          .isEqualTo("33280");
      assertThat(machine.path("tags").path("app").asString()).isEqualTo("batch");
      assertThat(
              object(server, data, "HostSystem", "east-general-esx04")
                  .path("properties")
                  .path("config|ntp|server")
                  .asString())
          .isEqualTo("time.old.example");

      // Each fault has its cause under what changed in the two minutes before it began.
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(
              () -> {
                assertThat(changed(server, data, faults, "overloaded-peer"))
                    .contains(
                        "annotation: \"Load balancer weight 100\" -> \"Load balancer weight 300\" by CORP\\svc-balancer");
                assertThat(changed(server, data, faults, "noisy-neighbour"))
                    .contains("cpuAllocation.limit: 33280 -> -1 by CORP\\m.okafor");
                assertThat(changed(server, data, faults, "limited-disk"))
                    .contains(
                        "hardware.device(2000).storageIOAllocation.limit: -1 -> 100 by CORP\\a.ruiz");
                assertThat(changed(server, data, faults, "silent"))
                    .anyMatch(title -> title.endsWith("is powered off by CORP\\t.sato"));
                assertThat(changed(server, data, faults, "short-queue"))
                    .contains("config|storageDevice|leastQueueDepth 64 -> 8");
                String host = fault(faults, "host-out-of-memory").path("host").asString();
                assertThat(changed(server, data, faults, "host-out-of-memory"))
                    .filteredOn(
                        title ->
                            title.startsWith("vMotion from")
                                && title.endsWith(" to " + host + " by CORP\\j.lind"))
                    .hasSize(3);
              });

      // An object that is new to the installation explains nothing, nor does its first placement.
      String machines = fault(faults, "limited-disk").path("machines").get(0).asString();
      assertThat(changes(server, data, "VirtualMachine", machines, "2000-01-01T00:00:00Z", ""))
          .filteredOn(change -> change.path("kind").asString().equals("placement"))
          .allMatch(change -> change.path("key").asString().equals("HostSystem"));

      assertThat(get(server, data, "/ingest/dead-letters?limit=1").path("items")).isEmpty();
    }
  }

  private static JsonNode fault(List<JsonNode> faults, String kind) {
    return faults.stream()
        .filter(fault -> fault.path("kind").asString().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  /** What changed on the objects of a fault in the two minutes before it began, with who did it. */
  private List<String> changed(
      StandaloneServer server, Path data, List<JsonNode> faults, String kind)
      throws IOException, InterruptedException {
    JsonNode fault = fault(faults, kind);
    Instant begin = Instant.parse(fault.path("from").asString());
    Map<String, String> objects = new TreeMap<>();
    fault.path("machines").forEach(machine -> objects.put(machine.asString(), "VirtualMachine"));
    if (objects.isEmpty()) {
      objects.put(fault.path("host").asString(), "HostSystem");
    }
    List<String> titles = new ArrayList<>();
    for (Map.Entry<String, String> one : objects.entrySet()) {
      for (JsonNode change :
          changes(
              server,
              data,
              one.getValue(),
              one.getKey(),
              begin.minusSeconds(120).toString(),
              begin.plusSeconds(1).toString())) {
        String author = change.path("author").asString("");
        titles.add(
            author.isEmpty()
                ? "%s %s -> %s"
                    .formatted(
                        change.path("key").asString(""),
                        change.path("before").asString(""),
                        change.path("after").asString(""))
                : change.path("after").asString("") + " by " + author);
      }
    }
    return titles;
  }

  private List<JsonNode> changes(
      StandaloneServer server, Path data, String kind, String name, String from, String to)
      throws IOException, InterruptedException {
    String id = object(server, data, kind, name).path("id").asString();
    return get(
            server,
            data,
            "/changes?limit=200&object=" + id + "&from=" + from + (to.isEmpty() ? "" : "&to=" + to))
        .path("items")
        .valueStream()
        .toList();
  }

  private JsonNode object(StandaloneServer server, Path data, String kind, String name)
      throws IOException, InterruptedException {
    return objects(server, data, kind).stream()
        .filter(object -> object.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<JsonNode> objects(StandaloneServer server, Path data, String kind)
      throws IOException, InterruptedException {
    return get(server, data, "/objects?limit=500&objectKind=" + encoded(kind))
        .path("items")
        .valueStream()
        .toList();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private JsonNode get(StandaloneServer server, Path data, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
            .header(
                "Authorization", "Bearer " + Files.readString(data.resolve("admin-token")).strip())
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static StandaloneServer start(Path data) throws IOException, InterruptedException {
    List<String> words =
        List.of(
            "start",
            "--data",
            data.toString(),
            "--port",
            Integer.toString(Ports.anyFree()),
            "--kafka-port",
            Integer.toString(Ports.anyFree()));
    return StandaloneServer.start(
        Options.parse(words),
        new Console(new PrintStream(new ByteArrayOutputStream(), true, UTF_8), false));
  }
}
