package io.peerlens.sizing;

import io.peerlens.baselines.TimeRemaining;
import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Scenario.AddHosts;
import io.peerlens.sizing.Scenario.AddVms;
import io.peerlens.sizing.Scenario.Change;
import io.peerlens.sizing.Scenario.Grow;
import io.peerlens.sizing.Scenario.GrowPerYear;
import io.peerlens.sizing.Scenario.HostFailure;
import io.peerlens.sizing.Scenario.RemoveHosts;
import io.peerlens.sizing.Scenario.RemoveVms;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Forecast of a cluster under a plan: when it is full, and how many machines fit until then.
 *
 * <p>The measured growth goes on as in {@link TimeRemaining}: what is not certain is no growth, and
 * no decline is counted on. Its interval gives the ends of the result.
 *
 * @param scenario the plan
 * @param days until the first supply is full; 0 = it is, {@link TimeRemaining#MOST_DAYS} = more
 *     than a year
 * @param earliest days until then at the fastest growth of the interval
 * @param latest days until then at the slowest
 * @param fullFirst the supply that is full first; null = none within a year
 * @param points over time: today, each week, and each day with a change
 * @param reason in one sentence
 */
public record Forecast(
    Scenario scenario,
    double days,
    double earliest,
    double latest,
    @Nullable Supply fullFirst,
    List<Point> points,
    String reason) {

  private static final int HORIZON = (int) TimeRemaining.MOST_DAYS;

  /** A forecast keeps its own list. */
  public Forecast {
    points = List.copyOf(points);
  }

  /**
   * Load of a supply and how it grows.
   *
   * @param level when the cluster is busy
   * @param perDay growth in a day
   * @param perDayLeast lower end of its interval
   * @param perDayMost upper end
   */
  public record Trend(double level, double perDay, double perDayLeast, double perDayMost) {

    /** A load without growth. */
    public static Trend flat(double level) {
      return new Trend(level, 0, 0, 0);
    }

    /** The growth that {@link TimeRemaining} measured. */
    public static Trend of(TimeRemaining measured) {
      return new Trend(
          measured.level(), measured.perDay(), measured.perDayLeast(), measured.perDayMost());
    }

    private double perDay(Pace pace) {
      return switch (pace) {
        case SLOW -> Math.max(0, perDayLeast);
        case MIDDLE -> perDayLeast > 0 ? perDay : 0;
        case FAST -> Math.max(0, perDayMost);
      };
    }
  }

  /**
   * State on a day.
   *
   * @param day from today on
   * @param vms machines that fit with 95 % certainty; -1 = not known
   * @param least the same at the fastest growth
   * @param most machines that fit in 5 % of the draws at the slowest growth
   * @param endsFirst the supply that ends first then; null = not known
   * @param remaining shares that remain, in the order of {@link Supply}
   */
  public record Point(
      int day, int vms, int least, int most, @Nullable Supply endsFirst, List<Double> remaining) {}

  private enum Pace {
    SLOW,
    MIDDLE,
    FAST
  }

  /**
   * Forecasts several plans side by side.
   *
   * @param load of each supply that is known
   * @param vms what each present machine adds to the load
   * @return one for each plan, in their order
   */
  public static List<Answer<Forecast>> compare(
      List<Scenario> scenarios,
      Cluster cluster,
      Map<Supply, Trend> load,
      List<Amounts> vms,
      LocalDate today,
      long seed) {
    return scenarios.stream()
        .map(scenario -> of(scenario, cluster, load, vms, today, seed))
        .toList();
  }

  private static Answer<Forecast> of(
      Scenario scenario,
      Cluster cluster,
      Map<Supply, Trend> load,
      List<Amounts> vms,
      LocalDate today,
      long seed) {
    List<String> unknown = new ArrayList<>();
    for (Supply supply : Supply.values()) {
      Trend trend = load.get(supply);
      if (trend == null || Double.isNaN(trend.level() + cluster.usable(supply))) {
        unknown.add(supply.words);
      }
    }
    if (unknown.size() == Supply.values().length) {
      return new Answer.NotKnown<>("Of no supply are both capacity and load known.");
    }
    List<Change> changes = new ArrayList<>(scenario.changes());
    changes.sort(Comparator.comparing(Change::on));
    Map<Pace, List<Amounts>> loads = new EnumMap<>(Pace.class);
    for (Pace pace : Pace.values()) {
      loads.put(pace, loads(changes, load, today, pace));
    }
    List<Cluster> clusters = clusters(changes, cluster, today);
    int middle = full(clusters, list(loads, Pace.MIDDLE));
    int latest = full(clusters, list(loads, Pace.SLOW));
    int earliest = full(clusters, list(loads, Pace.FAST));
    Supply first = middle < HORIZON ? fullest(clusters, list(loads, Pace.MIDDLE), middle) : null;
    List<Point> points = new ArrayList<>();
    // Without growth, days are alike.
    Map<List<Object>, Answer<VmsRemaining>> drawn = new HashMap<>();
    for (int day : days(changes, today)) {
      Cluster then = clusters.get(day);
      points.add(
          point(
              day,
              then,
              loads,
              used ->
                  drawn.computeIfAbsent(
                      List.of(then, used), key -> VmsRemaining.of(then, used, vms, seed, false))));
    }
    String others =
        unknown.isEmpty() ? "" : " Not known, and not judged: " + String.join(", ", unknown) + ".";
    return new Answer.Known<>(
        new Forecast(
            scenario,
            middle,
            earliest,
            latest,
            first,
            points,
            reason(middle, earliest, latest, first) + others));
  }

  private static List<Amounts> list(Map<Pace, List<Amounts>> loads, Pace pace) {
    return loads.getOrDefault(pace, List.of());
  }

  private static Point point(
      int day,
      Cluster cluster,
      Map<Pace, List<Amounts>> loads,
      Function<Amounts, Answer<VmsRemaining>> remains) {
    Amounts used = list(loads, Pace.MIDDLE).get(day);
    VmsRemaining fit = remains.apply(used).orNull();
    VmsRemaining fast = remains.apply(list(loads, Pace.FAST).get(day)).orNull();
    VmsRemaining slow = remains.apply(list(loads, Pace.SLOW).get(day)).orNull();
    List<Double> remaining = new ArrayList<>();
    for (double share : cluster.remaining(used)) {
      remaining.add(share);
    }
    return new Point(
        day,
        fit == null ? -1 : fit.value(),
        fast == null ? -1 : fast.value(),
        slow == null ? -1 : slow.most(),
        fit == null ? null : fit.endsFirst(),
        List.copyOf(remaining));
  }

  private static TreeSet<Integer> days(List<Change> changes, LocalDate today) {
    TreeSet<Integer> days = new TreeSet<>();
    for (int day = 0; day < HORIZON; day += 7) {
      days.add(day);
    }
    for (Change change : changes) {
      int day = day(change, today);
      if (day < HORIZON) {
        days.add(day);
      }
    }
    return days;
  }

  private static int day(Change change, LocalDate today) {
    return (int) Math.clamp(ChronoUnit.DAYS.between(today, change.on()), 0L, HORIZON);
  }

  /** The first day on which a supply has nothing left; {@link #HORIZON} = none. */
  private static int full(List<Cluster> clusters, List<Amounts> loads) {
    for (int day = 0; day < HORIZON; day++) {
      for (Supply supply : Supply.values()) {
        double load = loads.get(day).of(supply);
        if (load > 0 && load >= clusters.get(day).usable(supply)) {
          return day;
        }
      }
    }
    return HORIZON;
  }

  private static Supply fullest(List<Cluster> clusters, List<Amounts> loads, int day) {
    Supply first = Supply.CPU;
    double most = -1;
    for (Supply supply : Supply.values()) {
      double share = loads.get(day).of(supply) / Math.max(1e-9, clusters.get(day).usable(supply));
      if (share > most) {
        most = share;
        first = supply;
      }
    }
    return first;
  }

  private static List<Cluster> clusters(List<Change> changes, Cluster cluster, LocalDate today) {
    List<Cluster> byDay = new ArrayList<>();
    Cluster now = cluster;
    int next = 0;
    for (int day = 0; day < HORIZON; day++) {
      for (; next < changes.size() && day(changes.get(next), today) <= day; next++) {
        now =
            switch (changes.get(next)) {
              case AddHosts add -> now.plus(add.each(), add.count());
              case RemoveHosts remove -> now.minusLargest(remove.count(), false);
              case HostFailure _ -> now.minusLargest(1, true);
              case AddVms _, RemoveVms _, Grow _, GrowPerYear _ -> now;
            };
      }
      byDay.add(now);
    }
    return byDay;
  }

  private static List<Amounts> loads(
      List<Change> changes, Map<Supply, Trend> load, LocalDate today, Pace pace) {
    Supply[] supplies = Supply.values();
    double[] level = new double[supplies.length];
    double[] perDay = new double[supplies.length];
    for (int s = 0; s < supplies.length; s++) {
      Trend trend = load.get(supplies[s]);
      level[s] = trend == null ? Double.NaN : trend.level();
      perDay[s] = trend == null ? 0 : trend.perDay(pace);
    }
    double[] start = level.clone();
    List<Amounts> byDay = new ArrayList<>();
    int next = 0;
    int since = 0;
    for (int day = 0; day < HORIZON; day++) {
      for (; next < changes.size() && day(changes.get(next), today) <= day; next++) {
        Change change = changes.get(next);
        for (int s = 0; s < supplies.length; s++) {
          level[s] += perDay[s] * (day - since);
          switch (change) {
            case AddVms add -> level[s] += add.count() * add.each().of(supplies[s]);
            case RemoveVms remove ->
                level[s] = Math.max(0, level[s] - remove.count() * remove.each().of(supplies[s]));
            case Grow grow -> {
              level[s] *= 1 + grow.share();
              perDay[s] *= 1 + grow.share();
            }
            case GrowPerYear grow ->
                perDay[s] = Double.isNaN(start[s]) ? 0 : start[s] * grow.sharePerYear() / 365;
            case AddHosts _, RemoveHosts _, HostFailure _ -> {}
          }
        }
        since = day;
      }
      byDay.add(
          new Amounts(
              at(level, perDay, 0, day - since),
              at(level, perDay, 1, day - since),
              at(level, perDay, 2, day - since),
              at(level, perDay, 3, day - since)));
    }
    return byDay;
  }

  private static double at(double[] level, double[] perDay, int supply, int days) {
    return Math.max(0, level[supply] + perDay[supply] * days);
  }

  private static String reason(int days, int earliest, int latest, @Nullable Supply first) {
    if (first == null) {
      return earliest < HORIZON
          ? "It lasts for more than a year; at the fastest growth that is likely, "
              + Say.count(earliest, "day")
              + "."
          : "It lasts for more than a year.";
    }
    return days == 0
        ? "It is full: " + first.words + "."
        : Say.count(days, "day")
            + " remain (from "
            + earliest
            + " to "
            + (latest >= HORIZON ? "more than a year" : latest + "")
            + "), then "
            + first.words
            + " is full.";
  }
}
