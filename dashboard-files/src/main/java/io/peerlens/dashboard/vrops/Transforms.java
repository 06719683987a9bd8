package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What vROps makes of the values of a window, and windows themselves. */
final class Transforms {

  private static final Map<String, String> SIMPLE =
      Map.ofEntries(
          Map.entry("CURRENT", "current"),
          Map.entry("LAST", "last"),
          Map.entry("FIRST", "first"),
          Map.entry("MAX", "max"),
          Map.entry("MAXIMUM", "max"),
          Map.entry("MIN", "min"),
          Map.entry("MINIMUM", "min"),
          Map.entry("AVG", "avg"),
          Map.entry("AVERAGE", "avg"),
          Map.entry("MEAN", "avg"),
          Map.entry("SUM", "sum"),
          Map.entry("COUNT", "count"),
          Map.entry("TIMESTAMP", "timestamp"),
          Map.entry("RELATIVE_TIMESTAMP", "timestamp"),
          Map.entry("TIMESTAMP_RELATIVE", "timestamp"),
          Map.entry("TREND", "trend"));

  private static final Pattern RANGE =
      Pattern.compile(
          "last(\\d*)(Minute|Min|Hour|Day|Week|Month|Year)s?", Pattern.CASE_INSENSITIVE);

  private static final Pattern WORD = Pattern.compile("[A-Za-z_]+");
  private static final Pattern SAFE = Pattern.compile("[-+*/(). 0-9A-Za-z_]{1,150}");

  private Transforms() {}

  /** A transform that is one word here, too; empty = it is not. */
  static String simple(String transformation) {
    return SIMPLE.getOrDefault(transformation.toUpperCase(Locale.ROOT), "");
  }

  /** The transform of a condition; empty = the usual one. */
  static String ofCondition(String transformation) {
    String simple = simple(transformation);
    return simple.equals("timestamp") || simple.equals("trend") ? "" : simple;
  }

  /** How a transform is called in sentences. */
  static String words(String transform) {
    return switch (transform) {
      case "current" -> "";
      case "last" -> "newest of the window";
      case "first" -> "oldest of the window";
      case "avg" -> "mean";
      case "max" -> "highest";
      case "min" -> "lowest";
      case "timestamp" -> "time of the newest value";
      default -> transform;
    };
  }

  /**
   * A duration of the format; empty = it cannot be said.
   *
   * @param unit of vROps: MINUTES, HOURS, DAYS, WEEKS, MONTHS, YEARS
   */
  static String window(@Nullable Double count, String unit) {
    if (count == null || count < 1 || count > 100_000) {
      return "";
    }
    long number = Math.round(count);
    String word = unit.toUpperCase(Locale.ROOT);
    if (word.endsWith("S")) {
      word = word.substring(0, word.length() - 1);
    }
    return switch (word) {
      case "SECOND" -> number + "s";
      case "MINUTE", "MIN" -> number + "m";
      case "HOUR" -> number + "h";
      case "DAY" -> number + "d";
      case "WEEK" -> number + "w";
      case "MONTH" -> number > 1200 ? "" : number * 30 + "d";
      case "YEAR" -> number > 100 ? "" : number * 365 + "d";
      default -> "";
    };
  }

  /** A range such as {@code last7Days}; empty = it is another one. */
  static String range(String range) {
    Matcher matcher = RANGE.matcher(range.strip());
    if (!matcher.matches() || matcher.group(1).length() > 4) {
      return "";
    }
    double count = matcher.group(1).isEmpty() ? 1 : Double.parseDouble(matcher.group(1));
    return window(count, matcher.group(2));
  }

  /** A duration in words, {@code 7 days}. */
  static String inWords(String duration) {
    if (duration.length() < 2) {
      return "";
    }
    String number = duration.substring(0, duration.length() - 1);
    String unit =
        switch (duration.charAt(duration.length() - 1)) {
          case 's' -> "second";
          case 'm' -> "minute";
          case 'h' -> "hour";
          case 'd' -> "day";
          default -> "week";
        };
    return number + " " + unit + (number.equals("1") ? "" : "s");
  }

  /**
   * An expression of the statistics of one metric, such as {@code (last - first) * 100}.
   *
   * @param text with names of hidden columns in place of the statistics
   * @param statistics which statistics it needs, by the names of the hidden columns
   */
  record Expression(String text, Map<String, String> statistics) {}

  /**
   * Reads an expression.
   *
   * @param base begins the names of the hidden columns
   * @return null = it has something that the format does not have
   */
  static @Nullable Expression expression(String text, Names names, String base) {
    if (!SAFE.matcher(text).matches()) {
      return null;
    }
    Map<String, String> byStatistic = new LinkedHashMap<>();
    StringBuilder out = new StringBuilder();
    Matcher words = WORD.matcher(text);
    List<String> unknown = new ArrayList<>();
    int end = 0;
    while (words.find()) {
      String statistic = simple(words.group());
      if (statistic.isEmpty()
          || statistic.equals("trend")
          || words.start() > 0 && Character.isDigit(text.charAt(words.start() - 1))) {
        unknown.add(words.group());
        break;
      }
      out.append(text, end, words.start());
      out.append(
          byStatistic.computeIfAbsent(
              statistic, s -> names.of((base + "_" + s).replace("_", " "))));
      end = words.end();
    }
    if (!unknown.isEmpty() || byStatistic.isEmpty() || !balanced(text)) {
      return null;
    }
    out.append(text.substring(end));
    if (out.length() > 200) {
      return null;
    }
    Map<String, String> statistics = new LinkedHashMap<>();
    byStatistic.forEach((statistic, name) -> statistics.put(name, statistic));
    return new Expression(out.toString().strip(), statistics);
  }

  private static boolean balanced(String text) {
    int open = 0;
    for (int i = 0; i < text.length(); i++) {
      open += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (open < 0) {
        return false;
      }
    }
    return open == 0;
  }
}
