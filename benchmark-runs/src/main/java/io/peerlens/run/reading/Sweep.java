package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Sweep: runs that differ in one parameter only.
 *
 * @param parameter by which it is called, such as {@code outstanding}
 * @param through the parameter that was turned where {@code parameter} follows from it, such as
 *     {@code queue_depth}; null = {@code parameter} itself
 * @param following other parameters that change with it, one value for each of its values
 * @param fixed what all runs have in common, with {@code tool} and {@code version}
 * @param points by value, ascending, those that are text last; at least two
 */
public record Sweep(
    String parameter,
    @Nullable String through,
    List<String> following,
    SortedMap<String, String> fixed,
    List<Point> points) {

  public Sweep {
    following = List.copyOf(following);
    points = List.copyOf(points);
  }

  /**
   * A value of the parameter, with the runs that have it.
   *
   * @param value as text; empty = no rate limit
   * @param number null = the value is text
   * @param runs at least one; more are repeats
   */
  public record Point(String value, @Nullable Double number, List<Run> runs) {
    public Point {
      runs = List.copyOf(runs);
    }
  }

  /** How many runs it has. */
  public int count() {
    return points.stream().mapToInt(point -> point.runs().size()).sum();
  }

  /**
   * Whether the values have an order, so that there is something between two of them: all are
   * numbers, or limits of which the last is none.
   */
  public boolean ordered() {
    long texts = points.stream().filter(point -> point.number() == null).count();
    return texts == 0
        || (texts == 1
            && parameter.equals(Parameter.RATE_LIMIT)
            && points.getLast().number() == null);
  }

  /** What all runs do: 4K, all reads, random. Empty = they do not say. */
  public String title() {
    return title(fixed);
  }

  static String title(SortedMap<String, String> settings) {
    List<String> words = new ArrayList<>();
    String size = settings.get(Parameter.BLOCK_SIZE);
    if (size != null) {
      words.add(Wording.parameterValue(Parameter.BLOCK_SIZE, size));
    }
    Double reads = Settings.number(settings.getOrDefault(Parameter.READ_SHARE, ""));
    if (reads != null) {
      words.add(ProfileMatch.mixture(reads));
    }
    Double random = Settings.number(settings.getOrDefault(Parameter.RANDOM_SHARE, ""));
    if (random != null) {
      words.add(
          random == 100
              ? "random"
              : random == 0 ? "sequential" : Wording.number(random) + " % random");
    }
    return String.join(", ", words);
  }

  /** 7 runs differ in outstanding IO only, from 8 to 128. */
  public String sentence() {
    int most = points.stream().mapToInt(point -> point.runs().size()).max().orElse(1);
    String first = Wording.parameterValue(parameter, points.getFirst().value());
    String last = Wording.parameterValue(parameter, points.getLast().value());
    String values =
        ordered()
            ? "from " + first + " to " + last
            : points.size() == 2 ? first + " and " + last : points.size() + " values";
    return "%s differ in %s only, %s%s."
        .formatted(
            Wording.count(count(), "run", "runs"),
            Wording.parameter(parameter),
            values,
            most > 1 ? "; up to %d repeats of a value".formatted(most) : "");
  }
}
