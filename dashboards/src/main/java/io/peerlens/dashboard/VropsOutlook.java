package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardImportChoice;
import io.peerlens.api.model.DashboardImportColumn;
import io.peerlens.api.model.DashboardImportOutcome;
import io.peerlens.api.model.DashboardImportPanel;
import io.peerlens.api.model.DashboardImportProposal;
import io.peerlens.api.model.DashboardImportSource;
import io.peerlens.api.model.ImportProblem;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.View;
import io.peerlens.dashboard.vrops.ImportReport;
import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import io.peerlens.dashboard.vrops.ImportStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outlook of an export of vRealize Operations, from the report of its importer. */
final class VropsOutlook {

  private static final int MOST_PROBLEMS = 1000;

  private final ImportReport report;
  private final Map<String, Item> byId = new HashMap<>();

  private VropsOutlook(ImportReport report) {
    this.report = report;
    // Those that a dashboard shows stand without their columns; those of the others with them.
    report.views().forEach(one -> byId.put(one.id(), one));
    report.items().forEach(one -> byId.put(one.id(), one));
  }

  /**
   * @param file what the importer has made of the export
   */
  static Outlook of(ImportReport report, DashboardFile file) {
    return new VropsOutlook(report).of(file);
  }

  private Outlook of(DashboardFile file) {
    Map<DashboardImportOutcome, Integer> columns = new EnumMap<>(DashboardImportOutcome.class);
    report.figures().totals().forEach((status, many) -> columns.put(outcome(status), many));
    return new Outlook(
        file.views().stream().map(this::view).toList(),
        file.dashboards().stream().map(this::dashboard).toList(),
        columns,
        report.figures().now(),
        report.figures().all(),
        report.figures().gains().stream()
            .map(gain -> new DashboardImportSource(gain.collector(), gain.title(), gain.columns()))
            .toList(),
        report.settle().stream().map(VropsOutlook::choice).toList(),
        problems());
  }

  private List<ImportProblem> problems() {
    List<ImportProblem> problems = new ArrayList<>();
    for (Item item : report.items()) {
      if (item.level() == Level.FILE) {
        problems.add(new ImportProblem(item.id(), item.text()));
      } else if (item.level() == Level.REPORT) {
        problems.add(new ImportProblem(item.name(), item.text()));
      }
    }
    return problems.size() <= MOST_PROBLEMS ? problems : problems.subList(0, MOST_PROBLEMS);
  }

  private Outlook.Part view(FileItem<View> view) {
    Item item = byId.get(String.valueOf(view.id()));
    return part(item, List.of(), item == null ? List.of() : columns(item));
  }

  private Outlook.Part dashboard(FileItem<Dashboard> dashboard) {
    Item item = byId.get(String.valueOf(dashboard.id()));
    if (item == null) {
      return part(null, List.of(), List.of());
    }
    List<DashboardImportPanel> panels = new ArrayList<>();
    for (Item one : item.items()) {
      if (one.level() == Level.PANEL) {
        Panel made = dashboard.read() == null ? null : dashboard.read().panels().get(one.id());
        DashboardImportPanel panel =
            new DashboardImportPanel(
                one.id(),
                one.name(),
                one.type(),
                made == null ? null : made.type().word(),
                outcome(one.status()),
                one.text(),
                one.columns().all(),
                one.columns().now(),
                columns(one));
        panel.setProposal(proposal(one.proposal()));
        panels.add(panel);
      }
    }
    return part(item, panels, List.of());
  }

  private static Outlook.Part part(
      @Nullable Item item, List<DashboardImportPanel> panels, List<DashboardImportColumn> columns) {
    return item == null
        ? new Outlook.Part(DashboardImportOutcome.CARRIED, "", "", 0, 0, null, panels, columns)
        : new Outlook.Part(
            outcome(item.status()),
            item.text(),
            item.type(),
            item.columns().all(),
            item.columns().now(),
            proposal(item.proposal()),
            panels,
            columns);
  }

  private static List<DashboardImportColumn> columns(Item item) {
    return item.items().stream()
        .filter(one -> one.level() == Level.COLUMN)
        .map(VropsOutlook::column)
        .toList();
  }

  private static DashboardImportColumn column(Item item) {
    DashboardImportColumn column =
        new DashboardImportColumn(
            item.id(),
            item.name(),
            item.keys().stream().map(ImportReport.Key::key).toList(),
            outcome(item.status()),
            item.text(),
            item.collectors(),
            item.objects() < 0 ? null : item.objects(),
            item.reporting() < 0 ? null : item.reporting());
    column.setProposal(proposal(item.proposal()));
    return column;
  }

  private static DashboardImportChoice choice(ImportReport.Settle settle) {
    DashboardImportChoice choice =
        new DashboardImportChoice(
            settle.id(),
            outcome(settle.status()),
            settle.name(),
            settle.text(),
            settle.places(),
            settle.choices());
    choice.setProposal(proposal(settle.proposal()));
    return choice;
  }

  private static @Nullable DashboardImportProposal proposal(@Nullable Proposal proposal) {
    return proposal == null ? null : new DashboardImportProposal(proposal.value(), proposal.text());
  }

  private static DashboardImportOutcome outcome(ImportStatus status) {
    return DashboardImportOutcome.valueOf(status.name());
  }
}
