package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardImportChoice;
import io.peerlens.api.model.DashboardImportColumn;
import io.peerlens.api.model.DashboardImportOutcome;
import io.peerlens.api.model.DashboardImportPanel;
import io.peerlens.api.model.DashboardImportProposal;
import io.peerlens.api.model.DashboardImportSource;
import io.peerlens.api.model.ImportProblem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the parts of a file here, and how much of it has data.
 *
 * @param views in the order of the file
 * @param dashboards in the order of the file
 * @param columns columns by what becomes of them
 * @param answerable columns that have data today
 * @param withSources columns that have data once all sources are there
 * @param sources what would bring data
 * @param settle what a person could settle
 * @param problems parts that are not taken over
 */
record Outlook(
    List<Part> views,
    List<Part> dashboards,
    Map<DashboardImportOutcome, Integer> columns,
    int answerable,
    int withSources,
    List<DashboardImportSource> sources,
    List<DashboardImportChoice> settle,
    List<ImportProblem> problems) {

  /**
   * A view or a dashboard.
   *
   * @param from what it is in the file
   * @param columnCount how many columns it has
   * @param answerable how many of them have data today
   * @param panels of a dashboard
   * @param columns of a view
   */
  record Part(
      DashboardImportOutcome outcome,
      String text,
      String from,
      int columnCount,
      int answerable,
      @Nullable DashboardImportProposal proposal,
      List<DashboardImportPanel> panels,
      List<DashboardImportColumn> columns) {}

  int columnCount() {
    return columns.values().stream().mapToInt(Integer::intValue).sum();
  }

  static int percent(int some, int all) {
    return all == 0 ? 100 : (int) Math.round(100.0 * some / all);
  }
}
