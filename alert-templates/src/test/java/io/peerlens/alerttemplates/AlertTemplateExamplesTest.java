package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every folder of templates/: its file fits the schema, and each example comes out as it says. */
class AlertTemplateExamplesTest {

  private static final Path TEMPLATES = Path.of("templates");
  private static final JsonMapper JSON = JsonMapper.shared();

  static List<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(TEMPLATES)) {
      return files.filter(Files::isDirectory).sorted().toList();
    }
  }

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.walk(TEMPLATES)) {
      return files.filter(f -> f.toString().endsWith(".in.json")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("folders")
  void fitsTheSchemaAndIsNamedAsItsFolder(Path folder) throws IOException {
    String yaml = Files.readString(folder.resolve("template.yaml"));

    assertThat(mistakes(yaml)).isEmpty();
    assertThat(AlertTemplate.parse(yaml).id()).isEqualTo(folder.getFileName().toString());
    assertThat(folder.resolve("README.md")).isNotEmptyFile();
    for (String event : List.of("new", "update", "cancel")) {
      assertThat(folder.resolve("examples/" + event + ".in.json")).exists();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void rendersItsExamplesExactly(Path in) throws IOException {
    Path template = in.resolveSibling(Path.of("..", "template.yaml"));
    Path out = Path.of(in.toString().replace(".in.json", ".out.json"));
    JsonNode context = JSON.readTree(Files.readString(in));
    JsonNode before = context.deepCopy();

    Message message = AlertTemplate.parse(Files.readString(template)).render(context);
    JsonNode rendered = JSON.readTree(((Message.Http) message).body());

    // As text, so that the order of members counts too.
    assertThat(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(rendered))
        .isEqualTo(
            JSON.writerWithDefaultPrettyPrinter()
                .writeValueAsString(JSON.readTree(Files.readString(out))));
    assertThat(JSON.readTree(JSON.writeValueAsBytes(rendered))).isEqualTo(rendered);
    assertThat(context).isEqualTo(before);
  }

  @Test
  void leavesNoExampleWithoutItsOtherHalf() throws IOException {
    List<String> in = examples().stream().map(f -> f.toString().replace(".in.", ".")).toList();
    try (Stream<Path> files = Files.walk(TEMPLATES)) {
      assertThat(
              files
                  .map(Path::toString)
                  .filter(f -> f.endsWith(".out.json"))
                  .map(f -> f.replace(".out.", ".")))
          .containsExactlyInAnyOrderElementsOf(in)
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "colour: red",
        "render: {format: json, body: {a: {$each: x, $as: y}}}",
        "render: {format: json, body: {a: {$each: 'no path', $as: y, $do: 1}}}",
        "version: '1'",
        "id: Not An Id",
      })
  void schemaRefusesWhatTheReaderWouldNotUnderstand(String mistake) throws IOException {
    String good =
        """
        apiVersion: alert-templates/v1
        id: x
        version: 1.0.0
        description: x
        render: {format: json, body: {}}
        """;
    String key = mistake.substring(0, mistake.indexOf(':'));

    assertThat(mistakes(good)).isEmpty();
    assertThat(mistakes(good.replaceAll("(?m)^" + key + ":.*\n", "") + mistake + "\n"))
        .isNotEmpty();
  }

  private static List<String> mistakes(String yaml) throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                Files.readString(TEMPLATES.resolve("template.schema.json")), InputFormat.JSON);
    return schema.validate(yaml, InputFormat.YAML).stream().map(Object::toString).toList();
  }
}
