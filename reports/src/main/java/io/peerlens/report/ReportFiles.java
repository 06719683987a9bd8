package io.peerlens.report;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.ReportPanel;
import io.peerlens.api.model.ReportPart;
import io.peerlens.report.picture.PanelDrawing;
import io.peerlens.report.picture.PanelPicture;
import io.peerlens.report.picture.PicturePng;
import io.peerlens.report.picture.ReportPdf;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Files that are made of what a report showed. */
final class ReportFiles {

  private ReportFiles() {}

  /** Name of a report, or of a part of it. */
  static String title(Report report, ReportPart part) {
    return part.getLabel().isEmpty() ? report.name() : report.name() + ": " + part.getLabel();
  }

  /** The range of a part in words. */
  static String range(ReportPart part, ZoneId zone) {
    return "%s to %s"
        .formatted(
            ReportRuns.moment(part.getFrom(), zone).replaceFirst(", .*", ""),
            ReportRuns.moment(part.getTo(), zone));
  }

  /**
   * A part on pages of A4.
   *
   * @param reason why it came late; null = it did not
   */
  static byte[] pdf(Report report, ReportPart part, @Nullable String reason) {
    ZoneId zone = ReportRuns.zone(report);
    List<String> words = new ArrayList<>(List.of(range(part, zone)));
    words.addAll(part.getWords());
    report.description().lines().filter(line -> !line.isBlank()).limit(10).forEach(words::add);
    if (reason != null) {
      words.add(reason);
    }
    return ReportPdf.write(
        title(report, part),
        words,
        part.getPanels().stream().map(panel -> picture(panel, zone)).toList());
  }

  /** A panel as picture; empty = this machine has no fonts. */
  static Optional<byte[]> png(ReportPanel panel, ZoneId zone) {
    return PicturePng.draw(picture(panel, zone));
  }

  private static PanelPicture picture(ReportPanel panel, ZoneId zone) {
    PanelAnswer answer = panel.getAnswer();
    return answer == null
        ? PanelDrawing.failed(
            panel.getTitle().isEmpty() ? panel.getName() : panel.getTitle(),
            String.valueOf(panel.getReason()),
            ReportPdf.WIDTH)
        : PanelDrawing.of(answer, ReportPdf.WIDTH, zone);
  }

  /** A panel as CSV; why there is nothing, where there is nothing. */
  static byte[] csv(ReportPanel panel) {
    PanelAnswer answer = panel.getAnswer();
    String text =
        answer == null
            ? io.peerlens.web.CsvConverter.cell(panel.getReason()) + "\r\n"
            : PanelCsv.of(answer);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A name for a file, of letters and digits. */
  static String fileName(String of, String extension) {
    String plain =
        of.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-").replaceAll("^-|-$", "");
    String name = plain.isEmpty() ? "report" : plain;
    return name.substring(
            0, name.offsetByCodePoints(0, Math.min(60, name.codePointCount(0, name.length()))))
        + "."
        + extension;
  }
}
