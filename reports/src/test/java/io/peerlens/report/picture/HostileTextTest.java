package io.peerlens.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelState;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names as people and attackers give them. */
class HostileTextTest {

  private static PanelAnswer named(String name) {
    PanelAnswer answer = Answers.table(1);
    answer.setTitle(name);
    answer.setRows(List.of(Answers.row(name, PanelState.NORMAL, 41.5, 2.0)));
    return answer;
  }

  private static String pdf(String title, PanelAnswer answer) throws IOException {
    PanelPicture picture = PanelDrawing.of(answer, ReportPdf.WIDTH, ZoneOffset.UTC);
    try (PDDocument document =
        Loader.loadPDF(ReportPdf.write(title, List.of(title), List.of(picture)))) {
      return new PDFTextStripper().getText(document);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0000\u0001\u0007\u001b[31mred\u009b",
        "line\r\nbreak\ttab\u2028separator",
        "\u202egnp.exe\u2066\u2069\u200f",
        "שלום עולם",
        "مرحبا بالعالم",
        "数据库服务器-生产-東京",
        "\uD83D\uDE80\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
        "\uD83D alone \uDE80",
        "e\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b",
        "<script>alert(1)</script>&amp;\"'",
        "%s %n %d {0} ${x} $1 \\",
        "=HYPERLINK(\"http://x\")",
        ""
      })
  void aReportWithAnyNameIsDrawnAndItsNumbersAreRead(String name) throws IOException {
    PanelAnswer answer = named(name);
    assertThat(pdf(name, answer)).contains("41.5", "Page 1");
    assertThat(PicturePng.draw(PanelDrawing.of(answer, ReportPdf.WIDTH, ZoneOffset.UTC)))
        .isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"W", "\uD83D\uDE80", "א", "数", "a ", "\u0301"})
  void aNameOfTwentyThousandLettersTakesSomeLines(String letter) throws IOException {
    PanelAnswer answer = named(letter.repeat(20_000));
    long start = System.nanoTime();
    assertThat(pdf(letter.repeat(20_000), answer)).contains("41.5");
    assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<script>alert(1)</script>", "Zürich & Łódź", "Ελλάδα", "שלום עולם"})
  void whatTheFontsHaveIsReadAsItWasWritten(String name) throws IOException {
    assertThat(pdf(name, named("vm"))).contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"invoice\u202egnp.exe", "in\u2066voice\u2069gnp.exe"})
  void marksThatTurnTextAroundAreLeftOut(String name) throws IOException {
    assertThat(pdf(name, named("vm"))).contains("invoicegnp.exe");
  }
}
