package io.peerlens.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.PanelAnswer;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

/** What Peerlens finds out by itself, as pictures. */
class FindingDrawingTest {

  private static PanelPicture draw(PanelAnswer answer) {
    return PanelDrawing.of(answer, ReportPdf.WIDTH, ZoneOffset.UTC);
  }

  private static String words(PanelPicture picture) {
    return String.join(" ", picture.texts());
  }

  @Test
  void outliersHaveTheirValueAndThatOfTheirPeersThenTheirGroups() {
    assertThat(words(draw(Findings.outliers(2))))
        .contains("immediate", "web-1", "web servers", "CPU usage", "71.25 %;", "20.5 to", "9.375")
        .contains("20 Nov 2026", "Groups of peers now", "deviants");
  }

  @Test
  void outliersThatAreOverHaveNoColour() {
    List<Mark.Box> boxes =
        draw(Findings.outliers(2)).strips().stream()
            .flatMap(strip -> strip.marks().stream())
            .filter(Mark.Box.class::isInstance)
            .map(Mark.Box.class::cast)
            .toList();
    assertThat(boxes).singleElement().matches(box -> box.ink() == Ink.IMMEDIATE_SOFT);
  }

  @Test
  void outliersThatGoOnOnTheNextPageBeginWithTheirTitlesAndGroupsDoNot() throws IOException {
    byte[] pdf = ReportPdf.write("Many", List.of(), List.of(draw(Findings.outliers(120))));
    try (PDDocument document = Loader.loadPDF(pdf)) {
      assertThat(document.getNumberOfPages()).isGreaterThan(2);
      for (int page = 1; page <= document.getNumberOfPages(); page++) {
        PDFTextStripper stripper = new PDFTextStripper();
        stripper.setStartPage(page);
        stripper.setEndPage(page);
        assertThat(stripper.getText(document)).contains("Severity");
      }
    }
  }

  @Test
  void talkersHaveTheirValueShareAndRatesAndWhatIsNotListed() {
    PanelPicture picture = draw(Findings.talkers());
    assertThat(words(picture))
        .contains("bytes sent and received, from 20 Nov 2026 00:00 to 21 Nov 2026 00:00")
        .contains("Value (B)", "web-1 to cache-3", "5,000", "62.5", "1.375", "666.5")
        .contains("12 others", "2,999", "37.5", "All", "7,999");
    assertThat(picture.strips().stream().flatMap(strip -> strip.marks().stream()))
        .anyMatch(Mark.Curve.class::isInstance);
  }

  @Test
  void changesAreMarkedInTheIndexWithTheNumbersOfTheirLines() {
    PanelPicture picture = draw(Findings.impact());
    assertThat(words(picture))
        .contains("db, performance index, balanced: 71.25")
        .contains("50 = as from 20 Nov 2026 00:00 to 20 Nov 2026 08:00", "each value is of a day")
        .contains("config|cores 2 to 3", "Read latency better: 2.1 to 1.4 ms, certain.", "71.5")
        .contains("too few samples before it");
    PanelPicture.Strip chart =
        picture.strips().stream()
            .filter(strip -> strip.marks().stream().anyMatch(Mark.Curve.class::isInstance))
            .findFirst()
            .orElseThrow();
    List<Double> lines =
        chart.marks().stream()
            .filter(mark -> mark instanceof Mark.Line line && line.dashed())
            .map(mark -> ((Mark.Line) mark).x1())
            .toList();
    // The newest is the first.
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).isGreaterThan(lines.get(1));
  }

  @Test
  void whatFillsUpHasItsUnitsAndSaysWhen() {
    assertThat(words(draw(Findings.capacity())))
        .contains("671.5 GB", "1,000 GB", "24 GB", "13.7 days", "12.3 days to over a year")
        .contains("reached");
  }
}
