package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The examples of templates/README.md come out as it says. */
class ReadmeTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final JsonNode NEW = BuiltInTemplates.contexts().get("new");

  static List<Arguments> values() {
    return rows("| in the template | comes to |");
  }

  static List<Arguments> filters() {
    return rows("| filter | example | comes to |");
  }

  static List<Arguments> steps() {
    return rows("| step | example | says |");
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesAreInsertedAsDocumented(String example, String wanted) {
    assertThat(body(AlertTemplate.YAML.readTree(code(example)))).isEqualTo(code(wanted));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void filtersWorkAsDocumented(String filter, String example, String wanted) {
    assertThat(body(JSON.valueToTree(code(example)))).isEqualTo(code(wanted));
    assertThat(filter).startsWith("`");
  }

  @ParameterizedTest
  @MethodSource("steps")
  void stepsAreDescribedAndRunAsDocumented(String step, String example, String says) {
    AlertTemplate template = template("modify:\n  - " + code(example) + "\n");
    Modified modified =
        template.modify(
            NEW,
            Lookups.of(
                Map.of("runbooks.csv", LookupTable.parse("definition,url\noutlier-cpu,wiki\n"))));

    assertThat(template.words()).containsExactly(says);
    assertThat(modified.steps().getFirst().effect()).isEqualTo(StepResult.Effect.CHANGED);
    assertThat(step).doesNotContain("$");
  }

  @Test
  void theDocumentNamesEveryStepAndFilter() throws IOException {
    String readme = Files.readString(Path.of("templates/README.md"));
    String schema = Files.readString(Path.of("templates/template.schema.json"));

    JSON.readTree(schema)
        .at("/$defs/step/oneOf")
        .forEach(s -> assertThat(readme).contains("`" + s.at("/required/0").stringValue()));
    for (String filter :
        "iso8601 date seconds duration lower upper trim truncate default round number string prefix"
            .concat(" suffix json join pluck take first last size escape")
            .split(" ")) {
      assertThat(readme).contains("`" + filter);
    }
  }

  @Test
  void theTemplateOfTheDocumentIsValid() throws IOException {
    String readme = Files.readString(Path.of("templates/README.md"));
    String yaml =
        readme
            .substring(
                readme.indexOf("    apiVersion"), readme.indexOf("Reading a template reports"))
            .indent(-4);

    AlertTemplate template = AlertTemplate.parse(yaml);
    Message.Http message =
        (Message.Http) template.render(template.modify(NEW, Lookups.NONE).context());

    assertThat(message.path()).isEqualTo("/pages/5f0e6a52-9a54-4a43-8d3e-0f8a2f1b9c10");
    assertThat(message.body()).contains("\"owner\":\"team-shop\",\"channel\":\"storage\"");
  }

  @Test
  void theConditionsOfTheDocumentCompile() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("templates/README.md"));
    List<String> conditions =
        lines.subList(lines.indexOf("## Conditions"), lines.indexOf("## Formats")).stream()
            .filter(l -> l.startsWith("    "))
            .toList();

    assertThat(conditions).hasSize(3);
    conditions.forEach(c -> assertThat(Condition.compile(c).text()).isNotBlank());
  }

  private static List<Arguments> rows(String head) {
    try {
      List<String> lines = Files.readAllLines(Path.of("templates/README.md"));
      List<Arguments> rows = new ArrayList<>();
      for (int i = lines.indexOf(head) + 2; lines.get(i).startsWith("|"); i++) {
        Object[] cells =
            lines.get(i).strip().replaceAll("^\\| *|\\|$", "").split("(?<!\\\\)\\|", -1);
        for (int c = 0; c < cells.length; c++) {
          cells[c] = cells[c].toString().strip().replace("\\|", "|");
        }
        if (cells[0].toString().isEmpty()) {
          cells[0] = "as above";
        }
        rows.add(Arguments.of(cells));
      }
      return rows;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String code(String cell) {
    assertThat(cell).startsWith("`").endsWith("`");
    return cell.substring(1, cell.length() - 1);
  }

  private static String body(JsonNode body) {
    ObjectNode document = (ObjectNode) AlertTemplate.YAML.readTree(text(""));
    ((ObjectNode) document.path("render")).set("body", body);
    return ((Message.Http) AlertTemplate.read(document).render(NEW)).body();
  }

  private static AlertTemplate template(String more) {
    return AlertTemplate.parse(text(more));
  }

  private static String text(String more) {
    return "apiVersion: alert-templates/v1\nid: x\nversion: 1.0.0\ndescription: x\n"
        + more
        + "render: {format: json, body: {}}\n";
  }
}
