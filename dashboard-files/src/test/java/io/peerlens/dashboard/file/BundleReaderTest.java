package io.peerlens.dashboard.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.dashboard.file.BundleReader.Result;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The reader of dashboards, and the schema that is published for them. */
class BundleReaderTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Schema schema = schema();
  private final ObjectNode every = every();

  private static Schema schema() {
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Files.readString(Path.of("../docs/dashboard.schema.json")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode every() {
    try (InputStream in = BundleReaderTest.class.getResourceAsStream("/every-member.json")) {
      return (ObjectNode) JSON.readTree(in);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean schemaTakes(JsonNode json) {
    return schema.validate(json.toString(), InputFormat.JSON).isEmpty();
  }

  @Test
  void aFileWithEveryMemberIsRead() {
    Result<Bundle> result = BundleReader.bundle(every);

    assertThat(result.mistakes()).isEmpty();
    assertThat(schema.validate(every.toString(), InputFormat.JSON)).isEmpty();
    Bundle bundle = result.value();
    assertThat(bundle).isNotNull();
    View view = bundle.views().getFirst().read();
    assertThat(view.question().kinds()).containsExactly(new ObjectKind("VMWARE", "VirtualMachine"));
    assertThat(view.question().window()).isEqualTo(Duration.ofDays(7));
    Column ready = view.question().columns().getFirst();
    assertThat(ready.what())
        .isEqualTo(
            new Column.OfMetric(
                new Column.Metric(
                    List.of("cpu|readyPct", "Super metric:VM - Ready"),
                    new Column.Instance.Each("*")),
                new Column.Transform.Percentile(99.9)));
    assertThat(((Column.Colour.Bounds) ready.colour()).state(3)).isEqualTo(Column.State.WARNING);
    assertThat(((Column.Colour.Bounds) ready.colour()).state(10)).isEqualTo(Column.State.CRITICAL);
    Dashboard dashboard = bundle.dashboards().getFirst().read();
    assertThat(dashboard.panels()).hasSize(10);
    assertThat(dashboard.kinds())
        .containsExactly(
            new ObjectKind("VMWARE", "ClusterComputeResource"),
            new ObjectKind("VMWARE", "VirtualMachine"));
  }

  /**
   * Whatever the schema refuses is refused by the reader too, wherever it stands: each place of the
   * file is removed, replaced by values of other types, and given an unknown member.
   */
  @Test
  void theReaderRefusesWhatTheSchemaRefuses() {
    List<String> taken = new ArrayList<>();
    int refused = 0;
    for (Change change : changes(every)) {
      ObjectNode changed = every.deepCopy();
      change.on().accept(changed);
      if (!schemaTakes(changed)) {
        refused++;
        if (BundleReader.bundle(changed).mistakes().isEmpty()) {
          taken.add(change.what());
        }
      }
    }
    assertThat(taken).isEmpty();
    assertThat(refused).isGreaterThan(1500);
  }

  /** A change of the file, and what it does. */
  private record Change(String what, Consumer<ObjectNode> on) {}

  private static List<Change> changes(ObjectNode root) {
    List<Change> changes = new ArrayList<>();
    collect(root, "", changes);
    return changes;
  }

  private static final List<JsonNode> OTHERS =
      List.of(
          JSON.getNodeFactory().numberNode(-7),
          JSON.getNodeFactory().numberNode(2.5),
          JSON.getNodeFactory().stringNode("?? no such thing"),
          JSON.getNodeFactory().booleanNode(true),
          JSON.createArrayNode(),
          JSON.createObjectNode().put("odd", 1));

  private static void collect(JsonNode node, String path, List<Change> changes) {
    if (path.contains("superMetrics/sm_") || path.contains("/x-")) {
      return; // anything goes there
    }
    if (node instanceof ObjectNode object) {
      changes.add(
          new Change(path + " gets odd", root -> ((ObjectNode) root.at(path)).put("odd", 1)));
      for (String name : object.propertyNames()) {
        String member = path + "/" + escaped(name);
        changes.add(
            new Change(member + " is gone", root -> ((ObjectNode) root.at(path)).remove(name)));
        for (JsonNode other : OTHERS) {
          changes.add(
              new Change(
                  member + " is " + other, root -> ((ObjectNode) root.at(path)).set(name, other)));
        }
        collect(object.get(name), member, changes);
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        int index = i;
        for (JsonNode other : OTHERS) {
          changes.add(
              new Change(
                  path + "/" + i + " is " + other,
                  root -> ((ArrayNode) root.at(path)).set(index, other)));
        }
        collect(array.get(i), path + "/" + i, changes);
      }
    }
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  @Test
  void namesThatReferToNothingAreMistakes() {
    JsonNode panel =
        JSON.readTree(
            """
            {"type": "table", "kind": "VMWARE/VirtualMachine",
             "sort": [{"column": "gone"}], "columns": [{"name": "a", "expression": "b * 2"}]}
            """);

    assertThat(BundleReader.panel(panel, "panel").mistakes())
        .extracting(Mistake::toString)
        .containsExactlyInAnyOrder(
            "panel computes a of b, which is no column before it. Put that column before; hidden: true keeps it from being shown.",
            "panel names the column gone, which there is not. Columns are a.");
  }

  @Test
  void variablesAndPlacesMustBeThere() {
    JsonNode dashboard =
        JSON.readTree(
            """
            {"name": "d", "variables": [],
             "panels": {"p": {"type": "properties", "subject": "$vm"}, "q": {"type": "text", "markdown": ""}},
             "layout": [{"items": [{"panel": "p", "x": 8, "y": 1, "w": 6, "h": 2}, {"panel": "r", "x": 1, "y": 1, "w": 6, "h": 2}]}]}
            """);

    assertThat(BundleReader.dashboard(dashboard, "definition").mistakes())
        .extracting(Mistake::path, Mistake::text)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(
                "definition.panels.p", "reads the variable vm, which there is not"),
            org.assertj.core.groups.Tuple.tuple(
                "definition.layout[0].items[0]", "reaches over the 12 columns"),
            org.assertj.core.groups.Tuple.tuple(
                "definition.layout[0].items[1]", "places the panel r, which there is not"),
            org.assertj.core.groups.Tuple.tuple(
                "definition", "has the panel q, which has no place"));
  }

  @Test
  void theFirstObjectByAMetricIsThatWithTheGreatestValue() {
    Function<String, Variable.@Nullable Default> read =
        first ->
            BundleReader.dashboard(
                    JSON.readTree(
                        """
                        {"name": "d", "panels": {}, "layout": [],
                         "variables": [{"name": "vm", "type": "object", "kind": "VMWARE/VirtualMachine", "default": {"first": %s}}]}
                        """
                            .formatted(first)),
                    "definition")
                .value()
                .variables()
                .getFirst()
                .initial();

    assertThat(read.apply("{}")).isEqualTo(new Variable.Default.First(null, false));
    assertThat(read.apply("{\"by\": \"cpu|ready\"}"))
        .isEqualTo(new Variable.Default.First("cpu|ready", true));
    assertThat(read.apply("{\"by\": \"cpu|ready\", \"order\": \"asc\"}"))
        .isEqualTo(new Variable.Default.First("cpu|ready", false));
  }

  @Test
  void aVariableThatSaysAPercentileHoldsNumbers() {
    String dashboard =
        """
        {"name": "d", "variables": [{"name": "p", "type": "%s", "default": %s, "choices": [50, "99.9"]}],
         "panels": {"t": {"type": "table", "kind": "VMWARE/VirtualMachine", "select": {"where": [%s]},
           "columns": [{"name": "a", "metric": {"any": ["cpu|readyPct"]}, "transform": {"percentile": "%s"}}]}},
         "layout": [{"items": [{"panel": "t", "x": 1, "y": 1, "w": 6, "h": 2}]}]}
        """;
    String condition =
        "[{\"metric\": {\"any\": [\"a|b\"]}, \"transform\": {\"percentile\": \"$q\"}, \"op\": \">\", \"value\": 1}]";

    for (String type : List.of("number", "text")) {
      Result<Dashboard> read = read(dashboard.formatted(type, "95", "", "$p"));
      assertThat(read.mistakes()).isEmpty();
      Question question = read.value().panels().get("t").question();
      assertThat(question.percentiles()).containsExactly("p");
      assertThat(question.withPercentiles(java.util.Map.of("p", 75.0)).columns().getFirst().what())
          .isEqualTo(
              new Column.OfMetric(
                  new Column.Metric(List.of("cpu|readyPct"), new Column.Instance.Aggregate()),
                  new Column.Transform.Percentile(75)));
    }
    assertThat(mistakes(dashboard.formatted("object", "\"x\"", "", "$p")))
        .contains(
            "definition.panels.t reads the variable p as a percentile, and its type is object. Let it be of the type number or text.");
    assertThat(mistakes(dashboard.formatted("text", "\"most\"", condition, "$p")))
        .containsExactlyInAnyOrder(
            "definition.panels.t reads the variable p as a percentile, and it can be \"most\". Let its default and choices be numbers between 0 and 100, such as 95.",
            "definition.panels.t reads the variable q, which there is not. Add it to variables, or take one of p.");
    assertThat(mistakes(dashboard.formatted("text", "95", "", "p95")))
        .containsExactly(
            "definition.panels.t.columns[0].transform.percentile is \"p95\", which is neither a number nor a variable. Write a number such as 95, or a variable such as $p.");
  }

  private static Result<Dashboard> read(String dashboard) {
    return BundleReader.dashboard(JSON.readTree(dashboard), "definition");
  }

  private static List<String> mistakes(String dashboard) {
    return read(dashboard).mistakes().stream().map(Mistake::toString).toList();
  }

  @Test
  void expressionsFollowThePrecedenceOfArithmetic() {
    assertThat(Expression.parse("1 + 2 * (a - -3) / 4").value(name -> 5)).isEqualTo(5);
    assertThat(Expression.parse("a / b").value(name -> name.equals("a") ? 1 : 0)).isNaN();
    assertThat(Expression.parse("a / b").names()).containsExactly("a", "b");
    for (String wrong : List.of("", "1 +", "(1", "1 2", "a..b", "a $ b", "1..2")) {
      assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> Expression.parse(wrong)))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
