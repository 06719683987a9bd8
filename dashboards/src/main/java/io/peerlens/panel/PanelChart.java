package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBand;
import io.peerlens.api.model.PanelForecast;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Instance;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Column.Transform.Plain;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.series.Aggregation;
import io.peerlens.series.Percentile;
import io.peerlens.series.SeriesAnswer;
import io.peerlens.series.SeriesRequest;
import io.peerlens.series.SeriesService;
import io.peerlens.web.Doubles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A chart on its way: series over time, each the same as the query of series gives. */
final class PanelChart {

  private static final int SERIES = 20;
  private static final int MOST_SERIES = 500;
  private static final int MOST_WITH_USUAL = 3;
  private static final int CHANGES = 50;
  private static final int FORECAST_POINTS = 24;
  private static final double DAY = 86_400_000.0;

  private final PanelInput input;
  private final PanelAnswer answer;
  private final Selection selection;
  private final ColumnReads columns;
  private final UsualReads usual;
  private final SeriesService series;
  private final PanelObjectQueries objects;
  private final PanelRun run;

  PanelChart(
      PanelInput input,
      PanelAnswer answer,
      Selection selection,
      ColumnReads columns,
      UsualReads usual,
      PanelData data,
      PanelRun run) {
    this.input = input;
    this.answer = answer;
    this.selection = selection;
    this.columns = columns;
    this.usual = usual;
    this.series = data.series();
    this.objects = data.objects();
    this.run = run;
  }

  /** How values of a step become one; of columns with the same, one query reads all. */
  private record How(Aggregation aggregation, @Nullable Percentile percentile) {}

  /** A series that is drawn. */
  private record Line(
      int row,
      Column column,
      MetricKey key,
      @Nullable String unit,
      double[] values,
      double @Nullable [] compared) {}

  void run() {
    Selected selected = run.selectMeeting();
    Rows all = Rows.of(selected);
    List<Column> metrics =
        input.question().columns().stream()
            .filter(column -> !column.hidden() && column.what() instanceof Column.OfMetric)
            .toList();
    if (metrics.isEmpty()) {
      answer.setSeries(List.of());
      answer.setTimes(List.of());
      answer.setObjects(new PanelObjects(selected.matched(), 0, 0));
      return;
    }
    int limit = Math.min(MOST_SERIES, input.rows(SERIES));
    Rows rows = all;
    if ((long) all.size() * metrics.size() > limit) {
      rows = highest(all, metrics.getFirst(), Math.max(1, limit / metrics.size()));
    }
    Map<Integer, ObjectRef> references = objects.references(rows.objects());
    List<Line> lines = lines(rows, metrics, references);
    if (lines.isEmpty()) {
      throw run.neverReported(
          columns.stored(((Column.OfMetric) metrics.getFirst().what()).metric()), all);
    }
    int drawn = Math.min(limit, lines.size());
    if (rows.size() < all.size() || drawn < lines.size()) {
      run.note(
          "series-left-out",
          rows.size() < all.size()
              ? "the highest %,d of %,d objects".formatted(rows.size(), all.size())
              : "%,d of %,d series".formatted(drawn, lines.size()));
    }
    lines = lines.subList(0, drawn);
    answer.setSeries(shown(rows, lines, references));
    int[] ids = lines.stream().mapToInt(line -> line.row()).distinct().toArray();
    Rows of = rows.at(ids);
    answer.setChanges(
        of.size() <= SERIES
            ? run.changesOf(of.objects(), input.start(), input.to(), CHANGES)
            : List.of());
    answer.setObjects(new PanelObjects(selected.matched(), of.size(), of.size()));
    List<Cells> cells = new ArrayList<>();
    for (Column column : metrics) {
      Line first = lines.stream().filter(line -> line.column() == column).findFirst().orElse(null);
      cells.add(
          new Cells(
              column,
              new double[0],
              null,
              first == null ? column.unit() : first.unit(),
              first == null ? null : first.key().toString(),
              false,
              null,
              1));
    }
    answer.setColumns(run.columnsOf(cells));
  }

  /** Those with the highest means, the highest first. */
  private Rows highest(Rows rows, Column column, int count) {
    Column.OfMetric of = (Column.OfMetric) column.what();
    double[] means =
        columns
            .read(
                List.of(
                    Column.hidden(
                        column.name(), new Column.OfMetric(of.metric(), Plain.AVG), null)),
                rows,
                Duration.ZERO)
            .getFirst()
            .numbers();
    int[] order =
        IntStream.range(0, rows.size())
            .boxed()
            .sorted(
                Comparator.comparing((Integer row) -> Double.isNaN(means[row]))
                    .thenComparing(row -> -means[row]))
            .limit(count)
            .mapToInt(Integer::intValue)
            .toArray();
    return rows.at(order);
  }

