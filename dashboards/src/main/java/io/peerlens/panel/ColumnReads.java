package io.peerlens.panel;

import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Attribute;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Select.Step;
import io.peerlens.frame.ObjectProperties;
import io.peerlens.panel.MetricReads.Found;
import io.peerlens.panel.MetricReads.Wanted;
import io.peerlens.store.Level;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values of columns for rows. For one answer; not thread-safe. */
final class ColumnReads {

  /** How super metrics are written with their names; files of vRealize Operations have the id. */
  static final List<String> BY_NAME = List.of("super metric:", "supermetric:");

  /** Names that are listed in a cell. */
  private static final int MOST_NAMES = 20;

  private final PanelData data;
  private final ObjectGraph graph;
  private final ObjectProperties properties;
  private final MetricReads metrics;
  private final UsualReads usual;
  private final PanelObjectQueries objects;
  private final PanelAlertQueries alerts;
  private final Selection selection;
  private final VariableTexts texts;
  private final PanelInput input;

  private @Nullable Map<Integer, PanelAlertQueries.Open> open;

  ColumnReads(
      PanelData data,
      MetricReads metrics,
      UsualReads usual,
      Selection selection,
      VariableTexts texts,
      PanelInput input) {
    this.data = data;
    this.graph = selection.graph();
    this.properties = data.properties();
    this.metrics = metrics;
    this.usual = usual;
    this.objects = data.objects();
    this.alerts = data.alerts();
    this.selection = selection;
    this.texts = texts;
    this.input = input;
  }

  MetricReads metrics() {
    return metrics;
  }

  /** A metric with its keys as they are stored, with the values of variables. */
  Column.Metric stored(Column.Metric metric) {
    List<String> keys = new ArrayList<>();
    for (String key : metric.any()) {
      keys.add(key(texts.put(key), data::superMetric));
    }
    return new Column.Metric(keys, metric.instance());
  }

  /**
   * A key as it is stored.
   *
   * @param superMetrics their ids by name; null = there is none
   */
  static String key(String key, Function<String, @Nullable UUID> superMetrics) {
    String lower = key.toLowerCase(Locale.ROOT);
    for (String prefix : BY_NAME) {
      if (lower.startsWith(prefix)) {
        String name = key.substring(prefix.length());
        UUID id = null;
        if (name.startsWith("sm_")) {
          try {
            id = UUID.fromString(name.substring(3));
          } catch (IllegalArgumentException e) {
            // it is a name then
          }
        }
        if (id == null) {
          id = superMetrics.apply(name);
        }
        return id == null ? key : Keys.superMetric(id);
      }
    }
    UUID id = Keys.superMetric(key);
    return id == null ? key : Keys.superMetric(id);
  }

  /** Whether any row of a kind has a place for a key, with or without values. */
  boolean isKnown(ObjectKind kind, String key, Rows rows) {
    return metrics.isKnown(kind, key, rows);
  }

  /** The window of a column: its own, or that of the panel. */
  Instant start(Column column) {
    Duration window = column.window();
    return window == null ? input.start() : input.to().minus(window);
  }

