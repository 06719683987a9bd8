package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Every folder of templates/: its file fits the schema, and each example comes out as it says. */
class BuiltInTemplatesTest {

  private static final Path TEMPLATES = Path.of("templates");
  private static final JsonMapper JSON = JsonMapper.shared();

  static List<String> ids() {
    return BuiltInTemplates.IDS;
  }

  static List<Arguments> examples() {
    List<Arguments> examples = new ArrayList<>();
    for (BuiltInTemplates.BuiltIn one : BuiltInTemplates.all()) {
      one.examples().forEach(e -> examples.add(Arguments.of(one.template().id(), e.name(), e)));
    }
    return examples;
  }

  @Test
  void theListHasExactlyTheFolders() throws IOException {
    try (Stream<Path> files = Files.list(TEMPLATES)) {
      assertThat(
              files
                  .filter(Files::isDirectory)
                  .map(f -> f.getFileName().toString())
                  .filter(f -> !f.equals("contexts")))
          .containsExactlyInAnyOrderElementsOf(BuiltInTemplates.IDS);
    }
    try (Stream<Path> files = Files.walk(TEMPLATES)) {
      assertThat(files.filter(f -> f.toString().contains("/examples/")))
          .hasSize(
              BuiltInTemplates.IDS.stream()
                  .mapToInt(id -> BuiltInTemplates.examplesOf(id).size())
                  .sum());
    }
  }

  @ParameterizedTest
  @MethodSource("ids")
  void everyTemplateFitsTheSchemaAndHasTheNameOfItsFolder(String id) throws IOException {
    BuiltInTemplates.BuiltIn builtIn = BuiltInTemplates.of(id);

    assertThat(builtIn).isNotNull();
    assertThat(mistakes("template.schema.json", builtIn.yaml(), InputFormat.YAML)).isEmpty();
    assertThat(builtIn.template().id()).isEqualTo(id);
    assertThat(builtIn.readme()).startsWith("# " + id + "\n").contains("examples/");
    AlertTemplate again = AlertTemplate.read(JSON.readTree(builtIn.template().toJson().toString()));
    assertThat(again.hash()).isEqualTo(builtIn.template().hash());
    assertThat(AlertTemplate.parse(again.toYaml()).hash()).isEqualTo(again.hash());
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("examples")
  void everyTemplateRendersItsExamplesExactly(String id, String name, Example example) {
    AlertTemplate template = BuiltInTemplates.of(id).template();
    JsonNode before = example.context().deepCopy();

    Example.Result result = example.run(template, Lookups.NONE);

    assertThat(result.error()).isNull();
    assertThat(result.actual().toPrettyString()).isEqualTo(result.expected().toPrettyString());
    assertThat(result.passed()).isTrue();
    assertThat(example.context()).isEqualTo(before);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("examples")
  void messagesAreAcceptedByReceiversAndSurviveStoring(String id, String name, Example example)
      throws IOException {
    Message message = Receivers.render(BuiltInTemplates.of(id).template(), example.context());

    assertThat(Receivers.mistakes(id, example.context(), message)).isEmpty();
    String receiver = BuiltInTemplates.of(id).template().receiver();
    assertThat(ReceiverCheck.findings(receiver, message)).isEmpty();
    assertThat(
            receiver == null
                ? message instanceof Message.Http
                    && !List.of("generic-json", "talker-report-json").contains(id)
                : !ReceiverCheck.receivers().contains(receiver))
        .as("every receiver with a schema of its own is checked")
        .isFalse();
    JsonNode kept = JSON.readTree(JSON.writeValueAsBytes(message.toJson()));
    assertThat(Message.fromJson(kept)).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new",
        "update",
        "cancel",
        "group",
        "hostile",
        "sparse",
        "report",
        "report-hostile"
      })
  void theContextsFitTheirSchema(String name) throws IOException {
    String context = BuiltInTemplates.contexts().get(name).toString();

    assertThat(mistakes("context.schema.json", context, InputFormat.JSON)).isEmpty();
  }

  @Test
  void theHashDoesNotDependOnTheOrderOfMembers() {
    JsonNode document = BuiltInTemplates.of("vrops-rest-xml").template().toJson();

    assertThat(AlertTemplate.read(reversed(document)).hash())
        .isEqualTo(AlertTemplate.read(document).hash());
    ((ObjectNode) document).put("version", "9.0.0");
    assertThat(AlertTemplate.read(document).hash())
        .isNotEqualTo(BuiltInTemplates.of("vrops-rest-xml").template().hash());
  }

  private static JsonNode reversed(JsonNode node) {
    if (!node.isObject()) {
      return node;
    }
    ObjectNode reversed = JSON.createObjectNode();
    List<String> names = new ArrayList<>(node.propertyNames());
    names.reversed().forEach(name -> reversed.set(name, reversed(node.get(name))));
    return reversed;
  }

  @Test
  void renderingIsTheSameInManyThreads() {
    for (String id : List.of("email", "slack", "servicenow-incident")) {
      BuiltInTemplates.BuiltIn builtIn = BuiltInTemplates.of(id);

      List<Example.Result> failed =
          java.util.stream.IntStream.range(0, 400)
              .parallel()
              .mapToObj(i -> builtIn.examples().get(i % builtIn.examples().size()))
              .map(example -> example.run(builtIn.template(), Lookups.NONE))
              .filter(result -> !result.passed())
              .toList();

      assertThat(failed).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "email",
        "slack",
        "teams-workflows",
        "pagerduty-events-v2",
        "opsgenie",
        "jira-service-management",
        "servicenow-incident"
      })
  void sayInTheirSubjectThatItIsAnOutlier(String id) {
    JsonNode alert = BuiltInTemplates.contexts().get("new");
    ((ObjectNode) alert.path("alert")).put("name", "lab/web").put("title", "Outlier in lab/web");
    ((ObjectNode) alert.path("object")).put("name", "web-03");

    String message =
        Receivers.render(BuiltInTemplates.of(id).template(), alert).toJson().toString();

    assertThat(message).containsPattern("Outlier in lab(\\\\)*/web");
  }

  @Test
  void anUnknownIncidentIsNotResolved() {
    AlertTemplate template = BuiltInTemplates.of("servicenow-incident").template();
    JsonNode update = BuiltInTemplates.contexts().get("update");
    JsonNode cancel = BuiltInTemplates.contexts().get("cancel");
    ((ObjectNode) update.path("alert")).putObject("externalIds");
    ((ObjectNode) cancel.path("alert")).remove("externalIds");

    Message.Http again = (Message.Http) Receivers.render(template, update);
    assertThat(again.method()).isEqualTo("POST");
    assertThat(again.path()).isEqualTo("/api/now/table/incident");
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> Receivers.render(template, cancel))
        .hasMessageStartingWith("/deliver/path")
        .hasMessageContaining("${alert.externalIds.sysId} is ''");
  }

