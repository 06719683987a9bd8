package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelRow;
import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.Bundle.Example;
import io.peerlens.dashboard.file.Bundle.ExampleObject;
import io.peerlens.dashboard.file.Bundle.Expected;
import io.peerlens.dashboard.file.Bundle.ExpectedRow;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.dashboard.file.View;
import io.peerlens.dashboard.lint.Finding;
import io.peerlens.web.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Run of the tests of a file: panels and views are answered of the example inventories, by what
 * answers them of the real one, and compared with what is expected.
 *
 * <p>A view is answered as a table, or as the list of the highest or the scoreboard that it is
 * shown as, over the last 24 hours. A panel has the range of its dashboard, up to the moment of the
 * test, also where that range is of the past. Numbers are equal if they differ by a part in a
 * billion at most.
 */
public final class ExampleRun {

  private static final Logger log = LoggerFactory.getLogger(ExampleRun.class);

  /** For how long the tests of a file run at most. */
  static final Duration MOST = Duration.ofSeconds(10);

  /** What {@link Finding#code} is of a test that is not met. */
  static final String FAILED = "test-failed";

  /** What {@link Finding#code} is where there was no time for all tests. */
  static final String NOT_RUN = "tests-not-run";

  /** Now, of tests that do not say it: a Monday at noon. */
  static final Instant USUAL_MOMENT = Instant.parse("2026-01-05T12:00:00Z");

  private static final Duration USUAL_RANGE = Duration.ofHours(24);
  private static final int POINTS = 300;
  private static final int MOST_FINDINGS = 100;
  private static final int MOST_OF_ONE = 5;
  private static final int MOST_NAMES = 10;
  private static final double TOLERANCE = 1e-9;
  private static final String HINT = "Mend what the panel asks, or what the test expects of it.";

  private final Bundle bundle;
  private final LongSupplier nanos;
  private final long end;
  private final List<Finding> findings = new ArrayList<>();

  private ExampleRun(Bundle bundle, LongSupplier nanos) {
    this.bundle = bundle;
    this.nanos = nanos;
    this.end = nanos.getAsLong() + MOST.toNanos();
  }

  /** Thrown where there is no more time. */
  @SuppressWarnings("serial")
  private static final class OutOfTime extends RuntimeException {
    OutOfTime() {
      super("out of time", null, false, false);
    }
  }

  /** Thrown where a test makes no sense. */
  @SuppressWarnings("serial")
  private static final class Unusable extends RuntimeException {
    Unusable(String text) {
      super(text, null, false, false);
    }
  }

  /** What tests of a file are not met, the first 100, in its order. */
  public static List<Finding> of(Bundle bundle) {
    return of(bundle, System::nanoTime);
  }

  /** The same with a clock of one's own. */
  static List<Finding> of(Bundle bundle, LongSupplier nanos) {
    ExampleRun run = new ExampleRun(bundle, nanos);
    run.runAll();
    return List.copyOf(run.findings);
  }

  private void checkTime() {
    if (nanos.getAsLong() - end > 0) {
      throw new OutOfTime();
    }
  }

  private void runAll() {
    int tests = bundle.tests().size();
    for (int t = 0; t < tests && findings.size() < MOST_FINDINGS; t++) {
      try {
        run(bundle.tests().get(t), "tests[%d]".formatted(t));
      } catch (OutOfTime e) {
        findings.add(
            new Finding(
                NOT_RUN,
                "tests[%d]".formatted(t),
                "The tests did not come to their end within %d s: %d of %d did."
                    .formatted(MOST.toSeconds(), t, tests),
                "Give the examples fewer objects, samples and panels."));
        return;
      }
    }
  }

  // ------------------------------------------------------------------------------------- one test

