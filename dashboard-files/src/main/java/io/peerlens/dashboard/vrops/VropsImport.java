package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.Documents.FoundDashboard;
import io.peerlens.dashboard.vrops.Documents.FoundXml;
import io.peerlens.dashboard.vrops.Documents.Problem;
import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Import of what vRealize or VCF Operations exported: dashboards, views, reports and super metrics
 * in one file, ZIPs within ZIPs included. Files come from strangers: whatever is wrong with one
 * becomes an item of the report, and nothing in it makes the import fail.
 *
 * @param bundle what was made of it, as docs/dashboard.schema.json has it; with what is not
 *     understood under {@code x-vrops}
 * @param report what becomes of every part
 */
public record VropsImport(ObjectNode bundle, ImportReport report) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int MOST_REPORTS = 200;

  /**
   * Reads a file.
   *
   * @param name its name, for messages
   * @param installation what is here
   * @param chosen what a person has chosen, by ids of {@link ImportReport.Settle}: the name of what
   *     is here, or {@code ask}
   */
  public static VropsImport read(
      String name, byte[] content, Installation installation, Map<String, String> chosen) {
    return read(name, content, installation, chosen, ImportLimits.DEFAULT);
  }

  /** Reads a file with limits of the caller's. */
  public static VropsImport read(
      String name,
      byte[] content,
      Installation installation,
      Map<String, String> chosen,
      ImportLimits limits) {
    Documents documents = Documents.read(name, content, limits);
    return new Reading(documents, installation, chosen, limits).result(Names.line(name, "file"));
  }

  private static final class Reading {

    private final Documents documents;
    private final Installation installation;
    private final ImportLimits limits;
    private final Settlements settlements;
    private final Reporter reporter;
    private final Columns columns;
    private final Originals originals;
    private final List<Item> items = new ArrayList<>();

    Reading(
        Documents documents,
        Installation installation,
        Map<String, String> chosen,
        ImportLimits limits) {
      this.documents = documents;
      this.installation = installation;
      this.limits = limits;
      CollectorKeys keys = CollectorKeys.shipped();
      this.settlements = new Settlements(chosen);
      this.reporter = new Reporter(installation, keys, documents.superMetrics, settlements);
      this.columns = new Columns(installation, keys, documents.superMetrics);
      this.originals = new Originals(limits.originalBytes());
    }

    VropsImport result(String file) {
      for (Problem problem : documents.problems) {
        file(problem.path(), problem.text());
      }
      if (documents.problemsLeftOut > 0) {
        file(file, documents.problemsLeftOut + " more parts cannot be read");
      }
      ObjectNode bundle = JSON.objectNode();
      bundle.put("format", "peerlens-dashboards");
      bundle.put("version", 1);
      Map<String, ViewPart> views = views();
      Map<String, DashboardPlan> plans = plans(views);
      ArrayNode reports = reports(views, plans);
      ArrayNode dashboards = JSON.arrayNode();
      DashboardReader reader =
          new DashboardReader(
              new WidgetReader(columns, documents, views, installation, settlements, reporter),
              reporter,
              originals,
              installation,
              plans);
      int panels = 0;
      for (DashboardPlan plan : plans.values()) {
        DashboardReader.Read read = reader.read(plan);
        dashboards.add(read.dashboard());
        items.add(read.item());
        panels += read.panels();
      }
      ArrayNode viewNodes = JSON.arrayNode();
      ArrayNode texts = JSON.arrayNode();
      List<Item> viewItems = new ArrayList<>();
      for (ViewPart view : views.values()) {
        // Texts and pictures ask nothing, so they are no views here; panels have their text.
        (view.showsObjects ? viewNodes : texts).add(view.node);
        Item item = reporter.view(view, view.panels == 0);
        viewItems.add(item);
        if (view.panels == 0) {
          items.add(item);
        }
      }
      superMetrics(bundle);
      ObjectNode needs = needs();
      if (!needs.isEmpty()) {
        bundle.set("needs", needs);
      }
      if (!viewNodes.isEmpty()) {
        bundle.set("views", viewNodes);
      }
      if (!dashboards.isEmpty()) {
        bundle.set("dashboards", dashboards);
      }
      if (!reports.isEmpty() || !texts.isEmpty()) {
        ObjectNode kept = bundle.putObject("x-vrops");
        if (!reports.isEmpty()) {
          kept.set("reports", reports);
        }
        if (!texts.isEmpty()) {
          kept.set("views", texts);
        }
      }
      return new VropsImport(
          bundle,
          new ImportReport(
              file,
              List.copyOf(items),
              settlements.open(),
              plans.size(),
              panels,
              List.copyOf(viewItems),
              documents.superMetrics.size(),
              Reporter.figures(items)));
    }

    private void file(String path, String text) {
      file(path, text, ImportStatus.CANNOT);
    }

    private void file(String path, String text, ImportStatus status) {
      items.add(
          Reporter.leaf(
              Level.FILE,
              path,
              path.substring(path.lastIndexOf('/') + 1),
              status,
              text,
              "",
              List.of(),
              -1,
              -1,
              List.of(),
              null));
    }

    /** Views by the ids that widgets name. A view that is there twice counts once. */
    private Map<String, ViewPart> views() {
      ViewReader reader = new ViewReader(columns, installation, documents.translations, originals);
      Map<String, ViewPart> views = new LinkedHashMap<>();
      Map<UUID, String> taken = new HashMap<>();
      Map<String, String> first = new HashMap<>();
      int tooMany = 0;
      for (FoundXml found : documents.views) {
        String id = ViewReader.originalId(found.definition());
        String written = found.definition().written();
        String before = id.isEmpty() ? null : first.get(id);
        if (before != null) {
          if (!before.equals(written)) {
            file(
                found.path(),
                "view "
                    + Names.cut(id, 60)
                    + " is in the file twice and differs; the first is taken",
                ImportStatus.REPLACED);
          }
          continue;
        }
        if (views.size() >= limits.views()) {
          tooMany++;
          continue;
        }
        ViewPart view = reader.read(found.definition());
        if (taken.putIfAbsent(view.id, id) != null) {
          continue;
        }
        first.put(id, written);
        views.put(id.isEmpty() ? view.id.toString() : id, view);
      }
      if (tooMany > 0) {
        file(
            "views",
            tooMany
                + " views beyond the "
                + limits.views()
                + " that a file may have. Import it in parts");
      }
      return views;
    }

    private Map<String, DashboardPlan> plans(Map<String, ViewPart> views) {
      Map<String, DashboardPlan> plans = new LinkedHashMap<>();
      Map<UUID, JsonNode> first = new HashMap<>();
      int tooMany = 0;
      for (FoundDashboard found : documents.dashboards) {
        if (plans.size() >= limits.dashboards()) {
          tooMany++;
          continue;
        }
        DashboardPlan plan = new DashboardPlan(found, views, columns, null);
        JsonNode before = first.putIfAbsent(plan.id, found.dashboard());
        if (before != null) {
          if (!before.path("widgets").equals(found.dashboard().path("widgets"))) {
            file(
                found.path(),
                "dashboard \""
                    + plan.name
                    + "\" is in the file twice and differs; the one that was saved last is taken",
                ImportStatus.REPLACED);
          }
          if (saved(found.dashboard()) <= saved(before)) {
            continue;
          }
          first.put(plan.id, found.dashboard());
        }
        plans.put(plan.originalId.isEmpty() ? plan.id.toString() : plan.originalId, plan);
      }
      if (tooMany > 0) {
        file(
            "dashboards",
            tooMany
                + " dashboards beyond the "
                + limits.dashboards()
                + " that a file may have. Import it in parts");
      }
      return plans;
    }

    private static double saved(JsonNode dashboard) {
      Double time = Members.number(dashboard, "lastUpdateTime");
      return time == null ? 0 : time;
    }

    /**
     * Dashboards in place of reports, beside those that the file has. A report of one dashboard
     * alone needs none.
     *
     * @return the definitions of those that need none
     */
    private ArrayNode reports(Map<String, ViewPart> views, Map<String, DashboardPlan> plans) {
      ArrayNode kept = JSON.arrayNode();
      Map<String, DashboardPlan> own = Map.copyOf(plans);
      Set<UUID> seen = new HashSet<>();
      for (FoundXml found : documents.reports) {
        ReportPlan report = new ReportPlan(found);
        if (!seen.add(report.id)) {
          continue;
        }
        if (seen.size() > MOST_REPORTS || plans.size() >= limits.dashboards()) {
          file(found.path(), "reports beyond the first are left out. Import them in parts");
          break;
        }
        String only = report.onlyDashboard();
        if (only.isEmpty() && !report.isEmpty()) {
          DashboardPlan plan = report.plan(views, own, columns);
          plans.put(plan.originalId, plan);
          continue;
        }
        kept.add(report.kept(originals));
        DashboardPlan shown = own.get(only);
        String name =
            shown != null
                ? shown.name
                : installation.dashboard(only).map(Installation.Here::name).orElse("");
        boolean isThere = !only.isEmpty() && !name.isEmpty();
        items.add(
            Reporter.leaf(
                Level.REPORT,
                report.id.toString(),
                report.title,
                isThere ? ImportStatus.CARRIED : ImportStatus.MISSING,
                only.isEmpty()
                    ? "the report shows neither a view nor a dashboard"
                    : isThere
                        ? "the report shows the dashboard \""
                            + name
                            + "\"; \"Send as a report\" on its page gives it a schedule"
                        : "the report shows a dashboard that is neither in the file nor here;"
                            + " export Dashboards, too, and import them with it",
                "",
                List.of(),
                -1,
                -1,
                List.of(),
                null));
      }
      return kept;
    }

    private void superMetrics(ObjectNode bundle) {
      if (documents.superMetrics.isEmpty()) {
        return;
      }
      ObjectNode all = bundle.putObject("superMetrics");
      documents.superMetrics.forEach(
          (id, definition) -> {
            all.set(id, definition);
            items.add(
                Reporter.leaf(
                    Level.SUPER_METRIC,
                    id,
                    Names.line(Members.text(definition, "name"), "sm_" + id),
                    ImportStatus.CARRIED,
                    installation.superMetric(id).isPresent()
                        ? "is here already"
                        : "comes with the file; turn it on after the import",
                    "",
                    List.of(),
                    -1,
                    -1,
                    List.of(),
                    null));
          });
    }

    private ObjectNode needs() {
      ObjectNode needs = JSON.objectNode();
      if (!reporter.neededSuperMetrics.isEmpty()) {
        ArrayNode list = needs.putArray("superMetrics");
        reporter.neededSuperMetrics.forEach(
            (id, name) -> {
              if (list.size() < 1000) {
                list.addObject().put("id", id.toString()).put("name", name);
              }
            });
      }
      if (!reporter.neededGroups.isEmpty()) {
        ArrayNode list = needs.putArray("groups");
        reporter.neededGroups.stream()
            .limit(200)
            .forEach(name -> list.addObject().put("name", name));
      }
      TreeSet<String> collectors = new TreeSet<>(reporter.neededCollectors);
      collectors.remove(CollectorKeys.SUPER_METRICS);
      if (!collectors.isEmpty()) {
        ArrayNode list = needs.putArray("collectors");
        collectors.forEach(list::add);
      }
      return needs;
    }
  }
}
