package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.BandLearner;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import io.peerlens.benchmarks.Section;
import io.peerlens.benchmarks.learned.EventScorer.Counts;
import io.peerlens.benchmarks.learned.NabScorer.Profile;
import io.peerlens.benchmarks.learned.NabScorer.Scored;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The accuracy benchmark of what is learned from a series' own past: reads the labelled sets, runs
 * all detectors and writes a part of a page.
 *
 * <pre>LearnedAccuracy CORPUS [PAGE]</pre>
 *
 * <p>Without a page, what would be written is printed.
 */
public final class LearnedAccuracy {

  private static final String PART = "learned thresholds";

  /** The bounds need 7 days, and are made of the hours until a day before. */
  private static final int DAYS_BEFORE_JUDGED = 8;

  private final Sets sets;
  private final List<Scorer> scorers = new ArrayList<>();
  private final StringBuilder page = new StringBuilder();

  /** Thresholds fitted on the development half of the single series. */
  private final Map<String, Double> ofSingle = new LinkedHashMap<>();

  /** What always speaking would give, and where a baseline is ahead of Peerlens. */
  private final List<String> always = new ArrayList<>();

  private final List<String> losses = new ArrayList<>();

  private LearnedAccuracy(Sets sets) {
    this.sets = sets;
    scorers.add(new Stream(false));
    scorers.add(new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE));
    for (Baseline baseline : Baseline.values()) {
      scorers.add(baseline.scorer());
    }
    scorers.add(new IsolationForest());
  }

  public static void main(String[] args) throws IOException {
    LearnedAccuracy accuracy = new LearnedAccuracy(new Sets(Path.of(args[0])));
    String text = accuracy.text();
    if (args.length > 1) {
      Section.write(Path.of(args[1]), PART, text);
    } else {
      System.out.println(text);
    }
  }

  private String text() throws IOException {
    List<Labelled> nab = sets.nab();
    int equal = published(nab);
    page.append(Words.BEFORE.replace("EQUAL", equal + " of " + nab.size()));
    page.append("| figure |");
    scorers.forEach(s -> page.append(' ').append(s.name()).append(" |"));
    page.append("\n|---|").append("---|".repeat(scorers.size())).append('\n');
    nab(nab);
    List<Labelled> machines = new ArrayList<>(sets.smd());
    events("SMD", machines);
    List<Labelled> services = sets.jumpStarter();
    events("JumpStarter", services);
    machines.addAll(services);
    events("SMD and JumpStarter, one threshold for both", machines);
    List<Labelled> single = sets.cloudMonitoring();
    events("MS cloud monitoring", single);
    quiet(nab, single);
    page.append(Words.ALWAYS.replace("ALWAYS", String.join(", ", always)));
    if (!losses.isEmpty()) {
      page.append(Words.LOSSES);
      losses.forEach(l -> page.append(l).append('\n'));
    }
    page.append(Words.SENSITIVITIES);
    sensitivities(nab, single);
    page.append(Words.AFTER.replace("COST", cost()));
    return page.toString();
  }

  // ------------------------------------------------------------------------------------------- NAB

  /** How many files of the windowed Gaussian score as the benchmark has published. */
  private static int published(List<Labelled> nab) throws IOException {
    Map<String, String[]> rows = new LinkedHashMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    LearnedAccuracy.class.getResourceAsStream("/nab-windowed-gaussian.csv")),
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

  private void nab(List<Labelled> nab) {
    List<String[]> cells = new ArrayList<>();
    double[][][] values = new double[Profile.values().length][3][scorers.size()];
    for (Scorer scorer : scorers) {
      Scorer once = scorer instanceof Stream ? new Stream(true) : scorer;
      List<Scored> all = new ArrayList<>();
      List<Scored> dev = new ArrayList<>();
      List<Scored> kept = new ArrayList<>();
      for (Labelled series : nab) {
        Scored scored = Scored.of(series, once.scores(series)[0]);
        all.add(scored);
        (series.kept() ? kept : dev).add(scored);
      }
      String[] column = new String[Profile.values().length];
      for (int p = 0; p < column.length; p++) {
        Profile profile = Profile.values()[p];
        NabScorer.Best best = NabScorer.best(dev, profile);
        int at = scorers.indexOf(scorer);
        values[p][0][at] = NabScorer.best(all, profile).normalised();
        values[p][1][at] = best.normalised();
        values[p][2][at] = NabScorer.normalised(kept, profile, best.threshold());
        column[p] =
            String.format(
                "%s (%.1f \\| %.1f)",
                bold(values[p][0][at], scorer, "%.1f"), values[p][1][at], values[p][2][at]);
      }
      cells.add(column);
      System.err.println("NAB " + scorer.name() + " " + Arrays.toString(column));
    }
    for (int p = 0; p < values.length; p++) {
      int row = p;
      Profile profile = Profile.values()[p];
      losses("NAB, " + profile.text, "%.1f", values[p]);
      page.append("| NAB, ").append(profile.text).append(" |");
      cells.forEach(c -> page.append(' ').append(c[row]).append(" |"));
      page.append('\n');
    }
  }

  /** Notes baselines that are ahead in a row: all, development, kept aside. */
  private void losses(String row, String format, double[][] values) {
    String[] parts = {"", ", development", ", kept aside"};
    for (int part = 0; part < parts.length; part++) {
      for (int s = 1; s < scorers.size(); s++) {
        if (values[part][s] > values[part][0] + 1e-9) {
          losses.add(
              String.format(
                  "| %s%s | " + format + " | " + format + ", %s |",
                  row,
                  parts[part],
                  values[part][0],
                  values[part][s],
                  scorers.get(s).name()));
        }
      }
    }
  }

  private static String bold(double value, Scorer scorer, String format) {
    String text = String.format(format, value);
    return scorer instanceof Stream ? "**" + text + "**" : text;
  }

  // ---------------------------------------------------------------------------------------- events

  /**
   * What the development half says is best.
   *
   * @param way how metrics are combined
   * @param threshold of the combined score
   * @param f1 on the development half
   */
  private record Fit(Combination way, double threshold, double f1) {

    static Fit of(List<Labelled> dev, List<double[][]> scores, List<Combination> ways) {
      Fit best = new Fit(Combination.HIGHEST, 0, -1);
      for (Combination way : ways) {
        List<double[]> one = scores.stream().map(way::of).toList();
        double threshold = EventScorer.best(dev, one);
        double f1 = EventScorer.count(dev, one, threshold).f1();
        if (f1 > best.f1) {
          best = new Fit(way, threshold, f1);
        }
      }
      return best;
    }

    Counts counts(List<Labelled> series, List<double[][]> scores) {
      return EventScorer.count(series, scores.stream().map(way::of).toList(), threshold);
    }
  }

  private void events(String set, List<Labelled> raw) {
    List<Labelled> series = raw.stream().map(Labelled::fiveMinutes).toList();
    List<Labelled> dev = series.stream().filter(s -> !s.kept()).toList();
    List<Labelled> kept = series.stream().filter(Labelled::kept).toList();
    boolean machines = series.getFirst().metrics().length > 1;
    double[][] values = new double[3][scorers.size()];
    double[][] plainly = new double[3][scorers.size()];
    StringBuilder f1 = new StringBuilder("| " + set + ", event F1 |");
    StringBuilder counts = new StringBuilder("| " + set + ", found / missed / false |");
    StringBuilder ways = new StringBuilder("| " + set + ", metrics of a machine by |");
    StringBuilder plain = new StringBuilder("| " + set + ", event F1 by single rows |");
    for (Scorer scorer : scorers) {
      List<double[][]> ofDev = dev.stream().map(scorer::scores).toList();
      List<double[][]> ofKept = kept.stream().map(scorer::scores).toList();
      boolean one = !machines || scorer instanceof Stream;
      List<Combination> all = one ? List.of(Combination.HIGHEST) : List.of(Combination.values());
      Fit fit = Fit.of(dev, ofDev, all);
      Counts onDev = fit.counts(dev, ofDev);
      Counts onKept = fit.counts(kept, ofKept);
      int column = scorers.indexOf(scorer);
      put(values, column, onDev, onKept);
      f1.append(cell(scorer, onDev, onKept));
      counts.append(String.format(" %s \\| %s |", text(onDev), text(onKept)));
      ways.append(' ').append(one ? Combination.OBJECT.text : fit.way.text).append(" |");
      if (machines && !one) {
        Fit single = Fit.of(dev, ofDev, Combination.PLAIN);
        Counts plainDev = single.counts(dev, ofDev);
        Counts plainKept = single.counts(kept, ofKept);
        put(plainly, column, plainDev, plainKept);
        plain.append(cell(scorer, plainDev, plainKept));
      } else {
        put(plainly, column, onDev, onKept);
        plain.append(" |");
      }
      if (!machines) {
        ofSingle.put(scorer.name(), fit.threshold);
      }
      System.err.println(set + " " + scorer.name() + " " + fit + onDev + onKept);
    }
    losses(set + ", event F1", "%.2f", values);
    if (machines) {
      losses(set + ", event F1 against single rows", "%.2f", plainly);
    }
    page.append(f1).append('\n').append(counts).append('\n');
    if (machines) {
      page.append(ways).append('\n').append(plain).append('\n');
    }
    Counts all = Counts.NONE;
    for (Labelled s : series) {
      boolean[] out = new boolean[s.rows()];
      Arrays.fill(out, true);
      all = all.plus(EventScorer.count(s, out));
    }
    always.add(String.format("%s %.2f", set, all.f1()));
  }

  private static void put(double[][] values, int column, Counts onDev, Counts onKept) {
    values[0][column] = onDev.plus(onKept).f1();
    values[1][column] = onDev.f1();
    values[2][column] = onKept.f1();
  }

  private static String cell(Scorer scorer, Counts onDev, Counts onKept) {
    return String.format(
        " %s (%.2f \\| %.2f) |",
        bold(onDev.plus(onKept).f1(), scorer, "%.2f"), onDev.f1(), onKept.f1());
  }

  private static String text(Counts counts) {
    return counts.found() + " / " + counts.missed() + " / " + counts.wrong();
  }

  // --------------------------------------------------------------------------------- no anomalies

  private static List<Labelled> without(List<Labelled> series) {
    return series.stream()
        .filter(s -> s.segments().length == 0)
        .map(Labelled::fiveMinutes)
        .map(s -> s.after(DAYS_BEFORE_JUDGED))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Sets without labelled anomalies, by name. */
  private Map<String, List<Labelled>> quietSets(List<Labelled> nab, List<Labelled> single)
      throws IOException {
    Map<String, List<Labelled>> quiet = new LinkedHashMap<>();
    quiet.put("MS cloud monitoring", without(single));
    quiet.put("NAB", without(nab));
    for (Labelled vm : sets.bitbrains()) {
      Labelled judged = vm.after(DAYS_BEFORE_JUDGED);
      if (judged != null) {
        quiet.computeIfAbsent(vm.set(), k -> new ArrayList<>()).add(judged);
      }
    }
    return quiet;
  }

  private void quiet(List<Labelled> nab, List<Labelled> single) throws IOException {
    for (Map.Entry<String, List<Labelled>> set : quietSets(nab, single).entrySet()) {
      page.append(
          String.format(
              "| %s, false events per series-week (%d series, %.0f weeks) |",
              set.getKey(), set.getValue().size(), weeks(set.getValue())));
      for (Scorer scorer : scorers) {
        int wrong = 0;
        double threshold = Objects.requireNonNull(ofSingle.get(scorer.name()));
        for (Labelled series : set.getValue()) {
          wrong += EventScorer.count(series, scorer.scores(series)[0], threshold).wrong();
        }
        page.append(' ').append(bold(wrong / weeks(set.getValue()), scorer, "%.2f")).append(" |");
      }
      page.append('\n');
    }
  }

  private static double weeks(List<Labelled> series) {
    return series.stream().mapToDouble(Labelled::weeks).sum();
  }

  // -------------------------------------------------------------------------------- sensitivities

  private void sensitivities(List<Labelled> nab, List<Labelled> single) throws IOException {
    LearnedBounds bounds = new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE);
    page.append("| set | low | medium | high |\n|---|---|---|---|\n");
    for (Map.Entry<String, List<Labelled>> set : quietSets(nab, single).entrySet()) {
      page.append("| ").append(set.getKey()).append(", false events per series-week |");
      for (Sensitivity sensitivity : Sensitivity.values()) {
        int wrong = 0;
        for (Labelled series : set.getValue()) {
          wrong += judge(bounds, series, sensitivity).wrong();
        }
        page.append(String.format(" %.2f |", wrong / weeks(set.getValue())));
      }
      page.append('\n');
    }
    List<Labelled> long8 =
        single.stream()
            .map(Labelled::fiveMinutes)
            .map(s -> s.after(DAYS_BEFORE_JUDGED))
            .filter(Objects::nonNull)
            .toList();
    for (boolean kept : new boolean[] {false, true}) {
      StringBuilder f1 = new StringBuilder();
      StringBuilder precision = new StringBuilder();
      StringBuilder recall = new StringBuilder();
      for (Sensitivity sensitivity : Sensitivity.values()) {
        Counts counts = Counts.NONE;
        for (Labelled series : long8) {
          if (series.kept() == kept) {
            counts = counts.plus(judge(bounds, series, sensitivity));
          }
        }
        f1.append(String.format(" %.2f |", counts.f1()));
        precision.append(String.format(" %.2f |", counts.precision()));
        recall.append(String.format(" %.2f |", counts.recall()));
      }
      String part = kept ? ", kept aside" : ", development";
      page.append("| MS cloud monitoring").append(part).append(", event F1 |").append(f1);
      page.append("\n| MS cloud monitoring").append(part).append(", recall |").append(recall);
      page.append("\n| MS cloud monitoring").append(part).append(", precision |");
      page.append(precision).append('\n');
    }
    ofMachines(bounds, "SMD", sets.smd());
    ofMachines(bounds, "JumpStarter", sets.jumpStarter());
  }

  /** Each metric judged by itself: its false events, and what at least one of them finds. */
  private void ofMachines(LearnedBounds bounds, String set, List<Labelled> raw) {
    StringBuilder wrong = new StringBuilder("| " + set + ", false events per series-week |");
    StringBuilder found = new StringBuilder("| " + set + ", recall by any metric |");
    for (Sensitivity sensitivity : Sensitivity.values()) {
      Counts each = Counts.NONE;
      Counts any = Counts.NONE;
      double weeks = 0;
      for (Labelled machine : raw) {
        Labelled series = machine.fiveMinutes();
        boolean[] out = new boolean[series.rows()];
        for (double[] metric : series.metrics()) {
          boolean[] open =
              bounds.judge(series.seconds(), metric, series.step(), sensitivity).open();
          each = each.plus(EventScorer.count(series, open));
          weeks += series.weeks();
          for (int i = 0; i < out.length; i++) {
            out[i] |= open[i];
          }
        }
        any = any.plus(EventScorer.count(series, out));
      }
      wrong.append(String.format(" %.2f |", each.wrong() / weeks));
      found.append(String.format(" %.2f |", any.recall()));
    }
    page.append(wrong).append('\n').append(found).append('\n');
  }

  private static Counts judge(LearnedBounds bounds, Labelled series, Sensitivity sensitivity) {
    return EventScorer.count(
        series,
        bounds.judge(series.seconds(), series.metrics()[0], series.step(), sensitivity).open());
  }

  // ------------------------------------------------------------------------------------------ cost

  /** Time per value and per band, best of several runs over the virtual machines. */
  private String cost() throws IOException {
    List<Labelled> vms = sets.bitbrains();
    long best = Long.MAX_VALUE;
    long values = 0;
    double kept = 0;
    for (int run = 0; run < 5; run++) {
      values = 0;
      long start = System.nanoTime();
      for (Labelled vm : vms) {
        StreamScore stream = new StreamScore(new WeekSlots(ZoneOffset.UTC));
        for (int i = 0; i < vm.rows(); i++) {
          kept += stream.next(vm.seconds()[i], vm.metrics()[0][i], 0);
        }
        values += vm.rows();
      }
      best = Math.min(best, (System.nanoTime() - start) / values);
    }
    long bestBand = Long.MAX_VALUE;
    BandLearner learner = new BandLearner();
    WeekSlots slots = new WeekSlots(ZoneOffset.UTC);
    int hours = BandLearner.HISTORY_DAYS * 24;
    for (int run = 0; run < 5; run++) {
      long took = 0;
      for (Labelled vm : vms) {
        float[] cells = new float[hours];
        Arrays.fill(cells, Float.NaN);
        long first = vm.seconds()[0] / 3600;
        for (int i = 0; i < vm.rows(); i++) {
          int h = (int) (vm.seconds()[i] / 3600 - first);
          if (h < hours) {
            cells[h] = (float) vm.metrics()[0][i];
          }
        }
        long start = System.nanoTime();
        kept += learner.learn(first, cells, cells, cells, slots, first + hours + 24, 24).spread();
        took += System.nanoTime() - start;
      }
      bestBand = Math.min(bestBand, took / vms.size());
    }
    if (kept == 42) {
      System.err.println(kept);
    }
    return String.format(
        "%d ns for each value scored, and %.0f µs for each band learned (%d hours, 24 hours of bounds)",
        best, bestBand / 1000.0, hours);
  }
}
