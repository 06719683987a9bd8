package io.peerlens.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.LoadProfileQuestion;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelQuery;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.ReportPanel;
import io.peerlens.api.model.ReportPart;
import io.peerlens.dashboard.Owned;
import io.peerlens.dashboard.OwnedDashboard;
import io.peerlens.dashboard.OwnedView;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.dashboard.file.View;
import io.peerlens.panel.PanelRequests;
import io.peerlens.planning.LoadProfileReport;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What reports show at a moment: each panel of each part answered with the rights of the owner. A
 * panel that cannot be answered says why in its place.
 */
final class ReportContents {

  private static final Logger log = LoggerFactory.getLogger(ReportContents.class);

  private static final Duration DAY = Duration.ofHours(24);

  /** How far tags are looked through for their values. */
  private static final int MOST_ROWS = 10_000;

  private final ReportSources sources;
  private final PanelRequests panels;
  private final ObjectNameQueries names;
  private final ReportProperties properties;

  ReportContents(
      ReportSources sources,
      PanelRequests panels,
      ObjectNameQueries names,
      ReportProperties properties) {
    this.sources = sources;
    this.panels = panels;
    this.names = names;
    this.properties = properties;
  }

  /** Whether a report can have a part for each value of a variable. */
  static boolean canBeListed(Variable variable) {
    return variable.type() == Variable.Type.OBJECT
        || (variable.type() == Variable.Type.TAG && variable.key() != null)
        || !variable.choices().isEmpty();
  }

  /** A value of a variable, and what people call it. */
  private record Value(String value, String label) {}

  /**
   * Answers a report.
   *
   * @param until end of what it shows
   * @param most parts
   * @throws ApiException if it cannot be answered as it stands
   */
  List<ReportPart> at(Report report, Instant until, int most) {
    LoadProfileQuestion question = report.loadProfile();
    if (question != null) {
      return List.of(ofLoadProfile(report, question, until));
    }
    Owned source =
        sources
            .of(report)
            .filter(one -> ReportSources.reads(report.owner(), one))
            .orElseThrow(
                () ->
                    ApiException.invalidField(
                            report.dashboard() == null ? "view" : "dashboard",
                            "is gone, or is not to be read by " + report.owner() + " any more")
                        .hint("Let the report show another one, or delete it."));
    return OwnerRights.as(
        report.owner(),
        () ->
            switch (source) {
              case OwnedDashboard dashboard -> ofDashboard(report, dashboard, until, most);
              case OwnedView view -> List.of(ofView(report, view, until));
            });
  }

  /** The same with as many parts as the settings allow. */
  List<ReportPart> at(Report report, Instant until) {
    return at(report, until, properties.maxParts());
  }

  // ------------------------------------------------------------------------------------ dashboards

  private List<ReportPart> ofDashboard(
      Report report, OwnedDashboard source, Instant until, int most) {
    Dashboard dashboard = source.dashboard();
    Map<String, Object> definition =
        sources.dashboard(source.id()).orElseThrow().edit().getDefinition();
    Map<String, String> variables = new LinkedHashMap<>();
    for (Variable one : dashboard.variables()) {
      String given = report.variables().get(one.name());
      String value = given != null ? given : initial(one, raw(definition, one.name())).orElse(null);
      if (value != null) {
        variables.put(one.name(), value);
      }
    }
    Dashboard.Time time = report.time() == null ? dashboard.time() : report.time();
    String each = report.each();
    if (each == null) {
      return List.of(part(dashboard, definition, variables, "", time, until, new Budget()));
    }
    Variable variable =
        dashboard.variables().stream()
            .filter(one -> one.name().equals(each))
            .findFirst()
            .orElseThrow(
                () ->
                    ApiException.invalidField("each", "is no variable of the dashboard any more")
                        .hint("Its variables have other names now."));
    List<Value> values = values(variable, raw(definition, each));
    if (values.isEmpty()) {
      throw ApiException.invalidField("each", "has no value: there is nothing to choose from");
    }
    List<ReportPart> parts = new ArrayList<>();
    Budget budget = new Budget();
    for (Value one : values.subList(0, Math.min(most, values.size()))) {
      Map<String, String> own = new LinkedHashMap<>(variables);
      own.put(each, one.value());
      parts.add(part(dashboard, definition, own, one.label(), time, until, budget));
    }
    if (values.size() > most) {
      parts
          .getLast()
          .getWords()
          .add("%,d more values are left out.".formatted(values.size() - most));
    }
    return parts;
  }

  /** What a run may still keep, in characters of JSON. */
  private final class Budget {
    private long left = properties.maxData();

    boolean takes(PanelAnswer answer) {
      left -= RunData.size(answer);
      return left >= 0;
    }
  }

