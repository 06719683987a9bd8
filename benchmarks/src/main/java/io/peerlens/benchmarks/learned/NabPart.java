package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.learned.Bootstrap.Interval;
import io.peerlens.benchmarks.learned.NabScorer.Profile;
import io.peerlens.benchmarks.learned.NabScorer.Scored;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The part of the page about the Numenta anomaly benchmark. */
final class NabPart {

  private final List<Labelled> files;
  private final List<Entry> entries = new ArrayList<>();

  /** Samples of files, by the files that a detector has. */
  private final Map<List<Integer>, Bootstrap> bootstraps = new HashMap<>();

  /** Peerlens' scores over these samples, by files and whether told once. */
  private final Map<List<Object>, double[]> ours = new HashMap<>();

  /**
   * A detector's signal over the files that it has.
   *
   * @param name of the detector
   * @param own whether it is Peerlens itself
   * @param published whether the scores are those that were published for it
   * @param files which files
   * @param signals of each file
   * @param tells whether what goes on is told once already
   */
  private record Entry(
      String name,
      boolean own,
      boolean published,
      List<Integer> files,
      List<double[]> signals,
      boolean tells) {}

  /**
   * A line of a table.
   *
   * @param entry the detector
   * @param best by profile, over all files
   * @param halves the best of each half, and the half kept aside at the threshold of the other one;
   *     standard profile
   * @param interval of the standard profile
   * @param lead of Peerlens over the same files
   */
  record Line(Entry entry, double[] best, double[] halves, Interval interval, Interval lead) {
    double standard() {
      return best[Profile.STANDARD.ordinal()];
    }
  }

  /**
   * @param files of the benchmark
   * @param scorers ours first
   * @param published detectors whose results were published
   */
  NabPart(List<Labelled> files, List<Scorer> scorers, List<Published> published)
      throws IOException {
    this.files = files;
    List<Integer> all = java.util.stream.IntStream.range(0, files.size()).boxed().toList();
    for (Scorer scorer : scorers) {
      if (published.stream().noneMatch(p -> p.name().equals(scorer.name()))) {
        entries.add(entry(scorer, all, false));
      }
    }
    entries.add(entry(new Stream(true), all, true));
    for (Published detector : published) {
      List<Integer> has = all.stream().filter(f -> detector.has(files.get(f))).toList();
      List<double[]> signals = new ArrayList<>();
      for (int f : has) {
        signals.add(detector.scores(files.get(f)));
      }
      if (!has.isEmpty()) {
        entries.add(new Entry(detector.name(), false, true, has, signals, false));
      }
    }
  }

  private Entry entry(Scorer scorer, List<Integer> all, boolean tells) {
    return new Entry(
        tells ? "Peerlens, its own way" : scorer.name(),
        scorer instanceof Stream,
        false,
        all,
        files.stream().map(f -> scorer.scores(f)[0]).toList(),
        tells);
  }

  /** The lines of a table, the best first. */
  List<Line> lines(boolean once) {
    Entry peerlens = entries.stream().filter(e -> e.own && !e.tells).findFirst().orElseThrow();
    return entries.stream()
        .filter(e -> once || !e.tells)
        .map(e -> line(e, peerlens, once))
        .sorted(Comparator.comparingDouble(l -> -l.standard()))
        .toList();
  }

  private Line line(Entry entry, Entry peerlens, boolean once) {
    List<Scored> scored = scored(entry, entry.files, once);
    double[] best = new double[Profile.values().length];
    for (Profile profile : Profile.values()) {
      best[profile.ordinal()] = new NabSweep(scored, profile).best().normalised();
    }
    List<Scored> dev = new ArrayList<>();
    List<Scored> kept = new ArrayList<>();
    for (int f = 0; f < scored.size(); f++) {
      (files.get(entry.files.get(f)).kept() ? kept : dev).add(scored.get(f));
    }
    NabSweep.Best onDev = new NabSweep(dev, Profile.STANDARD).best();
    double[] halves = {
      onDev.normalised(),
      new NabSweep(kept, Profile.STANDARD).best().normalised(),
      NabScorer.normalised(kept, Profile.STANDARD, onDev.threshold())
    };
    double[] theirs = samples(scored, entry.files);
    double[] mine =
        ours.computeIfAbsent(
            List.of(entry.files, once),
            k -> samples(scored(peerlens, entry.files, once), entry.files));
    return new Line(
        entry, best, halves, Bootstrap.interval(theirs), Bootstrap.difference(mine, theirs));
  }

  private List<Scored> scored(Entry entry, List<Integer> of, boolean once) {
    List<Scored> scored = new ArrayList<>();
    for (int f : of) {
      double[] signal = entry.signals.get(entry.files.indexOf(f));
      Labelled file = files.get(f);
      scored.add(Scored.of(file, once && !entry.tells ? Once.of(file.seconds(), signal) : signal));
    }
    return scored;
  }

  private double[] samples(List<Scored> scored, List<Integer> of) {
    NabSweep sweep = new NabSweep(scored, Profile.STANDARD);
    return Objects.requireNonNull(
            bootstraps.computeIfAbsent(of, k -> new Bootstrap(k.stream().map(f -> "NAB").toList())))
        .samples(times -> sweep.best(times).normalised());
  }

  /** How many files of the windowed Gaussian score as the benchmark has published. */
  static int asPublished(List<Labelled> nab) throws IOException {
    Map<String, String[]> rows = new LinkedHashMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    NabPart.class.getResourceAsStream("/nab-windowed-gaussian.csv")),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] row = line.split(",", -1);
        rows.put(row[0], row);
      }
    }
    int equal = 0;
    for (Labelled series : nab) {
      double[] scores = Baseline.WINDOWED_GAUSSIAN.scorer().scores(series)[0];
      // Its results are stored with twelve decimals.
      Scored scored =
          Scored.of(series, Arrays.stream(scores).map(s -> Math.rint(s * 1e12) / 1e12).toArray());
      String[] row = rows.get(series.name());
      boolean same =
          row != null
              && Math.abs(NabScorer.raw(scored, Profile.STANDARD, 1) - Double.parseDouble(row[1]))
                  < 1e-9
              && NabScorer.truePositives(scored, 1) == Integer.parseInt(row[2])
              && NabScorer.falsePositives(scored, 1) == Integer.parseInt(row[3]);
      if (!same) {
        System.err.println("not as published: " + series.name());
      }
      equal += same ? 1 : 0;
    }
    return equal;
  }

  /** Writes a table. */
  void table(StringBuilder page, List<Line> lines) {
    page.append(
        "| detector | standard | low FP | low FN | standard, 95 % | Peerlens ahead by, 95 % |"
            + " development | kept aside | kept aside at the threshold of development | files |\n"
            + "|---|---|---|---|---|---|---|---|---|---|\n");
    for (Line line : lines) {
      Entry entry = line.entry;
      String cell = entry.own ? "**%.1f**" : "%.1f";
      page.append(
          String.format(
              "| %s | "
                  + cell
                  + " | "
                  + cell
                  + " | "
                  + cell
                  + " | %s | %s | %.1f | %.1f | %.1f | %d%s |%n",
              entry.name,
              line.best[0],
              line.best[1],
              line.best[2],
              line.interval.text("%.1f"),
              entry.own ? "" : line.lead.text("%.1f"),
              line.halves[0],
              line.halves[1],
              line.halves[2],
              entry.files.size(),
              entry.published ? ", published" : ""));
    }
    page.append('\n');
  }
}
