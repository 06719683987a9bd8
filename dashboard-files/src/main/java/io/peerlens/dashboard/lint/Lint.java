package io.peerlens.dashboard.lint;

import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.dashboard.file.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Lint of a file of dashboards: whether it works wherever the same kinds of objects are, and
 * whether it can be read on a wall.
 */
public final class Lint {

  /** Rows of the grid that a screen of 1080 lines shows below the bar of the page. */
  public static final int ROWS_OF_1080P = 18;

  private static final int MOST = 200;
  private static final String SUPER_METRIC = "super metric";

  private final Bundle bundle;
  private final Set<String> superMetrics = new HashSet<>();
  private final Set<String> groups = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();

  private Lint(Bundle bundle) {
    this.bundle = bundle;
    JsonNode included = bundle.superMetrics();
    if (included != null) {
      included.forEachEntry(
          (id, one) -> {
            superMetrics.add("sm_" + id);
            superMetrics.add(one.path("name").asString(""));
          });
    }
    for (Bundle.Needed needed : bundle.needs().superMetrics()) {
      if (needed.pack() != null) {
        superMetrics.add(needed.name());
        superMetrics.add("sm_" + needed.id());
      }
    }
    bundle.needs().groups().forEach(needed -> groups.add(needed.name()));
  }

  /** What there is to be said about a file without mistakes, the first 200, in its order. */
  public static List<Finding> of(Bundle bundle) {
    Lint lint = new Lint(bundle);
    for (int i = 0; i < bundle.views().size(); i++) {
      View view = bundle.views().get(i).read();
      lint.question("views[%d]".formatted(i), view.question());
    }
    for (int i = 0; i < bundle.dashboards().size(); i++) {
      lint.dashboard("dashboards[%d]".formatted(i), bundle.dashboards().get(i).read());
    }
    return lint.findings.size() <= MOST
        ? List.copyOf(lint.findings)
        : List.copyOf(lint.findings.subList(0, MOST));
  }

  private void found(String code, String path, String text, String hint) {
    findings.add(new Finding(code, path, text, hint));
  }

  // ----------------------------------------------------------------------------------- dashboards

  private void dashboard(String path, Dashboard dashboard) {
    for (int i = 0; i < dashboard.variables().size(); i++) {
      Variable variable = dashboard.variables().get(i);
      String at = "%s.variables[%d]".formatted(path, i);
      if (variable.initial() instanceof Variable.Default.Pinned(Select.Subject.Pinned object)) {
        pinned(at + ".default", object);
      }
      scope(at + ".scope", variable.scope());
    }
    dashboard.panels().forEach((name, panel) -> panel("%s.panels.%s".formatted(path, name), panel));
    height(path, dashboard);
  }

  private void panel(String path, Panel panel) {
    if (panel.subject() instanceof Select.Subject.Pinned object) {
      pinned(path + ".subject", object);
    }
    Question question = panel.question();
    question(path, question);
    Panel.ViewRef reference = panel.view();
    if (reference != null) {
      Optional<View> view = view(reference);
      if (view.isEmpty()) {
        found(
            "view-not-included",
            path + ".view",
            "The view is not in the file.",
            "Add it to views; an export does so by itself.");
      } else {
        question = question.over(view.get().question());
      }
    } else if (panel.title() == null && panel.type() != Panel.Type.TEXT) {
      found("no-title", path, "The panel has no title.", "Say what it shows in a few words.");
    }
    colour(path, panel, question);
    for (int i = 0; i < panel.links().size(); i++) {
      String to = panel.links().get(i).dashboard();
      if (bundle.dashboards().stream().noneMatch(one -> one.read().name().equals(to))) {
        found(
            "link-not-included",
            "%s.links[%d]".formatted(path, i),
            "The dashboard \"%s\" is not in the file.".formatted(to),
            "Export the two together, or remove the link.");
      }
    }
  }

  private Optional<View> view(Panel.ViewRef reference) {
    UUID id = reference.id();
    return bundle.views().stream()
        .map(Bundle.Item::read)
        .filter(one -> id == null ? one.name().equals(reference.name()) : id.equals(one.id()))
        .findFirst();
  }