  private ReportPart part(
      Dashboard dashboard,
      Map<String, Object> definition,
      Map<String, String> variables,
      String label,
      Dashboard.@Nullable Time time,
      Instant until,
      Budget budget) {
    Range range = range(time, until);
    Map<String, String> shown = names(dashboard, variables);
    ReportPart part =
        new ReportPart(
            label,
            variables,
            new ArrayList<>(words(dashboard, shown)),
            range.from(),
            range.to(),
            new ArrayList<>());
    for (String name : inOrder(dashboard)) {
      Panel panel = dashboard.panels().get(name);
      if (panel == null) {
        continue;
      }
      Map<String, Object> asked = map(map(definition, "panels"), name);
      PanelQuery query = new PanelQuery(asked);
      query.setVariables(variables);
      part.getPanels()
          .add(
              answer(
                  new ReportPanel(name, requireNonNullElse(panel.title(), ""), panel.type().word()),
                  query,
                  range,
                  variables,
                  shown,
                  budget));
    }
    return part;
  }

  /** Names of the panels from top to bottom and from left to right. */
  private static List<String> inOrder(Dashboard dashboard) {
    Set<String> order = new LinkedHashSet<>();
    for (Dashboard.Section section : dashboard.layout()) {
      section.items().stream()
          .sorted(Comparator.comparingInt(Dashboard.Item::y).thenComparingInt(Dashboard.Item::x))
          .forEach(item -> order.add(item.panel()));
    }
    order.addAll(dashboard.panels().keySet());
    return List.copyOf(order);
  }

  // ----------------------------------------------------------------------------------------- views

  private ReportPart ofView(Report report, OwnedView source, Instant until) {
    Range range = range(report.time(), until);
    Map<String, Object> panel = new LinkedHashMap<>();
    View.Show show = source.view().show();
    panel.put(
        "type",
        switch (show) {
          case BARS, DONUT, HISTOGRAM -> "distribution";
          default -> show.name().toLowerCase(Locale.ROOT);
        });
    panel.put("title", source.name());
    if (report.variables().containsKey("subject")) {
      panel.put("subject", "$subject");
    }
    PanelQuery query = new PanelQuery(panel);
    query.setView(sources.view(source.id()).orElseThrow().edit().getDefinition());
    query.setVariables(report.variables());
    Map<String, String> shown = new LinkedHashMap<>();
    report.variables().forEach((name, value) -> shown.put(name, names.name(value).orElse(value)));
    List<String> words = new ArrayList<>();
    shown.forEach((name, value) -> words.add(name + ": " + value));
    ReportPart part =
        new ReportPart("", report.variables(), words, range.from(), range.to(), new ArrayList<>());
    part.getPanels()
        .add(
            answer(
                new ReportPanel("view", source.name(), String.valueOf(panel.get("type"))),
                query,
                range,
                report.variables(),
                shown,
                new Budget()));
    return part;
  }

  // --------------------------------------------------------------------------------- load profiles

  private ReportPart ofLoadProfile(Report report, LoadProfileQuestion question, Instant until) {
    Range range =
        report.time() == null
            ? new Range(until.minus(LoadProfileReport.USUAL), until)
            : range(report.time(), until);
    ReportPart part =
        new ReportPart(
            "",
            Map.of(),
            sources.profiles().words(question),
            range.from(),
            range.to(),
            new ArrayList<>());
    Budget budget = new Budget();
    for (LoadProfileReport.Panel one :
        sources.profiles().answer(question, range.from(), range.to())) {
      PanelAnswer answer = one.answer();
      ReportPanel panel =
          new ReportPanel(
              one.name(), requireNonNullElse(answer.getTitle(), one.name()), answer.getType());
      keep(panel, answer, budget);
      part.getPanels().add(panel);
    }
    return part;
  }

  // ---------------------------------------------------------------------------------------- panels

  private record Range(Instant from, Instant to) {}

  private static Range range(Dashboard.@Nullable Time time, Instant until) {
    return switch (time) {
      case null -> new Range(until.minus(DAY), until);
      case Dashboard.Time.Last last -> new Range(until.minus(last.length()), until);
      case Dashboard.Time.Range range -> new Range(range.from(), range.to());
    };
  }

  private ReportPanel answer(
      ReportPanel panel,
      PanelQuery query,
      Range range,
      Map<String, String> variables,
      Map<String, String> shown,
      Budget budget) {
    query.setTime(Map.of("from", range.from().toString(), "to", range.to().toString()));
    try {
      PanelAnswer answer = panels.answer(query);
      String title = answer.getTitle();
      if (title != null) {
        title = named(title, variables, shown);
        answer.setTitle(title);
        panel.setTitle(title);
      }
      if (answer.getMarkdown() != null) {
        answer.setMarkdown(named(answer.getMarkdown(), variables, shown));
      }
      keep(panel, answer, budget);
    } catch (ApiException e) {
      panel.setReason(e.hint() == null ? e.detail() : e.detail() + " " + e.hint());
    } catch (RuntimeException e) {
      log.warn("The panel {} of a report cannot be answered: {}", panel.getName(), e.toString());
      panel.setReason("It could not be answered; the log of the server says why.");
    }
    return panel;
  }

  private void keep(ReportPanel panel, PanelAnswer answer, Budget budget) {
    if (budget.takes(answer)) {
      panel.setAnswer(answer);
    } else {
      panel.setReason(
          "It is left out: the report has more than %,d bytes of data."
              .formatted(properties.maxData()));
    }
  }

