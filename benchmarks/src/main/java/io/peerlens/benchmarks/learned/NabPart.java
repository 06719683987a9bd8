package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.learned.Bootstrap.Interval;
import io.peerlens.benchmarks.learned.Bootstrap.Lead;
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
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The part of the page about the Numenta anomaly benchmark. */
final class NabPart {

  static final String PEERLENS = "Peerlens";

  /** The novelty, from which the score is made. */
  static final String WITHOUT_SILENCE = "Peerlens, without its silence after a report";

  /** Detectors with a score from here on are strong ones. */
  private static final double STRONG = 60;

  private final List<Labelled> files;
  private final List<Published> published;
  private final List<Entry> entries = new ArrayList<>();

  /** Samples of files, by the files that a detector has. */
  private final Map<List<Integer>, Bootstrap> bootstraps = new HashMap<>();

  /** Peerlens' scores over these samples, by files and whether told once. */
  private final Map<List<Object>, double[]> oursSampled = new HashMap<>();

  /**
   * A detector's signal over the files that it has.
   *
   * @param name of the detector
   * @param own whether it is Peerlens itself
   * @param published whether the scores are those that were published for it
   * @param files which files
   * @param signals of each file
   */
  private record Entry(
      String name, boolean own, boolean published, List<Integer> files, List<double[]> signals) {}

  /**
   * A line of a table.
   *
   * @param name of the detector
   * @param own whether it is Peerlens itself
   * @param published whether the scores are those that were published for it
   * @param files how many files there are scores of
   * @param best by profile, over all files
   * @param halves the best of each half, and the half kept aside at the threshold of the other one;
   *     standard profile
   * @param interval of the standard profile
   * @param lead of Peerlens over the same files
   */
  record Line(
      String name,
      boolean own,
      boolean published,
      int files,
      double[] best,
      double[] halves,
      Interval interval,
      Lead lead) {

    double standard() {
      return best[Profile.STANDARD.ordinal()];
    }
  }

  /**
   * @param files of the benchmark
   * @param scorers to run beside Peerlens; Peerlens among them is passed over
   * @param published detectors whose results were published
   */
  NabPart(List<Labelled> files, List<Scorer> scorers, List<Published> published)
      throws IOException {
    this.files = files;
    this.published = published;
    List<Integer> all = IntStream.range(0, files.size()).boxed().toList();
    entries.add(entry(PEERLENS, new Stream(true), all));
    entries.add(entry(WITHOUT_SILENCE, new Stream(false), all));
    for (Scorer scorer : scorers) {
      if (!(scorer instanceof Stream)
          && published.stream().noneMatch(p -> p.name().equals(scorer.name()))) {
        entries.add(entry(scorer.name(), scorer, all));
      }
    }
    for (Published detector : published) {
      List<Integer> has = all.stream().filter(f -> detector.has(files.get(f))).toList();
      List<double[]> signals = new ArrayList<>();
      for (int f : has) {
        signals.add(detector.scores(files.get(f)));
      }
      if (!has.isEmpty()) {
        entries.add(new Entry(detector.name(), false, true, has, signals));
      }
    }
  }

  private Entry entry(String name, Scorer scorer, List<Integer> all) {
    return new Entry(
        name,
        scorer instanceof Stream,
        false,
        all,
        files.stream().map(f -> scorer.scores(f)[0]).toList());
  }

  /** The lines of a table, the best first. */
  List<Line> lines(boolean once) {
    Entry peerlens = entries.getFirst();
    return entries.stream()
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
    List<Scored> ours = scored(peerlens, entry.files, once);
    double[] mine =
        oursSampled.computeIfAbsent(List.of(entry.files, once), k -> samples(ours, entry.files));
    double lead =
        new NabSweep(ours, Profile.STANDARD).best().normalised() - best[Profile.STANDARD.ordinal()];
    return new Line(
        entry.name,
        entry.own,
        entry.published,
        entry.files.size(),
        best,
        halves,
        Bootstrap.interval(theirs),
        new Lead(lead, Bootstrap.difference(mine, theirs)));
  }

  private List<Scored> scored(Entry entry, List<Integer> of, boolean once) {
    List<Scored> scored = new ArrayList<>();
    for (int f : of) {
      double[] signal = entry.signals.get(entry.files.indexOf(f));
      Labelled file = files.get(f);
      scored.add(Scored.of(file, once ? Once.of(file.seconds(), signal) : signal));
    }
    return scored;
  }

  private double[] samples(List<Scored> scored, List<Integer> of) {
    NabSweep sweep = new NabSweep(scored, Profile.STANDARD);
    return Objects.requireNonNull(
            bootstraps.computeIfAbsent(of, k -> new Bootstrap(k.stream().map(f -> "NAB").toList())))
        .samples(times -> sweep.best(times).normalised());
  }

