package io.peerlens.run.reading;

import io.peerlens.run.Run;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Criterion of acceptance: a figure of runs against a limit.
 *
 * @param name for people
 * @param figure as of {@link Run.Figure#name}, or {@value #SHARE} or {@value #SCATTER}
 * @param of the figure that a share or scatter is of, such as {@code iops}; otherwise {@code
 *     figure} itself
 * @param at where on the curve of the runs it is read; null = of each run
 * @param limit in {@code unit}
 * @param unit as the file says it
 * @param factor of the unit: a value of a run is {@code limit * factor} at the limit
 * @param runs values of parameters, and of {@code tool} and {@code version}, that runs have to
 *     have, one of each set; empty = all runs
 */
public record Criterion(
    String name,
    String figure,
    String of,
    @Nullable At at,
    Operator operator,
    double limit,
    String unit,
    double factor,
    Map<String, Set<String>> runs) {

  /** Share of the theoretical maximum, in per cent. */
  public static final String SHARE = "share";

  /** Coefficient of variation of repeats, in per cent. */
  public static final String SCATTER = "scatter";

  public Criterion {
    runs = Map.copyOf(runs);
  }

  /**
   * A place on a curve.
   *
   * @param limit milliseconds
   */
  public record At(Curve.Latency latency, double limit) {}

  /** How a value has to stand to the limit. */
  public enum Operator {
    AT_LEAST(">=", "at least"),
    AT_MOST("<=", "at most"),
    ABOVE(">", "more than"),
    BELOW("<", "less than");

    private final String sign;
    private final String words;

    Operator(String sign, String words) {
      this.sign = sign;
      this.words = words;
    }

    /** As files say it. */
    public String sign() {
      return sign;
    }

    String words() {
      return words;
    }

    boolean higherIsBetter() {
      return this == AT_LEAST || this == ABOVE;
    }

    boolean met(double value, double limit) {
      return switch (this) {
        case AT_LEAST -> value >= limit;
        case AT_MOST -> value <= limit;
        case ABOVE -> value > limit;
        case BELOW -> value < limit;
      };
    }
  }

  /** Units of figures by what they measure, with their factors to the units of runs. */
  static final Map<String, Map<String, Double>> UNITS = units();

  private static Map<String, Map<String, Double>> units() {
    Map<String, Double> iops = new LinkedHashMap<>();
    iops.put("IO/s", 1.0);
    iops.put("IOPS", 1.0);
    Map<String, Double> throughput = new LinkedHashMap<>();
    throughput.put("B/s", 1.0);
    for (String prefix : List.of("k", "M", "G")) {
      int power = 1 + List.of("k", "M", "G").indexOf(prefix);
      throughput.put(prefix + "B/s", Math.pow(1000, power));
      throughput.put((prefix.equals("k") ? "K" : prefix) + "iB/s", Math.pow(1024, power));
    }
    Map<String, Double> latency = new LinkedHashMap<>();
    latency.put("ms", 1.0);
    latency.put("us", 0.001);
    latency.put("s", 1000.0);
    return Map.of("IO/s", iops, "B/s", throughput, "ms", latency, "%", Map.of("%", 1.0));
  }

  /** The unit in which runs say a figure; empty = that of the tool. */
  static String base(String figure) {
    return figure.equals(SHARE) || figure.equals(SCATTER) ? "%" : Wording.unit(figure);
  }

  boolean matches(Run run) {
    Map<String, String> settings = Settings.of(run);
    for (Map.Entry<String, Set<String>> one : runs.entrySet()) {
      String value = settings.get(one.getKey());
      if (value == null) {
        value = run.parameters().get(one.getKey());
      }
      if (value == null || !one.getValue().contains(Settings.canonical(value))) {
        return false;
      }
    }
    return true;
  }
}
