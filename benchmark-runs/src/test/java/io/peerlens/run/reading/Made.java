package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Made runs. */
final class Made {

  private final String name;
  private String tool = "fio";
  private String version = "";
  private final TreeMap<String, String> parameters = new TreeMap<>();
  private final List<Series> series = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();

  private Made(String name) {
    this.name = name;
  }

  static Made run(String name) {
    return new Made(name);
  }

  /** A run of 4K, all reads, random. */
  static Made reads(int outstanding) {
    return run("4K read " + outstanding)
        .with(Parameter.BLOCK_SIZE, 4096)
        .with(Parameter.READ_SHARE, 100)
        .with(Parameter.RANDOM_SHARE, 100)
        .with(Parameter.OUTSTANDING, outstanding);
  }

  Made tool(String of) {
    tool = of;
    return this;
  }

  Made version(String of) {
    version = of;
    return this;
  }

  Made with(String parameter, Object value) {
    parameters.put(parameter, value.toString());
    return this;
  }

  Made figure(String figure, double value) {
    figures.add(Figure.of(figure, Wording.unit(figure), value));
    return this;
  }

  Made figure(String figure, String unit, double value) {
    figures.add(Figure.of(figure, unit, value));
    return this;
  }

  Made series(String metric, double... values) {
    return series(metric, "", values);
  }

  Made series(String metric, String instance, double... values) {
    series.add(new Series(metric, instance, Wording.unit(metric), seconds(values.length), values));
    return this;
  }

  Run make() {
    return new Run(
        tool,
        version,
        name,
        null,
        Duration.ZERO,
        parameters,
        series,
        figures,
        List.of(),
        List.of());
  }

  static double[] seconds(int count) {
    double[] seconds = new double[count];
    for (int i = 0; i < count; i++) {
      seconds[i] = i + 1;
    }
    return seconds;
  }

  static Series iops(double... values) {
    return new Series("iops", "", "IO/s", seconds(values.length), values);
  }

  /** Values around a level that resemble the one before by {@code likeness}. */
  static double[] noise(long seed, int count, double level, double deviation, double likeness) {
    Random random = new Random(seed);
    double own = Math.sqrt(1 - likeness * likeness);
    double x = random.nextGaussian();
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = level + deviation * x;
      x = likeness * x + own * random.nextGaussian();
    }
    return values;
  }
}
