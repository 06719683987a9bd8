package io.peerlens.planning.sizing;

import static io.peerlens.planning.sizing.Found.known;

import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.api.model.RecommendationKind;
import io.peerlens.api.model.RightSizingHitRate;
import io.peerlens.api.model.RightSizingMonth;
import io.peerlens.api.model.RightSizingOutcome;
import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.planning.sizing.OutcomeStore.Outcome;
import io.peerlens.sizing.HitRate;
import io.peerlens.sizing.Recommendation;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hit rates as the contract writes them. */
final class HitRates {

  private static final int MONTHS = 12;
  private static final int MOST_WRONG = 100;

  private HitRates() {}

  /** Start of the first month that counts. */
  static Instant since(Instant now, ZoneId zone) {
    return YearMonth.from(now.atZone(zone))
        .minusMonths(MONTHS - 1)
        .atDay(1)
        .atStartOfDay(zone)
        .toInstant();
  }

  /**
   * Sums up.
   *
   * @param all that were carried out since {@link #since}, newest first
   */
  static RightSizingHitRate of(List<Outcome> all, Instant now, ZoneId zone) {
    HitRate rate = rate(all);
    List<RightSizingMonth> months = new ArrayList<>();
    YearMonth current = YearMonth.from(now.atZone(zone));
    for (int back = MONTHS - 1; back >= 0; back--) {
      YearMonth month = current.minusMonths(back);
      HitRate of =
          rate(
              all.stream()
                  .filter(one -> YearMonth.from(one.changedAt().atZone(zone)).equals(month))
                  .toList());
      months.add(
          new RightSizingMonth(
              month.toString(), of.judged(), of.hits(), of.worse(), of.putBack(), of.open()));
    }
    boolean none = rate.judged() == 0;
    return new RightSizingHitRate(
        all.size(),
        rate.judged(),
        rate.hits(),
        rate.worse(),
        rate.putBack(),
        rate.open(),
        known(rate.rate()),
        none ? null : known(rate.least()),
        none ? null : known(rate.most()),
        rate.reason(),
        months,
        all.stream()
            .filter(one -> Boolean.FALSE.equals(right(one)))
            .limit(MOST_WRONG)
            .map(HitRates::outcome)
            .toList());
  }

  private static HitRate rate(List<Outcome> all) {
    return HitRate.of(all.stream().map(HitRates::judged).toList());
  }

  private static HitRate.Outcome judged(Outcome one) {
    return new HitRate.Outcome(
        one.kind().equals(Found.TOO_SMALL)
            ? Recommendation.Kind.UNDERSIZED
            : Recommendation.Kind.OVERSIZED,
        one.verdict() == null
            ? PeriodVerdict.NOT_ENOUGH_DATA
            : switch (ComparisonJudgement.fromValue(one.verdict())) {
              case BETTER -> PeriodVerdict.BETTER;
              case WORSE -> PeriodVerdict.WORSE;
              case DIFFERENT -> PeriodVerdict.DIFFERENT;
              case SAME -> PeriodVerdict.SAME;
              case NOT_ENOUGH_DATA -> PeriodVerdict.NOT_ENOUGH_DATA;
            },
        one.putBackAt() != null);
  }

  /** Whether it was right; null = not known. */
  private static @Nullable Boolean right(Outcome one) {
    HitRate alone = HitRate.of(List.of(judged(one)));
    return alone.judged() == 0 ? null : Boolean.valueOf(alone.hits() == 1);
  }

  private static RightSizingOutcome outcome(Outcome one) {
    boolean cpu = one.resource().equals(Found.CPU);
    return new RightSizingOutcome(
        one.recommendation(),
        RecommendationKind.fromValue(one.kind()),
        one.object(),
        cpu ? RightSizingOutcome.ResourceEnum.CPU : RightSizingOutcome.ResourceEnum.MEMORY,
        cpu ? RightSizingOutcome.UnitEnum.V_CPU : RightSizingOutcome.UnitEnum.GB,
        one.before(),
        one.after(),
        one.recommended(),
        one.approved(),
        one.changedAt(),
        one.change(),
        one.judgedAt(),
        one.verdict() == null ? null : ComparisonJudgement.fromValue(one.verdict()),
        one.sentence(),
        one.putBackAt(),
        right(one));
  }
}
