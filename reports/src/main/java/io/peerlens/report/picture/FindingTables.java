package io.peerlens.report.picture;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.api.model.Forecast;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.PanelCapacity;
import io.peerlens.api.model.PanelImpact;
import io.peerlens.api.model.PanelJudgedChange;
import io.peerlens.api.model.PanelLine;
import io.peerlens.api.model.PanelPeerGroup;
import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.report.picture.Table.Cell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tables of what Peerlens finds out by itself, with the figures and units of the answers. */
final class FindingTables {

  /** Forecasts as long as this say no more than that. */
  private static final double A_YEAR = 366;

  /** What is full sooner is marked, as on the pages. */
  private static final double SOON = 14;

  /** So many changes are marked in the chart, whoever made them; of more only recorded ones. */
  private static final int MARKED = 12;

  private final PanelValues values;

  FindingTables(PanelValues values) {
    this.values = values;
  }

  private static Cell number(@Nullable Double value) {
    return number(value == null ? "" : PanelValues.number(value, null));
  }

  private static Cell number(String text) {
    return new Cell(text, true, false, null, null);
  }

  private static String withUnit(double value, @Nullable String unit) {
    String number = PanelValues.number(value, null);
    return unit == null || unit.isEmpty() ? number : number + " " + unit;
  }

  private String time(@Nullable Instant at) {
    return at == null ? "" : values.time(at.toEpochMilli());
  }

  // ------------------------------------------------------------------------------------ outliers

  Table outliers(List<OutlierEvent> events) {
    List<List<Cell>> rows = new ArrayList<>();
    for (OutlierEvent one : events) {
      Ink behind = one.getClosedAt() == null ? Ink.behind(one.getSeverity()) : null;
      ObjectRef object = one.getObject();
      rows.add(
          List.of(
              new Cell(one.getSeverity().getValue(), false, false, behind, null),
              Cell.of(object == null ? "The whole group" : object.getName()),
              Cell.of(one.getGroup().getName()),
              Cell.of(what(one)),
              Cell.of(figures(one)),
              number(one.getScore()),
              Cell.of(time(one.getSince())),
              Cell.of(time(one.getClosedAt()))));
    }
    return new Table(
        List.of(
            Cell.title("Severity"),
            Cell.title("Object"),
            Cell.title("Group"),
            Cell.title("Unlike in"),
            Cell.title("Value"),
            Cell.numberTitle("Score"),
            Cell.title("Since"),
            Cell.title("Until")),
        rows);
  }

  private static String what(OutlierEvent event) {
    List<String> names =
        event.getMetrics().isEmpty()
            ? event.getProperties().stream().map(OutlierEventProperty::getName).toList()
            : event.getMetrics().stream().map(OutlierEventMetric::getName).toList();
    if (names.isEmpty()) {
      return event.getExplanation().getMetricName();
    }
    return names.size() == 1
        ? names.getFirst()
        : "%s and %,d more".formatted(names.getFirst(), names.size() - 1);
  }

  /** The value of the member, and what its peers have. */
  private static String figures(OutlierEvent event) {
    if (!event.getMetrics().isEmpty()) {
      OutlierEventMetric one = event.getMetrics().getFirst();
      Double value = one.getValue();
      Double lower = one.getLower();
      Double upper = one.getUpper();
      String own = value == null ? "no value" : withUnit(value, one.getUnit());
      return lower == null || upper == null
          ? own
          : "%s; peers %s to %s"
              .formatted(own, PanelValues.number(lower, null), withUnit(upper, one.getUnit()));
    }
    if (!event.getProperties().isEmpty()) {
      OutlierEventProperty one = event.getProperties().getFirst();
      return "%s; peers %s".formatted(one.getValue(), one.getCommon());
    }
    return "";
  }