  private void run(Example example, String path) {
    checkTime();
    Instant at = Objects.requireNonNullElse(example.at(), USUAL_MOMENT);
    ExamplePanelData data =
        new ExamplePanelData(example, at, superMetrics(example), this::checkTime);
    PanelAnswers answers = new PanelAnswers(data);
    for (int i = 0; i < example.expected().size() && findings.size() < MOST_FINDINGS; i++) {
      checkTime();
      Expected expected = example.expected().get(i);
      Report report = new Report(example, expected, "%s.expect[%d]".formatted(path, i));
      try {
        Asked asked = asked(example, expected, data, answers, at);
        compare(expected, asked.panel().type(), answers.answer(asked.input(at)), report);
      } catch (OutOfTime e) {
        throw e;
      } catch (Unusable e) {
        report.add(String.valueOf(e.getMessage()));
      } catch (ApiException e) {
        report.add("it cannot be answered: " + e.detail());
      } catch (RuntimeException e) {
        // Whatever is wrong with a test, it is a finding, and the file can be imported.
        log.warn("A test of a file of dashboards cannot be answered", e);
        report.add("it cannot be answered (%s)".formatted(e.getClass().getSimpleName()));
      }
      report.end();
    }
  }

  /** Findings of one expectation. */
  private final class Report {
    private final String path;
    private final String what;
    private int found;

    Report(Example example, Expected expected, String path) {
      this.path = path;
      this.what = "Test \"%s\", %s".formatted(example.name(), ExampleRun.what(expected));
    }

    /** Adds a finding; its text goes on after the name of the test, and has no full stop. */
    void add(String text) {
      add("", text);
    }

    /**
     * Adds a finding of a part.
     *
     * @param part such as {@code row 2}; empty = of the whole
     */
    void add(String part, String text) {
      found++;
      if (found <= MOST_OF_ONE && findings.size() < MOST_FINDINGS) {
        findings.add(
            new Finding(
                FAILED,
                path,
                "%s%s: %s."
                    .formatted(
                        what,
                        part.isEmpty() ? "" : ", " + part,
                        text.endsWith(".") ? text.substring(0, text.length() - 1) : text),
                HINT));
      }
    }

    void end() {
      if (found > MOST_OF_ONE && findings.size() < MOST_FINDINGS) {
        findings.add(
            new Finding(
                FAILED,
                path,
                "%s: %,d more differences.".formatted(what, found - MOST_OF_ONE),
                HINT));
      }
    }
  }

  private static String what(Expected expected) {
    if (expected.view() != null) {
      return "view \"%s\"".formatted(expected.view());
    }
    return expected.dashboard() == null
        ? "panel %s".formatted(expected.panel())
        : "panel %s of \"%s\"".formatted(expected.panel(), expected.dashboard());
  }

  /** Super metrics that the file knows, by name; those of values of the example are known too. */
  private Map<String, UUID> superMetrics(Example example) {
    Map<String, UUID> known = new HashMap<>();
    for (ExampleObject object : example.objects()) {
      for (String key : object.metrics().keySet()) {
        String name = superMetricName(key);
        if (name != null) {
          known.put(name, idOf(name));
        }
      }
    }
    for (Bundle.Needed needed : bundle.needs().superMetrics()) {
      known.put(needed.name(), needed.id() == null ? idOf(needed.name()) : needed.id());
    }
    JsonNode included = bundle.superMetrics();
    if (included != null) {
      included.forEachEntry(
          (id, one) -> {
            String name = one.path("name").asString("");
            try {
              known.put(name, UUID.fromString(id));
            } catch (IllegalArgumentException e) {
              known.put(name, idOf(name)); // the importer of super metrics says that it is no id
            }
          });
    }
    return known;
  }

  /** The name of a super metric in a key; null = the key is of something else, or has the id. */
  private static @Nullable String superMetricName(String key) {
    for (String prefix : ColumnReads.BY_NAME) {
      if (key.toLowerCase(Locale.ROOT).startsWith(prefix)) {
        String name = key.substring(prefix.length());
        return name.startsWith("sm_") ? null : name;
      }
    }
    return null;
  }

  private static UUID idOf(String superMetric) {
    return UUID.nameUUIDFromBytes(("super metric " + superMetric).getBytes(StandardCharsets.UTF_8));
  }

