package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardFileFormat;
import io.peerlens.api.model.DashboardImportFigures;
import io.peerlens.api.model.DashboardImportItem;
import io.peerlens.api.model.DashboardImportOutcome;
import io.peerlens.api.model.DashboardImportResult;
import io.peerlens.api.model.DashboardImportView;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.ImportProblem;
import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.RuleImportState;
import io.peerlens.dashboard.DashboardPacks.Pack;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.dashboard.file.View;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import io.peerlens.dashboard.vrops.VropsImport;
import io.peerlens.panel.ExampleRun;
import io.peerlens.security.Caller;
import io.peerlens.supermetric.SuperMetricFiles;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Import of files and packs: says of every part what becomes of it, and stores what can be stored,
 * all of it in one transaction. A dry run does the same and then undoes it, so that it says what
 * the import would.
 */
final class DashboardImporter {

  private final DashboardService dashboards;
  private final ViewService views;
  private final ViewStore viewStore;
  private final DashboardNumberStore number;
  private final TransactionTemplate transaction;
  private final OriginalStore originals;
  private final SuperMetricFiles superMetrics;
  private final KeyQueries keys;
  private final KeySources sources;
  private final InstantSource clock;

  DashboardImporter(
      DashboardService dashboards,
      ViewService views,
      ViewStore viewStore,
      DashboardNumberStore number,
      TransactionTemplate transaction,
      OriginalStore originals,
      SuperMetricFiles superMetrics,
      KeyQueries keys,
      KeySources sources,
      InstantSource clock) {
    this.dashboards = dashboards;
    this.views = views;
    this.viewStore = viewStore;
    this.number = number;
    this.transaction = transaction;
    this.originals = originals;
    this.superMetrics = superMetrics;
    this.keys = keys;
    this.sources = sources;
    this.clock = clock;
  }

  /**
   * Imports a file, or says what would come of it.
   *
   * @param name of the file, for messages
   * @throws ApiException if it is no file that can be read
   */
  DashboardImportResult read(String name, byte[] content, ImportWishes wishes, boolean dryRun) {
    Optional<JsonNode> ours = DashboardFile.json(content).filter(DashboardFile::isOurs);
    if (ours.isPresent()) {
      DashboardFile file = DashboardFile.read(ours.get());
      return carryOut(
          name, content, DashboardFileFormat.PEERLENS, file, outlook(file), wishes, dryRun);
    }
    VropsImport read =
        VropsImport.read(
            name,
            content,
            new VropsInstallation(
                keys, superMetrics.names(), views.visible(), dashboards.visible()),
            wishes.choices());
    DashboardFile file = DashboardFile.read(read.bundle());
    if (file.views().isEmpty() && file.dashboards().isEmpty() && file.superMetrics() == null) {
      throw ApiException.of(
              ErrorCode.INVALID_BODY,
              "The file holds no dashboards and no views%s."
                  .formatted(
                      read.report().items().stream()
                          .filter(item -> item.level() == Level.FILE)
                          .findFirst()
                          .map(item -> ": " + item.text())
                          .orElse("")))
          .hint(
              "Send a file that GET /dashboards/export gave, or an export of vRealize Operations:"
                  + " Dashboards > Export, Views > Export, or a content-management export.");
    }
    return carryOut(
        name,
        content,
        DashboardFileFormat.VROPS,
        file,
        VropsOutlook.of(read.report(), file),
        wishes,
        dryRun);
  }

  private Outlook outlook(DashboardFile file) {
    String owner = Caller.current().name();
    return new OwnFileOutlook(
            keys,
            sources,
            new SuperMetricKeys(superMetrics.names(), file.superMetrics()),
            reference ->
                file.view(reference)
                    .or(() -> viewStore.find(reference, owner).map(OwnedView::view)))
        .of(
            file.views().stream().<@Nullable View>map(FileItem::read).toList(),
            file.dashboards().stream().<@Nullable Dashboard>map(FileItem::read).toList());
  }

  // ---------------------------------------------------------------------------------------- files

  /**
   * What was done with the parts of a file, in its order.
   *
   * @param superMetrics null = the file has none
   */
  private record Done(
      List<Stored> views, List<Stored> dashboards, @Nullable ImportResult superMetrics) {}

  /** What tests of a file are not met. None of it stops the import. */
  private static List<ImportProblem> testsNotMet(DashboardFile file) {
    return ExampleRun.of(file.withTests()).stream()
        .map(one -> new ImportProblem(one.path(), one.text() + " " + one.hint()))
        .toList();
  }

