package io.peerlens.panel;

import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelNode;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.PanelState;
import io.peerlens.dashboard.file.Panel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An answer as rows of named cells, whatever its type: what a test compares.
 *
 * <p>Rows of tables are what they are. Of a chart, a row is an object or an instance, and a cell
 * the newest value of its series. Of a distribution, a row is a bucket with its {@code count}; of a
 * timeline, a lane with the {@code value} and {@code state} of its last segment; of properties, a
 * key and its {@code value}; of relations, an object and its {@code level}; of alerts and changes,
 * an object and the {@code text}.
 *
 * @param columns names of all cells
 */
record ExampleRows(List<String> columns, List<Row> rows) {

  /**
   * A row.
   *
   * @param object its name, or the label of a bucket, or the key of a property
   * @param cells numbers and texts; null = no value
   */
  record Row(String object, @Nullable String instance, Map<String, @Nullable Object> cells) {}

  /** Rows of an answer; null = panels of this type have none. */
  static @Nullable ExampleRows of(Panel.Type type, PanelAnswer answer) {
    return switch (type) {
      case TABLE, TOP, SCOREBOARD, HEATMAP, SPARKLINES -> table(answer);
      case CHART -> chart(answer);
      case DISTRIBUTION -> {
        List<Row> rows = new ArrayList<>();
        for (PanelBucket one : orEmpty(answer.getBuckets())) {
          rows.add(row(one.getLabel(), "count", one.getCount()));
        }
        yield new ExampleRows(List.of("count"), rows);
      }
      case TIMELINE -> timeline(answer);
      case PROPERTIES -> {
        List<Row> rows = new ArrayList<>();
        for (PanelProperty one : orEmpty(answer.getProperties())) {
          rows.add(row(one.getKey(), "value", one.getValue()));
        }
        yield new ExampleRows(List.of("value"), rows);
      }
      case RELATIONS -> {
        List<Row> rows = new ArrayList<>();
        for (PanelNode one : orEmpty(answer.getTree())) {
          rows.add(row(one.getObject().getName(), "level", one.getLevel()));
        }
        yield new ExampleRows(List.of("level"), rows);
      }
      case ALERTS -> {
        List<Row> rows = new ArrayList<>();
        for (PanelAlert one : orEmpty(answer.getAlerts())) {
          rows.add(row(one.getObject().getName(), "text", one.getName()));
        }
        yield new ExampleRows(List.of("text"), rows);
      }
      case CHANGES -> {
        List<Row> rows = new ArrayList<>();
        for (PanelChange one : orEmpty(answer.getChanges())) {
          rows.add(row(one.getObject().getName(), "text", one.getText()));
        }
        yield new ExampleRows(List.of("text"), rows);
      }
      case TEXT, OUTLIERS, TALKERS, IMPACT, CAPACITY -> null;
    };
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return Objects.requireNonNullElse(list, List.of());
  }

  private static Row row(String object, String column, Object value) {
    Map<String, @Nullable Object> cells = new HashMap<>();
    cells.put(column, value);
    return new Row(object, null, cells);
  }

  private static List<String> columns(PanelAnswer answer) {
    List<String> names = new ArrayList<>();
    for (PanelColumn one : orEmpty(answer.getColumns())) {
      names.add(one.getName());
    }
    return names;
  }

  private static ExampleRows table(PanelAnswer answer) {
    List<String> columns = columns(answer);
    List<Row> rows = new ArrayList<>();
    for (PanelRow one : orEmpty(answer.getRows())) {
      Map<String, @Nullable Object> cells = new HashMap<>();
      for (int c = 0; c < columns.size(); c++) {
        cells.put(columns.get(c), one.getCells().get(c));
      }
      rows.add(new Row(one.getObject().getName(), one.getInstance(), cells));
    }
    return new ExampleRows(columns, rows);
  }

  private static ExampleRows chart(PanelAnswer answer) {
    record Place(UUID object, @Nullable String instance) {}
    Map<Place, Row> rows = new LinkedHashMap<>();
    for (PanelSeries one : orEmpty(answer.getSeries())) {
      Place place = new Place(one.getObject().getId(), one.getInstance());
      Row row = rows.get(place);
      if (row == null) {
        Map<String, @Nullable Object> cells = new HashMap<>();
        row = new Row(one.getObject().getName(), one.getInstance(), cells);
        rows.put(place, row);
      }
      row.cells().put(one.getColumn(), newest(one.getValues()));
    }
    return new ExampleRows(columns(answer), List.copyOf(rows.values()));
  }

  private static @Nullable Double newest(List<Double> values) {
    for (int i = values.size() - 1; i >= 0; i--) {
      Double value = values.get(i);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private static ExampleRows timeline(PanelAnswer answer) {
    List<Row> rows = new ArrayList<>();
    for (PanelLane one : orEmpty(answer.getLanes())) {
      Map<String, @Nullable Object> cells = new HashMap<>();
      if (!one.getSegments().isEmpty()) {
        PanelSegment last = one.getSegments().getLast();
        PanelState state = last.getState();
        cells.put("value", last.getValue());
        cells.put("state", state == null ? null : state.getValue());
      }
      rows.add(new Row(one.getObject().getName(), null, cells));
    }
    return new ExampleRows(List.of("value", "state"), rows);
  }
}
