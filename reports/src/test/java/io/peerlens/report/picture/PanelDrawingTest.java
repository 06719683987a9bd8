package io.peerlens.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelGroup;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelNode;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.PanelState;
import io.peerlens.api.model.Severity;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PanelDrawingTest {

  private static final double WIDTH = 520;

  private static PanelPicture draw(PanelAnswer answer) {
    PanelPicture picture = PanelDrawing.of(answer, WIDTH, ZoneOffset.UTC);
    // Whatever it is, nothing lies beside the picture.
    picture
        .strips()
        .forEach(
            strip ->
                strip
                    .marks()
                    .forEach(
                        mark -> {
                          if (mark instanceof Mark.Box box) {
                            assertThat(box.x()).isGreaterThanOrEqualTo(0);
                            assertThat(box.x() + box.width()).isLessThanOrEqualTo(WIDTH + 0.01);
                            assertThat(box.y() + box.height())
                                .isLessThanOrEqualTo(strip.height() + 0.01);
                          }
                        }));
    return picture;
  }

  private static List<Mark.Box> boxes(PanelPicture picture) {
    return picture.strips().stream()
        .flatMap(strip -> strip.marks().stream())
        .filter(Mark.Box.class::isInstance)
        .map(Mark.Box.class::cast)
        .toList();
  }

  @Test
  void aTableHasItsTitlesInTheHeadAndAStripForEachRow() {
    PanelPicture picture = draw(Answers.table(3));
    assertThat(picture.title()).isEqualTo("Machines");
    assertThat(picture.notes()).containsExactly("3 of 4 rows");
    assertThat(picture.texts())
        .containsExactly(
            "Object",
            "CPU (%)",
            "Memory (GB)",
            "vm-0000",
            "0.25",
            "vm-0001",
            "1.25",
            "vm-0002",
            "2.25");
    assertThat(picture.strips()).hasSize(3);
    assertThat(boxes(picture)).hasSize(3).allMatch(box -> box.ink() == Ink.WARNING_SOFT);
  }

  @Test
  void aLongTextIsBrokenIntoLinesAndNoLetterIsLost() {
    String name = "a-machine-with-a-name-that-has-no-place-in-any-line-".repeat(4) + "end";
    PanelAnswer answer = Answers.table(1);
    answer.setRows(List.of(Answers.row(name, PanelState.NORMAL, 1.0, 2.0)));
    PanelPicture picture = draw(answer);
    assertThat(String.join("", picture.texts())).contains(name);
    assertThat(picture.strips().getFirst().height()).isGreaterThan(20);
  }

  @Test
  void aNameIsBrokenBehindItsMarks() {
    String name = "a-machine-with-a-name-that-has-no-place-in-any-line-".repeat(4) + "end";
    PanelAnswer answer = Answers.table(1);
    answer.setRows(List.of(Answers.row(name, PanelState.NORMAL, 1.0, 2.0)));
    assertThat(draw(answer).texts())
        .filteredOn(text -> text.length() > 3 && name.contains(text) && !text.endsWith("end"))
        .isNotEmpty()
        .allMatch(text -> text.endsWith("-"));
  }

  @Test
  void titlesOfManyColumnsAreBrokenBetweenWords() {
    PanelAnswer answer = Answers.table(1);
    answer.setColumns(
        IntStream.range(0, 14)
            .mapToObj(c -> Answers.number("c" + c, "Write latency p95", "ms"))
            .toList());
    answer.setRows(
        List.of(Answers.row("vm-0", PanelState.NORMAL, Collections.nCopies(14, 1.5).toArray())));
    assertThat(draw(answer).texts())
        .allMatch(
            text ->
                List.of("Object", "Write", "latency", "p95", "(ms)", "p95 (ms)", "vm-0", "1.5")
                    .contains(text));
  }

  @Test
  void barsAreAsLongAsTheirValues() {
    PanelAnswer answer = Answers.of("top", "Top");
    answer.setColumns(List.of(Answers.number("cpu", "CPU", "%")));
    answer.setRows(
        List.of(
            Answers.row("a", PanelState.CRITICAL, 80.0),
            Answers.row("b", PanelState.NORMAL, 20.0)));
    List<Mark.Box> bars = boxes(draw(answer));
    assertThat(bars).hasSize(2);
    assertThat(bars.get(0).width() / bars.get(1).width())
        .isCloseTo(4, org.assertj.core.data.Offset.offset(0.01));
    assertThat(bars.get(0).ink()).isEqualTo(Ink.CRITICAL);
    assertThat(draw(answer).texts()).contains("a", "80 %", "b", "20 %");

    PanelAnswer spread = Answers.of("distribution", "Spread");
    spread.setBuckets(
        List.of(new PanelBucket("below 10", 1200, null, ""), new PanelBucket("more", 1, null, "")));
    assertThat(draw(spread).texts()).containsExactly("below 10", "1,200", "more", "1");
  }

  @Test
  void aHeatMapHasACellForEachRowBelowItsGroup() {
    PanelAnswer answer = Answers.table(5);
    answer.setType("heatmap");
    answer.setGroups(
        List.of(
            new PanelGroup("esx-1", List.of(0, 1, 2), PanelState.WARNING),
            new PanelGroup("", List.of(3, 4), null)));
    PanelPicture picture = draw(answer);
    assertThat(boxes(picture)).hasSize(5);
    assertThat(picture.texts())
        .containsSequence("esx-1", "vm-0000", "0.25 %")
        .containsSequence("none", "vm-0003");
    PanelColumn number =
        answer.getColumns().stream()
            .filter(column -> column.getType() == PanelColumnType.NUMBER)
            .findFirst()
            .orElseThrow();
    number.setBounds(Arrays.asList(1.0, null, 2.9));
    assertThat(draw(answer).texts())
        .startsWith(PanelValues.title(number) + ": warning at 1, critical at 2.9");
  }

  @Test
  void theTotalsOfATableSayThatTheyAreOfAll() {
    PanelAnswer answer = Answers.of("table", "Hosts");
    PanelColumn name = Answers.number("name", "Name", "%");
    name.setType(PanelColumnType.TEXT);
    name.setUnit(null);
    answer.setColumns(List.of(name, Answers.number("cpu", "CPU", "%")));
    answer.setRows(List.of(Answers.row("esx-1", null, "esx-1", 12.5)));
    answer.setTotals(Arrays.asList(null, 12.5));
    assertThat(draw(answer).texts())
        .containsExactly("Name", "CPU (%)", "esx-1", "12.5", "All", "12.5");
  }

  @Test
  void aScoreboardHasATileForEachColumn() {
    PanelAnswer answer = Answers.of("scoreboard", "Now");
    answer.setColumns(
        List.of(Answers.number("cpu", "CPU", "%"), Answers.number("mem", "Memory", "GB")));
    answer.setRows(List.of(Answers.row("c1", PanelState.IMMEDIATE, 12.5, null)));
    assertThat(draw(answer).texts()).containsExactly("c1", "CPU", "12.5 %", "Memory", "–");
  }

  @Test
  void aChartHasItsSeriesOverTheWholeWidthAndGapsWhereNothingIsKnown() {
    PanelAnswer answer = Answers.of("chart", "Load");
    answer.setTimes(List.of(Answers.FROM, Answers.FROM + 28_800_000, Answers.FROM + 57_600_000));
    answer.setSeries(
        List.of(
            new PanelSeries(
                Answers.object("c1"),
                null,
                "cpu",
                "cpu|usage_average",
                "%",
                Arrays.asList(10.0, null, 30.0))));
    PanelPicture picture = draw(answer);
    Mark.Curve curve =
        picture.strips().stream()
            .flatMap(strip -> strip.marks().stream())
            .filter(Mark.Curve.class::isInstance)
            .map(Mark.Curve.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(curve.xs()).isSorted();
    assertThat(curve.ys()[1]).isNaN();
    assertThat(curve.ys()[0]).isGreaterThan(curve.ys()[2]);
    assertThat(picture.texts()).contains("c1, cpu: 30 %", "20 Nov 2026 00:00", "10", "30");
    answer.setSeries(List.of());
    assertThat(draw(answer).texts()).containsExactly("There are no values in this time.");
  }

  @Test
  void lanesAlertsPropertiesRelationsAndTextsAreWritten() {
    PanelAnswer timeline = Answers.of("timeline", "T");
    timeline.setLanes(
        List.of(
            new PanelLane(
                Answers.object("vm"),
                List.of(new PanelSegment(Answers.FROM, Answers.TO, PanelState.CRITICAL, 99.0)))));
    assertThat(boxes(draw(timeline))).singleElement().matches(box -> box.ink() == Ink.CRITICAL);

    PanelAnswer alerts = Answers.of("alerts", "A");
    alerts.setAlerts(
        List.of(
            new PanelAlert(
                new UUID(1, 1),
                7L,
                "CPU is busy",
                Answers.object("vm"),
                Severity.CRITICAL,
                Answers.FROM,
                null)));
    assertThat(draw(alerts).texts())
        .containsSequence("critical", "vm", "CPU is busy", "20 Nov 2026 00:00");

    PanelAnswer properties = Answers.of("properties", "P");
    properties.setProperties(List.of(new PanelProperty("os", "x", null)));
    assertThat(draw(properties).texts()).containsExactly("Property", "Value", "Changed", "os", "x");

    PanelAnswer tree = Answers.of("relations", "R");
    tree.setTree(
        List.of(
            new PanelNode(Answers.object("vm"), null, 0, PanelState.NORMAL, 0),
            new PanelNode(Answers.object("esx"), 0, -1, PanelState.NORMAL, 3)));
    assertThat(draw(tree).texts())
        .containsExactly("esx (VirtualMachine), 3 more", "vm (VirtualMachine)");

    PanelAnswer text = Answers.of("text", "");
    text.setMarkdown("# Title\n\n**Bold** and [a link](https://example.org)\n- an item");
    assertThat(draw(text).texts()).containsExactly("Title", "Bold and a link", "• an item");
  }

  @Test
  void anEmptyPanelSaysWhy() {
    PanelAnswer answer = Answers.of("table", "T");
    answer.setEmpty(
        new PanelEmpty(PanelEmptyReason.NO_MATCH, "No object matches", "Nothing is here."));
    assertThat(draw(answer).texts()).containsExactly("No object matches", "Nothing is here.");
  }

  @Test
  void numbersHaveFourDigitsOrAsManyAsTheColumnSays() {
    assertThat(PanelValues.number(1234567.0, null)).isEqualTo("1,234,567");
    assertThat(PanelValues.number(12.34567, null)).isEqualTo("12.35");
    assertThat(PanelValues.number(0.000123456, null)).isEqualTo("0.0001235");
    assertThat(PanelValues.number(12.0, null)).isEqualTo("12");
    assertThat(PanelValues.number(0, null)).isEqualTo("0");
    assertThat(PanelValues.number(12.345, 1)).isEqualTo("12.3");
    assertThat(PanelValues.number(Double.NaN, 1)).isEmpty();
  }
}
