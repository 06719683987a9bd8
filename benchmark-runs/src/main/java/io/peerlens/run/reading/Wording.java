package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures and names in sentences: 192,140 IOPS, 1.28 ms, 412 MiB/s, 4K, 7.6 %. */
final class Wording {

  private static final double K = 1024;
  private static final List<String> SIZES = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi");
  private static final double MINUTE = 60;

  private static final Map<String, String> PARAMETERS =
      Map.ofEntries(
          Map.entry(Parameter.BLOCK_SIZE, "block size"),
          Map.entry(Parameter.READ_SHARE, "read share"),
          Map.entry(Parameter.RANDOM_SHARE, "random share"),
          Map.entry(Parameter.WORKING_SET, "working set"),
          Map.entry(Parameter.OUTSTANDING, "outstanding IO"),
          Map.entry(Parameter.QUEUE_DEPTH, "queue depth"),
          Map.entry(Parameter.RATE_LIMIT, "rate limit"),
          Map.entry(Parameter.WARM_UP, "warm-up"));

  private Wording() {}

  /** A figure of at most 4 significant digits, whole from 1,000 on: 0.4231, 41.3, 9876, 41,306. */
  static String number(double value) {
    double size = Math.abs(value);
    if (!Double.isFinite(value)) {
      return "not known";
    }
    if (size >= 1e15) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    if (size >= 999.95) {
      BigDecimal whole = new BigDecimal(value).setScale(0, RoundingMode.HALF_UP);
      return size >= 9999.5
          ? String.format(Locale.ROOT, "%,d", whole.toBigInteger())
          : whole.toPlainString();
    }
    if (size == 0) {
      return "0";
    }
    int places = (int) Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))));
    BigDecimal rounded =
        new BigDecimal(value).setScale(places, RoundingMode.HALF_UP).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /** As many significant digits as can be meant: 200,143 with 3 is 200,000. */
  static double significant(double value, int digits) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(digits)).doubleValue()
        : value;
  }

  /** A figure of which a decimal tells enough, such as a per cent: 0.03, 5.2, 12.6, 173. */
  static String rough(double value) {
    double size = Math.abs(value);
    return number(
        size < 1
            ? Math.round(value * 100) / 100.0
            : size < 100 ? Math.round(value * 10) / 10.0 : Math.rint(value));
  }

  /** A value with its unit, as {@link io.peerlens.run.Run.Series#unit} names it. */
  static String value(double value, String unit) {
    Scale scale = scale(value, unit);
    return join(number(value * scale.factor()), scale.unit());
  }

  /** A value that was interpolated or estimated: three digits. */
  static String estimate(double value, String unit) {
    Scale scale = scale(value, unit);
    return join(number(significant(value * scale.factor(), 3)), scale.unit());
  }

  /** Two values in one unit: 1.5 to 1.28 ms. A large change needs two digits, a small one three. */
  static String pair(double first, double second, String between, String unit) {
    double larger = Math.max(Math.abs(first), Math.abs(second));
    Scale scale = scale(larger, unit);
    int digits = Math.abs(first - second) > 0.2 * larger ? 2 : larger >= 1000 ? 4 : 3;
    return join(
        number(significant(first * scale.factor(), digits))
            + between
            + number(significant(second * scale.factor(), digits)),
        scale.unit());
  }

  private record Scale(double factor, String unit) {}

  private static Scale scale(double value, String unit) {
    if (unit.equals("IO/s")) {
      return new Scale(1, "IOPS");
    }
    if (!unit.equals("B/s") && !unit.equals("B")) {
      return new Scale(1, unit);
    }
    int step = 0;
    double left = Math.abs(value);
    while (left >= K && step < SIZES.size() - 1) {
      left /= K;
      step++;
    }
    return new Scale(Math.pow(K, -step), SIZES.get(step) + unit);
  }

  private static String join(String figure, String unit) {
    return unit.isEmpty() ? figure : figure + " " + unit;
  }

  /** A share that may be very small: 61 %, 0.4 %, less than 0.1 %. */
  static String share(double percent) {
    if (percent > 0 && percent < 0.1) {
      return "less than 0.1 %";
    }
    double one = Math.round(percent * 10) / 10.0;
    return (percent < 10 ? number(one) : number(Math.round(percent))) + " %";
  }

  /** A block size as people write it: 512, 4K, 64K, 1M; 4.3K where it is no whole number. */
  static String blockSize(double bytes) {
    if (bytes < K) {
      return number(bytes);
    }
    return bytes < K * K
        ? number(significant(bytes / K, 3)) + "K"
        : number(significant(bytes / K / K, 3)) + "M";
  }

  /** A length of time: 40 s, 5 min, 1.5 h. */
  static String duration(double seconds) {
    if (seconds < 2 * MINUTE) {
      return number(Math.round(seconds)) + " s";
    }
    return seconds < 2 * MINUTE * MINUTE
        ? number(Math.round(seconds / MINUTE)) + " min"
        : number(significant(seconds / MINUTE / MINUTE, 2)) + " h";
  }

  /** The name of a parameter; own ones of a tool keep theirs. */
  static String parameter(String name) {
    return PARAMETERS.getOrDefault(name, name);
  }

  /** The value of a parameter in words. */
  static String parameterValue(String name, String text) {
    Double number = Settings.number(text);
    if (number == null) {
      if (name.equals(Parameter.RATE_LIMIT) && text.isEmpty()) {
        return "no limit";
      }
      return text.isEmpty() ? "none" : shortened(text);
    }
    return switch (name) {
      case Parameter.BLOCK_SIZE -> blockSize(number);
      case Parameter.WORKING_SET -> value(number, "B");
      case Parameter.READ_SHARE, Parameter.RANDOM_SHARE -> number(number) + " %";
      case Parameter.RATE_LIMIT -> value(number, "IO/s");
      case Parameter.WARM_UP -> duration(number);
      default -> number(number);
    };
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 59) + "…";
  }

  /** The name of a figure or metric: IOPS, latency, p95, p99 of reads. */
  static String figure(String name) {
    String direction =
        name.startsWith("read_") ? " of reads" : name.startsWith("write_") ? " of writes" : "";
    String base = direction.isEmpty() ? name : name.substring(name.indexOf('_') + 1);
    String words =
        switch (base) {
          case "iops" -> "IOPS";
          case "latency" -> "mean latency";
          case "latency_max" -> "highest latency";
          case "outstanding" -> "outstanding IO";
          case "cpu" -> "CPU";
          default -> base.startsWith("latency_p") ? base.substring("latency_".length()) : base;
        };
    return words + direction;
  }

  /** The unit of a figure by its name; empty = it has none that is known. */
  static String unit(String name) {
    String base =
        name.startsWith("read_") || name.startsWith("write_")
            ? name.substring(name.indexOf('_') + 1)
            : name;
    return switch (base) {
      case "iops" -> "IO/s";
      case "throughput" -> "B/s";
      case "cpu" -> "%";
      default -> base.startsWith("latency") ? "ms" : "";
    };
  }

  /** One or many: 1 run, 7 runs. */
  static String count(int count, String one, String many) {
    return number(count) + " " + (count == 1 ? one : many);
  }

  /** A number that is finite, else null. */
  static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** Begins with a capital. */
  static String sentence(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