  // ---------------------------------------------------------------------------- what is answered

  /**
   * A panel and what its dashboard gives it.
   *
   * @param range how long the range of the dashboard is
   */
  private record Asked(Panel panel, Map<String, String> variables, Duration range) {

    PanelInput input(Instant at) {
      return new PanelInput(
          panel, variables, at.minus(range), at, null, null, List.of(), null, POINTS);
    }
  }

  private Asked asked(
      Example example, Expected expected, ExamplePanelData data, PanelAnswers answers, Instant at) {
    Asked asked;
    if (expected.view() != null) {
      View view = view(new Panel.ViewRef(null, expected.view()));
      asked =
          new Asked(
              Panel.of(
                  switch (view.show()) {
                    case TOP -> Panel.Type.TOP;
                    case SCOREBOARD -> Panel.Type.SCOREBOARD;
                    default -> Panel.Type.TABLE;
                  },
                  view.question()),
              ofView(view, example, data),
              USUAL_RANGE);
    } else {
      String name = Objects.requireNonNull(expected.panel(), "the reader asks for one of the two");
      Dashboard dashboard = dashboard(expected.dashboard(), name);
      Panel panel = dashboard.panels().get(name);
      if (panel == null) {
        throw new Unusable(
            "the dashboard has no panel %s; there are: %s"
                .formatted(name, names(List.copyOf(dashboard.panels().keySet()))));
      }
      if (panel.view() != null) {
        panel = panel.asking(panel.question().over(view(panel.view()).question()));
      }
      Duration range =
          switch (dashboard.time()) {
            case null -> USUAL_RANGE;
            case Dashboard.Time.Last last -> last.length();
            case Dashboard.Time.Range of -> Duration.between(of.from(), of.to());
          };
      asked = new Asked(panel, ofDashboard(dashboard, example, data, answers, at, range), range);
    }
    PanelRequests.check(asked.panel());
    return asked;
  }

  private View view(Panel.ViewRef reference) {
    return bundle.views().stream()
        .map(Bundle.Item::read)
        .filter(
            one ->
                reference.id() == null
                    ? one.name().equals(reference.name())
                    : reference.id().equals(one.id()))
        .findFirst()
        .orElseThrow(
            () ->
                new Unusable(
                    "the file has no view %s, or that one has mistakes"
                        .formatted(
                            reference.id() == null
                                ? "\"" + reference.name() + "\""
                                : reference.id())));
  }

  /** The dashboard of a name; without a name, the only one that has the panel. */
  private Dashboard dashboard(@Nullable String name, String panel) {
    List<Dashboard> found =
        bundle.dashboards().stream()
            .map(Bundle.Item::read)
            .filter(one -> name == null ? one.panels().containsKey(panel) : one.name().equals(name))
            .toList();
    if (found.isEmpty()) {
      throw new Unusable(
          name == null
              ? "no dashboard of the file has the panel"
              : "the file has no such dashboard, or that one has mistakes");
    }
    if (name == null && found.size() > 1) {
      throw new Unusable(
          "several dashboards have such a panel: say in dashboard which one is meant");
    }
    return found.getFirst();
  }

  // ------------------------------------------------------------------------------------ variables

  private Map<String, String> ofDashboard(
      Dashboard dashboard,
      Example example,
      ExamplePanelData data,
      PanelAnswers answers,
      Instant at,
      Duration range) {
    Map<String, String> values = new HashMap<>();
    for (Variable variable : dashboard.variables()) {
      String given = example.variables().get(variable.name());
      boolean object =
          variable.type() == Variable.Type.OBJECT || variable.type() == Variable.Type.OBJECTS;
      if (given != null) {
        values.put(
            variable.name(),
            !object
                ? given
                : objects(variable, given, variable.type() == Variable.Type.OBJECTS, data));
        continue;
      }
      switch (variable.initial()) {
        case null -> {}
        case Variable.Default.Value value -> values.put(variable.name(), value.text());
        case Variable.Default.Pinned pinned ->
            data.find(pinned.object().name(), List.of(pinned.object().kind()))
                .ifPresent(id -> values.put(variable.name(), id.toString()));
        case Variable.Default.First first -> {
          Asked asked = new Asked(choice(variable, first), values, range);
          List<PanelRow> rows = answers.answer(asked.input(at)).getRows();
          if (rows != null && !rows.isEmpty()) {
            values.put(variable.name(), rows.getFirst().getObject().getId().toString());
          }
        }
      }
    }
    return values;
  }