  /**
   * The values of columns.
   *
   * @param earlier by how much everything is shifted into the past; zero = not
   */
  List<Cells> read(List<Column> columns, Rows rows, Duration earlier) {
    List<Wanted> wanted = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).what() instanceof Column.OfMetric of
          && !(of.transform() instanceof Transform.Outside)) {
        wanted.add(
            new Wanted(
                stored(of.metric()),
                of.transform(),
                Level.micros(start(columns.get(i)).minus(earlier)),
                Level.micros(input.to().minus(earlier))));
        places.add(i);
      }
    }
    List<Found> found = metrics.read(wanted, rows);
    Cells[] cells = new Cells[columns.size()];
    for (int w = 0; w < found.size(); w++) {
      int place = places.get(w);
      cells[place] = metric(columns.get(place), found.get(w), wanted.get(w), rows);
    }
    for (int i = 0; i < cells.length; i++) {
      Column column = columns.get(i);
      if (cells[i] == null && !(column.what() instanceof Column.Computed)) {
        cells[i] = inUnit(other(column, rows, earlier));
      }
    }
    Map<String, Cells> byName = new HashMap<>();
    for (int i = 0; i < cells.length; i++) {
      if (columns.get(i).what() instanceof Column.Computed computed) {
        double[] numbers = new double[rows.size()];
        for (int row = 0; row < numbers.length; row++) {
          int at = row;
          numbers[row] =
              computed
                  .expression()
                  .value(
                      name -> {
                        Cells of = byName.get(name);
                        return of == null ? Double.NaN : of.numbers()[at];
                      });
        }
        cells[i] = Cells.numbers(columns.get(i), numbers, columns.get(i).unit());
      }
      byName.put(columns.get(i).name(), cells[i]);
    }
    return List.of(cells);
  }

  private Cells metric(Column column, Found found, Wanted wanted, Rows rows) {
    boolean time =
        wanted.transform() == Transform.Plain.TIMESTAMP
            || wanted.transform() == Transform.Plain.TIME_OF_MIN
            || wanted.transform() == Transform.Plain.TIME_OF_MAX;
    if (time) {
      return new Cells(column, found.numbers, null, null, found.key(), true, null, 1);
    }
    String unit = found.unit;
    if (wanted.transform() == Transform.Plain.COUNT) {
      unit = null;
    } else if (wanted.transform() == Transform.Plain.TREND) {
      unit = unit == null ? null : unit + UnitScale.A_DAY;
    } else if (wanted.transform() instanceof Transform.Reaches) {
      unit = "d";
    }
    if (found.keys.isEmpty()) {
      Cells property = property(column, wanted.metric().any(), rows, Duration.ZERO);
      if (property != null) {
        return inUnit(property);
      }
    }
    return inUnit(
        new Cells(column, found.numbers, null, unit, found.key(), false, found.origin, 1));
  }

  private static Cells inUnit(Cells cells) {
    String wanted = cells.column().unit();
    if (wanted == null || cells.isText() || cells.isTime()) {
      return cells;
    }
    double factor = UnitScale.factor(cells.unit(), wanted);
    if (cells.unit() != null
        && cells.unit().endsWith(UnitScale.A_DAY)
        && !wanted.endsWith(UnitScale.A_DAY)) {
      wanted = wanted + UnitScale.A_DAY;
    }
    if (cells.unit() == null) {
      return cells.times(1, wanted);
    }
    return Double.isNaN(factor) ? cells : cells.times(factor, wanted);
  }

  private Cells other(Column column, Rows rows, Duration earlier) {
    return switch (column.what()) {
      case Column.OfMetric of ->
          Cells.numbers(
              column,
              usual.outside(
                  stored(of.metric()),
                  rows,
                  start(column).minus(earlier),
                  input.to().minus(earlier)),
              "%");
      case Column.Property property -> {
        Cells cells = property(column, List.of(texts.put(property.key())), rows, earlier);
        yield cells == null
            ? new Cells(
                column,
                Cells.none(rows.size()),
                new @Nullable String[rows.size()],
                null,
                null,
                false,
                null,
                1)
            : cells;
      }
      case Column.Tag tag -> {
        String key = texts.put(tag.key());
        Map<Integer, String> values = objects.tags(rows.objects(), key);
        Instant past = past(earlier);
        @Nullable String[] found = new @Nullable String[rows.size()];
        var former =
            past == null
                ? Map.<Integer, Map<String, @Nullable String>>of()
                : objects.former(rows.objects(), "tag", List.of(key), past);
        for (int row = 0; row < found.length; row++) {
          int id = rows.objects()[row];
          Map<String, @Nullable String> was = former.get(id);
          found[row] = was != null && was.containsKey(key) ? was.get(key) : values.get(id);
        }
        yield Cells.texts(column, found, key);
      }
      case Attribute attribute -> attribute(column, attribute, rows);
      case Column.Related related -> related(column, related, rows);
      case Column.Computed computed -> throw new IllegalStateException("computed later");
    };
  }

  private @Nullable Instant past(Duration earlier) {
    return earlier.isZero() ? input.asOf() : input.to().minus(earlier);
  }

  /** The first of some properties that a row's object has; null = no object has any of them. */
  private @Nullable Cells property(Column column, List<String> keys, Rows rows, Duration earlier) {
    @Nullable String[] values = new @Nullable String[rows.size()];
    String first = null;
    for (ObjectKind kind : rows.distinctKinds()) {
      Map<String, io.peerlens.supermetrics.program.Column> known = properties.columns(kind, keys);
      for (String key : keys) {
        io.peerlens.supermetrics.program.Column of = known.get(key);
        @Nullable String[] all = of == null ? null : of.texts();
        if (all == null) {
          continue;
        }
        first = first == null ? key : first;
        for (int row : rows.ofKind(kind)) {
          int number = graph.number(kind, rows.objects()[row]);
          if (values[row] == null && number >= 0 && number < all.length) {
            values[row] = all[number];
          }
        }
      }
    }
    Instant past = past(earlier);
    if (past != null) {
      var former = objects.former(rows.objects(), "property", keys, past);
      for (int row = 0; row < values.length; row++) {
        Map<String, @Nullable String> was = former.get(rows.objects()[row]);
        for (String key : keys) {
          if (was != null && was.containsKey(key)) {
            values[row] = was.get(key);
            first = first == null ? key : first;
            break;
          }
        }
      }
    }
    return first == null ? null : Cells.texts(column, values, first);
  }

  private Cells attribute(Column column, Attribute attribute, Rows rows) {
    @Nullable String[] words = new @Nullable String[rows.size()];
    double[] numbers = Cells.none(rows.size());
    switch (attribute) {
      case NAME -> {
        for (int row = 0; row < words.length; row++) {
          words[row] = name(rows, row);
        }
      }
      case KIND -> Arrays.setAll(words, row -> rows.kinds()[row].objectKind());
      case HEALTH -> {
        Map<Integer, PanelAlertQueries.Open> of = open(rows);
        for (int row = 0; row < words.length; row++) {
          PanelAlertQueries.Open one = of.get(rows.objects()[row]);
          words[row] =
              (one == null ? Column.State.NORMAL : one.worst()).name().toLowerCase(Locale.ROOT);
        }
      }
      case ALERTS -> {
        Map<Integer, PanelAlertQueries.Open> of = open(rows);
        for (int row = 0; row < numbers.length; row++) {
          PanelAlertQueries.Open one = of.get(rows.objects()[row]);
          numbers[row] = one == null ? 0 : one.alerts();
        }
        return Cells.numbers(column, numbers, null);
      }
      case FIRST_SEEN, LAST_SEEN -> {
        Map<Integer, PanelObjectQueries.Seen> seen = objects.seen(rows.objects());
        for (int row = 0; row < numbers.length; row++) {
          PanelObjectQueries.Seen one = seen.get(rows.objects()[row]);
          Instant at =
              one == null ? null : attribute == Attribute.FIRST_SEEN ? one.first() : one.last();
          numbers[row] = at == null ? Double.NaN : at.toEpochMilli();
        }
        return Cells.times(column, numbers);
      }
    }
    return new Cells(column, numbers, words, null, null, false, null, 1);
  }

  private String name(Rows rows, int row) {
    ObjectKind kind = rows.kinds()[row];
    return graph.name(kind, graph.number(kind, rows.objects()[row]));
  }

  /** Open alerts of the objects of rows. */
  Map<Integer, PanelAlertQueries.Open> open(Rows rows) {
    Map<Integer, PanelAlertQueries.Open> known = open;
    if (known == null) {
      known = alerts.worst(rows.objects(), input.to(), input.asOf());
      open = known;
    }
    return known;
  }

  private Cells related(Column column, Column.Related related, Rows rows) {
    double[] counts = Cells.none(rows.size());
    @Nullable String[] names = new @Nullable String[rows.size()];
    for (int row = 0; row < rows.size(); row++) {
      int[] at = {rows.objects()[row]};
      for (Step step : related.path()) {
        at = selection.reach(at, step);
      }
      counts[row] = at.length;
      if (related.names()) {
        Set<String> of = new LinkedHashSet<>();
        for (int id : at) {
          ObjectKind kind = graph.kindOf(id);
          if (kind != null && of.size() < MOST_NAMES) {
            of.add(graph.name(kind, graph.number(kind, id)));
          }
        }
        names[row] = of.isEmpty() ? null : String.join(", ", of);
      }
    }
    return related.names()
        ? new Cells(column, Cells.none(rows.size()), names, null, null, false, null, 1)
        : Cells.numbers(column, counts, null);
  }
}
