package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.learned.EventScorer.Counts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The part of the page about false events: of learned bounds and of scores. */
final class BoundsPart {

  /** The bounds need 7 days, and are made of the hours until a day before. */
  private static final int DAYS_BEFORE_JUDGED = 8;

  private static final String NO_ANOMALIES = ", no anomalies";

  private final LearnedBounds bounds = new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE);

  /** Sets without anomalies, by name: in them every event is false. */
  private final Map<String, List<Labelled>> quiet = new LinkedHashMap<>();

  /** Sets with labels, by name, from when there are bounds. */
  private final Map<String, List<Labelled>> labelled = new LinkedHashMap<>();

  /**
   * @param nab single series
   * @param single series
   * @param machines recordings with many metrics
   * @param unlabelled single series that are taken to have no anomalies
   */
  BoundsPart(
      List<Labelled> nab,
      List<Labelled> single,
      List<Labelled> machines,
      List<Labelled> unlabelled) {
    for (Labelled series : single) {
      add(series.segments().length == 0 ? quiet : labelled, series.set(), series);
    }
    for (Labelled series : nab) {
      add(series.segments().length == 0 ? quiet : labelled, series.set(), series);
    }
    for (Labelled machine : machines) {
      add(quiet, machine.set() + ", for learning", machine.learning());
      add(labelled, machine.set(), machine);
    }
    for (Labelled series : unlabelled) {
      add(quiet, series.set(), series);
    }
  }

  private static void add(Map<String, List<Labelled>> to, String set, Labelled series) {
    Labelled judged = series.fiveMinutes().after(DAYS_BEFORE_JUDGED);
    if (judged != null) {
      to.computeIfAbsent(set, k -> new ArrayList<>()).add(judged);
    }
  }

  private static double weeks(List<Labelled> series) {
    return series.stream().mapToDouble(s -> s.weeks() * s.metrics().length).sum();
  }

  private static int count(List<Labelled> series) {
    return series.stream().mapToInt(s -> s.metrics().length).sum();
  }

  // --------------------------------------------------------------------------------------- scores

  /**
   * Writes false events of scores on single series without anomalies.
   *
   * @param thresholds of each scorer
   */
  void ofScores(StringBuilder page, List<Scorer> scorers, ToDoubleFunction<Scorer> thresholds) {
    page.append("| set (series, weeks) |");
    scorers.forEach(s -> page.append(' ').append(s.name()).append(" |"));
    page.append("\n|---|").append("---|".repeat(scorers.size())).append('\n');
    quiet.forEach(
        (set, series) -> {
          if (series.getFirst().metrics().length > 1) {
            return;
          }
          page.append(String.format("| %s (%d, %.0f) |", set, series.size(), weeks(series)));
          for (Scorer scorer : scorers) {
            double threshold = thresholds.applyAsDouble(scorer);
            int wrong = 0;
            for (Labelled s : series) {
              wrong += EventScorer.count(s, scorer.scores(s)[0], threshold).wrong();
            }
            page.append(
                String.format(
                    scorer instanceof Stream ? " **%.2f** |" : " %.2f |", wrong / weeks(series)));
          }
          page.append('\n');
        });
    page.append('\n');
  }

  // ---------------------------------------------------------------------------------------- bounds

  /**
   * What learned bounds give on a set.
   *
   * @param each events of each series by itself
   * @param any events of each recording, in which any of its series is out
   */
  private record Judged(Counts each, Counts any) {}

  private Judged judge(List<Labelled> series, Sensitivity sensitivity) {
    Counts each = Counts.NONE;
    Counts any = Counts.NONE;
    for (Labelled recording : series) {
      EventScorer scorer = new EventScorer(recording);
      boolean[] out = new boolean[recording.rows()];
      for (double[] metric : recording.metrics()) {
        boolean[] open =
            bounds.judge(recording.seconds(), metric, recording.step(), sensitivity).open();
        each = each.plus(scorer.count(open));
        for (int i = 0; i < out.length; i++) {
          out[i] |= open[i];
        }
      }
      any = any.plus(scorer.count(out));
    }
    return new Judged(each, any);
  }

  /**
   * Writes false events per series and week, and the recall beside it.
   *
   * @return the sets that have the most at medium, as rows of the summary
   */
  List<Headline> ofBounds(StringBuilder page) {
    Map<String, Double> medium = new LinkedHashMap<>();
    page.append(
        "| set (series, weeks) | false per series-week, low | medium | high |"
            + " recall, low | medium | high |\n|---|---|---|---|---|---|---|\n");
    Map<String, List<Labelled>> sets = new LinkedHashMap<>();
    quiet.forEach((set, series) -> sets.put(set + NO_ANOMALIES, series));
    sets.putAll(labelled);
    sets.forEach(
        (set, series) -> {
          page.append(String.format("| %s (%d, %.0f) |", set, count(series), weeks(series)));
          StringBuilder recall = new StringBuilder();
          boolean labels = labelled.containsKey(set);
          for (Sensitivity sensitivity : Sensitivity.values()) {
            Judged judged = judge(series, sensitivity);
            double wrong = judged.each.wrong() / weeks(series);
            page.append(String.format(" %.2f |", wrong));
            recall.append(labels ? String.format(" %.2f |", judged.any.recall()) : " |");
            if (sensitivity == Sensitivity.MEDIUM) {
              medium.put(set, wrong);
            }
          }
          page.append(recall).append('\n');
        });
    page.append('\n');
    return List.of(
        most("sets without anomalies", medium, set -> !labelled.containsKey(set)),
        most("sets with anomalies", medium, labelled::containsKey));
  }

  private static Headline most(
      String which, Map<String, Double> medium, Predicate<String> belongs) {
    List<Map.Entry<String, Double>> of =
        medium.entrySet().stream().filter(e -> belongs.test(e.getKey())).toList();
    Map.Entry<String, Double> most = of.stream().max(Map.Entry.comparingByValue()).orElseThrow();
    return new Headline(
        "learned bounds at medium: false events per series-week, highest of "
            + of.size()
            + " "
            + which,
        String.format("%.2f (%s)", most.getValue(), most.getKey().replace(NO_ANOMALIES, "")),
        "",
        "");
  }

  /** Writes F1, recall and precision of the halves of sets with labels. */
  void halves(StringBuilder page) {
    page.append(
        "| set | half | F1, low | medium | high | recall, low | medium | high |"
            + " precision, low | medium | high |\n"
            + "|---|---|---|---|---|---|---|---|---|---|---|\n");
    labelled.forEach(
        (set, series) -> {
          for (boolean kept : new boolean[] {false, true}) {
            List<Labelled> half = series.stream().filter(s -> s.kept() == kept).toList();
            List<Counts> counts =
                Arrays.stream(Sensitivity.values()).map(s -> judge(half, s).any).toList();
            page.append("| ").append(set).append(kept ? " | kept aside |" : " | development |");
            List<ToDoubleFunction<Counts>> measures =
                List.of(Counts::f1, Counts::recall, Counts::precision);
            measures.forEach(
                m ->
                    counts.forEach(c -> page.append(String.format(" %.2f |", m.applyAsDouble(c)))));
            page.append('\n');
          }
        });
    page.append('\n');
  }
}
