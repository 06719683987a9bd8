package io.peerlens.dashboard.file;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.dashboard.file.Bundle.Needed;
import io.peerlens.dashboard.file.Bundle.Needs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reader of files of dashboards and views, as {@code docs/dashboard.schema.json} describes them,
 * and of single dashboards, views and panels. It finds what the schema cannot say too: names that
 * refer to nothing, and panels that lack what their type needs.
 */
public final class BundleReader {

  /** What {@code format} of a file says. */
  public static final String FORMAT = "peerlens-dashboards";

  /** What {@code version} of a file says. */
  public static final int VERSION = 1;

  /** The longest window of a question. */
  public static final Duration LONGEST_WINDOW = Duration.ofDays(1830);

  /** The most columns of a question. */
  public static final int MOST_COLUMNS = 60;

  static final int MOST_MISTAKES = 100;

  private BundleReader() {}

  /**
   * Result of reading.
   *
   * @param value what was read; null if there is a mistake
   * @param mistakes at most 100
   */
  public record Result<T>(@Nullable T value, List<Mistake> mistakes) {
    public Result {
      mistakes = List.copyOf(mistakes);
    }
  }

  /** Reads a file. */
  public static Result<Bundle> bundle(JsonNode json) {
    return read(json, "", BundleReader::bundle);
  }

  /**
   * Reads a dashboard.
   *
   * @param path where it is, for mistakes; may be empty
   */
  public static Result<Dashboard> dashboard(JsonNode json, String path) {
    return read(json, path, BundleReader::dashboard);
  }

  /** Reads a view. */
  public static Result<View> view(JsonNode json, String path) {
    return read(json, path, BundleReader::view);
  }

  /** Reads a panel that stands alone; what it refers to need not be there. */
  public static Result<Panel> panel(JsonNode json, String path) {
    return read(json, path, node -> PanelReader.panel(node, null));
  }

  /** Reads a range of time. */
  public static Result<Dashboard.Time> time(JsonNode json, String path) {
    return read(json, path, TimeReader::time);
  }

  /**
   * Reads the conditions of a slice, as a distribution gives them.
   *
   * @param json a list of conditions
   */
  public static Result<List<Select.Condition>> slice(JsonNode json, String path) {
    List<Mistake> mistakes = new ArrayList<>();
    Node node = new Node(json, path, mistakes);
    List<Select.Condition> conditions = node.asList(1, 20, ColumnReader::condition);
    if (conditions.stream().anyMatch(one -> Question.percentile(one.what()) != null)) {
      node.wrong("reads a percentile from a variable", "Write the number, such as 95.");
    }
    return new Result<>(mistakes.isEmpty() ? conditions : null, mistakes);
  }

  private static <T> Result<T> read(
      JsonNode json, String path, Function<Node, @Nullable T> reader) {
    List<Mistake> mistakes = new ArrayList<>();
    Node node = new Node(json, path, mistakes);
    T value = node.isObject() ? reader.apply(node) : null;
    return new Result<>(mistakes.isEmpty() ? value : null, mistakes);
  }

  private static Bundle bundle(Node node) {
    Node format = node.get("format");
    if (format == null || !FORMAT.equals(format.json().asString(""))) {
      node.wrong("is no file of dashboards", "It has to say \"format\": \"" + FORMAT + "\".");
    }
    node.needed("version", VERSION, VERSION);
    node.optionalText("generator", Node.LINE);
    Needs needs = node.object("needs", BundleReader::needs);
    Node superMetrics = node.get("superMetrics");
    if (superMetrics != null) {
      superMetrics.isObject();
    }
    List<Bundle.Item<View>> views =
        node.list("views", 1000, one -> one.isObject() ? item(one, view(one)) : null);
    List<Bundle.Item<Dashboard>> dashboards =
        node.list("dashboards", 500, one -> one.isObject() ? item(one, dashboard(one)) : null);
    List<Bundle.Example> tests = node.list("tests", 200, ExampleReader::read);
    node.end();
    return new Bundle(
        needs == null ? Needs.NONE : needs,
        superMetrics == null ? null : superMetrics.json(),
        views,
        dashboards,
        tests);
  }

  private static <T> Bundle.Item<T> item(Node node, T read) {
    return new Bundle.Item<>(read, node.json());
  }

  private static Needs needs(Node node) {
    Needs needs =
        new Needs(
            node.list("superMetrics", 1000, BundleReader::needed),
            node.list("groups", 200, BundleReader::needed),
            node.texts("collectors", 50, Node.LINE));
    node.end();
    return needs;
  }

  private static @Nullable Needed needed(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Needed needed =
        new Needed(
            node.id("id"), node.text("name", Node.LINE), node.optionalText("pack", Node.LINE));
    node.end();
    return needed;
  }

  private static View view(Node node) {
    View.Show show = node.word("show", Node.words(View.Show.class));
    View view =
        new View(
            node.id("id"),
            node.text("name", Node.LINE),
            node.optionalText("folder", Node.LINE),
            requireNonNullElse(node.optionalText("description", Node.TEXT), ""),
            show == null ? View.Show.TABLE : show,
            QuestionReader.question(node));
    if (view.question().columns().isEmpty()) {
      node.wrong("has no columns", "Give it at least one.");
    }
    node.end();
    return view;
  }

  private static Dashboard dashboard(Node node) {
    List<Variable> variables =
        node.list("variables", 30, one -> one.isObject() ? VariableReader.variable(one) : null);
    Map<String, Variable> names = new LinkedHashMap<>();
    for (Variable variable : variables) {
      if (names.put(variable.name(), variable) != null) {
        node.wrong("has the variable " + variable.name() + " twice", "Give one another name.");
      }
    }
    Map<String, Panel> panels =
        node.map(
            "panels",
            100,
            (name, one) -> {
              if (!Node.NAME.matcher(name).matches()) {
                one.wrong(
                    "has a name that is none",
                    "Begin with a letter; letters, digits, _ and - may follow, 40 characters in all.");
              }
              return one.isObject() ? PanelReader.panel(one, names) : null;
            });
    if (!node.has("panels")) {
      node.wrong("has no panels", "Give \"panels\": {}, if it is to be empty.");
    }
    List<Dashboard.Section> layout = new LayoutReader(panels.keySet()).layout(node);
    Dashboard dashboard =
        new Dashboard(
            node.id("id"),
            node.text("name", Node.LINE),
            node.optionalText("folder", Node.LINE),
            requireNonNullElse(node.optionalText("description", Node.TEXT), ""),
            node.object("time", TimeReader::time),
            node.duration("refresh"),
            variables,
            panels,
            layout);
    node.end();
    return dashboard;
  }
}
