package io.peerlens.impact;

import io.peerlens.api.model.ComparedMetric;
import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.api.model.Goal;
import io.peerlens.words.Figures;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sentence that sums up a comparison.
 *
 * @param certainty null = no difference is shown
 */
record Verdict(String sentence, ComparisonJudgement judgement, @Nullable String certainty) {

  private static final double CERTAIN = 0.001;
  private static final double VERY_LIKELY = 0.01;

  /**
   * Tells of the metric that counts most, and how many others changed.
   *
   * @param goal null = metrics were named
   * @param index of the goal; null = none
   */
  static Verdict of(@Nullable Goal goal, @Nullable Double index, List<ComparedMetric> metrics) {
    List<ComparedMetric> changed =
        metrics.stream().filter(one -> isChange(one.getJudgement())).toList();
    if (changed.isEmpty()) {
      return unchanged(goal, metrics);
    }
    ComparisonJudgement judgement = judgement(index, changed);
    // Where things got better and worse, what made up the answer comes first.
    ComparedMetric head =
        changed.stream()
            .min(
                Comparator.comparingInt(
                        (ComparedMetric one) -> one.getJudgement() == judgement ? 0 : 1)
                    .thenComparingDouble(one -> -weight(one))
                    .thenComparingDouble(Verdict::p))
            .orElseThrow();
    String certainty = certainty(p(head));
    return new Verdict(
        head(head) + ", " + certainty + others(changed, head) + index(goal, index) + ".",
        judgement,
        certainty);
  }

  private static Verdict unchanged(@Nullable Goal goal, List<ComparedMetric> metrics) {
    List<ComparedMetric> enough =
        metrics.stream()
            .filter(one -> one.getJudgement() != ComparisonJudgement.NOT_ENOUGH_DATA)
            .toList();
    if (metrics.isEmpty() && goal != null) {
      return nothing(
          "Nothing to compare: no metric of the goal "
              + goal.getName().toLowerCase(Locale.ROOT)
              + " is reported.");
    }
    if (enough.isEmpty()) {
      return nothing("Cannot tell: there is not enough data in both periods.");
    }
    int without = metrics.size() - enough.size();
    if (without > enough.size()) {
      return nothing(
          "Cannot tell: %d of %d metrics have enough data, and no difference is shown in %s."
              .formatted(enough.size(), metrics.size(), enough.size() == 1 ? "it" : "them"));
    }
    String what =
        enough.size() == 1
            ? enough.getFirst().getName()
                + ": no difference shown, "
                + values(enough.getFirst(), false)
            : "No difference shown in " + enough.size() + " metrics";
    if (without > 0) {
      what += "; %d %s not enough data".formatted(without, without == 1 ? "has" : "have");
    }
    return new Verdict(what + ".", ComparisonJudgement.SAME, null);
  }

  private static Verdict nothing(String sentence) {
    return new Verdict(sentence, ComparisonJudgement.NOT_ENOUGH_DATA, null);
  }

  private static boolean isChange(ComparisonJudgement judgement) {
    return judgement != ComparisonJudgement.SAME
        && judgement != ComparisonJudgement.NOT_ENOUGH_DATA;
  }

  /** By the index where there is one, else where all that changed points. */
  private static ComparisonJudgement judgement(
      @Nullable Double index, List<ComparedMetric> changed) {
    if (index != null && index != 50) {
      return index > 50 ? ComparisonJudgement.BETTER : ComparisonJudgement.WORSE;
    }
    long better = count(changed, ComparisonJudgement.BETTER);
    long worse = count(changed, ComparisonJudgement.WORSE);
    if (better > 0 && worse == 0) {
      return ComparisonJudgement.BETTER;
    }
    return worse > 0 && better == 0 ? ComparisonJudgement.WORSE : ComparisonJudgement.DIFFERENT;
  }

  private static long count(List<ComparedMetric> metrics, ComparisonJudgement judgement) {
    return metrics.stream().filter(one -> one.getJudgement() == judgement).count();
  }

  private static double weight(ComparedMetric metric) {
    return metric.getWeight() == null ? 0 : metric.getWeight();
  }

  private static boolean byTail(ComparedMetric metric) {
    return metric.getLevel() == ComparisonJudgement.SAME;
  }

  private static double p(ComparedMetric metric) {
    Double p = byTail(metric) ? metric.getTailP() : metric.getP();
    return p == null ? 1 : p;
  }

  private static String certainty(double p) {
    return p < CERTAIN ? "certain" : p < VERY_LIKELY ? "very likely" : "likely";
  }

  private static String head(ComparedMetric metric) {
    boolean tail = byTail(metric);
    return metric.getName()
        + (tail ? " at its highest " : " ")
        + metric.getJudgement().getValue()
        + ": "
        + (tail ? "95th percentile " : "")
        + values(metric, tail);
  }

  /** Both values in one unit: 2.1 to 1.4 ms. */
  private static String values(ComparedMetric metric, boolean tail) {
    double a = value(tail ? metric.getA().getP95() : metric.getA().getMedian());
    double b = value(tail ? metric.getB().getP95() : metric.getB().getMedian());
    Figures.Scale scale =
        Figures.scale(Math.max(Math.abs(a), Math.abs(b)), metric.getUnit(), metric.getNetwork());
    // Two digits tell of a large change, a small one takes three.
    MathContext digits =
        new MathContext(Math.abs(a - b) > 0.2 * Math.max(Math.abs(a), Math.abs(b)) ? 2 : 3);
    String figures =
        figure(a * scale.factor(), digits) + " to " + figure(b * scale.factor(), digits);
    return scale.unit().isEmpty() ? figures : figures + " " + scale.unit();
  }

  private static String figure(double value, MathContext digits) {
    return Figures.number(new BigDecimal(value).round(digits).doubleValue());
  }

  private static double value(@Nullable Double value) {
    return value == null ? 0 : value;
  }

  private static String others(List<ComparedMetric> changed, ComparedMetric head) {
    List<String> words = new ArrayList<>();
    for (ComparisonJudgement judgement : ComparisonJudgement.values()) {
      long count = count(changed, judgement) - (head.getJudgement() == judgement ? 1 : 0);
      if (isChange(judgement) && count > 0) {
        words.add(count + " " + judgement.getValue());
      }
    }
    return words.isEmpty() ? "" : "; of the others " + String.join(", ", words);
  }

  private static String index(@Nullable Goal goal, @Nullable Double index) {
    return goal == null || index == null
        ? ""
        : "; "
            + goal.getName().toLowerCase(Locale.ROOT)
            + " index "
            + Math.round(index)
            + " of 100";
  }
}