  private List<Line> lines(Rows rows, List<Column> metrics, Map<Integer, ObjectRef> references) {
    Map<How, List<Column>> byHow = new LinkedHashMap<>();
    metrics.forEach(
        column -> byHow.computeIfAbsent(how(column), how -> new ArrayList<>()).add(column));
    List<Line> lines = new ArrayList<>();
    Duration step = null;
    for (Map.Entry<How, List<Column>> one : byHow.entrySet()) {
      Map<Column, List<List<MetricKey>>> keys = new LinkedHashMap<>();
      Set<MetricKey> wanted = new LinkedHashSet<>();
      for (Column column : one.getValue()) {
        List<List<MetricKey>> alternatives = keys(column, rows);
        keys.put(column, alternatives);
        alternatives.forEach(wanted::addAll);
      }
      if (wanted.isEmpty() || references.isEmpty()) {
        continue;
      }
      SeriesAnswer now = query(one.getKey(), wanted, references, step, Duration.ZERO);
      step = Duration.ofMillis(now.step());
      answer.setTimes(Arrays.stream(now.times()).boxed().toList());
      answer.setStepMillis(now.step());
      answer.setLevel(io.peerlens.api.model.Level.fromValue(now.level().label()));
      Map<String, SeriesAnswer.Line> byPlace = byPlace(now);
      Map<String, SeriesAnswer.Line> then = Map.of();
      Duration by = input.compareBy();
      if (by != null) {
        Duration earlier = by.isZero() ? Duration.between(input.start(), input.to()) : by;
        then = byPlace(query(one.getKey(), wanted, references, step, earlier));
      }
      for (Map.Entry<Column, List<List<MetricKey>>> column : keys.entrySet()) {
        for (int row = 0; row < rows.size(); row++) {
          ObjectRef reference = references.get(rows.objects()[row]);
          if (reference != null) {
            add(lines, column.getKey(), row, reference.getId(), column.getValue(), byPlace, then);
          }
        }
      }
    }
    return lines;
  }

  /** Adds the first alternative that has values; of instances, one series each. */
  private static void add(
      List<Line> lines,
      Column column,
      int row,
      UUID object,
      List<List<MetricKey>> alternatives,
      Map<String, SeriesAnswer.Line> now,
      Map<String, SeriesAnswer.Line> then) {
    for (List<MetricKey> keys : alternatives) {
      boolean any = false;
      for (MetricKey key : keys) {
        SeriesAnswer.Line line = now.get(object + " " + key);
        if (line == null || Arrays.stream(line.values()).allMatch(Double::isNaN)) {
          continue;
        }
        any = true;
        double factor = UnitScale.factor(line.unit(), column.unit());
        boolean scaled = !Double.isNaN(factor);
        SeriesAnswer.Line before = then.get(object + " " + key);
        lines.add(
            new Line(
                row,
                column,
                key,
                scaled || line.unit() == null && column.unit() != null
                    ? column.unit()
                    : line.unit(),
                scaled ? times(line.values(), factor) : line.values(),
                before == null ? null : scaled ? times(before.values(), factor) : before.values()));
      }
      if (any) {
        return;
      }
    }
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(value -> value * factor).toArray();
  }

  private static Map<String, SeriesAnswer.Line> byPlace(SeriesAnswer answer) {
    Map<String, SeriesAnswer.Line> byPlace = new HashMap<>();
    answer.lines().forEach(line -> byPlace.put(line.object() + " " + line.metric(), line));
    return byPlace;
  }

  private SeriesAnswer query(
      How how,
      Set<MetricKey> keys,
      Map<Integer, ObjectRef> references,
      @Nullable Duration step,
      Duration earlier) {
    return series.query(
        new SeriesRequest(
            references.values().stream().map(ObjectRef::getId).toList(),
            List.copyOf(keys),
            input.start().minus(earlier),
            input.to().minus(earlier),
            step,
            how.aggregation(),
            input.points(),
            false,
            null,
            how.percentile()));
  }

  private static How how(Column column) {
    Transform transform = ((Column.OfMetric) column.what()).transform();
    return switch (transform) {
      case Transform.Percentile percentile ->
          new How(Aggregation.PERCENTILE, Percentile.of(percentile.percent()));
      case Plain plain ->
          new How(
              switch (plain) {
                case MIN -> Aggregation.MIN;
                case MAX -> Aggregation.MAX;
                case SUM -> Aggregation.SUM;
                case COUNT -> Aggregation.COUNT;
                case LAST -> Aggregation.LAST;
                default -> Aggregation.AVG;
              },
              null);
      default -> new How(Aggregation.AVG, null);
    };
  }

