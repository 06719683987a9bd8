package io.peerlens.dashboard.file;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question about objects: which ones, and what of them. What is null or empty was not given.
 *
 * @param kinds of these kinds
 * @param select by what rule
 * @param window time whose values count, up to the moment that is asked for
 * @param columns columns of a table, series of a chart, cells of a scoreboard
 * @param sort the first one counts most
 * @param limit how many rows there are at most
 * @param size column that gives the size of a heat map's cells
 * @param colourBy column that gives the colour of cells, lanes and slices
 */
public record Question(
    List<ObjectKind> kinds,
    @Nullable Select select,
    @Nullable Duration window,
    @Nullable BusinessHours businessHours,
    List<Column> columns,
    List<Sort> sort,
    @Nullable Integer limit,
    @Nullable GroupBy groupBy,
    @Nullable Buckets buckets,
    @Nullable String size,
    @Nullable String colourBy) {

  public Question {
    kinds = List.copyOf(kinds);
    columns = List.copyOf(columns);
    sort = List.copyOf(sort);
  }

  /** Nothing given. */
  public static final Question EMPTY =
      new Question(List.of(), null, null, null, List.of(), List.of(), null, null, null, null, null);

  /** This question, with what it does not give from another one. */
  public Question over(Question other) {
    return new Question(
        kinds.isEmpty() ? other.kinds : kinds,
        select == null ? other.select : select,
        window == null ? other.window : window,
        businessHours == null ? other.businessHours : businessHours,
        columns.isEmpty() ? other.columns : columns,
        sort.isEmpty() ? other.sort : sort,
        limit == null ? other.limit : limit,
        groupBy == null ? other.groupBy : groupBy,
        buckets == null ? other.buckets : buckets,
        size == null ? other.size : size,
        colourBy == null ? other.colourBy : colourBy);
  }

  /** Variables, without the dollar sign, that say which percentile a column or condition is. */
  public List<String> percentiles() {
    return Stream.concat(
            columns.stream().map(Column::what),
            select == null
                ? Stream.empty()
                : select.where().stream().flatMap(List::stream).map(Select.Condition::what))
        .map(Question::percentile)
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** The variable that says which percentile is meant; null = none does. */
  static @Nullable String percentile(Column.What what) {
    return what instanceof Column.OfMetric of
            && of.transform() instanceof Column.Transform.Percentile percentile
        ? percentile.variable()
        : null;
  }

  /**
   * This question with numbers in place of the variables that say which percentile is meant.
   *
   * @param percents by variable; all of {@link #percentiles()}
   */
  public Question withPercentiles(Map<String, Double> percents) {
    Select rule = select;
    return new Question(
        kinds,
        rule == null
            ? null
            : new Select(
                rule.from(),
                rule.paths(),
                rule.scope(),
                rule.where().stream()
                    .map(
                        all ->
                            all.stream()
                                .map(
                                    one ->
                                        new Select.Condition(
                                            put(one.what(), percents),
                                            one.window(),
                                            one.op(),
                                            one.value()))
                                .toList())
                    .toList(),
                rule.slices()),
        window,
        businessHours,
        columns.stream().map(column -> column.showing(put(column.what(), percents))).toList(),
        sort,
        limit,
        groupBy,
        buckets,
        size,
        colourBy);
  }

  private static Column.What put(Column.What what, Map<String, Double> percents) {
    String variable = percentile(what);
    if (variable == null || !(what instanceof Column.OfMetric of)) {
      return what;
    }
    double percent = Objects.requireNonNull(percents.get(variable));
    return new Column.OfMetric(of.metric(), new Column.Transform.Percentile(percent));
  }

  /** A column to sort by; rows without a value come last either way. */
  public record Sort(String column, boolean descending) {}

  /** What rows are grouped by. */
  public sealed interface GroupBy {
    /** Their nearest ancestor of a kind. */
    record Ancestor(ObjectKind kind) implements GroupBy {}

    /** The value of a column. */
    record OfColumn(String column) implements GroupBy {}
  }

  /**
   * Buckets of a distribution.
   *
   * @param of the column
   * @param count how many there are, for {@link By#EQUAL}
   * @param bounds between them, ascending, for {@link By#BOUNDS}
   */
  public record Buckets(String of, By by, int count, List<Double> bounds) {
    /** How they are made. */
    public enum By {
      /** One for each value. */
      VALUES,
      /** Of the same width, from the least to the greatest value. */
      EQUAL,
      /** Between bounds that are given. */
      BOUNDS
    }

    public Buckets {
      bounds = List.copyOf(bounds);
    }
  }

  /**
   * Hours whose values count.
   *
   * @param to exclusive; null = the end of the day
   */
  public record BusinessHours(
      Set<DayOfWeek> days, LocalTime from, @Nullable LocalTime to, ZoneId zone) {

    public BusinessHours {
      days = Set.copyOf(days);
    }
  }
}
