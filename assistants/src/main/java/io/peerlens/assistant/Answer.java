package io.peerlens.assistant;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answer of a tool as a JSON object: what was asked, time range, rows, links. Every text in it is
 * cleaned ({@link PlainText}) when it is finished, whoever put it there, and it is cut to a length
 * by leaving out the last rows of its longest member, which it says.
 */
final class Answer {

  /** Most rows of a list. */
  static final int ROWS = 50;

  /** Members that hold texts rather than names. */
  private static final List<String> TEXTS =
      List.of("text", "summary", "note", "hint", "error", "recommendation", "formatted", "message");

  private static final String LEFT_OUT = "leftOut";
  private static final String POINTS = "points";

  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
  private final Map<String, Long> totals = new LinkedHashMap<>();

  /**
   * Values as CSV, which our own code made of numbers and moments: its lines stay.
   *
   * @param text a header and one line for each moment
   */
  record Csv(String text) {}

  /**
   * A link or sentence that our own code made of fixed words, numbers and ids.
   *
   * @param text as it is shown
   */
  record Own(String text) {}

  Answer put(String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
    return this;
  }

  /** Says in a sentence of fixed words and figures what was found. */
  Answer summary(String sentence) {
    return put("summary", new Own(sentence));
  }

  Answer link(String address) {
    return put("link", new Own(address));
  }

  Answer span(Instant from, Instant to) {
    return put("from", from).put("to", to);
  }

  Answer span(TimeSpan span) {
    return span(span.from(), span.to());
  }

  /**
   * Puts a list.
   *
   * @param total how many there are in all
   */
  Answer rows(String name, List<?> rows, long total) {
    members.put(name, new ArrayList<>(rows.subList(0, Math.min(rows.size(), ROWS))));
    totals.put(name, Math.max(total, rows.size()));
    return this;
  }

  Answer rows(String name, List<?> rows) {
    return rows(name, rows, rows.size());
  }

  /**
   * The JSON object. When it is too long, the member that takes most room loses its last rows,
   * again and again.
   *
   * @param most characters it may have
   * @param length measures what it would be as text
   */
  Map<String, Object> finish(int most, ToIntFunction<Map<String, Object>> length) {
    Map<String, Object> cleaned = object(members);
    note(cleaned);
    while (length.applyAsInt(cleaned) > most) {
      String longest = null;
      int longestLength = 0;
      for (Map.Entry<String, Object> one : cleaned.entrySet()) {
        int taken = length.applyAsInt(Map.of("", one.getValue()));
        if (rows(one.getValue()) > 0 && taken > longestLength && !one.getKey().equals(LEFT_OUT)) {
          longest = one.getKey();
          longestLength = taken;
        }
      }
      if (longest == null) {
        break; // the rest are single texts, which are short, and the points
      }
      shorten(longest, Objects.requireNonNull(cleaned.get(longest)));
      note(cleaned);
    }
    if (length.applyAsInt(cleaned) > most && cleaned.remove(POINTS) != null) {
      cleaned.put(LEFT_OUT, List.of("the points and rows, as the answer would be too long"));
    }
    return cleaned;
  }

  private static int rows(@Nullable Object value) {
    return switch (value) {
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case null, default -> 0;
    };
  }

  /** Takes away the last quarter of its rows, and one at least. */
  private void shorten(String name, Object value) {
    int rows = rows(value);
    totals.putIfAbsent(name, (long) rows);
    int keep = rows * 3 / 4;
    if (value instanceof List<?> list) {
      list.subList(keep, rows).clear();
    } else if (value instanceof Map<?, ?> map) {
      List.copyOf(map.keySet()).subList(keep, rows).forEach(map::remove);
    }
  }

  private void note(Map<String, Object> cleaned) {
    List<String> left = new ArrayList<>();
    totals.forEach(
        (name, total) -> {
          int shown = rows(cleaned.get(name));
          if (shown < total) {
            left.add(name + ": " + shown + " of " + total + " are shown");
          }
        });
    if (!left.isEmpty()) {
      cleaned.put(LEFT_OUT, left);
    }
  }

  /** Cleans a JSON object that is not an answer of its own. */
  static Map<String, Object> object(Map<?, ?> given) {
    Map<String, Object> cleaned = new LinkedHashMap<>();
    given.forEach(
        (key, value) -> {
          if (value != null) {
            String name = PlainText.of(String.valueOf(key), PlainText.NAME);
            cleaned.put(name, clean(name, value));
          }
        });
    return cleaned;
  }

  private static Object clean(String name, Object value) {
    return switch (value) {
      case Map<?, ?> map -> object(map);
      case List<?> list -> {
        List<Object> rows = new ArrayList<>();
        for (Object one : list) {
          if (one != null) {
            rows.add(clean(name, one));
          }
        }
        yield rows;
      }
      case Csv csv -> csv.text();
      case Own own -> own.text();
      case Number number -> number;
      case Boolean truth -> truth;
      default ->
          PlainText.of(
              String.valueOf(value), TEXTS.contains(name) ? PlainText.TEXT : PlainText.NAME);
    };
  }

  /** A JSON object of names and values in turn; nulls are left out. */
  static Map<String, Object> row(@Nullable Object... namesAndValues) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      if (value != null) {
        row.put(String.valueOf(namesAndValues[i]), value);
      }
    }
    return row;
  }
}
