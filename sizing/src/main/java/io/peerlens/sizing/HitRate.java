package io.peerlens.sizing;

import io.peerlens.baselines.compare.PeriodVerdict;
import java.util.List;

/**
 * Share of recommendations that proved right after they were carried out.
 *
 * @param judged carried out and judged a week later
 * @param hits of them that were right
 * @param worse of them after which something was worse
 * @param putBack of them that people undid
 * @param open carried out, with too little data to judge
 * @param rate hits of judged; NaN = none is judged
 * @param least lower end of the 95 % interval of the rate (Wilson, 1927)
 * @param most its upper end
 * @param reason in one sentence
 */
public record HitRate(
    int judged,
    int hits,
    int worse,
    int putBack,
    int open,
    double rate,
    double least,
    double most,
    String reason) {

  /** Of a normal distribution: 95 % lie within so many standard deviations. */
  private static final double Z = 1.959964;

  /**
   * Recommendation that was carried out.
   *
   * @param kind what was recommended
   * @param verdict of the change a week after
   * @param putBack whether the former size was restored
   */
  public record Outcome(Recommendation.Kind kind, PeriodVerdict verdict, boolean putBack) {}

  /**
   * Counts. Giving back is right if nothing became worse; adding is right only if something became
   * better. What was put back was not right, whatever was measured. A difference that is neither
   * good nor bad counts as no change.
   */
  public static HitRate of(List<Outcome> outcomes) {
    int judged = 0;
    int hits = 0;
    int worse = 0;
    int putBack = 0;
    for (Outcome outcome : outcomes) {
      boolean measured = outcome.verdict() != PeriodVerdict.NOT_ENOUGH_DATA;
      if (measured || outcome.putBack()) {
        judged++;
        putBack += outcome.putBack() ? 1 : 0;
        worse += outcome.verdict() == PeriodVerdict.WORSE ? 1 : 0;
        boolean good =
            outcome.kind() == Recommendation.Kind.UNDERSIZED
                ? outcome.verdict() == PeriodVerdict.BETTER
                : outcome.verdict() != PeriodVerdict.WORSE;
        hits += good && !outcome.putBack() ? 1 : 0;
      }
    }
    int open = outcomes.size() - judged;
    if (judged == 0) {
      return new HitRate(
          0,
          0,
          0,
          0,
          open,
          Double.NaN,
          0,
          1,
          "Not known yet: no recommendation that was carried out is judged.");
    }
    double n = judged;
    double p = hits / n;
    double middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double reach = Z / (1 + Z * Z / n) * Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
    return new HitRate(
        judged,
        hits,
        worse,
        putBack,
        open,
        p,
        Math.max(0, middle - reach),
        Math.min(1, middle + reach),
        hits
            + " of "
            + Say.count(judged, "change")
            + " were right, "
            + worse
            + " made it worse, "
            + putBack
            + " were put back.");
  }
}
