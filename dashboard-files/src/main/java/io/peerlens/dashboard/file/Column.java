package io.peerlens.dashboard.file;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, a series of a chart, a cell of a scoreboard.
 *
 * @param name within the question; others refer to it
 * @param title null = made of what it shows
 * @param window instead of that of the question
 * @param unit to show values in; null = that of the values
 * @param decimals null = as many as suit the value
 * @param total statistic in the last row; null = none
 * @param sparkline whether the course of the values is shown
 * @param peers whether the place among the peers is shown
 * @param hidden computed, but not shown
 */
public record Column(
    String name,
    @Nullable String title,
    What what,
    @Nullable Duration window,
    @Nullable String unit,
    @Nullable Integer decimals,
    Colour colour,
    @Nullable Statistic total,
    boolean sparkline,
    boolean peers,
    boolean hidden) {

  /**
   * A column that is read and not shown.
   *
   * @param window null = that of the question
   */
  public static Column hidden(String name, What what, @Nullable Duration window) {
    return new Column(
        name, null, what, window, null, null, new Colour.None(), null, false, false, true);
  }

  /** The same column with something else to show. */
  public Column showing(What other) {
    return new Column(
        name, title, other, window, unit, decimals, colour, total, sparkline, peers, hidden);
  }

  /** What a column shows. */
  public sealed interface What {}

  /** A metric. */
  public record OfMetric(Metric metric, Transform transform) implements What {}

  /** A property, by its key. */
  public record Property(String key) implements What {}

  /** The value of a tag, by its key. */
  public record Tag(String key) implements What {}

  /** An attribute that every object has. */
  public enum Attribute implements What {
    NAME,
    KIND,
    /** Worst severity of open alerts: normal, warning, immediate or critical. */
    HEALTH,
    FIRST_SEEN,
    LAST_SEEN,
    /** Number of open alerts. */
    ALERTS
  }

  /** Related objects: how many, or their names. */
  public record Related(List<Select.Step> path, boolean names) implements What {
    public Related {
      path = List.copyOf(path);
    }
  }

  /** A computation over other columns. */
  public record Computed(Expression expression) implements What {}

  /**
   * A metric with fallbacks.
   *
   * @param any keys; the first that an object reports counts
   */
  public record Metric(List<String> any, Instance instance) {
    public Metric {
      any = List.copyOf(any);
    }
  }

  /** Which instances of a metric. */
  public sealed interface Instance {
    /** The value without an instance. */
    record Aggregate() implements Instance {}

    /** Every one, with a row of its own; those whose names match, {@code *} = any text. */
    record Each(String matching) implements Instance {}

    /** A statistic over all of them. */
    record Over(Statistic statistic) implements Instance {}

    /** The one of a name. */
    record Named(String name) implements Instance {}
  }

  /** Statistics of several values. */
  public enum Statistic {
    SUM,
    AVG,
    MIN,
    MAX
  }

  /** What becomes of the values of the window. */
  public sealed interface Transform {
    /** Without a parameter. */
    enum Plain implements Transform {
      /** The newest value, as of the moment that is asked for. */
      CURRENT,
      /** The newest value of the window. */
      LAST,
      FIRST,
      AVG,
      MIN,
      MAX,
      SUM,
      /** Number of values. */
      COUNT,
      /** When the newest value of the window came. */
      TIMESTAMP,
      TIME_OF_MIN,
      TIME_OF_MAX,
      /** Change per day: the median of slopes. */
      TREND
    }

    /**
     * A percentile of the values.
     *
     * @param percent greater than 0, less than 100; NaN = the variable says it
     * @param variable without the dollar sign; null = {@code percent} says it
     */
    record Percentile(double percent, @Nullable String variable) implements Transform {

      public Percentile(double percent) {
        this(percent, null);
      }

      /** Reads what a variable holds; empty = it is no number between 0 and 100. */
      public static OptionalDouble parse(String text) {
        try {
          double percent = Double.parseDouble(text.strip());
          return percent > 0 && percent < 100 ? OptionalDouble.of(percent) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
          return OptionalDouble.empty();
        }
      }
    }

    /** The value that the trend expects so far ahead. */
    record Forecast(Duration ahead) implements Transform {}

    /** In how many days the trend reaches a value. */
    record Reaches(double value) implements Transform {}

    /**
     * A statistic of the window less that of an earlier one.
     *
     * @param earlier by how much; null = by the length of the window
     */
    record Change(@Nullable Duration earlier, Plain of) implements Transform {}

    /** Share of the time, in percent, in which the value was not usual for the object. */
    record Outside() implements Transform {}
  }

  /** States of values, from the least bad to the worst. */
  public enum State {
    NORMAL,
    WARNING,
    IMMEDIATE,
    CRITICAL
  }

  /** What a person should look at. */
  public sealed interface Colour {
    /** Nothing. */
    record None() implements Colour {}

    /** What is not usual for the object. */
    record Usual() implements Colour {}

    /** Objects with open alerts. */
    record Alerts() implements Colour {}

    /**
     * Values beyond bounds.
     *
     * @param warning NaN = there is no such bound
     * @param immediate likewise
     * @param critical likewise
     * @param above whether larger is worse
     */
    record Bounds(double warning, double immediate, double critical, boolean above)
        implements Colour {

      /** The state of a value; null for NaN. */
      public @Nullable State state(double value) {
        if (Double.isNaN(value)) {
          return null;
        }
        if (isBeyond(value, critical)) {
          return State.CRITICAL;
        }
        if (isBeyond(value, immediate)) {
          return State.IMMEDIATE;
        }
        return isBeyond(value, warning) ? State.WARNING : State.NORMAL;
      }

      private boolean isBeyond(double value, double bound) {
        return !Double.isNaN(bound) && (above ? value >= bound : value <= bound);
      }
    }

    /** Texts, by patterns in which {@code *} is any text; the first that matches counts. */
    record Values(Map<String, State> states) implements Colour {
      public Values {
        states = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(states));
      }
    }
  }
}
