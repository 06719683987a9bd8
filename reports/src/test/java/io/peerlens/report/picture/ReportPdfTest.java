package io.peerlens.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.PanelState;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

class ReportPdfTest {

  private static PanelPicture picture(PanelAnswer answer) {
    return PanelDrawing.of(answer, ReportPdf.WIDTH, ZoneOffset.UTC);
  }

  private record Read(int pages, String text, List<String> each) {}

  private static Read read(byte[] pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf)) {
      List<String> each = new ArrayList<>();
      for (int page = 1; page <= document.getNumberOfPages(); page++) {
        PDFTextStripper stripper = new PDFTextStripper();
        stripper.setStartPage(page);
        stripper.setEndPage(page);
        each.add(stripper.getText(document));
      }
      return new Read(document.getNumberOfPages(), String.join("\n", each), each);
    }
  }

  @Test
  void theTextOfAReportCanBeReadAndHasEveryRow() throws IOException {
    Read read =
        read(ReportPdf.write("Weekly", List.of("of 20 Nov"), List.of(picture(Answers.table(120)))));
    for (int i = 0; i < 120; i++) {
      assertThat(read.text())
          .contains("vm-%04d ".formatted(i) + PanelValues.number(i + 0.25, null));
    }
    assertThat(read.text()).contains("Weekly", "of 20 Nov", "Machines", "3 of 4 rows", "Page 1");
  }

  @Test
  void aTableThatGoesOnOnTheNextPageBeginsWithItsTitles() throws IOException {
    Read read = read(ReportPdf.write("Weekly", List.of(), List.of(picture(Answers.table(120)))));
    assertThat(read.pages()).isGreaterThan(1);
    assertThat(read.each()).allMatch(page -> page.contains("CPU (%)"));
  }

  @Test
  void aReportEndsAfterFiftyPagesAndSaysSo() throws IOException {
    Read read = read(ReportPdf.write("Long", List.of(), List.of(picture(Answers.table(5000)))));
    assertThat(read.pages()).isEqualTo(50);
    assertThat(read.each().getLast())
        .contains("The rest is left out: a report has 50 pages at most.");
  }

  @Test
  void aReportEndsAfterAMinuteAndSaysSo() throws IOException {
    AtomicLong now = new AtomicLong();
    Read read =
        read(
            ReportPdf.write(
                "Slow",
                List.of(),
                List.of(picture(Answers.table(120)), picture(Answers.table(1))),
                () -> now.getAndAdd(1_000_000_000)));
    assertThat(read.text())
        .contains("vm-0050")
        .doesNotContain("vm-0100")
        .contains("The rest is left out: drawing it took more than 60 s.");
  }

  @Test
  void lettersThatNoFontHasAreQuestionMarks() throws IOException {
    PanelAnswer answer = Answers.table(1);
    answer.setRows(List.of(Answers.row("Zürich \uD83D\uDE80 1", PanelState.NORMAL, 1.0, 2.0)));
    Read read = read(ReportPdf.write("Names", List.of(), List.of(picture(answer))));
    assertThat(read.text()).contains("Zürich");
  }

  @Test
  void aChartStandsOnThePageOfItsLegend() throws IOException {
    PanelAnswer chart = Answers.of("chart", "Load");
    chart.setTimes(List.of(Answers.FROM, Answers.FROM + 28_800_000));
    chart.setSeries(
        List.of(
            new PanelSeries(
                Answers.object("c1"), null, "cpu", "cpu|usage_average", "%", List.of(10.0, 30.0))));
    // 38 rows leave room for the legend and not for the chart.
    Read read =
        read(
            ReportPdf.write(
                "Weekly", List.of(), List.of(picture(Answers.table(38)), picture(chart))));
    assertThat(read.pages()).isEqualTo(2);
    assertThat(read.each().getLast()).contains("Load", "c1, cpu: 30 %", "20 Nov 2026 00:00");
  }
}
