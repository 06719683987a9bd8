package io.peerlens.run.reading;

import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps and repeats among many runs, found by themselves.
 *
 * <p>Runs of the same parameters are repeats. Runs that are alike but for one parameter are a
 * {@link Sweep}. These do not keep runs apart:
 *
 * <ul>
 *   <li>what names a run: its name and start, parameters such as {@code job_name} or {@code
 *       output}, and texts with a path, a date, seconds since 1970 or several words of which each
 *       run has another;
 *   <li>outstanding IO where queue depth, threads, disks or machines were turned, and the working
 *       set where disks or machines were, for they are products of these;
 *   <li>a tool's own parameter that follows from the one that was turned: one value of it for each
 *       value of that one and the other way round, with at least three values, or with that value
 *       in its text.
 * </ul>
 *
 * @param sweeps those of most values first
 * @param repeats those of most runs first
 */
public record Sweeps(List<Sweep> sweeps, List<Repeats> repeats) {

  /** The most runs that are looked at together. */
  public static final int MOST_RUNS = 10_000;

  private static final int LABELS_FROM = 3;

  public Sweeps {
    sweeps = List.copyOf(sweeps);
    repeats = List.copyOf(repeats);
  }

  /**
   * Runs of the same parameters.
   *
   * @param settings what they have in common
   * @param runs at least two
   */
  public record Repeats(SortedMap<String, String> settings, List<Run> runs) {
    public Repeats {
      runs = List.copyOf(runs);
    }

    /**
     * The scatter of a figure.
     *
     * @return null = fewer than two of the runs say it
     */
    public @Nullable Scatter scatter(String figure) {
      return Scatter.of(Sweeps.values(runs, figure));
    }
  }

  /** The values of a figure that runs say. */
  static List<Double> values(Collection<Run> runs, String figure) {
    List<Double> values = new ArrayList<>();
    for (Run run : runs) {
      Double value = RunFigures.value(run, figure);
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  /**
   * Finds them.
   *
   * @throws IllegalArgumentException when there are more than {@value #MOST_RUNS} runs
   */
  public static Sweeps find(Collection<Run> runs) {
    if (runs.size() > MOST_RUNS) {
      throw new IllegalArgumentException(
          "%,d runs are too many to be sorted at once; the limit is %,d. Choose those of one system or of a shorter time."
              .formatted(runs.size(), MOST_RUNS));
    }
    List<Group> groups = groups(runs);
    List<Repeats> repeats = new ArrayList<>();
    for (Group group : groups) {
      if (group.runs().size() > 1) {
        repeats.add(new Repeats(group.settings(), group.runs()));
      }
    }
    repeats.sort(Comparator.comparingInt((Repeats one) -> -one.runs().size()));
    List<Sweep> sweeps = new ArrayList<>(new SweepFinder(groups).find());
    sweeps.sort(
        Comparator.comparingInt((Sweep one) -> -one.points().size())
            .thenComparingInt(one -> Settings.rank(one.parameter()))
            .thenComparing(Sweep::parameter)
            .thenComparing(one -> one.fixed().toString()));
    return new Sweeps(sweeps, repeats);
  }

  /** Runs of the same settings. */
  record Group(int index, SortedMap<String, String> settings, List<Run> runs) {

    String get(String name) {
      return settings.getOrDefault(name, "");
    }
  }

  private static List<Group> groups(Collection<Run> runs) {
    List<SortedMap<String, String>> settings = runs.stream().map(Settings::of).toList();
    Set<String> labels = labels(settings);
    Map<SortedMap<String, String>, List<Run>> same = new LinkedHashMap<>();
    int i = 0;
    for (Run run : runs) {
      SortedMap<String, String> without = settings.get(i++);
      without.keySet().removeAll(labels);
      same.computeIfAbsent(without, key -> new ArrayList<>()).add(run);
    }
    List<Group> groups = new ArrayList<>();
    same.forEach((key, value) -> groups.add(new Group(groups.size(), key, value)));
    return groups;
  }

  /** Own parameters of which each run has another value, and one that looks like a name. */
  private static Set<String> labels(List<SortedMap<String, String>> settings) {
    Map<String, List<String>> all = new HashMap<>();
    for (SortedMap<String, String> one : settings) {
      one.forEach((name, value) -> all.computeIfAbsent(name, key -> new ArrayList<>()).add(value));
    }
    Set<String> labels = new HashSet<>();
    all.forEach(
        (name, values) -> {
          if (Settings.rank(name) == Settings.COMMON.size()
              && values.size() >= LABELS_FROM
              && new HashSet<>(values).size() == values.size()
              && values.stream().allMatch(Settings::naming)) {
            labels.add(name);
          }
        });
    return labels;
  }
}
