package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.learned.EventScorer.Counts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The part of the page about machines, services and single series, judged by events. */
final class EventsPart {

  private static final String ALWAYS = "who always speaks";
  private static final List<Combination> ALL = List.of(Combination.values());
  private static final List<Combination> ONE = List.of(Combination.HIGHEST);

  private final List<Labelled> machines;
  private final List<Labelled> single;

  /** Machines, then single series. */
  private final List<Labelled> all = new ArrayList<>();

  /** Names of the sets, machines first. */
  private final List<String> sets;

  private final List<Entry> entries = new ArrayList<>();
  private final Bootstrap bootstrap;

  /**
   * A detector with the ways of combining metrics that it may choose from.
   *
   * @param name of the detector
   * @param ours whether it is one of Peerlens' own
   * @param ways of combining
   * @param ofMachines what it gives on the machines
   * @param ofSingle on the single series
   * @param shipped counts of each recording at the shipped threshold, or null
   */
  private record Entry(
      String name,
      boolean ours,
      List<Combination> ways,
      Ways ofMachines,
      Ways ofSingle,
      @Nullable List<Counts> shipped) {}

  /**
   * @param machines recordings with many metrics, of one set after the other
   * @param single series
   * @param scorers Peerlens first
   */
  EventsPart(List<Labelled> machines, List<Labelled> single, List<Scorer> scorers) {
    this.machines = machines.stream().map(Labelled::fiveMinutes).toList();
    this.single = single.stream().map(Labelled::fiveMinutes).toList();
    all.addAll(this.machines);
    all.addAll(this.single);
    sets = all.stream().map(Labelled::set).distinct().toList();
    bootstrap = new Bootstrap(all.stream().map(Labelled::set).toList());
    for (Scorer scorer : scorers) {
      add(scorer);
    }
  }

  private void add(Scorer scorer) {
    List<double[][]> ofMachines = machines.stream().map(scorer::scores).toList();
    List<double[][]> ofSingle = single.stream().map(scorer::scores).toList();
    Ways series = new Ways(single, ofSingle, ONE);
    if (scorer instanceof Stream stream) {
      List<Counts> shipped = new ArrayList<>();
      for (int m = 0; m < machines.size(); m++) {
        shipped.add(EventScorer.count(machines.get(m), ofMachines.get(m)[0], stream.unusual()));
      }
      entries.add(
          new Entry(
              scorer.name(), true, ONE, new Ways(machines, ofMachines, ONE), series, shipped));
      return;
    }
    Ways ways = new Ways(machines, ofMachines, ALL);
    entries.add(new Entry(scorer.name(), scorer.ours(), ALL, ways, series, null));
    if (!scorer.ours()) {
      entries.add(
          new Entry(scorer.name() + ", single rows", false, Combination.PLAIN, ways, series, null));
    }
  }

  // --------------------------------------------------------------------------------- carried over

  /** From where the threshold and the way of combining of a recording come. */
  enum From {
    /** All other recordings of the same set. */
    SAME_SET,
    /** All other machines, of whichever set, or all other single series. */
    SAME_KIND,
    /** Machines of other sets. */
    OTHER_SETS
  }

  private static IntFunction<IntPredicate> others(List<Labelled> series, From from) {
    return s ->
        other -> {
          boolean same = series.get(other).set().equals(series.get(s).set());
          return switch (from) {
            case SAME_SET -> other != s && same;
            case SAME_KIND -> other != s;
            case OTHER_SETS -> !same;
          };
        };
  }

  /** Counts of all recordings in a sample of them, each by what is best on others. */
  private List<Counts> carriedOver(Entry entry, From from, int[] times) {
    int[] ofMachines = Arrays.copyOf(times, machines.size());
    int[] ofSingle = Arrays.copyOfRange(times, machines.size(), times.length);
    List<Counts> counts =
        new ArrayList<>(
            entry.ofMachines.carriedOver(entry.ways, others(machines, from), ofMachines));
    counts.addAll(entry.ofSingle.carriedOver(ONE, others(single, from), ofSingle));
    return counts;
  }

  private EventLine carriedOver(Entry entry, From from) {
    List<Counts> counts = carriedOver(entry, from, once());
    List<List<Counts>> anew =
        bootstrap.times().stream().map(times -> carriedOver(entry, from, times)).toList();
    return new EventLine(entry.name, entry.ours, counts, samples(counts), anew);
  }

