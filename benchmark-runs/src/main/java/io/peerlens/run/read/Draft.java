package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A run that is being read. */
final class Draft {

  /** Instances of series, such as machines times jobs, that a run keeps. */
  static final int MOST_SERIES = 2_000;

  private static final int MOST_PARAMETERS = 500;
  private static final int LONGEST_NAME = 500;
  private static final int LONGEST_VALUE = 2_000;

  final String tool;
  String version = "";
  String name;
  @Nullable Instant start;
  Duration length = Duration.ZERO;
  final SortedMap<String, String> parameters = new TreeMap<>();
  final List<Series> series = new ArrayList<>();
  final List<Figure> figures = new ArrayList<>();
  final List<Latencies> latencies = new ArrayList<>();
  final List<String> remarks = new ArrayList<>();

  Draft(String tool, String name) {
    this.tool = tool;
    this.name = name;
  }

  /** Adds a total; NaN = there is none. */
  void figure(String name, String unit, double value) {
    if (!Double.isNaN(value)) {
      figures.add(Figure.of(name, unit, value));
    }
  }

  void series(Series one) {
    if (series.size() < MOST_SERIES) {
      String metric = Texts.shown(one.metric(), LONGEST_NAME);
      String instance = Texts.shown(one.instance(), LONGEST_NAME);
      series.add(new Series(metric, instance, one.unit(), one.seconds(), one.values()));
    } else if (series.size() == MOST_SERIES) {
      remark("Only the first %,d series are kept.".formatted(MOST_SERIES));
    }
  }

  /** Sets a parameter where the tool says one. */
  void parameter(String name, @Nullable String value) {
    if (value != null && !value.isBlank() && parameters.size() < MOST_PARAMETERS) {
      parameters.put(Texts.shown(name, LONGEST_NAME), Texts.shown(value.strip(), LONGEST_VALUE));
    }
  }

  /** Sets a number where there is one. */
  void parameter(String name, double value) {
    if (!Double.isNaN(value)) {
      parameter(name, Numbers.plain(value));
    }
  }

  void remark(String text) {
    if (!remarks.contains(text)) {
      remarks.add(text);
    }
  }

  @Nullable Figure figure(String name) {
    return figures.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
  }

  /** Puts what the tool says beside what is right, if that is more than rounding apart. */
  void toolSays(String name, String unit, double toolValue, double rounding, String reason) {
    if (Double.isNaN(toolValue)) {
      return;
    }
    Figure right = figure(name);
    if (right == null) {
      figures.add(Figure.of(name, unit, toolValue));
    } else if (!(Math.abs(right.value() - toolValue) <= rounding)) {
      String both = right.reason().isEmpty() ? reason : reason + " " + right.reason();
      figures.set(figures.indexOf(right), right.beside(toolValue, both));
    }
  }

  Run build() {
    return new Run(
        Texts.shown(tool, LONGEST_NAME),
        Texts.shown(version, LONGEST_NAME),
        Texts.shown(name, LONGEST_VALUE),
        start,
        length,
        parameters,
        series,
        figures,
        latencies,
        remarks);
  }
}