  /** How many of the files of the windowed Gaussian score as the benchmark has published. */
  String windowedGaussianAsPublished() throws IOException {
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
    int known = 0;
    int equal = 0;
    for (Labelled series : files) {
      String[] row = rows.get(series.name());
      if (row == null) {
        continue;
      }
      known++;
      double[] scores = Baseline.WINDOWED_GAUSSIAN.scorer().scores(series)[0];
      // Its results are stored with twelve decimals.
      Scored scored =
          Scored.of(series, Arrays.stream(scores).map(s -> Math.rint(s * 1e12) / 1e12).toArray());
      double raw = NabScorer.raw(scored, Profile.STANDARD, 1);
      boolean same =
          Math.abs(raw - Double.parseDouble(row[1])) < 1e-9
              && NabScorer.truePositives(scored, 1) == Integer.parseInt(row[2])
              && NabScorer.falsePositives(scored, 1) == Integer.parseInt(row[3]);
      equal += same ? 1 : 0;
    }
    return equal + " of " + known;
  }

  /**
   * In how many rows the weight as a detection is the one that NAB has stored, of the detector with
   * whose results most are.
   */
  String weightsAsPublished() throws IOException {
    String text = "no";
    long most = -1;
    for (Published detector : published) {
      long equal = 0;
      long rows = 0;
      for (Labelled file : files) {
        Optional<double[]> weights = detector.has(file) ? detector.weights(file) : Optional.empty();
        if (weights.isEmpty()) {
          continue;
        }
        double[] ours = NabScorer.standardWeights(file.segments(), file.rows());
        for (int i = Sets.probation(ours.length); i < ours.length; i++) {
          rows++;
          equal += Math.abs(weights.get()[i] - ours[i]) < 1e-6 ? 1 : 0;
        }
      }
      if (equal > most) {
        most = equal;
        text = String.format("%d of %d", equal, rows) + " (" + detector.name() + ")";
      }
    }
    return text;
  }

  /** What results of a detector that has some are missing, or nothing. */
  String missing() {
    List<String> lines = new ArrayList<>();
    for (Published detector : published) {
      List<String> without =
          files.stream().filter(f -> !detector.has(f)).map(Labelled::name).toList();
      if (!without.isEmpty() && without.size() < files.size()) {
        lines.add(
            String.format(
                "- No results of %s are there for these files, which its line leaves out: %s%n",
                detector.name(), String.join(", ", without)));
      }
    }
    return lines.isEmpty() ? "" : String.join("", lines) + "\n";
  }

  /** Writes a table. */
  static void table(StringBuilder page, List<Line> lines) {
    page.append(
        "| detector | standard | 95 % | low FP | low FN | Peerlens ahead by (95 %) | development"
            + " | kept aside | kept aside, threshold of development | files |\n"
            + "|---|---|---|---|---|---|---|---|---|---|\n");
    for (Line line : lines) {
      String cell = line.own ? " **%.1f** |" : " %.1f |";
      page.append("| ").append(line.name).append(" |");
      page.append(String.format(cell, line.standard()));
      page.append(String.format(" %s |", line.interval.text("%.1f")));
      page.append(String.format(cell, line.best[Profile.LOW_FP.ordinal()]));
      page.append(String.format(cell, line.best[Profile.LOW_FN.ordinal()]));
      page.append(
          line.name.equals(PEERLENS) ? " |" : String.format(" %s |", line.lead.text("%+.1f")));
      for (double half : line.halves) {
        page.append(String.format(" %.1f |", half));
      }
      page.append(String.format(" %d%s |%n", line.files, line.published ? ", published" : ""));
    }
    page.append('\n');
  }

  /** How much more each strong detector has on the half kept aside, as a sentence. */
  static String halves(List<Line> lines) {
    return lines.stream()
        .filter(l -> l.standard() >= STRONG)
        .map(l -> String.format("%+.1f %s", l.halves[1] - l.halves[0], l.name))
        .collect(Collectors.joining("; "));
  }

  /**
   * A line of Peerlens and the best of another, as a row of the summary.
   *
   * @param name of the line of Peerlens
   */
  static Headline headline(String what, List<Line> lines, String name) {
    Line ours = lines.stream().filter(l -> l.name.equals(name)).findFirst().orElseThrow();
    Line other = lines.stream().filter(l -> !l.own).findFirst().orElseThrow();
    return new Headline(
        what,
        String.format("%.1f (%s)", ours.standard(), ours.interval.text("%.1f")),
        String.format("%.1f, %s", other.standard(), other.name),
        name.equals(PEERLENS)
            ? other.lead.text("%+.1f")
            : String.format("%+.1f", ours.standard() - other.standard()));
  }
}