  @Test
  void trapVariablesAreInTheOrderOfTheMib() {
    List<Integer> numeric = java.util.stream.IntStream.rangeClosed(1, 20).boxed().toList();
    List<Integer> change =
        List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 12, 13, 14, 17, 18, 19, 20);

    assertThat(variables("snmp-vrops", "new")).isEqualTo(numeric);
    assertThat(variables("snmp-vrops", "cancel")).isEqualTo(numeric);
    assertThat(variables("snmp-vrops", "update")).isEqualTo(change);
    assertThat(variables("snmp-vcops", "new")).isEqualTo(numeric.subList(0, 19));
    assertThat(variables("snmp-vcops", "update")).isEqualTo(change.subList(0, 19));
    assertThat(variables("snmp-peerlens", "hostile"))
        .isEqualTo(java.util.stream.IntStream.rangeClosed(1, 23).boxed().toList());
  }

  private static List<Integer> variables(String id, String context) {
    Message.Trap trap =
        (Message.Trap)
            Receivers.render(
                BuiltInTemplates.of(id).template(), BuiltInTemplates.contexts().get(context));
    return trap.varBinds().stream()
        .map(bind -> bind.oid().split("[.]"))
        .map(oid -> Integer.parseInt(oid[oid.length - 2]))
        .toList();
  }

  @Test
  void everyTemplateNamesItsInventoryFields() {
    Needs needs = BuiltInTemplates.of("pagerduty-events-v2").template().needs();

    assertThat(needs.tags().all()).isTrue();
    assertThat(needs.metrics().isEmpty()).isTrue();
    assertThat(needs.ancestors()).containsOnlyKeys("ClusterComputeResource");
    assertThat(BuiltInTemplates.of("opsgenie").template().needs().tags())
        .isEqualTo(new Needs.Names(false, new java.util.TreeSet<>(Set.of("owner"))));
    assertThat(BuiltInTemplates.of("snmp-vrops").template().needs()).isEqualTo(Needs.NONE);
    assertThat(BuiltInTemplates.of("snmp-vrops").template().targetType()).isEqualTo("snmp");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "colour: red",
        "render: {format: json, body: {a: {$each: x, $as: y}}}",
        "render: {format: json, body: {a: {$each: 'no path', $as: y, $do: 1}}}",
        "render: {format: json, body: {a: {$unless: x}}}",
        "render: {format: json, body: {a: {$if: x, $then: 1, b: 2}}}",
        "render: {format: yaml, body: {}}",
        "render: {format: mail, subject: x}",
        "render: {format: snmp, varBinds: []}",
        "version: '1'",
        "id: Not An Id",
        "receiver: Not A Name",
        "modify: [{shout: {field: a}}]",
        "modify: [{set: {field: a, value: 1}, remove: a}]",
        "modify: [{set: {field: a, value: 1, colour: 2}}]",
        "modify: [{truncate: {field: a, max: 0}}]",
        "modify: [{remove: a, on: [OLD]}]",
        "modify: [{remove: a, onError: panic}]",
        "deliver: {success: [maybe]}",
        "deliver: {host: example.com}",
        "vars: {a: {type: list}}",
      })
  void schemaAndReaderRefuseTheSameErrors(String mistake) throws IOException {
    String good =
        """
        apiVersion: alert-templates/v1
        id: x
        version: 1.0.0
        description: x
        render: {format: json, body: {}}
        """;
    String key = mistake.substring(0, mistake.indexOf(':'));
    String bad = good.replaceAll("(?m)^" + key + ":.*\n", "") + mistake + "\n";

    assertThat(mistakes("template.schema.json", good, InputFormat.YAML)).isEmpty();
    assertThat(AlertTemplate.parse(good).id()).isEqualTo("x");
    assertThat(mistakes("template.schema.json", bad, InputFormat.YAML)).isNotEmpty();
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> AlertTemplate.parse(bad))
        .isInstanceOf(TemplateException.class)
        .hasMessageStartingWith("/" + key);
  }

  private static List<String> mistakes(String name, String text, InputFormat format)
      throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(TEMPLATES.resolve(name)), InputFormat.JSON);
    return schema.validate(text, format).stream().map(Object::toString).toList();
  }
}