  private DashboardImportResult carryOut(
      String name,
      byte[] content,
      DashboardFileFormat format,
      DashboardFile file,
      Outlook outlook,
      ImportWishes wishes,
      boolean dryRun) {
    List<ImportProblem> problems = new ArrayList<>(outlook.problems());
    problems.addAll(testsNotMet(file));
    byte @Nullable [] formulas = formulas(name, file, wishes, problems);
    Done done =
        undone(
            dryRun,
            () -> {
              Caller caller = Caller.current();
              Instant now = clock.instant();
              Map<UUID, UUID> elsewhere = new HashMap<>();
              Set<UUID> shown = shown(file, wishes);
              List<Stored> ofViews = new ArrayList<>();
              for (FileItem<View> view : file.views()) {
                boolean wanted = wishes.only().isEmpty() || shown.contains(view.id());
                Stored stored = views.importItem(view, wishes, wanted, caller, now);
                if (view.id() != null && !view.id().equals(stored.id())) {
                  elsewhere.put(view.id(), stored.id());
                }
                ofViews.add(stored);
              }
              List<Stored> ofDashboards = new ArrayList<>();
              for (FileItem<Dashboard> dashboard : file.dashboards()) {
                ofDashboards.add(
                    dashboards.importItem(
                        showing(dashboard, elsewhere),
                        wishes,
                        isWanted(dashboard, wishes),
                        caller,
                        now));
              }
              keep(name, content, ofViews, ofDashboards, now, caller.name());
              return new Done(
                  ofViews,
                  ofDashboards,
                  formulas == null
                      ? null
                      : superMetrics.read(
                          name, formulas, wishes.onConflict(), wishes.enable(), dryRun));
            });
    return result(dryRun, name, format, file, outlook, done, problems);
  }

  private boolean isWanted(FileItem<Dashboard> dashboard, ImportWishes wishes) {
    return wishes.only().isEmpty()
        || wishes.only().contains(dashboard.id())
        || (dashboard.id() == null && wishes.only().contains(dashboards.idOf(dashboard.name())));
  }

  /** Ids of the views that the chosen dashboards show. */
  private Set<UUID> shown(DashboardFile file, ImportWishes wishes) {
    Set<UUID> shown = new HashSet<>();
    for (FileItem<Dashboard> dashboard : file.dashboards()) {
      if (isWanted(dashboard, wishes) && dashboard.read() != null) {
        dashboard.read().panels().values().stream()
            .flatMap(panel -> java.util.stream.Stream.ofNullable(panel.view()))
            .forEach(
                reference ->
                    file.views().stream()
                        .filter(view -> isNamed(view, reference) && view.id() != null)
                        .forEach(view -> shown.add(Objects.requireNonNull(view.id()))));
      }
    }
    return shown;
  }

  private static boolean isNamed(FileItem<View> view, ViewRef reference) {
    return reference.id() == null
        ? view.name().equals(reference.name())
        : reference.id().equals(view.id());
  }

  /** The same dashboard with the ids that views have here. */
  private static FileItem<Dashboard> showing(FileItem<Dashboard> item, Map<UUID, UUID> elsewhere) {
    if (elsewhere.isEmpty() || item.read() == null) {
      return item;
    }
    ObjectNode json = item.json().deepCopy();
    for (JsonNode panel : json.path("panels")) {
      UUID id = SuperMetricKeys.id(panel.path("view").asString(""));
      if (id != null && elsewhere.containsKey(id) && panel instanceof ObjectNode object) {
        object.put("view", String.valueOf(elsewhere.get(id)));
      }
    }
    return new FileItem<>(
        item.id(), item.name(), json, BundleReader.dashboard(json, "").value(), item.errors());
  }

  private void keep(
      String name,
      byte[] content,
      List<Stored> ofViews,
      List<Stored> ofDashboards,
      Instant now,
      String by) {
    Set<UUID> written = new LinkedHashSet<>();
    for (List<Stored> all : List.of(ofViews, ofDashboards)) {
      all.stream()
          .filter(one -> one.action() != ImportAction.SKIP)
          .forEach(one -> written.add(one.id()));
    }
    if (!written.isEmpty()) {
      originals.put(name, content, written, now, by);
    }
  }

  /** The super metrics of a file; null = it has none that can be read. */
  private byte @Nullable [] formulas(
      String name, DashboardFile file, ImportWishes wishes, List<ImportProblem> problems) {
    JsonNode ofFile = file.superMetrics();
    if (ofFile == null || ofFile.isEmpty()) {
      return null;
    }
    byte[] formulas = Json.MAPPER.writeValueAsBytes(ofFile);
    try {
      superMetrics.read(name, formulas, wishes.onConflict(), wishes.enable(), true);
      return formulas;
    } catch (ApiException e) {
      problems.add(new ImportProblem("superMetrics", e.detail()));
      return null;
    }
  }

