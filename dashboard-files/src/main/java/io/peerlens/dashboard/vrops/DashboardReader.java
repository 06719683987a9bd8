package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Variable;
import io.peerlens.dashboard.vrops.DashboardPlan.Widget;
import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import io.peerlens.dashboard.vrops.Layout.Place;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reader of one dashboard: variables, panels, layout, time and links, with its part of the report.
 */
final class DashboardReader {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern RANGE =
      Pattern.compile("dateRange\"?[=:]\"?(?:s:)?\"?([A-Za-z0-9]+)");

  /** Height of a row of vROps' grid, in its pixels. */
  private static final int ROW = 54;

  private final WidgetReader widgets;
  private final Reporter reporter;
  private final Originals originals;
  private final Installation installation;
  private final Map<String, DashboardPlan> plans;

  DashboardReader(
      WidgetReader widgets,
      Reporter reporter,
      Originals originals,
      Installation installation,
      Map<String, DashboardPlan> plans) {
    this.widgets = widgets;
    this.reporter = reporter;
    this.originals = originals;
    this.installation = installation;
    this.plans = plans;
  }

  /** The dashboard of the format, with what became of it. */
  record Read(ObjectNode dashboard, Item item, int panels) {}

  Read read(DashboardPlan plan) {
    originals.begin();
    JsonNode original = plan.found.dashboard();
    ObjectNode dashboard = JSON.objectNode();
    dashboard.put("id", plan.id.toString());
    dashboard.put("name", plan.name);
    if (!plan.folder.isEmpty()) {
      dashboard.put("folder", plan.folder);
    }
    String description = Members.text(original, "description");
    if (!description.isEmpty()) {
      dashboard.put("description", Names.cut(description, 20_000));
    }
    String time = range(original);
    if (!time.isEmpty()) {
      dashboard.putObject("time").put("last", time);
    }
    String refresh = refresh(plan);
    if (!refresh.isEmpty()) {
      dashboard.put("refresh", refresh);
    }
    Map<Widget, List<PanelPart>> parts = new LinkedHashMap<>();
    int panels = 0;
    for (Widget widget : plan.widgets) {
      if (widget.is("Section")) {
        parts.put(widget, List.of());
        continue;
      }
      List<PanelPart> made = widgets.read(widget, plan, time.isEmpty() ? "24h" : time);
      List<PanelPart> kept = new ArrayList<>();
      for (PanelPart part : made) {
        if (panels < ImportLimits.PANELS) {
          kept.add(part);
          panels += part.isPlaced ? 1 : 0;
        }
      }
      parts.put(widget, kept);
    }
    links(plan, parts);
    ArrayNode variables = JSON.arrayNode();
    for (Variable variable : plan.variables) {
      variables.add(variable.node());
    }
    if (!variables.isEmpty()) {
      dashboard.set("variables", variables);
    }
    ObjectNode panelNodes = dashboard.putObject("panels");
    List<Item> items = new ArrayList<>();
    parts.forEach(
        (widget, made) -> {
          if (widget.is("Section")) {
            items.add(section(widget));
          }
          boolean isFirst = true;
          for (PanelPart part : made) {
            items.add(reporter.panel(part, Names.cut(widget.type, 60)));
            if (part.isPlaced) {
              sets(widget, part);
              if (isFirst && plan.report == null) {
                originals.keep(part.node, widget.node);
              }
              panelNodes.set(part.name, part.node);
              isFirst = false;
            }
          }
        });
    int moved = layout(plan, parts, dashboard.putArray("layout"));
    for (String title : plan.tooMany) {
      items.add(
          Reporter.leaf(
              Level.PANEL,
              "",
              title,
              ImportStatus.CANNOT,
              "a dashboard has at most " + ImportLimits.PANELS + " panels",
              "",
              List.of(),
              -1,
              -1,
              List.of(),
              null));
    }
    if (plan.report == null) {
      originals.keep(dashboard, original);
    } else {
      originals.keep(dashboard, plan.report.definition());
    }
    List<String> words = new ArrayList<>();
    if (plan.report != null) {
      words.add("was a report, \"Send as a report\" on its page gives it a schedule");
      words.addAll(plan.report.notes());
    }
    words.add(panels == 1 ? "1 panel" : panels + " panels");
    int columns = items.stream().mapToInt(it -> it.columns().all()).sum();
    words.add(columns == 1 ? "1 column" : columns + " columns");
    if (moved > 0) {
      words.add(moved + (moved == 1 ? " panel lay" : " panels lay") + " on others and moved down");
    }
    ImportStatus status =
        plan.report != null && !plan.report.notes().isEmpty()
            ? ImportStatus.REPLACED
            : ImportStatus.CARRIED;
    for (Item item : items) {
      if (item.status() == ImportStatus.CHOOSE || item.status() == ImportStatus.MISSING) {
        status = status.worse(item.status());
      }
    }
    return new Read(
        dashboard,
        Reporter.tree(
            Level.DASHBOARD,
            plan.id.toString(),
            plan.name,
            status,
            String.join(", ", words),
            "",
            null,
            items),
        panels);
  }