  private List<List<Counts>> samples(List<Counts> counts) {
    return bootstrap.times().stream()
        .map(
            times ->
                IntStream.range(0, times.length)
                    .mapToObj(s -> counts.get(s).times(times[s]))
                    .toList())
        .toList();
  }

  private int[] once() {
    int[] once = new int[all.size()];
    Arrays.fill(once, 1);
    return once;
  }

  /** The lines of a table of thresholds carried over, Peerlens as shipped first. */
  List<EventLine> lines(From from) {
    List<EventLine> lines = new ArrayList<>();
    Entry peerlens = entries.getFirst();
    EventLine carried = carriedOver(peerlens, from);
    // Single series have no level that is shipped; they are as carried over.
    List<Counts> shipped = new ArrayList<>(Objects.requireNonNull(peerlens.shipped));
    shipped.addAll(carried.counts().subList(shipped.size(), all.size()));
    lines.add(fixed("Peerlens, as shipped", true, shipped));
    lines.add(
        new EventLine(
            "Peerlens, carried over", true, carried.counts(), carried.samples(), carried.anew()));
    for (Entry entry : entries.subList(1, entries.size())) {
      lines.add(carriedOver(entry, from));
    }
    lines.add(fixed(ALWAYS, false, always()));
    return lines;
  }

  private EventLine fixed(String name, boolean ours, List<Counts> counts) {
    List<List<Counts>> samples = samples(counts);
    return new EventLine(name, ours, counts, samples, samples);
  }

  private List<Counts> always() {
    return all.stream()
        .map(
            s -> {
              boolean[] out = new boolean[s.rows()];
              Arrays.fill(out, true);
              return EventScorer.count(s, out);
            })
        .toList();
  }

  private IntPredicate in(String set) {
    return s -> all.get(s).set().equals(set);
  }

  /** Writes the table of thresholds carried over. */
  void carriedOver(StringBuilder page, List<EventLine> lines) {
    page.append("| detector |");
    sets.forEach(s -> page.append(' ').append(s).append(" |"));
    page.append(
        " all | 95 % | all kept aside | found / missed / false | Peerlens as shipped ahead by (95 %) |"
            + " carried over ahead by (95 %) | 95 % of that, chosen anew in each sample |\n|---|");
    page.append("---|".repeat(sets.size() + 7)).append('\n');
    for (EventLine line : lines) {
      String cell = line.name().startsWith("Peerlens") ? " **%.2f** |" : " %.2f |";
      page.append("| ").append(line.name()).append(" |");
      sets.forEach(s -> page.append(String.format(cell, line.f1(in(s)))));
      page.append(String.format(cell, line.f1(s -> true)));
      page.append(
          String.format(
              " %s | %.2f | %s |",
              line.interval(s -> true).text("%.2f"),
              line.f1(s -> all.get(s).kept()),
              text(Counts.sum(line.counts()))));
      EventLine shipped = lines.get(0);
      EventLine carried = lines.get(1);
      page.append(
          line.ours()
              ? " | | |\n"
              : String.format(
                  " %s | %s | %s |%n",
                  shipped.over(line, s -> true).text("%+.2f"),
                  carried.over(line, s -> true).text("%+.2f"),
                  carried.overAnew(line, s -> true).text("%+.2f")));
    }
    page.append('\n');
  }

  /**
   * Rows of the summary: all together, and each set.
   *
   * @param sameSet lines with thresholds from the same set
   * @param sameKind lines with thresholds from all other machines
   */
  List<Headline> headlines(List<EventLine> sameSet, List<EventLine> sameKind) {
    List<EventLine> both = new ArrayList<>(sameSet);
    both.addAll(sameKind);
    String together = String.join(", ", sets);
    List<Headline> headlines = new ArrayList<>();
    headlines.add(headline(together + ": event F1, machines as shipped", both, 0, s -> true));
    headlines.add(
        headline(
            together + ": event F1, thresholds from others of the same set",
            sameSet,
            1,
            s -> true));
    headlines.add(
        headline("the same, only what is kept aside", sameSet, 1, s -> all.get(s).kept()));
    headlines.add(
        headline(
            together + ": event F1, thresholds from other machines of all sets",
            sameKind,
            1,
            s -> true));
    for (String set : sets) {
      boolean series = single.stream().anyMatch(s -> s.set().equals(set));
      headlines.add(
          headline(
              set + (series ? ": event F1, threshold from others" : ": event F1 as shipped"),
              both,
              0,
              in(set)));
    }
    return headlines;
  }