  Table groups(List<PanelPeerGroup> groups) {
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelPeerGroup one : groups) {
      rows.add(
          List.of(
              Cell.of(one.getGroup().getName()),
              Cell.of(one.getObjectKind().getObjectKind()),
              number("%,d".formatted(one.getNow().getMembers())),
              number("%,d".formatted(one.getNow().getJudged())),
              number("%,d".formatted(one.getOpenEvents())),
              Cell.of(
                  Objects.requireNonNullElse(
                      one.getNow().getError(), one.getNow().getState().getValue())),
              Cell.of(time(one.getNow().getBucket()))));
    }
    return new Table(
        List.of(
            Cell.title("Group"),
            Cell.title("Compares"),
            Cell.numberTitle("Members"),
            Cell.numberTitle("Judged"),
            Cell.numberTitle("Open events"),
            Cell.title("State"),
            Cell.title("Judged of")),
        rows);
  }

  // ------------------------------------------------------------------------------------- talkers

  Table talkers(TopTalkers talkers) {
    List<List<Cell>> rows = new ArrayList<>();
    for (TopTalker one : talkers.getItems()) {
      List<Double> course = one.getSparkline();
      rows.add(
          List.of(
              number(String.valueOf(one.getRank())),
              Cell.of(one.getTalker().getName()),
              new Cell(
                  PanelValues.number(one.getValue(), null),
                  true,
                  false,
                  null,
                  course == null || course.isEmpty() ? null : new PanelLine(course)),
              share(one.getShare()),
              number(one.getMeanRate()),
              number(one.getPeakMinuteRate())));
    }
    int others = talkers.getOthers().getTalkers();
    if (others > 0) {
      rows.add(
          List.of(
              Cell.of(""),
              Cell.of("%,d others".formatted(others)),
              number(talkers.getOthers().getValue()),
              share(talkers.getOthers().getShare()),
              Cell.of(""),
              Cell.of("")));
    }
    rows.add(
        List.of(
            Cell.of(""),
            Cell.title("All"),
            new Cell(PanelValues.number(talkers.getTotal(), null), true, true, null, null),
            Cell.of(""),
            Cell.of(""),
            Cell.of("")));
    String unit = talkers.getUnit();
    return new Table(
        List.of(
            Cell.numberTitle("Rank"),
            Cell.title("Talker"),
            Cell.numberTitle(unit.isEmpty() ? "Value" : "Value (" + unit + ")"),
            Cell.numberTitle("Share (%)"),
            Cell.numberTitle("Mean (bit/s)"),
            Cell.numberTitle("Busiest minute (bit/s)")),
        rows);
  }

  private static Cell share(@Nullable Double share) {
    return number(share == null ? "" : PanelValues.number(share * 100, 1));
  }

  // -------------------------------------------------------------------------------------- impact

  /** The changes that are marked in the chart, in the order of the table. */
  static List<Change> marked(PanelImpact impact) {
    return impact.getChanges().stream()
        .map(PanelJudgedChange::getChange)
        .filter(one -> one.getRecorded() != null || impact.getChanges().size() <= MARKED)
        .toList();
  }

  /**
   * What changes did.
   *
   * @param marked changes that have a number in the chart
   */
  Table changes(List<PanelJudgedChange> changes, List<Change> marked) {
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelJudgedChange judged : changes) {
      Change one = judged.getChange();
      Comparison comparison = judged.getComparison();
      int number = marked.indexOf(one) + 1;
      rows.add(
          List.of(
              number(number == 0 ? "" : String.valueOf(number)),
              Cell.of(time(one.getTime())),
              Cell.of(one.getObject().getName()),
              Cell.of(ChangeWords.of(one)),
              new Cell(
                  comparison == null
                      ? Objects.requireNonNullElse(judged.getReason(), "")
                      : comparison.getVerdict(),
                  false,
                  false,
                  comparison == null ? null : behind(comparison.getJudgement()),
                  null),
              number(comparison == null ? null : comparison.getIndex())));
    }
    return new Table(
        List.of(
            Cell.numberTitle("No."),
            Cell.title("When"),
            Cell.title("Object"),
            Cell.title("Change"),
            Cell.title("What it did"),
            Cell.numberTitle("Index")),
        rows);
  }

  private static @Nullable Ink behind(ComparisonJudgement judgement) {
    return switch (judgement) {
      case BETTER -> Ink.ACCENT_SOFT;
      case WORSE -> Ink.WARNING_SOFT;
      case DIFFERENT, SAME, NOT_ENOUGH_DATA -> null;
    };
  }

  // ------------------------------------------------------------------------------------ capacity

  Table capacity(List<PanelCapacity> forecasts) {
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelCapacity one : forecasts) {
      Forecast forecast = one.getForecast();
      String unit = forecast.getUnit();
      rows.add(
          List.of(
              Cell.of(one.getObject().getName()),
              Cell.of(forecast.getKey()),
              number(withUnit(forecast.getLevel(), unit)),
              number(withUnit(forecast.getLimit(), unit)),
              number(withUnit(forecast.getPerDay(), unit)),
              new Cell(
                  days(forecast.getDays()),
                  true,
                  false,
                  forecast.getDays() < SOON ? Ink.WARNING_SOFT : null,
                  null),
              number(days(forecast.getEarliest()) + " to " + days(forecast.getLatest())),
              Cell.of(time(forecast.getAsOf()))));
    }
    return new Table(
        List.of(
            Cell.title("Object"),
            Cell.title("Metric"),
            Cell.numberTitle("Level"),
            Cell.numberTitle("Limit"),
            Cell.numberTitle("Growth in a day"),
            Cell.numberTitle("Full in"),
            Cell.numberTitle("Likely between"),
            Cell.title("As of")),
        rows);
  }

  private static String days(double days) {
    return days >= A_YEAR
        ? "over a year"
        : days <= 0 ? "reached" : PanelValues.number(days, 1) + " days";
  }
}
