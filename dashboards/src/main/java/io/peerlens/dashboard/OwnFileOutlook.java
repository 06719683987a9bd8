package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardImportColumn;
import io.peerlens.api.model.DashboardImportOutcome;
import io.peerlens.api.model.DashboardImportPanel;
import io.peerlens.api.model.DashboardImportSource;
import io.peerlens.dashboard.KeyQueries.Had;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.dashboard.file.View;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Outlook of a file of our own format: which of its columns have data here today. A column with
 * fallbacks has data if any of its keys is reported.
 */
final class OwnFileOutlook {

  private final KeyQueries queries;
  private final KeySources sources;
  private final SuperMetricKeys superMetrics;
  private final Function<ViewRef, Optional<View>> views;
  private final Map<ObjectKind, Had> had = new HashMap<>();
  private final Map<DashboardImportOutcome, Integer> columns =
      new EnumMap<>(DashboardImportOutcome.class);
  private final Map<String, Integer> gains = new LinkedHashMap<>();
  private int answerable;
  private int withSources;

  /**
   * @param views those of the file and of this installation
   */
  OwnFileOutlook(
      KeyQueries queries,
      KeySources sources,
      SuperMetricKeys superMetrics,
      Function<ViewRef, Optional<View>> views) {
    this.queries = queries;
    this.sources = sources;
    this.superMetrics = superMetrics;
    this.views = views;
  }

  /**
   * @param viewsOfFile null = it cannot be read
   * @param dashboards likewise
   */
  Outlook of(List<@Nullable View> viewsOfFile, List<@Nullable Dashboard> dashboards) {
    List<Outlook.Part> viewParts = viewsOfFile.stream().map(this::view).toList();
    List<Outlook.Part> dashboardParts = dashboards.stream().map(this::dashboard).toList();
    List<DashboardImportSource> brought =
        gains.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .map(
                one ->
                    new DashboardImportSource(
                        one.getKey(), sources.title(one.getKey()), one.getValue()))
            .toList();
    return new Outlook(
        viewParts,
        dashboardParts,
        columns,
        answerable,
        answerable + withSources,
        brought,
        List.of(),
        List.of());
  }

  private static final Outlook.Part UNREADABLE =
      new Outlook.Part(
          DashboardImportOutcome.CANNOT,
          "It has mistakes, see errors.",
          "",
          0,
          0,
          null,
          List.of(),
          List.of());

  private Outlook.Part view(@Nullable View view) {
    if (view == null) {
      return UNREADABLE;
    }
    List<Told> told = columns(view.question(), view.question().kinds());
    told.forEach(this::count);
    return new Outlook.Part(
        worst(told),
        "",
        view.show().name().toLowerCase(Locale.ROOT),
        told.size(),
        answerable(told),
        null,
        List.of(),
        told.stream().map(Told::column).toList());
  }

  private Outlook.Part dashboard(@Nullable Dashboard dashboard) {
    if (dashboard == null) {
      return UNREADABLE;
    }
    List<DashboardImportPanel> panels = new ArrayList<>();
    DashboardImportOutcome outcome = DashboardImportOutcome.CARRIED;
    int all = 0;
    int now = 0;
    for (Map.Entry<String, Panel> one : dashboard.panels().entrySet()) {
      DashboardImportPanel panel = panel(dashboard, one.getKey(), one.getValue());
      panels.add(panel);
      outcome = worse(outcome, panel.getOutcome());
      all += panel.getColumnCount();
      now += panel.getAnswerable();
    }
    return new Outlook.Part(outcome, "", "", all, now, null, panels, List.of());
  }

  private DashboardImportPanel panel(Dashboard dashboard, String name, Panel panel) {
    String type = panel.type().word();
    String title = panel.title() == null ? "" : panel.title();
    Question question = panel.question();
    DashboardImportOutcome outcome = DashboardImportOutcome.CARRIED;
    String text = "";
    if (panel.view() != null) {
      Optional<View> shown = views.apply(panel.view());
      if (shown.isEmpty()) {
        countPanel(DashboardImportOutcome.MISSING);
        return new DashboardImportPanel(
            name,
            title,
            type,
            type,
            DashboardImportOutcome.MISSING,
            "Its view is neither in the file nor here.",
            1,
            0,
            List.of());
      }
      question = question.over(shown.get().question());
      title = title.isEmpty() ? shown.get().name() : title;
    }
    if (panel.subject() instanceof Select.Subject.Pinned pinned
        && queries.named(pinned.kind(), pinned.name()).isEmpty()) {
      outcome = DashboardImportOutcome.CHOOSE;
      text = "The object \"%s\" (%s) is not here.".formatted(pinned.name(), pinned.kind());
    }
    List<Told> told = columns(question, kinds(dashboard, panel, question));
    if (panel.view() == null || !panel.question().columns().isEmpty()) {
      told.forEach(this::count);
    }
    if (told.isEmpty()) {
      countPanel(outcome);
      boolean shows = outcome == DashboardImportOutcome.CARRIED;
      return new DashboardImportPanel(
          name, title, type, type, outcome, text, 1, shows ? 1 : 0, List.of());
    }
    return new DashboardImportPanel(
        name,
        title,
        type,
        type,
        worse(outcome, worst(told)),
        text,
        told.size(),
        answerable(told),
        panel.question().columns().isEmpty()
            ? List.of()
            : told.stream().map(Told::column).toList());
  }

