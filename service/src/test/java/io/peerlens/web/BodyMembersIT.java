package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Everything that can be defined is created with the contract's example, read, and sent back. */
class BodyMembersIT {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** What a change of nothing may change: who did it, when, and what was last thought of it. */
  private static final List<String> MOVING =
      List.of("version", "updatedAt", "updatedBy", "modificationTime", "modifiedBy", "lastChange");

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();

  @TestFactory
  List<DynamicTest> anAnswerCanBeSentBackWithoutChanges() {
    List<String> collections = ContractDefinitions.paths();
    assertThat(collections)
        .contains("/super-metrics", "/thresholds", "/alert-definitions", "/outlier-groups")
        .hasSizeGreaterThanOrEqualTo(12);
    Map<String, String> ids = new HashMap<>();
    return collections.stream()
        .map(path -> DynamicTest.dynamicTest(path, () -> sendBack(path, ids)))
        .toList();
  }

  private static void sendBack(String path, Map<String, String> ids) {
    String example = ContractDefinitions.example(path);
    String other =
        ids.getOrDefault(
            switch (path) {
              case "/alert-definitions" -> "/thresholds";
              case "/reports" -> "/dashboards";
              default -> "/notification-targets";
            },
            "");
    Answer created = API.post(path, example.replace(ContractDefinitions.OTHER, other));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String id = created.json().path("id").asString();
    ids.put(path, id);

    String address = path + "/" + id;
    Answer read = API.get(address);
    Answer sent = API.with("If-Match", read.header("ETag")).put(address, read.body());

    assertThat(sent.status()).as(sent.body()).isEqualTo(200);
    assertThat(still(sent.json())).isEqualTo(still(read.json()));
    assertThat(still(API.get(address).json())).isEqualTo(still(read.json()));

    ObjectNode copy = (ObjectNode) read.json().deepCopy();
    copy.remove("id");
    ObjectNode named = ContractDefinitions.named(copy);
    if (named.has("name")) {
      named.put("name", named.path("name").asString() + "-copy");
    }
    if (copy.has("document")) {
      ((ObjectNode) copy.get("document")).put("id", "copy");
    }
    Answer copied = API.post(path, copy.toString());
    assertThat(copied.status()).as(copied.body()).isEqualTo(201);
  }

  @Test
  void everythingElseIsStillUnknownAndAllOfItIsNamedAtOnce() {
    Answer answer =
        API.post(
            "/outlier-groups",
            """
            {
              "nam": "x",
              "version": 3,
              "metrics": [
                {"key": "cpu|usage_average", "unit": "%"},
                {"key": "mem|usage_average", "minDeviaton": 5, "colour": {"deep": ["red"]}}
              ],
              "foo": [1, 2, {"bar": 3}]
            }
            """);
    assertThat(answer.status()).isEqualTo(400);
    JsonNode problem = answer.json();
    assertThat(problem.path("code").asString()).isEqualTo("invalid-body");
    assertThat(problem.path("errors").valueStream().map(e -> e.path("field").asString()))
        .containsExactly("nam", "metrics[1].minDeviaton", "metrics[1].colour", "foo");
    assertThat(problem.path("detail").asString())
        .contains("Field nam: there is no such field (line 2, column ")
        .contains("Field foo: there is no such field (line 8, column ");
    assertThat(problem.path("hint").asString())
        .contains("nam: Did you mean name?")
        .contains("metrics[1].minDeviaton: Did you mean minDeviation?")
        .contains("metrics[1].colour: The fields here are: flow, key, minDeviation, transform.")
        .doesNotContain("Did you mean from");
  }

  @Test
  void readOnlyFieldsAreRefusedInQueries() {
    Answer query =
        API.post(
            "/series/query",
            """
            {"objects": ["%s"], "metrics": ["cpu|usage_average"], "from": 0, "to": 60000, "level": "raw", "foo": 1}
            """
                .formatted(ContractDefinitions.OTHER));
    assertThat(query.status()).isEqualTo(400);
    assertThat(query.json().path("errors").valueStream().map(e -> e.path("field").asString()))
        .containsExactly("level", "foo");
    assertThat(query.json().path("hint").asString()).doesNotContain("Did you mean");
    assertThat(
            API.post("/tokens", "{\"name\": \"x\", \"token\": {}}")
                .json()
                .path("detail")
                .asString())
        .contains("Field token: there is no such field");
  }

  @Test
  void someOfManyUnknownFieldsAreNamedAndTheOthersCounted() {
    ObjectNode body = JSON.createObjectNode();
    for (int i = 0; i < 1000; i++) {
      body.put("unknown" + i, i);
    }
    JsonNode problem = API.post("/groups", body.toString()).json();
    assertThat(problem.path("errors").size()).isEqualTo(20);
    assertThat(problem.path("detail").asString()).endsWith("There are 980 more.");
  }

  @Test
  void theDocumentationNamesTheModelsOfEveryDefinition() throws IOException {
    String doc = Files.readString(Path.of("..", "docs", "clients.md"));
    for (String path : ContractDefinitions.paths()) {
      Map<?, ?> create =
          (Map<?, ?>) Objects.requireNonNull(ContractDefinitions.contract().get(path)).get("post");
      String item =
          ContractDefinitions.contract().keySet().stream()
              .filter(one -> one.matches(path + "/\\{[^/]*}"))
              .findFirst()
              .orElseThrow();
      Map<?, ?> change =
          (Map<?, ?>) Objects.requireNonNull(ContractDefinitions.contract().get(item)).get("put");
      assertThat(doc)
          .contains(
              "| `%s` | `%s` | `%s` | `%s` |"
                  .formatted(
                      create.get("operationId"),
                      model(create),
                      change.get("operationId"),
                      model(change)));
    }
  }

  private static String model(@Nullable Object operation) {
    JsonNode schema =
        JSON.valueToTree(Objects.requireNonNull(operation))
            .at("/requestBody/content/application~1json/schema/$ref");
    return schema.asString().replaceFirst(".*/", "");
  }

  private static JsonNode still(JsonNode definition) {
    ObjectNode copy = (ObjectNode) definition.deepCopy();
    MOVING.forEach(copy::remove);
    return copy;
  }
}
