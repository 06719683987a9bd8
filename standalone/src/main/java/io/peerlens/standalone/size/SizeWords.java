package io.peerlens.standalone.size;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Options of the command {@code size}, as they are typed. */
public final class SizeWords {
  private static final Pattern COUNT = Pattern.compile("([0-9]{1,12})([kM]?)");
  private static final Pattern PERIOD = Pattern.compile("([0-9]{1,6})([hd])");
  private static final Pattern INTERVAL = Pattern.compile("([0-9]{1,6})([smh]?)");
  private static final long MOST_OBJECTS = 100_000_000;
  private static final long MOST_METRICS = 100_000_000_000L;
  private static final double MOST_DAYS = 36_500;

  private enum Table {
    RAW("raw"),
    FIVE_MINUTES("5m"),
    HOURS("1h"),
    FLOW_MINUTES("flows"),
    FLOW_5M("flows-5m"),
    FLOW_1H("flows-1h"),
    FLOW_1D("flows-1d");

    private final String word;

    Table(String word) {
      this.word = word;
    }
  }

  private @Nullable Long objects;
  private @Nullable Long metrics;
  private @Nullable Double interval;
  private long flows;
  private double metricsPerSet = Estate.USUAL_SET;
  private final Map<Table, Double> kept = new EnumMap<>(Table.class);
  private boolean explain;

  /** Whether formulas and unit costs are asked for. */
  public boolean explain() {
    return explain;
  }

  /**
   * Takes an option with its value.
   *
   * @param value called where the option has one
   * @return false where there is no such option
   * @throws IllegalArgumentException saying what is wrong with the value, and what would be right
   */
  public boolean take(String name, Supplier<String> value) {
    switch (name) {
      case "--objects" -> objects = count(name, value.get(), 1, MOST_OBJECTS);
      case "--metrics" -> metrics = count(name, value.get(), 1, MOST_METRICS);
      case "--interval" -> interval = interval(value.get());
      case "--flows" -> flows = count(name, value.get(), 0, MOST_OBJECTS * 10);
      case "--metrics-per-set" -> metricsPerSet = count(name, value.get(), 1, 4_096);
      case "--retention" -> retention(value.get());
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Asks for formulas and unit costs. */
  public void explainIt() {
    explain = true;
  }

  /**
   * What was said, with what is shipped where nothing was.
   *
   * @throws IllegalArgumentException naming what is missing
   */
  public Estate estate() {
    Long allObjects = objects;
    Long allMetrics = metrics;
    Double every = interval;
    if (allObjects == null || allMetrics == null || every == null) {
      throw new IllegalArgumentException(
          "size needs --objects, --metrics (of all objects together) and --interval, such as:"
              + " size --objects 1000 --metrics 100k --interval 20s.");
    }
    if (allMetrics < allObjects) {
      throw new IllegalArgumentException(
          "--metrics is %d for %d objects; it counts the metrics of all objects together, so give at least as many."
              .formatted(allMetrics, allObjects));
    }
    Kept shipped = Kept.SHIPPED;
    return new Estate(
        allObjects,
        allMetrics,
        every,
        flows,
        metricsPerSet,
        new Kept(
            kept.getOrDefault(Table.RAW, shipped.raw()),
            kept.getOrDefault(Table.FIVE_MINUTES, shipped.fiveMinutes()),
            kept.getOrDefault(Table.HOURS, shipped.hours()),
            kept.getOrDefault(Table.FLOW_MINUTES, shipped.flowMinutes()),
            kept.getOrDefault(Table.FLOW_5M, shipped.flow5m()),
            kept.getOrDefault(Table.FLOW_1H, shipped.flow1h()),
            kept.getOrDefault(Table.FLOW_1D, shipped.flow1d())));
  }

  private static long count(String name, String text, long least, long most) {
    Matcher matcher = COUNT.matcher(text);
    if (matcher.matches()) {
      long unit =
          switch (matcher.group(2)) {
            case "k" -> 1_000;
            case "M" -> 1_000_000;
            default -> 1;
          };
      // 12 digits and a million stay far below what a long holds.
      long number = Long.parseLong(matcher.group(1)) * unit;
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s is '%s'; it must be a whole number from %,d to %,d, such as 1000, 100k or 2M.",
            name,
            text,
            least,
            most));
  }

  private static double interval(String text) {
    Matcher matcher = INTERVAL.matcher(text);
    if (matcher.matches()) {
      double unit =
          switch (matcher.group(2)) {
            case "m" -> 60;
            case "h" -> 3600;
            default -> 1;
          };
      double seconds = Integer.parseInt(matcher.group(1)) * unit;
      if (seconds >= 1 && seconds <= 86_400) {
        return seconds;
      }
    }
    throw new IllegalArgumentException(
        "--interval is '%s'; it must be from 1s to 24h, such as 20s or 5m.".formatted(text));
  }

  private void retention(String text) {
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String word = equals < 0 ? part : part.substring(0, equals);
      Table table =
          List.of(Table.values()).stream()
              .filter(one -> one.word.equals(word))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--retention names '%s'; it knows raw, 5m, 1h, flows, flows-5m, flows-1h and flows-1d, such as raw=14d,1h=395d."
                              .formatted(word)));
      Matcher matcher = PERIOD.matcher(equals < 0 ? "" : part.substring(equals + 1));
      double days =
          matcher.matches()
              ? Integer.parseInt(matcher.group(1)) / (matcher.group(2).equals("h") ? 24.0 : 1)
              : -1;
      if (days < 0 || days > MOST_DAYS) {
        throw new IllegalArgumentException(
            "--retention has '%s'; give %s=36h or %s=14d, at most 36500d."
                .formatted(part, word, word));
      }
      kept.put(table, days);
    }
  }
}