  /** Ids of objects that a test names; several have commas between, unless one has such a name. */
  private static String objects(
      Variable variable, String names, boolean several, ExamplePanelData data) {
    String[] each =
        several && data.find(names, variable.kinds()).isEmpty()
            ? names.split(",", -1)
            : new String[] {names};
    List<String> ids = new ArrayList<>();
    for (String name : each) {
      ids.add(
          data.find(name.strip(), variable.kinds())
              .orElseThrow(
                  () ->
                      new Unusable(
                          "its variable %s is %s, and the example has no such object of the kind %s"
                              .formatted(
                                  variable.name(),
                                  name.strip(),
                                  variable.kinds().stream()
                                      .map(Object::toString)
                                      .collect(Collectors.joining(" or ")))))
              .toString());
    }
    return String.join(",", ids);
  }

  /** The question which object is the first. */
  private static Panel choice(Variable variable, Variable.Default.First first) {
    String by = first.by();
    Column.What what =
        by == null
            ? Column.Attribute.NAME
            : new Column.OfMetric(
                new Column.Metric(List.of(by), new Column.Instance.Aggregate()),
                Column.Transform.Plain.CURRENT);
    return Panel.of(
        Panel.Type.TABLE,
        new Question(
            variable.kinds(),
            new Select(null, List.of(), variable.scope(), List.of(), List.of()),
            null,
            null,
            List.of(Column.hidden("by", what, null)),
            List.of(new Question.Sort("by", first.descending())),
            1,
            null,
            null,
            null,
            null));
  }

  /** Views do not say which variables are objects: those that objects have to be below of. */
  private static Map<String, String> ofView(View view, Example example, ExamplePanelData data) {
    Set<String> objects = new HashSet<>();
    Select select = view.question().select();
    if (select != null) {
      collect(select.scope(), objects);
    }
    Map<String, String> values = new HashMap<>(example.variables());
    for (String variable : objects) {
      String name = values.get(variable);
      if (name != null) {
        values.put(
            variable,
            data.find(name, List.of())
                .orElseThrow(
                    () ->
                        new Unusable(
                            "its variable %s is %s, and the example has no such object"
                                .formatted(variable, name)))
                .toString());
      }
    }
    return values;
  }

  private static void collect(Select.Scope scope, Set<String> variables) {
    for (Select.Subject ancestor : scope.ancestors()) {
      if (ancestor instanceof Select.Subject.Variable variable) {
        variables.add(variable.name());
      }
    }
    scope.exclude().forEach(one -> collect(one, variables));
  }

  // ----------------------------------------------------------------------------------- comparison

  private static void compare(
      Expected expected, Panel.Type type, PanelAnswer answer, Report report) {
    PanelEmpty empty = answer.getEmpty();
    ExampleRows found = ExampleRows.of(type, answer);
    if (expected.empty() != null) {
      if (empty == null) {
        report.add(
            "%s is expected, and it shows %s"
                .formatted(
                    expected.empty(), found == null ? "something" : rows(found.rows().size())));
      } else if (!empty.getReason().getValue().equals(expected.empty())) {
        report.add(
            "%s is expected, %s is found: %s"
                .formatted(expected.empty(), empty.getReason().getValue(), empty.getText()));
      }
      return;
    }
    List<ExpectedRow> rows = Objects.requireNonNullElse(expected.rows(), List.of());
    if (empty != null) {
      if (!rows.isEmpty()) {
        report.add(
            "%s expected, and it is empty (%s): %s"
                .formatted(are(rows.size()), empty.getReason().getValue(), empty.getText()));
      }
      return;
    }
    if (found == null) {
      report.add("a panel of the type %s has no rows that can be compared".formatted(type.word()));
      return;
    }
    compare(rows, found, report);
  }

