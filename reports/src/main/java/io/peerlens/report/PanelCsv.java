package io.peerlens.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.Forecast;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelCapacity;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelImpact;
import io.peerlens.api.model.PanelIndex;
import io.peerlens.api.model.PanelJudgedChange;
import io.peerlens.api.model.PanelRecord;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.report.picture.ChangeWords;
import io.peerlens.web.CsvConverter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a panel showed as CSV: a line of titles, then one for each row, with whole values. */
final class PanelCsv {

  private final StringBuilder text = new StringBuilder();

  private PanelCsv() {}

  /** As RFC 4180 has it; times are RFC 3339. */
  static String of(PanelAnswer answer) {
    PanelCsv csv = new PanelCsv();
    csv.write(answer);
    return csv.text.toString();
  }

  /** Whether there is something to write. */
  static boolean hasRows(PanelAnswer answer) {
    return answer.getEmpty() == null
        && (answer.getRows() != null
            || answer.getRecords() != null
            || answer.getSeries() != null
            || answer.getBuckets() != null
            || answer.getLanes() != null
            || answer.getAlerts() != null
            || answer.getProperties() != null
            || answer.getChanges() != null
            || answer.getTree() != null
            || answer.getOutliers() != null
            || answer.getTalkers() != null
            || answer.getImpact() != null
            || answer.getCapacity() != null);
  }