  private static Item section(Widget widget) {
    return Reporter.leaf(
        Level.PANEL,
        "",
        widget.title,
        ImportStatus.CARRIED,
        "a section",
        "Section",
        List.of(),
        -1,
        -1,
        List.of(),
        null);
  }

  private static void sets(Widget widget, PanelPart part) {
    if (widget.sets.isEmpty() || part.node.path("type").asString("").equals("text")) {
      return;
    }
    ObjectNode sets = part.node.putObject("sets");
    for (Variable variable : widget.sets) {
      sets.put(variable.name, variable.type.equals("metric") ? "metric" : "object");
    }
  }

  // --- time ---

  private static String range(JsonNode dashboard) {
    for (JsonNode state : Members.objects(dashboard, "states")) {
      if (Members.text(state, "key").startsWith("permDashboardTime")) {
        String range = rangeOf(Members.text(state, "value"));
        if (!range.isEmpty()) {
          return range;
        }
      }
    }
    return "";
  }

  /** The range that a state of the pages says; empty = none, or that of the dashboard. */
  static String rangeOf(String state) {
    Matcher range = RANGE.matcher(decoded(state));
    return range.find() ? Transforms.range(range.group(1)) : "";
  }

  /** A state of vROps' pages, whose values are encoded once for each level. */
  static String decoded(String state) {
    String text = Names.cut(state, 20_000);
    for (int i = 0; i < 4 && text.indexOf('%') >= 0; i++) {
      try {
        text = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        return text;
      }
    }
    return text;
  }

  private static String refresh(DashboardPlan plan) {
    int least = Integer.MAX_VALUE;
    for (Widget widget : plan.widgets) {
      if (Members.flag(widget.config, "refreshContent")) {
        least = Math.min(least, Members.whole(widget.config, "refreshInterval", 300, 10, 86_400));
      }
    }
    if (least == Integer.MAX_VALUE) {
      return "";
    }
    return least % 60 == 0 ? least / 60 + "m" : least + "s";
  }

  // --- links ---

  private void links(DashboardPlan plan, Map<Widget, List<PanelPart>> parts) {
    JsonNode navigations = plan.found.dashboard().path("dashboardNavigations");
    parts.forEach(
        (widget, made) -> {
          JsonNode targets = navigations.path(widget.id);
          if (made.isEmpty() || !targets.isArray()) {
            return;
          }
          PanelPart part = made.getFirst();
          ArrayNode links = JSON.arrayNode();
          Set<String> lost = new LinkedHashSet<>();
          for (JsonNode target : targets) {
            String id = Members.text(target, "id");
            DashboardPlan other = plans.get(id);
            String name = other == null ? null : other.name;
            if (name == null && !id.isEmpty()) {
              Optional<Installation.Here> here = installation.dashboard(id);
              name = here.map(Installation.Here::name).orElse(null);
            }
            if (name == null) {
              lost.add(id);
              continue;
            }
            if (links.size() >= 20) {
              continue;
            }
            ObjectNode link = links.addObject();
            link.put("title", Names.line(name, "Dashboard"));
            link.put("dashboard", Names.line(name, "Dashboard"));
            variables(widget, target, other, link);
          }
          if (!links.isEmpty()) {
            part.node.set("links", links);
          }
          if (!lost.isEmpty()) {
            part.replaced(
                "without "
                    + (lost.size() == 1 ? "a link" : lost.size() + " links")
                    + " to dashboards that are neither in the file nor here");
          }
        });
  }