  private static List<ObjectKind> kinds(Dashboard dashboard, Panel panel, Question question) {
    if (!question.kinds().isEmpty()) {
      return question.kinds();
    }
    return switch (panel.subject()) {
      case Select.Subject.Variable variable ->
          dashboard.variables().stream()
              .filter(one -> one.name().equals(variable.name()))
              .findFirst()
              .map(Variable::kinds)
              .orElse(List.of());
      case Select.Subject.Pinned pinned -> List.of(pinned.kind());
      case null -> List.of();
    };
  }

  // ------------------------------------------------------------------------------------- columns

  /**
   * A column.
   *
   * @param answerable whether it has data today
   * @param brings what would bring its data
   */
  private record Told(DashboardImportColumn column, boolean answerable, List<String> brings) {}

  private List<Told> columns(Question question, List<ObjectKind> kinds) {
    return question.columns().stream().map(column -> column(column, kinds)).toList();
  }

  private Told column(Column column, List<ObjectKind> kinds) {
    String title = column.title() == null ? "" : column.title();
    boolean property = column.what() instanceof Column.Property;
    List<String> keys =
        switch (column.what()) {
          case Column.OfMetric metric -> metric.metric().any();
          case Column.Property of -> List.of(of.key());
          default -> List.of();
        };
    if (keys.isEmpty() || kinds.isEmpty() || keys.stream().anyMatch(key -> key.startsWith("$"))) {
      return told(column, title, keys, DashboardImportOutcome.CARRIED, "", List.of(), null, null);
    }
    int objects = kinds.stream().mapToInt(kind -> had(kind).objects()).sum();
    int reporting = 0;
    List<String> missing = new ArrayList<>();
    List<String> waiting = new ArrayList<>();
    for (String key : keys) {
      String stored = key;
      if (!property && SuperMetricKeys.isOne(key)) {
        SuperMetricKeys.Found found = superMetrics.find(key);
        if (found.id() == null) {
          (found.inFile() ? waiting : missing).add(key);
          continue;
        }
        stored = Keys.superMetric(found.id());
      }
      String plain = Keys.withoutInstances(stored);
      int some =
          kinds.stream()
              .mapToInt(
                  kind ->
                      (property ? had(kind).properties() : had(kind).metrics())
                          .getOrDefault(plain, 0))
              .sum();
      reporting = Math.max(reporting, some);
    }
    if (reporting > 0) {
      return told(
          column,
          title,
          keys,
          DashboardImportOutcome.CARRIED,
          reporting < objects ? "%,d of %,d report it.".formatted(reporting, objects) : "",
          List.of(),
          objects,
          reporting);
    }
    if (missing.size() == keys.size()) {
      return told(
          column,
          title,
          keys,
          DashboardImportOutcome.MISSING,
          "The super metric `%s` is neither in the file nor here.".formatted(missing.getFirst()),
          List.of(),
          objects,
          0);
    }
    List<String> brings =
        waiting.isEmpty() ? sources.of(kinds, keys, property) : List.of(KeySources.SUPER_METRICS);
    return told(
        column,
        title,
        keys,
        DashboardImportOutcome.WAITS,
        waiting.isEmpty()
            ? objects == 0
                ? "No object of its kind is here."
                : "No object reports `%s` today.".formatted(keys.getFirst())
            : "The super metric `%s` comes with the file.".formatted(waiting.getFirst()),
        brings,
        objects,
        0);
  }

  private static Told told(
      Column column,
      String title,
      List<String> keys,
      DashboardImportOutcome outcome,
      String text,
      List<String> brings,
      @Nullable Integer objects,
      @Nullable Integer reporting) {
    return new Told(
        new DashboardImportColumn(
            column.name(), title, keys, outcome, text, brings, objects, reporting),
        outcome == DashboardImportOutcome.CARRIED,
        brings);
  }

  private Had had(ObjectKind kind) {
    return had.computeIfAbsent(kind, queries::of);
  }

  // --------------------------------------------------------------------------------------- counts

  private void count(Told told) {
    columns.merge(told.column().getOutcome(), 1, Integer::sum);
    if (told.answerable()) {
      answerable++;
    } else if (!told.brings().isEmpty()) {
      withSources++;
      told.brings().forEach(source -> gains.merge(source, 1, Integer::sum));
    }
  }

  private void countPanel(DashboardImportOutcome outcome) {
    columns.merge(outcome, 1, Integer::sum);
    if (outcome == DashboardImportOutcome.CARRIED) {
      answerable++;
    }
  }

  private static int answerable(List<Told> told) {
    return (int) told.stream().filter(Told::answerable).count();
  }

  private static DashboardImportOutcome worst(List<Told> told) {
    return told.stream()
        .map(one -> one.column().getOutcome())
        .reduce(DashboardImportOutcome.CARRIED, OwnFileOutlook::worse);
  }

  private static DashboardImportOutcome worse(
      DashboardImportOutcome one, DashboardImportOutcome other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