  private static void compare(List<ExpectedRow> rows, ExampleRows found, Report report) {
    Set<String> unknown = new LinkedHashSet<>();
    rows.forEach(row -> unknown.addAll(row.cells().keySet()));
    found.columns().forEach(unknown::remove);
    for (String column : unknown) {
      report.add(
          "there is no column %s to be compared; there are: %s"
              .formatted(column, names(found.columns())));
    }
    if (rows.size() != found.rows().size()) {
      report.add(
          "%s expected, %d found: %s"
              .formatted(
                  are(rows.size()),
                  found.rows().size(),
                  found.rows().isEmpty()
                      ? "none"
                      : names(found.rows().stream().map(ExampleRun::name).toList())));
    }
    for (int i = 0; i < Math.min(rows.size(), found.rows().size()); i++) {
      ExpectedRow row = rows.get(i);
      ExampleRows.Row other = found.rows().get(i);
      String instance = row.instance();
      if (!row.object().equals(other.object())
          || (instance != null
              && !instance.equals(Objects.requireNonNullElse(other.instance(), "")))) {
        report.add(
            "row %d".formatted(i + 1),
            "%s is expected, %s is found".formatted(name(row.object(), instance), name(other)));
        continue;
      }
      for (String column : new TreeSet<>(row.cells().keySet())) {
        Object wanted = row.cells().get(column);
        Object value = other.cells().get(column);
        if (!unknown.contains(column) && !equal(wanted, value)) {
          report.add(
              "row %d (%s), column %s".formatted(i + 1, name(other), column),
              "%s is expected, %s is found".formatted(shown(wanted), shown(value)));
        }
      }
    }
  }

  private static String rows(int count) {
    return count == 1 ? "1 row" : "%,d rows".formatted(count);
  }

  private static String are(int count) {
    return rows(count) + (count == 1 ? " is" : " are");
  }

  private static String name(ExampleRows.Row row) {
    return name(row.object(), row.instance());
  }

  private static String name(String object, @Nullable String instance) {
    return instance == null || instance.isEmpty() ? object : object + " " + instance;
  }

  private static String names(List<String> names) {
    return IntStream.range(0, Math.min(names.size(), MOST_NAMES))
            .mapToObj(names::get)
            .collect(Collectors.joining(", "))
        + (names.size() > MOST_NAMES ? " and %,d more".formatted(names.size() - MOST_NAMES) : "");
  }

  /** Whether a cell is as it should be. A moment may be expected as a text. */
  private static boolean equal(@Nullable Object expected, @Nullable Object found) {
    if (expected == null || found == null) {
      return expected == null && found == null;
    }
    double a = number(expected);
    double b = number(found);
    if (!Double.isNaN(a) && !Double.isNaN(b)) {
      return Math.abs(a - b)
          <= Math.max(TOLERANCE * Math.max(Math.abs(a), Math.abs(b)), Double.MIN_NORMAL);
    }
    if (expected instanceof String text && found instanceof Long millis) {
      try {
        return Instant.parse(text).toEpochMilli() == millis;
      } catch (DateTimeException e) {
        return false;
      }
    }
    return expected.equals(found);
  }

  private static double number(Object value) {
    return value instanceof Number number
        ? number.doubleValue()
        : io.peerlens.supermetrics.program.Column.number(value.toString());
  }

  private static String shown(@Nullable Object value) {
    if (value == null) {
      return "no value";
    }
    if (value instanceof Number number) {
      double of = number.doubleValue();
      return of == Math.rint(of) && Math.abs(of) < 1e15
          ? Long.toString((long) of)
          : Double.toString(of);
    }
    return "\"" + value + "\"";
  }
}