  /** Cells that differ in nothing but their size, and lanes without states, tell nothing. */
  private void colour(String path, Panel panel, Question question) {
    if (panel.type() != Panel.Type.HEATMAP && panel.type() != Panel.Type.TIMELINE) {
      return;
    }
    String by = question.colourBy();
    question.columns().stream()
        .filter(
            column ->
                by == null ? !column.name().equals(question.size()) : column.name().equals(by))
        .findFirst()
        .filter(column -> column.colour() instanceof Column.Colour.None)
        .ifPresent(
            column ->
                found(
                    "no-colour",
                    path,
                    "The colour of its %s, column %s, has no meaning."
                        .formatted(
                            panel.type() == Panel.Type.HEATMAP ? "cells" : "lanes", column.name()),
                    "Give the column a colour: bounds, values, usual or alerts."));
  }

  private void height(String path, Dashboard dashboard) {
    int rows = 0;
    for (Dashboard.Section section : dashboard.layout()) {
      rows += section.title() == null ? 0 : 1;
      rows +=
          section.collapsed()
              ? 0
              : section.items().stream().mapToInt(item -> item.y() + item.h() - 1).max().orElse(0);
    }
    if (rows > ROWS_OF_1080P) {
      found(
          "too-tall",
          path + ".layout",
          "It is %d rows high; a screen of 1080 lines shows %d.".formatted(rows, ROWS_OF_1080P),
          "Make panels lower, collapse a section, or make two dashboards that link to each other.");
    }
  }

  // ------------------------------------------------------------------------------------ questions

  private void question(String path, Question question) {
    for (int i = 0; i < question.columns().size(); i++) {
      column("%s.columns[%d]".formatted(path, i), question.columns().get(i));
    }
    Select select = question.select();
    if (select == null) {
      return;
    }
    scope(path + ".select.scope", select.scope());
    if (select.from() instanceof Select.From.Group group) {
      group(path + ".select.from", group.name());
    }
    for (int i = 0; i < select.where().size(); i++) {
      for (int j = 0; j < select.where().get(i).size(); j++) {
        superMetrics(
            "%s.select.where[%d][%d]".formatted(path, i, j), select.where().get(i).get(j).what());
      }
    }
  }

  private void column(String path, Column column) {
    boolean superMetric = superMetrics(path, column.what());
    boolean computed = column.what() instanceof Column.Computed;
    if ((superMetric || computed) && column.unit() == null) {
      found(
          "no-unit",
          path,
          "The column %s has no unit, and what it shows brings none.".formatted(column.name()),
          "Give it one, such as %, ms or GB.");
    }
  }

  /** Whether it reads super metrics; those that do not come along are found. */
  private boolean superMetrics(String path, Column.What what) {
    if (!(what instanceof Column.OfMetric of)) {
      return false;
    }
    boolean any = false;
    for (String key : of.metric().any()) {
      String name = superMetric(key);
      if (name != null) {
        any = true;
        if (!superMetrics.contains(name)) {
          found(
              "super-metric-not-included",
              path,
              "The super metric \"%s\" is not in the file.".formatted(name),
              "Add it to superMetrics, or name the pack that brings it in needs.");
        }
      }
    }
    return any;
  }

  private static @Nullable String superMetric(String key) {
    int end = SUPER_METRIC.length();
    boolean is =
        key.length() > end
            && key.toLowerCase(Locale.ROOT).startsWith(SUPER_METRIC)
            && (key.charAt(end) == ':' || key.charAt(end) == '|');
    return is ? key.substring(end + 1) : null;
  }

  // ---------------------------------------------------------------------------------------- scopes

  private void scope(String path, Select.Scope scope) {
    for (int i = 0; i < scope.ancestors().size(); i++) {
      if (scope.ancestors().get(i) instanceof Select.Subject.Pinned object) {
        pinned("%s.ancestors[%d]".formatted(path, i), object);
      }
    }
    scope.groups().forEach(name -> group(path + ".groups", name));
    for (int i = 0; i < scope.exclude().size(); i++) {
      scope("%s.exclude[%d]".formatted(path, i), scope.exclude().get(i));
    }
  }

  private void group(String path, String name) {
    if (!name.startsWith("$") && !groups.contains(name)) {
      found(
          "group-not-named",
          path,
          "The group \"%s\" is needed, and needs does not say so.".formatted(name),
          "Name it in needs.groups, so that an import can say that it is missing.");
    }
  }

  private void pinned(String path, Select.Subject.Pinned object) {
    found(
        "pinned-object",
        path,
        "The object \"%s\" (%s) is of one installation.".formatted(object.name(), object.kind()),
        "Use a variable of the type object, or a rule.");
  }
}