  private static void variables(
      Widget widget, JsonNode target, @Nullable DashboardPlan other, ObjectNode link) {
    Optional<Variable> own =
        widget.sets.stream().filter(it -> it.type.equals("object")).findFirst();
    if (other == null || own.isEmpty()) {
      return;
    }
    ObjectNode variables = JSON.objectNode();
    for (JsonNode receiver : Members.objects(target, "widgets")) {
      Widget there = other.byId.get(Members.text(receiver, "id"));
      if (there == null) {
        continue;
      }
      // A widget that is driven shows it; one that is not hands it on to those that it drives.
      List<Variable> set = there.subject == null ? there.sets : List.of(there.subject);
      for (Variable variable : set) {
        if (variable.type.equals("object") && fits(own.get(), variable)) {
          variables.put(variable.name, "$" + own.get().name);
        }
      }
    }
    if (!variables.isEmpty()) {
      link.set("variables", variables);
    }
  }

  private static boolean fits(Variable from, Variable to) {
    return from.kinds.isEmpty()
        || to.kinds.isEmpty()
        || from.kinds.stream().anyMatch(to.kinds::contains);
  }

  // --- layout ---

  private static int layout(
      DashboardPlan plan, Map<Widget, List<PanelPart>> parts, ArrayNode layout) {
    int gridColumns = Members.whole(plan.found.dashboard(), "gridsterMaxColumns", 12, 1, 1000);
    int columnCount = Members.whole(plan.found.dashboard(), "columnCount", 1, 1, 12);
    Map<String, Widget> sectionOf = new LinkedHashMap<>();
    List<Widget> sections = new ArrayList<>();
    for (Widget widget : plan.widgets) {
      if (widget.is("Section") && sections.size() < 28) {
        sections.add(widget);
        for (JsonNode inside : Members.list(widget.config, "widgets")) {
          sectionOf.putIfAbsent(
              inside.isObject() ? Members.text(inside, "id") : Members.text(inside), widget);
        }
      }
    }
    Map<Widget, List<Place>> inSections = new LinkedHashMap<>();
    List<Place> loose = new ArrayList<>();
    List<Place> more = new ArrayList<>();
    int[] fill = new int[columnCount];
    int next = 0;
    for (Map.Entry<Widget, List<PanelPart>> each : parts.entrySet()) {
      Widget widget = each.getKey();
      boolean isFirst = true;
      for (PanelPart part : each.getValue()) {
        if (!part.isPlaced) {
          continue;
        }
        if (!isFirst) {
          int index = more.size();
          more.add(new Place(part.name, index % 2 * 6 + 1, index / 2 * 8 + 1, 6, 8));
          continue;
        }
        isFirst = false;
        Place place = coordinates(widget, part.name, gridColumns);
        if (place == null) {
          int height = Members.whole(widget.node, "height", 324, 1, 3000) / ROW;
          int column = next++ % columnCount;
          int width = 12 / columnCount;
          place =
              Layout.place(
                  part.name, column * width + 1, fill[column] + 1, width, Math.max(2, height), 12);
          fill[column] += place.h();
        }
        Widget section = sectionOf.get(widget.id);
        (section == null ? loose : inSections.computeIfAbsent(section, s -> new ArrayList<>()))
            .add(place);
      }
    }
    int moved = 0;
    if (!loose.isEmpty() || inSections.isEmpty() && more.isEmpty()) {
      moved += Layout.write(loose, layout.addObject().putArray("items"));
    }
    for (Widget section : sections) {
      ObjectNode node = layout.addObject();
      node.put("section", Names.line(section.title, "Section"));
      if (Members.flag(section.node, "collapsed")) {
        node.put("collapsed", true);
      }
      moved += Layout.write(inSections.getOrDefault(section, List.of()), node.putArray("items"));
    }
    if (!more.isEmpty()) {
      ObjectNode node = layout.addObject();
      node.put("section", "Other configurations");
      node.put("collapsed", true);
      Layout.write(more, node.putArray("items"));
    }
    return moved;
  }

  private static @Nullable Place coordinates(Widget widget, String panel, int gridColumns) {
    JsonNode at = widget.node.path("gridsterCoords");
    Double x = Members.number(at, "x");
    Double y = Members.number(at, "y");
    Double w = Members.number(at, "w");
    Double h = Members.number(at, "h");
    return x == null || y == null || w == null || h == null
        ? null
        : Layout.place(panel, x, y, w, h, gridColumns);
  }
}