  /** Does something within a write, and undoes it after a dry run. */
  private <T> T undone(boolean dryRun, Supplier<T> change) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              T result = number.write(change);
              if (dryRun) {
                status.setRollbackOnly();
              }
              return result;
            }));
  }

  // ---------------------------------------------------------------------------------------- packs

  /** Stores what a pack holds, or says what would come of it. */
  DashboardImportResult install(Pack pack, boolean dryRun) {
    DashboardFile file = pack.file();
    Outlook outlook = outlook(file);
    Done done =
        undone(
            dryRun,
            () -> {
              Instant now = clock.instant();
              String by = Caller.current().name();
              views.removeOthers(
                  pack.name(), ids(file.views(), one -> views.idOf(pack.name(), one)), now, by);
              dashboards.removeOthers(
                  pack.name(),
                  ids(file.dashboards(), one -> dashboards.idOf(pack.name(), one)),
                  now,
                  by);
              return new Done(
                  file.views().stream()
                      .map(one -> views.installItem(pack.name(), one, now, by))
                      .toList(),
                  file.dashboards().stream()
                      .map(one -> dashboards.installItem(pack.name(), one, now, by))
                      .toList(),
                  null);
            });
    return result(
        dryRun,
        pack.name() + ".json",
        DashboardFileFormat.PEERLENS,
        file,
        outlook,
        done,
        outlook.problems());
  }

  private static <T> Set<UUID> ids(
      List<FileItem<T>> items, java.util.function.Function<String, UUID> id) {
    Set<UUID> ids = new HashSet<>();
    items.forEach(item -> ids.add(id.apply(item.name())));
    return ids;
  }

  // --------------------------------------------------------------------------------------- answer

  private static DashboardImportResult result(
      boolean dryRun,
      String name,
      DashboardFileFormat format,
      DashboardFile file,
      Outlook outlook,
      Done done,
      List<ImportProblem> problems) {
    List<DashboardImportItem> ofDashboards = new ArrayList<>();
    for (int i = 0; i < done.dashboards().size(); i++) {
      ofDashboards.add(
          item(file.dashboards().get(i), outlook.dashboards().get(i), done.dashboards().get(i)));
    }
    List<DashboardImportView> ofViews = new ArrayList<>();
    for (int i = 0; i < done.views().size(); i++) {
      ofViews.add(view(file.views().get(i), outlook.views().get(i), done.views().get(i)));
    }
    DashboardImportResult result =
        new DashboardImportResult(
            dryRun,
            name,
            format,
            figures(outlook, done),
            outlook.sources(),
            outlook.settle(),
            ofDashboards,
            ofViews,
            problems);
    result.setSuperMetrics(done.superMetrics());
    return result;
  }

  private static DashboardImportItem item(
      FileItem<Dashboard> item, Outlook.Part part, Stored stored) {
    return new DashboardImportItem(
        stored.id(),
        item.name(),
        item.read() == null ? null : item.read().folder(),
        stored.state(),
        stored.action(),
        stored.reason(),
        stored.changes(),
        stored.errors(),
        part.outcome(),
        part.text(),
        part.columnCount(),
        part.answerable(),
        part.panels());
  }

  private static DashboardImportView view(FileItem<View> item, Outlook.Part part, Stored stored) {
    DashboardImportView view =
        new DashboardImportView(
            stored.id(),
            item.name(),
            part.from(),
            stored.state(),
            stored.action(),
            stored.reason(),
            stored.changes(),
            stored.errors(),
            part.outcome(),
            part.text(),
            part.columnCount(),
            part.answerable(),
            part.columns());
    view.setProposal(part.proposal());
    return view;
  }

  private static DashboardImportFigures figures(Outlook outlook, Done done) {
    List<Stored> all = new ArrayList<>(done.views());
    all.addAll(done.dashboards());
    int columns = outlook.columnCount();
    return new DashboardImportFigures(
        done.dashboards().size(),
        done.views().size(),
        outlook.dashboards().stream().mapToInt(one -> one.panels().size()).sum(),
        columns,
        count(outlook, DashboardImportOutcome.CARRIED),
        count(outlook, DashboardImportOutcome.REPLACED),
        count(outlook, DashboardImportOutcome.WAITS),
        count(outlook, DashboardImportOutcome.CHOOSE),
        count(outlook, DashboardImportOutcome.MISSING),
        count(outlook, DashboardImportOutcome.CANNOT),
        outlook.answerable(),
        Outlook.percent(outlook.answerable(), columns),
        Outlook.percent(outlook.withSources(), columns),
        count(all, ImportAction.CREATE),
        count(all, ImportAction.OVERWRITE),
        count(all, ImportAction.SKIP),
        (int) all.stream().filter(one -> one.state() == RuleImportState.INVALID).count());
  }

  private static int count(Outlook outlook, DashboardImportOutcome outcome) {
    return outlook.columns().getOrDefault(outcome, 0);
  }

  private static int count(List<Stored> all, ImportAction action) {
    return (int) all.stream().filter(one -> one.action() == action).count();
  }
}