  /** Words with names of objects in the place of their ids. */
  private static String named(
      String text, Map<String, String> variables, Map<String, String> shown) {
    String words = text;
    for (Map.Entry<String, String> one : variables.entrySet()) {
      String name = shown.get(one.getKey());
      if (name != null && !name.equals(one.getValue())) {
        words = words.replace(one.getValue(), name);
      }
    }
    return words;
  }

  // ------------------------------------------------------------------------------------- variables

  private Map<String, String> names(Dashboard dashboard, Map<String, String> variables) {
    Map<String, String> shown = new LinkedHashMap<>();
    for (Variable one : dashboard.variables()) {
      String value = variables.get(one.name());
      if (value != null) {
        boolean isObject = one.type() == Variable.Type.OBJECT;
        shown.put(one.name(), isObject ? names.name(value).orElse(value) : value);
      }
    }
    return shown;
  }

  private static List<String> words(Dashboard dashboard, Map<String, String> shown) {
    List<String> words = new ArrayList<>();
    for (Variable one : dashboard.variables()) {
      String value = shown.get(one.name());
      if (value != null && !value.isEmpty() && one.type() != Variable.Type.SLICE) {
        words.add(requireNonNullElse(one.title(), one.name()) + ": " + value);
      }
    }
    return words;
  }

  /** What a variable is where the report says nothing; empty = it has to be chosen. */
  private Optional<String> initial(Variable variable, Map<String, Object> raw) {
    return switch (variable.initial()) {
      case null -> Optional.empty();
      case Variable.Default.Value value -> Optional.of(value.text());
      case Variable.Default.Pinned pinned -> {
        Map<String, Object> panel = table(kinds(variable));
        panel.put("subject", raw.get("default"));
        yield first(panel);
      }
      case Variable.Default.First first -> {
        Map<String, Object> panel = table(kinds(variable));
        scope(panel, raw);
        if (first.by() != null) {
          panel.put(
              "columns",
              List.of(NAME, Map.of("name", "by", "metric", Map.of("any", List.of(first.by())))));
        }
        panel.put(
            "sort",
            List.of(
                Map.of(
                    "column",
                    first.by() == null ? "name" : "by",
                    "order",
                    first.descending() ? "desc" : "asc")));
        yield first(panel);
      }
    };
  }

  private Optional<String> first(Map<String, Object> panel) {
    panel.put("limit", 1);
    List<PanelRow> rows = rows(panel);
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(rows.getFirst().getObject().getId().toString());
  }

  private List<Value> values(Variable variable, Map<String, Object> raw) {
    if (!variable.choices().isEmpty()) {
      return variable.choices().stream().map(one -> new Value(one, one)).toList();
    }
    Map<String, Object> panel = table(kinds(variable));
    scope(panel, raw);
    panel.put("limit", MOST_ROWS);
    if (variable.type() == Variable.Type.OBJECT) {
      panel.put("sort", List.of(Map.of("column", "name", "order", "asc")));
      return rows(panel).stream()
          .map(row -> new Value(row.getObject().getId().toString(), row.getObject().getName()))
          .toList();
    }
    panel.put("columns", List.of(Map.of("name", "tag", "tag", String.valueOf(variable.key()))));
    return rows(panel).stream()
        .map(row -> row.getCells().getFirst())
        .filter(Objects::nonNull)
        .map(Object::toString)
        .distinct()
        .sorted()
        .map(one -> new Value(one, one))
        .toList();
  }

  private static final Map<String, Object> NAME = Map.of("name", "name", "attribute", "name");

  private static Map<String, Object> table(List<String> kinds) {
    Map<String, Object> panel = new LinkedHashMap<>();
    panel.put("type", "table");
    if (!kinds.isEmpty()) {
      panel.put("kind", kinds);
    }
    panel.put("columns", List.of(NAME));
    return panel;
  }

  private static List<String> kinds(Variable variable) {
    return variable.kinds().stream().map(Object::toString).toList();
  }

  private static void scope(Map<String, Object> panel, Map<String, Object> raw) {
    if (raw.get("scope") instanceof Map<?, ?> scope) {
      panel.put("select", Map.of("scope", scope));
    }
  }

  private List<PanelRow> rows(Map<String, Object> panel) {
    return requireNonNullElse(panels.answer(new PanelQuery(panel)).getRows(), List.of());
  }

  /** A variable as its author wrote it. */
  private static Map<String, Object> raw(Map<String, Object> definition, String name) {
    if (definition.get("variables") instanceof List<?> variables) {
      for (Object one : variables) {
        if (one instanceof Map<?, ?> map && name.equals(map.get("name"))) {
          return copy(map);
        }
      }
    }
    return Map.of();
  }

  private static Map<String, Object> map(Map<String, Object> of, String name) {
    return of.get(name) instanceof Map<?, ?> map ? copy(map) : Map.of();
  }

  private static Map<String, Object> copy(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }
}
