package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelNote;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;

/** Drawing of an answer: which of the drawings its type has. */
public final class PanelDrawing {

  private PanelDrawing() {}

  /**
   * The picture of an answer.
   *
   * @param width in points
   * @param zone of times
   */
  public static PanelPicture of(PanelAnswer answer, double width, ZoneId zone) {
    Sheet sheet = new Sheet(width);
    if (answer.getEmpty() != null) {
      sheet.paragraph(answer.getEmpty().getTitle(), Sheet.SIZE, true, Ink.INK);
      sheet.remark(answer.getEmpty().getText());
    } else {
      draw(answer, sheet, new PanelValues(zone));
      if (sheet.isBlank()) {
        sheet.remark("There is nothing to show.");
      }
    }
    return sheet.picture(
        Objects.requireNonNullElse(answer.getTitle(), ""),
        answer.getNotes().stream().map(PanelNote::getText).toList());
  }

  /** In the place of an answer that there is not, why. */
  public static PanelPicture failed(String title, String reason, double width) {
    Sheet sheet = new Sheet(width);
    sheet.failure(reason);
    return sheet.picture(title, List.of());
  }

  private static void draw(PanelAnswer answer, Sheet sheet, PanelValues values) {
    switch (answer.getType()) {
      case "table", "sparklines" -> new RowTable(sheet, values).draw(answer);
      case "records" -> new RowTable(sheet, values).records(answer);
      case "top" -> new Bars(sheet, values).top(answer);
      case "distribution" -> new Bars(sheet, values).distribution(answer);
      case "scoreboard" -> new Tiles(sheet, values).draw(answer);
      case "heatmap" -> new HeatMap(sheet, values).draw(answer);
      case "chart" ->
          new ChartStrip(answer, sheet.width(), values, sheet.widths(), true)
              .strips()
              .forEach(sheet::add);
      case "timeline" -> new Lanes(sheet, values).draw(answer);
      case "text" -> new MarkdownText(sheet).draw(answer);
      case "properties" -> new Lists(sheet, values).properties(answer);
      case "alerts" -> new Lists(sheet, values).alerts(answer);
      case "changes" -> new Lists(sheet, values).changes(answer);
      case "relations" -> new RelationTree(sheet).draw(answer);
      case "outliers" -> new FindingPanels(sheet, values).outliers(answer);
      case "talkers" -> new FindingPanels(sheet, values).talkers(answer);
      case "impact" -> new FindingPanels(sheet, values).impact(answer);
      case "capacity" -> new FindingPanels(sheet, values).capacity(answer);
      default -> sheet.remark("Panels of this type are not drawn in reports.");
    }
  }
}