  private void line(@Nullable Object... cells) {
    String between = "";
    for (Object cell : cells) {
      text.append(between).append(CsvConverter.cell(cell));
      between = ",";
    }
    text.append("\r\n");
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private static String titled(PanelColumn column) {
    String unit = column.getUnit();
    return unit == null || unit.isEmpty()
        ? column.getTitle()
        : column.getTitle() + " (" + unit + ")";
  }

  private void write(PanelAnswer answer) {
    if (answer.getEmpty() != null) {
      line(answer.getEmpty().getTitle());
    } else if (answer.getRows() != null) {
      rows(answer);
    } else if (answer.getRecords() != null) {
      records(answer);
    } else if (answer.getSeries() != null) {
      series(answer);
    } else if (answer.getBuckets() != null) {
      line("Bucket", "Count");
      answer.getBuckets().forEach(one -> line(one.getLabel(), one.getCount()));
    } else if (answer.getLanes() != null) {
      line("Object", "From", "To", "State", "Value");
      answer
          .getLanes()
          .forEach(
              lane ->
                  lane.getSegments()
                      .forEach(
                          one ->
                              line(
                                  lane.getObject().getName(),
                                  time(one.getFrom()),
                                  time(one.getTo()),
                                  one.getState() == null ? null : one.getState().getValue(),
                                  one.getValue())));
    } else if (answer.getAlerts() != null) {
      line("Severity", "Object", "Alert", "Since", "Owner");
      answer
          .getAlerts()
          .forEach(
              one ->
                  line(
                      one.getSeverity().getValue(),
                      one.getObject().getName(),
                      one.getName(),
                      time(one.getOpenedAt()),
                      one.getOwner()));
    } else if (answer.getProperties() != null) {
      line("Property", "Value", "Changed");
      answer
          .getProperties()
          .forEach(
              one ->
                  line(
                      one.getKey(),
                      one.getValue(),
                      one.getChangedAt() == null ? null : time(one.getChangedAt())));
    } else if (answer.getChanges() != null) {
      line("When", "Object", "Change");
      answer
          .getChanges()
          .forEach(one -> line(time(one.getAt()), one.getObject().getName(), one.getText()));
    } else if (answer.getTree() != null) {
      line("Level", "Object", "Kind");
      answer
          .getTree()
          .forEach(
              one ->
                  line(one.getLevel(), one.getObject().getName(), one.getObject().getObjectKind()));
    } else if (answer.getOutliers() != null) {
      outliers(answer.getOutliers().getEvents());
    } else if (answer.getTalkers() != null) {
      talkers(answer.getTalkers());
    } else if (answer.getImpact() != null) {
      impact(answer.getImpact());
    } else if (answer.getCapacity() != null) {
      capacity(answer.getCapacity());
    }
  }

  private void outliers(List<OutlierEvent> events) {
    line(
        "Object",
        "Group",
        "Metric",
        "Value",
        "Unit",
        "Lower",
        "Upper",
        "Score",
        "Severity",
        "Since",
        "Until");
    for (OutlierEvent one : events) {
      OutlierEventMetric metric = one.getMetrics().isEmpty() ? null : one.getMetrics().getFirst();
      OutlierEventProperty property =
          one.getProperties().isEmpty() ? null : one.getProperties().getFirst();
      line(
          one.getObject() == null ? null : one.getObject().getName(),
          one.getGroup().getName(),
          metric != null ? metric.getKey() : property != null ? property.getKey() : null,
          metric != null ? metric.getValue() : property != null ? property.getValue() : null,
          metric == null ? null : metric.getUnit(),
          metric == null ? null : metric.getLower(),
          metric == null ? null : metric.getUpper(),
          one.getScore(),
          one.getSeverity().getValue(),
          one.getSince().toString(),
          one.getClosedAt() == null ? null : one.getClosedAt().toString());
    }
  }

  private void talkers(TopTalkers talkers) {
    String unit = talkers.getUnit();
    line(
        "Rank",
        "Talker",
        unit.isEmpty() ? "Value" : "Value (" + unit + ")",
        "Share",
        "Mean (bit/s)",
        "Busiest minute (bit/s)");
    talkers
        .getItems()
        .forEach(
            one ->
                line(
                    one.getRank(),
                    one.getTalker().getName(),
                    one.getValue(),
                    one.getShare(),
                    one.getMeanRate(),
                    one.getPeakMinuteRate()));
  }

  /** Changes, then the index over time, told apart by the first column. */
  private void impact(PanelImpact impact) {
    line("Line", "Time", "Object", "Change", "What it did", "Index");
    for (PanelJudgedChange judged : impact.getChanges()) {
      Change one = judged.getChange();
      Comparison comparison = judged.getComparison();
      line(
          "change",
          one.getTime().toString(),
          one.getObject().getName(),
          ChangeWords.of(one),
          comparison == null ? judged.getReason() : comparison.getVerdict(),
          comparison == null ? null : comparison.getIndex());
    }
    PanelIndex index = impact.getIndex();
    if (index != null) {
      String objects =
          index.getObjects().stream().map(ObjectRef::getName).collect(Collectors.joining("; "));
      for (int i = 0; i < index.getTimes().size(); i++) {
        line(
            "index",
            time(index.getTimes().get(i)),
            objects,
            null,
            index.getGoal(),
            index.getValues().get(i));
      }
    }
  }

  private void capacity(List<PanelCapacity> forecasts) {
    line(
        "Object",
        "Metric",
        "Level",
        "Limit",
        "Growth in a day",
        "Unit",
        "Days",
        "Earliest",
        "Latest",
        "As of");
    for (PanelCapacity one : forecasts) {
      Forecast forecast = one.getForecast();
      line(
          one.getObject().getName(),
          forecast.getKey(),
          forecast.getLevel(),
          forecast.getLimit(),
          forecast.getPerDay(),
          forecast.getUnit(),
          forecast.getDays(),
          forecast.getEarliest(),
          forecast.getLatest(),
          forecast.getAsOf().toString());
    }
  }

  private void rows(PanelAnswer answer) {
    List<PanelColumn> columns = requireNonNullElse(answer.getColumns(), List.of());
    List<@Nullable Object> head = new ArrayList<>(List.of("Object", "Instance"));
    columns.forEach(one -> head.add(titled(one)));
    line(head.toArray());
    requireNonNullElse(answer.getRows(), List.<io.peerlens.api.model.PanelRow>of())
        .forEach(
            row -> {
              List<@Nullable Object> cells = new ArrayList<>();
              cells.add(row.getObject().getName());
              cells.add(row.getInstance());
              for (int c = 0; c < columns.size(); c++) {
                cells.add(cell(columns.get(c), row.getCells().get(c)));
              }
              line(cells.toArray());
            });
  }

  private void records(PanelAnswer answer) {
    List<PanelColumn> columns = requireNonNullElse(answer.getColumns(), List.of());
    line(columns.stream().map(PanelCsv::titled).toArray());
    for (PanelRecord record : requireNonNullElse(answer.getRecords(), List.<PanelRecord>of())) {
      List<@Nullable Object> cells = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        cells.add(cell(columns.get(c), record.getCells().get(c)));
      }
      line(cells.toArray());
    }
  }

  private static @Nullable Object cell(PanelColumn column, @Nullable Object value) {
    return column.getType() == PanelColumnType.TIME && value instanceof Number number
        ? time(number.longValue())
        : value;
  }

  private void series(PanelAnswer answer) {
    List<PanelSeries> series = requireNonNullElse(answer.getSeries(), List.of());
    List<Long> times = requireNonNullElse(answer.getTimes(), List.of());
    List<String> head = new ArrayList<>(List.of("Time"));
    for (PanelSeries one : series) {
      String instance = one.getInstance() == null ? "" : " " + one.getInstance();
      String unit = one.getUnit() == null ? "" : " (" + one.getUnit() + ")";
      head.add(one.getObject().getName() + instance + " " + one.getColumn() + unit);
    }
    line(head.toArray());
    for (int i = 0; i < times.size(); i++) {
      @Nullable Object[] cells = new @Nullable Object[series.size() + 1];
      Arrays.fill(cells, null);
      cells[0] = time(times.get(i));
      for (int s = 0; s < series.size(); s++) {
        List<Double> values = series.get(s).getValues();
        cells[s + 1] = i < values.size() ? values.get(i) : null;
      }
      line(cells);
    }
  }
}