  /** Alternatives of a column, each with one key, or with those of all instances. */
  private List<List<MetricKey>> keys(Column column, Rows rows) {
    Column.Metric metric = columns.stored(((Column.OfMetric) column.what()).metric());
    List<List<MetricKey>> alternatives = new ArrayList<>();
    for (String text : metric.any()) {
      MetricKey key = MetricKey.parse(text).ofAggregate();
      switch (metric.instance()) {
        case Instance.Aggregate aggregate -> alternatives.add(List.of(key));
        case Instance.Named named ->
            alternatives.add(List.of(new MetricKey(key.group(), named.name(), key.metric())));
        default -> {
          Rows instances =
              columns
                  .metrics()
                  .instances(
                      rows,
                      List.of(
                          new Column.Metric(
                              List.of(text),
                              metric.instance() instanceof Instance.Each
                                  ? metric.instance()
                                  : new Instance.Each("*"))));
          List<MetricKey> all = new ArrayList<>();
          new LinkedHashSet<>(List.of(instances.instances()))
              .stream()
                  .limit(100)
                  .forEach(instance -> all.add(new MetricKey(key.group(), instance, key.metric())));
          if (!all.isEmpty()) {
            alternatives.add(all);
          }
        }
      }
    }
    return alternatives;
  }

  private List<PanelSeries> shown(Rows rows, List<Line> lines, Map<Integer, ObjectRef> references) {
    Boolean asked = input.panel().usual();
    boolean withUsual = asked == null ? lines.size() <= MOST_WITH_USUAL : asked;
    List<PanelSeries> shown = new ArrayList<>();
    for (Line line : lines) {
      ObjectRef reference =
          Objects.requireNonNull(references.get(rows.objects()[line.row()]), "it is shown");
      String instance = line.key().instance();
      PanelSeries one =
          new PanelSeries(
              reference,
              instance.isEmpty() ? null : instance,
              line.column().name(),
              line.key().toString(),
              line.unit(),
              Doubles.of(line.values()));
      if (withUsual && instance.isEmpty() && shown.size() < SERIES) {
        PanelBand band = band(rows.at(new int[] {line.row()}), line);
        if (band != null) {
          one.setUsual(band);
        }
      }
      if (line.compared() != null) {
        one.setCompared(Doubles.of(line.compared()));
      }
      Duration ahead = forecast(line.column());
      if (ahead != null && shown.size() < SERIES) {
        one.setForecast(forecast(line, ahead));
      }
      shown.add(one);
    }
    return shown;
  }

  private @Nullable Duration forecast(Column column) {
    return ((Column.OfMetric) column.what()).transform() instanceof Transform.Forecast forecast
        ? forecast.ahead()
        : input.panel().forecast();
  }

  private @Nullable PanelBand band(Rows row, Line line) {
    if (Duration.between(input.start(), input.to()).compareTo(UsualReads.LONGEST) > 0) {
      return null;
    }
    long[] times = times().stream().mapToLong(Long::longValue).toArray();
    UsualReads.Bounds[] bounds = usual.at(line.key().toString(), row, times);
    double[] lower = new double[times.length];
    double[] upper = new double[times.length];
    boolean any = false;
    for (int step = 0; step < times.length; step++) {
      lower[step] = bounds[step].lower()[0];
      upper[step] = bounds[step].upper()[0];
      any |= !Double.isNaN(lower[step]);
    }
    return any ? new PanelBand(Doubles.of(lower), Doubles.of(upper)) : null;
  }

  private List<Long> times() {
    return Objects.requireNonNull(answer.getTimes(), "series come with their times");
  }

  /** The line through the steps, carried on. */
  private PanelForecast forecast(Line line, Duration ahead) {
    List<Long> times = times();
    long step = Objects.requireNonNull(answer.getStepMillis());
    Bins bins = new Bins(1, times.getFirst() * 1000, step * 1000, times.size());
    for (int i = 0; i < line.values().length; i++) {
      if (!Double.isNaN(line.values()[i])) {
        bins.put(0, i, line.values()[i]);
      }
    }
    Bins.Trend trend = bins.trend(0);
    List<Long> moments = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    if (!Double.isNaN(trend.perDay())) {
      Instant end = Instant.ofEpochMilli(times.getLast() + step);
      for (int i = 0; i <= FORECAST_POINTS; i++) {
        double millis = ahead.toMillis() * (double) i / FORECAST_POINTS;
        moments.add(end.toEpochMilli() + (long) millis);
        values.add(trend.end() + trend.perDay() * millis / DAY);
      }
    }
    return new PanelForecast(moments, values);
  }
}
