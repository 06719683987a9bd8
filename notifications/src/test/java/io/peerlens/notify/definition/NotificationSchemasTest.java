package io.peerlens.notify.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.api.ObjectsApi;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Schemas of rule and target files say what the contract says, and the examples fit them. */
class NotificationSchemasTest {

  private static final Path FILES = Path.of("..", "alert-templates");
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String REFERENCE = "#/components/schemas/";

  @ParameterizedTest
  @CsvSource({
    "notification-rule, NotificationRuleEdit",
    "notification-target, NotificationTargetEdit"
  })
  void theSchemaOfFilesIsThatOfTheContract(String file, String root) throws IOException {
    JsonNode schema = schema(file);
    JsonNode contract = contract();
    ObjectNode wanted = (ObjectNode) converted(contract.path(root));
    Set<String> names = new TreeSet<>();
    collect(contract, contract.path(root), names);
    ObjectNode definitions = JSON.createObjectNode();
    names.forEach(name -> definitions.set(name, converted(contract.path(name))));
    wanted.set("$defs", definitions);
    wanted.set("$schema", schema.path("$schema"));
    wanted.set("$id", schema.path("$id"));
    wanted.set("title", schema.path("title"));
    assertThat(wanted).isEqualTo(schema);
  }

  private static JsonNode contract() throws IOException {
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      return YAMLMapper.shared()
          .readTree(Objects.requireNonNull(in))
          .path("components")
          .path("schemas");
    }
  }

  private static JsonNode schema(String file) throws IOException {
    return JSON.readTree(Files.readString(FILES.resolve("templates/" + file + ".schema.json")));
  }

  /** Without what only the contract needs, and with definitions in the file itself. */
  private static JsonNode converted(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = JSON.createObjectNode();
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        JsonNode value = member.getValue();
        boolean contractOnly =
            member.getKey().equals("writeOnly")
                || member.getKey().equals("x-pattern-message")
                || (member.getKey().equals("format")
                    && value.isString()
                    && !value.stringValue().equals("uuid"));
        if (member.getKey().equals("$ref")) {
          copy.put("$ref", value.stringValue().replace(REFERENCE, "#/$defs/"));
        } else if (!contractOnly || value.isObject()) {
          copy.set(member.getKey(), converted(value));
        }
      }
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JSON.createArrayNode();
      node.forEach(one -> copy.add(converted(one)));
      return copy;
    }
    return node;
  }

  private static void collect(JsonNode contract, JsonNode node, Set<String> names) {
    for (JsonNode reference : node.findValues("$ref")) {
      String name = reference.asString("").replace(REFERENCE, "");
      if (names.add(name)) {
        collect(contract, contract.path(name), names);
      }
    }
  }

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(FILES.resolve("examples"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void examplesFitTheirSchemas(Path file) throws IOException {
    JsonNode rules = JSON.readTree(Files.readString(file));
    assertThat(rules.path("format").asString()).isEqualTo("peerlens-rules");
    int checked = 0;
    for (JsonNode rule : rules.path("notificationRules")) {
      assertThat(mistakes("notification-rule", rule)).as(rule.toString()).isEmpty();
      checked++;
    }
    for (JsonNode target : rules.path("notificationTargets")) {
      assertThat(mistakes("notification-target", target)).as(target.toString()).isEmpty();
      checked++;
    }
    for (JsonNode template : rules.path("notificationTemplates")) {
      assertThat(mistakes("template", template.path("document"))).isEmpty();
      assertThat(AlertTemplate.read(template.path("document")).id()).isNotEmpty();
      checked++;
    }
    assertThat(checked).isPositive();
  }

  @Test
  void theSchemasRefuseWhatTheServiceRefuses() throws IOException {
    JsonNode rule = JSON.readTree("{\"name\": \"x\", \"template\": \"t\", \"target\": []}");
    assertThat(mistakes("notification-rule", rule).toString()).contains("targets", "target");
    JsonNode target = JSON.readTree("{\"name\": \"x\", \"type\": \"pigeon\"}");
    assertThat(mistakes("notification-target", target).toString()).contains("type");
  }

  private static List<String> mistakes(String schema, JsonNode document) throws IOException {
    Schema read =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(schema(schema).toString(), InputFormat.JSON);
    return read.validate(document.toString(), InputFormat.JSON).stream()
        .map(Error::toString)
        .toList();
  }
}