  private static Headline headline(String what, List<EventLine> lines, int ours, IntPredicate on) {
    EventLine mine = lines.get(ours);
    EventLine other =
        lines.stream()
            .filter(l -> !l.ours() && !l.name().equals(ALWAYS))
            .max(Comparator.comparingDouble(l -> l.f1(on)))
            .orElseThrow();
    return new Headline(
        what,
        String.format("%.2f (%s)", mine.f1(on), mine.interval(on).text("%.2f")),
        String.format("%.2f, %s", other.f1(on), other.name()),
        mine.over(other, on).text("%+.2f"));
  }

  /** Writes the table of thresholds that come from other sets of machines only. */
  void otherSets(StringBuilder page) {
    List<String> names = machines.stream().map(Labelled::set).distinct().toList();
    page.append("| detector |");
    names.forEach(s -> page.append(' ').append(s).append(" |"));
    page.append("\n|---|").append("---|".repeat(names.size())).append('\n');
    for (Entry entry : entries) {
      List<Counts> counts =
          entry.ofMachines.carriedOver(entry.ways, others(machines, From.OTHER_SETS), once());
      page.append("| ").append(entry.name).append(" |");
      names.forEach(s -> page.append(String.format(" %.2f |", EventLine.only(counts, in(s)).f1())));
      page.append('\n');
    }
    page.append('\n');
  }

  // --------------------------------------------------------------------------------------- halves

  /** Writes the table of halves: what is best on one, used on both. */
  void halves(StringBuilder page) {
    page.append("| detector |");
    sets.forEach(s -> page.append(' ').append(s).append(" |"));
    sets.forEach(s -> page.append(' ').append(s).append(", found / missed / false |"));
    page.append(" metrics of a machine by |\n|---|").append("---|".repeat(2 * sets.size() + 1));
    page.append('\n');
    for (Entry entry : entries) {
      if (entry.shipped != null) {
        List<Counts> counts = new ArrayList<>(entry.shipped);
        counts.addAll(single.stream().map(s -> Counts.NONE).toList());
        page.append("| ").append(entry.name).append(", as shipped |");
        halves(page, counts);
        page.append(" |\n");
      }
      List<String> ways = new ArrayList<>();
      List<Counts> counts = new ArrayList<>();
      for (String set : sets) {
        Ways.Choice choice = onDevelopment(entry, set);
        List<Labelled> of = choice.counts().size() == machines.size() ? machines : single;
        for (int s = 0; s < of.size(); s++) {
          if (of.get(s).set().equals(set)) {
            counts.add(choice.counts().get(s));
          }
        }
        if (entry.ways.size() > 1 && choice.counts().size() == machines.size()) {
          ways.add(choice.way().text);
        }
      }
      page.append("| ").append(entry.name).append(" |");
      halves(page, counts);
      page.append(' ').append(String.join("; ", ways)).append(" |\n");
    }
    page.append('\n');
  }

  private Ways.Choice onDevelopment(Entry entry, String set) {
    boolean of = machines.stream().anyMatch(m -> m.set().equals(set));
    List<Labelled> series = of ? machines : single;
    return (of ? entry.ofMachines : entry.ofSingle)
        .best(of ? entry.ways : ONE, s -> series.get(s).set().equals(set) && !series.get(s).kept());
  }

  private void halves(StringBuilder page, List<Counts> counts) {
    StringBuilder numbers = new StringBuilder();
    for (String set : sets) {
      Counts[] halves = {Counts.NONE, Counts.NONE};
      for (int s = 0; s < counts.size(); s++) {
        if (all.get(s).set().equals(set)) {
          int half = all.get(s).kept() ? 1 : 0;
          halves[half] = halves[half].plus(counts.get(s));
        }
      }
      Counts both = halves[0].plus(halves[1]);
      boolean none = both.equals(Counts.NONE);
      page.append(
          none
              ? " |"
              : String.format(
                  " %.2f (%.2f \\| %.2f) |", both.f1(), halves[0].f1(), halves[1].f1()));
      numbers.append(none ? " |" : String.format(" %s \\| %s |", text(halves[0]), text(halves[1])));
    }
    page.append(numbers);
  }

  /** The threshold of single series that is best on their half for development. */
  static double thresholdOfDevelopment(List<Labelled> single, Scorer scorer) {
    return new Ways(single, single.stream().map(scorer::scores).toList(), ONE)
        .best(ONE, s -> !single.get(s).kept())
        .threshold();
  }

  private static String text(Counts counts) {
    return counts.found() + " / " + counts.missed() + " / " + counts.wrong();
  }
}
