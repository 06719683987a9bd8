package io.peerlens.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelNode;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.PanelState;
import io.peerlens.api.model.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every type of panel that dashboards may have is drawn. */
class PanelTypesTest {

  static List<String> types() throws IOException {
    JsonNode schema =
        JsonMapper.shared().readTree(Files.readString(Path.of("../docs/dashboard.schema.json")));
    return schema
        .at("/$defs/panel/properties/type/enum")
        .valueStream()
        .map(JsonNode::stringValue)
        .toList();
  }

  /** An answer with something to see, and a text that has to be read then. */
  private record Sample(PanelAnswer answer, String words) {}

  private static Sample sample(String type) {
    PanelAnswer answer = Answers.table(2);
    answer.setType(type);
    switch (type) {
      case "table", "top", "sparklines", "heatmap", "scoreboard" -> {
        return new Sample(answer, "vm-0001");
      }
      case "distribution" ->
          answer.setBuckets(List.of(new PanelBucket("below 10", 1200, null, "")));
      case "chart" -> {
        answer.setTimes(List.of(Answers.FROM, Answers.FROM + 28_800_000));
        answer.setSeries(
            List.of(
                new PanelSeries(
                    Answers.object("c1"), null, "cpu", "cpu|usage", "%", List.of(1.0, 7.25))));
        answer.setChanges(
            List.of(new PanelChange(Answers.FROM + 3_600_000, Answers.object("c1"), "moved")));
      }
      case "timeline" ->
          answer.setLanes(
              List.of(
                  new PanelLane(
                      Answers.object("c1"),
                      List.of(
                          new PanelSegment(Answers.FROM, Answers.TO, PanelState.CRITICAL, 99.0)))));
      case "text" -> answer.setMarkdown("Look at c1 first.");
      case "properties" ->
          answer.setProperties(List.of(new PanelProperty("os", "of c1", Answers.FROM)));
      case "alerts" ->
          answer.setAlerts(
              List.of(
                  new PanelAlert(
                      new UUID(1, 1),
                      7L,
                      "CPU is busy",
                      Answers.object("c1"),
                      Severity.WARNING,
                      Answers.FROM,
                      null)));
      case "relations" ->
          answer.setTree(
              List.of(new PanelNode(Answers.object("c1"), null, 0, PanelState.NORMAL, 0)));
      case "changes" ->
          answer.setChanges(List.of(new PanelChange(Answers.FROM, Answers.object("c1"), "moved")));
      case "outliers" -> {
        return new Sample(Findings.outliers(2), "web-1");
      }
      case "talkers" -> {
        return new Sample(Findings.talkers(), "5,000");
      }
      case "impact" -> {
        return new Sample(Findings.impact(), "71.25");
      }
      case "capacity" -> {
        return new Sample(Findings.capacity(), "671.5 GB");
      }
      default -> throw new AssertionError("Panels of the type " + type + " have no sample here");
    }
    return new Sample(answer, type.equals("distribution") ? "1,200" : "c1");
  }

  private static String text(PanelPicture picture) throws IOException {
    byte[] pdf = ReportPdf.write("All", List.of(), List.of(picture));
    try (PDDocument document = Loader.loadPDF(pdf)) {
      return new PDFTextStripper().getText(document);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void aPanelOfEachTypeIsDrawnAsPdfAndAsPicture(String type) throws IOException {
    Sample sample = sample(type);
    PanelPicture picture = PanelDrawing.of(sample.answer(), ReportPdf.WIDTH, ZoneOffset.UTC);
    assertThat(text(picture)).contains(sample.words()).doesNotContain("are not drawn");
    assertThat(PicturePng.draw(picture))
        .hasValueSatisfying(png -> assertThat(png.length).isGreaterThan(1000));
  }

  @ParameterizedTest
  @MethodSource("types")
  void aPanelOfEachTypeThatHasNothingToShowSaysSo(String type) {
    PanelAnswer answer = Answers.of(type, "Nothing");
    switch (type) {
      case "outliers" ->
          answer.setOutliers(new io.peerlens.api.model.PanelOutliers(List.of(), List.of()));
      case "talkers" -> {
        answer.setTalkers(Findings.talkers().getTalkers());
        answer.getTalkers().setItems(List.of());
      }
      case "impact" -> answer.setImpact(new io.peerlens.api.model.PanelImpact(List.of()));
      default -> answer.setNotes(List.of());
    }
    PanelPicture picture = PanelDrawing.of(answer, ReportPdf.WIDTH, ZoneOffset.UTC);
    assertThat(picture.texts()).as(type).isNotEmpty();
  }
}
