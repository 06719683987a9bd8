package io.peerlens.dashboard.file;

import io.peerlens.dashboard.file.Bundle.Needed;
import io.peerlens.dashboard.file.Bundle.Needs;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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

  private static final int LINE = 200;
  private static final int TEXT = 20_000;
  private static final int KEY = 400;

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
    return read(json, path, node -> panel(node, null));
  }

  /** Reads a range of time. */
  public static Result<Dashboard.Time> time(JsonNode json, String path) {
    return read(json, path, BundleReader::time);
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
    node.optionalText("generator", LINE);
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
            node.texts("collectors", 50, LINE));
    node.end();
    return needs;
  }

  private static @Nullable Needed needed(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Needed needed =
        new Needed(node.id("id"), node.text("name", LINE), node.optionalText("pack", LINE));
    node.end();
    return needed;
  }

  private static View view(Node node) {
    View.Show show = node.word("show", Node.words(View.Show.class));
    View view =
        new View(
            node.id("id"),
            node.text("name", LINE),
            node.optionalText("folder", LINE),
            orEmpty(node.optionalText("description", TEXT)),
            show == null ? View.Show.TABLE : show,
            question(node));
    if (view.question().columns().isEmpty()) {
      node.wrong("has no columns", "Give it at least one.");
    }
    node.end();
    return view;
  }

  private static Dashboard dashboard(Node node) {
    List<Variable> variables =
        node.list("variables", 30, one -> one.isObject() ? variable(one) : null);
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
              return one.isObject() ? panel(one, names) : null;
            });
    if (!node.has("panels")) {
      node.wrong("has no panels", "Give \"panels\": {}, if it is to be empty.");
    }
    Set<String> placed = new HashSet<>();
    List<Dashboard.Section> layout =
        node.list("layout", 30, one -> section(one, panels.keySet(), placed));
    if (!node.has("layout")) {
      node.wrong("has no layout", "Give \"layout\": [], if it is to be empty.");
    }
    for (String panel : panels.keySet()) {
      if (!placed.contains(panel) && layout.size() > 0) {
        node.wrong("has the panel " + panel + ", which has no place", "Give it one in layout.");
      }
    }
    Dashboard dashboard =
        new Dashboard(
            node.id("id"),
            node.text("name", LINE),
            node.optionalText("folder", LINE),
            orEmpty(node.optionalText("description", TEXT)),
            node.object("time", BundleReader::time),
            node.duration("refresh"),
            variables,
            panels,
            layout);
    node.end();
    return dashboard;
  }

  private static Dashboard.@Nullable Section section(
      Node node, Set<String> panels, Set<String> placed) {
    if (!node.isObject()) {
      return null;
    }
    Dashboard.Section section =
        new Dashboard.Section(
            node.optionalText("section", LINE),
            node.isSet("collapsed"),
            node.list("items", 100, item -> place(item, panels, placed)));
    if (!node.has("items")) {
      node.wrong("has no items", "Give \"items\": [], if it is to be empty.");
    }
    node.end();
    return section;
  }

  private static Dashboard.@Nullable Item place(Node node, Set<String> panels, Set<String> placed) {
    if (!node.isObject()) {
      return null;
    }
    String panel = node.name("panel");
    if (!panels.contains(panel)) {
      node.wrong("places the panel " + panel + ", which there is not", "Add it to panels.");
    } else if (!placed.add(panel)) {
      node.wrong("places the panel " + panel + " a second time", "Remove one of the two.");
    }
    Dashboard.Item item =
        new Dashboard.Item(
            panel,
            node.needed("x", 1, 12),
            node.needed("y", 1, 1000),
            node.needed("w", 1, 12),
            node.needed("h", 1, 60));
    if (item.x() + item.w() > 13) {
      node.wrong("reaches over the 12 columns", "x + w may be 13 at most.");
    }
    node.end();
    return item;
  }

  private static Dashboard.@Nullable Time time(Node node) {
    Dashboard.Time time = null;
    if (node.has("last")) {
      Duration last = node.duration("last");
      time = last == null ? null : new Dashboard.Time.Last(last);
    } else {
      Instant from = instant(node, "from");
      Instant to = instant(node, "to");
      if (from != null && to != null) {
        if (!from.isBefore(to)) {
          node.wrong("begins when it ends or later", "");
        } else if (Duration.between(from, to).compareTo(LONGEST_WINDOW) > 0) {
          node.wrong("is longer than %d days".formatted(LONGEST_WINDOW.toDays()), "");
        } else {
          time = new Dashboard.Time.Range(from, to);
        }
      } else if (!node.has("from") || !node.has("to")) {
        node.wrong(
            "says no time",
            "Give {\"last\": \"24h\"}, or from and to such as 2026-11-20T14:00:00Z.");
      }
    }
    node.end();
    return time;
  }

  static @Nullable Instant instant(Node node, String member) {
    Node one = node.get(member);
    if (one == null) {
      return null;
    }
    String text = one.asText(64);
    if (text == null) {
      return null;
    }
    try {
      Instant instant = java.time.OffsetDateTime.parse(text).toInstant();
      if (instant.isAfter(Instant.EPOCH)
          && instant.isBefore(Instant.parse("2200-01-01T00:00:00Z"))) {
        return instant;
      }
      one.wrong("is not between 1970 and 2200", "");
    } catch (DateTimeParseException e) {
      one.wrong("is no moment", "Write it as 2026-11-20T14:00:00Z.");
    }
    return null;
  }

  private static Variable variable(Node node) {
    Variable.Type type = node.word("type", Node.words(Variable.Type.class));
    if (type == null && !node.has("type")) {
      node.wrong(
          "has no type",
          "Write one of " + String.join(", ", Node.words(Variable.Type.class).keySet()) + ".");
    }
    Variable variable =
        new Variable(
            node.name("name"),
            node.optionalText("title", LINE),
            type == null ? Variable.Type.TEXT : type,
            kinds(node.get("kind")),
            scope(node.get("scope"), 1),
            node.optionalText("key", LINE),
            node.list(
                "choices",
                200,
                one -> one.json().isNumber() ? one.json().asString() : one.asText(LINE)),
            initial(node.get("default")));
    boolean object = type == Variable.Type.OBJECT || type == Variable.Type.OBJECTS;
    if (object && variable.kinds().isEmpty()) {
      node.wrong("has no kind", "Say which objects can be chosen, such as VMWARE/HostSystem.");
    }
    if (type == Variable.Type.TAG && variable.key() == null) {
      node.wrong("has no key", "Say the values of which tag can be chosen.");
    }
    if (variable.initial() instanceof Variable.Default.First && type != Variable.Type.OBJECT) {
      node.wrong("has a first object as default and is no object", "");
    }
    node.end();
    return variable;
  }

  private static Variable.@Nullable Default initial(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    if (!node.json().isObject()) {
      if (node.json().isNumber()) {
        return new Variable.Default.Value(node.json().asString());
      }
      String text = node.asText(LINE);
      return text == null ? null : new Variable.Default.Value(text);
    }
    if (node.has("first")) {
      Variable.Default first =
          node.object(
              "first",
              one -> {
                String by = one.optionalText("by", KEY);
                String order = one.word("order", Map.of("asc", "asc", "desc", "desc"));
                one.end();
                return new Variable.Default.First(
                    by, order == null ? by != null : "desc".equals(order));
              });
      node.end();
      return first;
    }
    Select.Subject.Pinned pinned = pinned(node);
    return pinned == null ? null : new Variable.Default.Pinned(pinned);
  }

  private static Select.Subject.@Nullable Pinned pinned(Node node) {
    String name = node.text("name", LINE);
    Node kind = node.get("kind");
    if (kind == null) {
      node.wrong("has no kind", "Write for instance VMWARE/HostSystem.");
      return null;
    }
    ObjectKind of = kind(kind);
    Map<String, String> identifiers =
        node.map("identifiers", 50, (key, value) -> value.asText(LINE));
    node.end();
    return of == null ? null : new Select.Subject.Pinned(name, of, identifiers);
  }

  private static List<ObjectKind> kinds(@Nullable Node node) {
    if (node == null) {
      return List.of();
    }
    if (node.json().isArray()) {
      return node.asList(1, 20, BundleReader::kind);
    }
    ObjectKind kind = kind(node);
    return kind == null ? List.of() : List.of(kind);
  }

  static @Nullable ObjectKind kind(Node node) {
    String text = node.asText(LINE + 1);
    if (text == null) {
      return null;
    }
    int slash = text.indexOf('/');
    if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      node.wrong(
          "is \"" + text + "\", which is no kind",
          "Write adapter kind and object kind, such as VMWARE/VirtualMachine.");
      return null;
    }
    return new ObjectKind(text.substring(0, slash), text.substring(slash + 1));
  }

  private static @Nullable Panel panel(Node node, @Nullable Map<String, Variable> variables) {
    Panel.Type type = node.word("type", Node.words(Panel.Type.class));
    if (type == null) {
      if (!node.has("type")) {
        node.wrong(
            "has no type",
            "Write one of " + String.join(", ", Node.words(Panel.Type.class).keySet()) + ".");
      }
      type = Panel.Type.TEXT;
    }
    Panel panel =
        new Panel(
            type,
            node.optionalText("title", LINE),
            node.optionalText("note", LINE),
            viewRef(node.get("view")),
            subject(node.get("subject")),
            question(node),
            node.word("as", Node.words(Panel.As.class)),
            node.isSet("slider"),
            node.flag("usual"),
            node.duration("forecast"),
            node.optionalText("markdown", TEXT),
            node.texts("properties", 200, KEY),
            word(node, "severity", "info", "warning", "immediate", "critical"),
            node.integer("up", 0, 10),
            node.integer("down", 0, 10),
            word(node, "by", "sender", "receiver", "pair", "service", "network", "object"),
            node.map("sets", 10, BundleReader::target),
            node.list("links", 20, BundleReader::link));
    node.end();
    check(node, panel, variables);
    return panel;
  }

  static @Nullable String word(Node node, String member, String... words) {
    Map<String, String> known = new LinkedHashMap<>();
    for (String word : words) {
      known.put(word, word);
    }
    return node.word(member, known);
  }

  private static @Nullable String target(String variable, Node node) {
    Map<String, String> known = new LinkedHashMap<>();
    for (String word : List.of("object", "group", "slice", "time", "instance", "metric")) {
      known.put(word, word);
    }
    return node.asWord(known);
  }

  private static void check(Node node, Panel panel, @Nullable Map<String, Variable> variables) {
    Question question = panel.question();
    boolean own = panel.view() == null;
    switch (panel.type()) {
      case TABLE, DISTRIBUTION, CHART, SCOREBOARD, TOP, HEATMAP, TIMELINE, SPARKLINES -> {
        if (own && question.columns().isEmpty()) {
          node.wrong("has no columns", "Give it columns, or a view that has some.");
        }
      }
      case TEXT -> {
        if (panel.markdown() == null) {
          node.wrong("has no markdown", "Give \"markdown\": \"\", if it is to be empty.");
        }
      }
      case PROPERTIES, RELATIONS -> {
        if (panel.subject() == null) {
          node.wrong("has no subject", "Say of which object, such as \"subject\": \"$vm\".");
        }
      }
      case ALERTS, OUTLIERS, TALKERS, IMPACT, CAPACITY, CHANGES -> {}
    }
    if (panel.subject() == null
        && question.select() != null
        && question.select().from() instanceof Select.From.Subject) {
      node.wrong(
          "selects from its subject and has none", "Add for instance \"subject\": \"$cluster\".");
    }
    if (variables != null) {
      for (String name : panel.sets().keySet()) {
        known(node, "sets", name, variables);
      }
      if (panel.subject() instanceof Select.Subject.Variable subject) {
        known(node, "reads", subject.name(), variables);
      }
      if (question.select() != null) {
        question.select().slices().forEach(name -> known(node, "reads", name, variables));
        for (Select.Subject ancestor : question.select().scope().ancestors()) {
          if (ancestor instanceof Select.Subject.Variable variable) {
            known(node, "reads", variable.name(), variables);
          }
        }
      }
      for (String name : question.percentiles()) {
        known(node, "reads", name, variables);
        Variable variable = variables.get(name);
        if (variable != null) {
          percentile(node, variable);
        }
      }
    }
  }

  /** A variable that says which percentile holds one whenever it holds a value. */
  private static void percentile(Node node, Variable variable) {
    if (variable.type() != Variable.Type.NUMBER && variable.type() != Variable.Type.TEXT) {
      node.wrong(
          "reads the variable %s as a percentile, and its type is %s"
              .formatted(variable.name(), variable.type().name().toLowerCase(Locale.ROOT)),
          "Let it be of the type number or text.");
      return;
    }
    List<String> values = new ArrayList<>(variable.choices());
    if (variable.initial() instanceof Variable.Default.Value value) {
      values.add(value.text());
    }
    for (String value : values) {
      if (Column.Transform.Percentile.parse(value).isEmpty()) {
        node.wrong(
            "reads the variable %s as a percentile, and it can be \"%s\""
                .formatted(variable.name(), value),
            "Let its default and choices be numbers between 0 and 100, such as 95.");
      }
    }
  }

  private static void known(Node node, String does, String name, Map<String, Variable> variables) {
    if (!variables.containsKey(name)) {
      node.wrong(
          does + " the variable " + name + ", which there is not",
          variables.isEmpty()
              ? "Add it to variables."
              : "Add it to variables, or take one of "
                  + String.join(", ", variables.keySet())
                  + ".");
    }
  }

  private static Panel.@Nullable Link link(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Panel.Link link =
        new Panel.Link(
            node.optionalText("title", LINE),
            node.text("dashboard", LINE),
            node.map("variables", 30, (name, value) -> value.asText(LINE)));
    node.end();
    return link;
  }

  private static Panel.@Nullable ViewRef viewRef(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    if (node.json().isObject()) {
      Panel.ViewRef view = new Panel.ViewRef(null, node.text("name", LINE));
      node.end();
      return view;
    }
    String text = node.asText(36);
    try {
      return text == null ? null : new Panel.ViewRef(java.util.UUID.fromString(text), null);
    } catch (IllegalArgumentException e) {
      node.wrong("is no id of a view", "Write {\"name\": …} to name it.");
      return null;
    }
  }

  private static @Nullable String reference(Node node) {
    String text = node.asText(LINE);
    if (text != null
        && (!text.startsWith("$") || !Node.NAME.matcher(text.substring(1)).matches())) {
      node.wrong("is \"" + text + "\", which is no variable", "Write for instance $slice.");
      return null;
    }
    return text == null ? null : text.substring(1);
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

  private static Select.@Nullable Subject subject(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    if (node.json().isObject()) {
      return pinned(node);
    }
    String text = node.asText(LINE);
    if (text == null) {
      return null;
    }
    if (!text.startsWith("$") || !Node.NAME.matcher(text.substring(1)).matches()) {
      node.wrong(
          "is \"" + text + "\", which is no variable",
          "Write for instance $cluster, or an object as {\"name\": …, \"kind\": …}.");
      return null;
    }
    return new Select.Subject.Variable(text.substring(1));
  }

  private static Question question(Node node) {
    Question question =
        new Question(
            kinds(node.get("kind")),
            node.object("select", BundleReader::select),
            node.duration("window"),
            node.object("businessHours", BundleReader::businessHours),
            node.list("columns", MOST_COLUMNS, ColumnReader::column),
            node.list("sort", 5, BundleReader::sort),
            node.integer("limit", 1, 10_000),
            node.object("groupBy", BundleReader::groupBy),
            node.object("buckets", BundleReader::buckets),
            node.optionalName("size"),
            node.optionalName("colourBy"));
    checkColumns(node, question);
    return question;
  }

  private static void checkColumns(Node node, Question question) {
    Map<String, Column> columns = new HashMap<>();
    for (Column column : question.columns()) {
      if (column.what() instanceof Column.Computed computed) {
        for (String name : computed.expression().names()) {
          if (!columns.containsKey(name)) {
            node.wrong(
                "computes %s of %s, which is no column before it".formatted(column.name(), name),
                "Put that column before; hidden: true keeps it from being shown.");
          }
        }
      }
      if (columns.put(column.name(), column) != null) {
        node.wrong("has the column " + column.name() + " twice", "Give one another name.");
      }
    }
    if (question.columns().isEmpty()) {
      return; // of a view, which has them
    }
    List<String> referred = new ArrayList<>();
    question.sort().forEach(sort -> referred.add(sort.column()));
    if (question.size() != null) {
      referred.add(question.size());
    }
    if (question.colourBy() != null) {
      referred.add(question.colourBy());
    }
    if (question.buckets() != null) {
      referred.add(question.buckets().of());
    }
    if (question.groupBy() instanceof Question.GroupBy.OfColumn group) {
      referred.add(group.column());
    }
    for (String name : referred) {
      if (!columns.containsKey(name)) {
        node.wrong(
            "names the column " + name + ", which there is not",
            "Columns are " + String.join(", ", columns.keySet()) + ".");
      }
    }
  }

  private static Question.@Nullable Sort sort(Node node) {
    if (!node.isObject()) {
      return null;
    }
    String order = node.word("order", Map.of("asc", "asc", "desc", "desc"));
    Question.Sort sort = new Question.Sort(node.name("column"), "desc".equals(order));
    node.end();
    return sort;
  }

  private static Question.@Nullable GroupBy groupBy(Node node) {
    Question.GroupBy by = null;
    Node ancestor = node.get("ancestor");
    if (ancestor != null) {
      ObjectKind kind = kind(ancestor);
      by = kind == null ? null : new Question.GroupBy.Ancestor(kind);
    } else if (node.has("column")) {
      by = new Question.GroupBy.OfColumn(node.name("column"));
    } else {
      node.wrong("says nothing to group by", "Give ancestor, a kind, or column.");
    }
    node.end();
    return by;
  }

  private static Question.Buckets buckets(Node node) {
    Question.Buckets.By by = node.word("by", Node.words(Question.Buckets.By.class));
    Integer count = node.integer("count", 1, 100);
    List<Double> bounds = node.list("bounds", 100, Node::number);
    for (int i = 1; i < bounds.size(); i++) {
      if (!(bounds.get(i) > bounds.get(i - 1))) {
        node.wrong("has bounds that do not ascend", "");
        break;
      }
    }
    if (by == Question.Buckets.By.BOUNDS && bounds.isEmpty()) {
      node.wrong("has no bounds", "");
    }
    Question.Buckets buckets =
        new Question.Buckets(
            node.name("of"),
            by == null
                ? bounds.isEmpty() ? Question.Buckets.By.VALUES : Question.Buckets.By.BOUNDS
                : by,
            count == null ? 10 : count,
            bounds);
    node.end();
    return buckets;
  }

  private static Question.@Nullable BusinessHours businessHours(Node node) {
    List<java.time.DayOfWeek> days =
        node.list("days", 7, one -> one.asWord(Node.words(java.time.DayOfWeek.class)));
    java.time.LocalTime from = timeOfDay(node, "from");
    String end = node.optionalText("to", 5);
    java.time.LocalTime to = "24:00".equals(end) ? null : timeOfDay(node, "to");
    java.time.ZoneId zone = null;
    try {
      zone = java.time.ZoneId.of(node.text("zone", LINE));
    } catch (DateTimeException e) {
      node.wrong("has no time zone that is known", "Give a name such as Europe/Berlin, or UTC.");
    }
    node.end();
    if (from == null || zone == null) {
      return null;
    }
    if (to != null && !from.isBefore(to)) {
      node.wrong("begins when it ends or later", "");
    }
    return new Question.BusinessHours(
        days.isEmpty() ? Set.of(java.time.DayOfWeek.values()) : new HashSet<>(days),
        from,
        to,
        zone);
  }

  private static java.time.@Nullable LocalTime timeOfDay(Node node, String member) {
    String text = node.text(member, 5);
    try {
      return java.time.LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      node.wrong("has no time of day as " + member, "Write it as 08:00.");
      return null;
    }
  }

  private static Select select(Node node) {
    Node from = node.get("from");
    Select select =
        new Select(
            from == null ? null : from(from),
            node.list("paths", 10, BundleReader::path),
            scope(node.get("scope"), 1),
            node.list("where", 20, some -> some.asList(1, 20, ColumnReader::condition)),
            node.list("slices", 10, BundleReader::reference));
    node.end();
    return select;
  }

  private static Select.@Nullable From from(Node node) {
    if (node.json().isObject()) {
      Select.From from = new Select.From.Group(node.text("group", LINE));
      node.end();
      return from;
    }
    return node.asWord(
        Map.of("all", new Select.From.All(), "subject", (Select.From) new Select.From.Subject()));
  }

  static List<Select.Step> path(Node node) {
    return node.asList(1, 6, BundleReader::step);
  }

  private static Select.@Nullable Step step(Node node) {
    Map<String, Select.Direction> directions = Node.words(Select.Direction.class);
    if (!node.json().isObject()) {
      Select.Direction to = node.asWord(directions);
      return to == null ? null : new Select.Step(to, List.of(), 0);
    }
    Select.Direction to = node.word("to", directions);
    Integer depth = node.integer("depth", 1, 20);
    Select.Step step =
        to == null ? null : new Select.Step(to, kinds(node.get("kind")), depth == null ? 0 : depth);
    if (to == null && !node.has("to")) {
      node.wrong("goes nowhere", "Give to: one of " + String.join(", ", directions.keySet()) + ".");
    }
    node.get("kind");
    node.end();
    return step;
  }

  private static Select.Scope scope(@Nullable Node node, int depth) {
    if (node == null || !node.isObject()) {
      return Select.Scope.ALL;
    }
    Select.Scope scope =
        new Select.Scope(
            node.optionalText("name", LINE),
            pairs(node, "tags"),
            pairs(node, "properties"),
            node.texts("groups", 50, LINE),
            node.list("ancestors", 50, BundleReader::subject),
            depth == 1 ? node.list("exclude", 20, one -> excluded(one, depth)) : List.of());
    node.end();
    return scope;
  }

  private static Select.Scope excluded(Node node, int depth) {
    Select.Scope scope = scope(node, depth + 1);
    if (scope.equals(Select.Scope.ALL)) {
      node.wrong(
          "has no condition, so it would leave out every object", "Give it one, or leave it out.");
    }
    return scope;
  }

  private static List<String> pairs(Node node, String member) {
    return node.list(
        member,
        50,
        one -> {
          String text = one.asText(LINE);
          if (text != null && text.startsWith("=")) {
            one.wrong("has no key", "Write key=value, or key for any value.");
          }
          return text;
        });
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
