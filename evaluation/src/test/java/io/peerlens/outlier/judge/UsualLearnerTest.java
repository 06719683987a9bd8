package io.peerlens.outlier.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.State;
import io.peerlens.outlier.judge.UsualLearner.Shifted;
import io.peerlens.outliers.GroupShift.Usual;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UsualLearnerTest {

  private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
  private static final long TODAY = UsualLearner.day(DAY);
  private static final long HOUR = DAY.getEpochSecond() / 3600;

  private final UsualLearner learner = new UsualLearner(ZoneOffset.UTC, 28);

  /** A day's wave for so many hours up to a moment; from an hour on it is higher. */
  private static MedianHours hours(long until, int count, long higherFrom) {
    MedianHours hours = new MedianHours(until - count, count, 1);
    for (long hour = until - count; hour < until; hour++) {
      double noise = new Random(hour).nextGaussian();
      double mean =
          40
              + 20 * Math.sin(hour % 24 / 24.0 * 2 * Math.PI)
              + noise
              + (hour >= higherFrom ? 40 : 0);
      hours.put(
          hour,
          new float[] {(float) mean - 1},
          new float[] {(float) mean},
          new float[] {(float) mean + 1});
    }
    return hours;
  }

  private static Usual at(UsualDay day, int hour) {
    return day.at(DAY.plusSeconds(3600L * hour + 300)).getFirst();
  }

  @Test
  void aDayIsLearnedFromTheHoursBeforeTheDayBeforeAndFromNothingElse() {
    UsualDay day = learner.learn(hours(HOUR - 24, 28 * 24, Long.MAX_VALUE), List.of(), TODAY);
    Band band = day.bands().getFirst();
    assertThat(band.state()).isEqualTo(State.LEARNED);
    assertThat(band.learnedDays()).isEqualTo(28);
    assertThat(at(day, 6).lower()).isBetween(54.0, 60.0);
    assertThat(at(day, 6).upper()).isBetween(60.0, 66.0);
    assertThat(at(day, 18).upper()).isBetween(20.0, 26.0);
    assertThat(day.at(DAY.plusSeconds(6 * 3600 + 3599)))
        .isEqualTo(day.at(DAY.plusSeconds(6 * 3600)));
    // Whoever knows more of what came later, and of what was long ago, learns the same.
    UsualDay later = learner.learn(hours(HOUR + 48, 60 * 24, HOUR - 24), List.of(), TODAY);
    assertThat(at(later, 6)).isEqualTo(at(day, 6));
    assertThat(at(later, 18)).isEqualTo(at(day, 18));
    UsualDay another =
        new UsualLearner(ZoneOffset.UTC, 28)
            .learn(hours(HOUR - 24, 28 * 24, Long.MAX_VALUE), List.of(), TODAY);
    assertThat(at(another, 6)).isEqualTo(at(day, 6));
  }

  @Test
  void aGroupWithLessThanSevenDaysIsLearning() {
    UsualDay day = learner.learn(hours(HOUR - 24, 3 * 24, Long.MAX_VALUE), List.of(), TODAY);
    assertThat(day.bands().getFirst().state()).isEqualTo(State.LEARNING);
    assertThat(day.bands().getFirst().learnedDays()).isEqualTo(3);
    assertThat(at(day, 6)).isEqualTo(Usual.UNKNOWN);
  }

  @Test
  void hoursOfAnEventAreLeftOutForThreeDays() {
    long began = HOUR - 24 - 4 * 24;
    Instant since = Instant.ofEpochSecond(began * 3600);
    MedianHours hours = hours(HOUR - 24, 28 * 24, began);
    int all = learned(hours, List.of());
    assertThat(all).isEqualTo(28 * 24);
    Shifted open = new Shifted(since, since.plusSeconds(900), Instant.MAX);
    assertThat(learned(hours, List.of(open))).isEqualTo(all - 3 * 24);
    Shifted over = new Shifted(since, since.plusSeconds(900), since.plusSeconds(5400));
    assertThat(learned(hours, List.of(over))).isEqualTo(all - 2);
  }

  @Test
  void dataThatArrivedLaterChangeNothing() {
    MedianHours hours = hours(HOUR - 24, 28 * 24, Long.MAX_VALUE);
    Instant until = DAY.minusSeconds(86_400);
    Shifted later = new Shifted(until.minusSeconds(600), until.plusSeconds(300), Instant.MAX);
    assertThat(learned(hours, List.of(later))).isEqualTo(28 * 24);
    Shifted open = new Shifted(until.minusSeconds(7200), until.minusSeconds(6300), Instant.MAX);
    Shifted closed =
        new Shifted(until.minusSeconds(7200), until.minusSeconds(6300), until.plusSeconds(900));
    assertThat(learned(hours, List.of(open))).isEqualTo(28 * 24 - 2);
    assertThat(learned(hours, List.of(closed))).isEqualTo(28 * 24 - 2);
  }

  private int learned(MedianHours hours, List<Shifted> events) {
    return learner.learn(hours, events, TODAY).bands().getFirst().learnedHours();
  }

  @Test
  void hoursAreMadeOfTheMediansOfTheirBuckets() {
    MedianHours.Builder builder = new MedianHours.Builder(10, 3, 2);
    long begin = 11 * 3_600_000L;
    builder.add(begin, new double[] {4, Double.NaN});
    builder.add(begin + 300_000, new double[] {Double.NaN, Double.NaN});
    builder.add(begin + 600_000, new double[] {8, 1});
    MedianHours hours = builder.hours();
    assertThat(hours.has(10)).isFalse();
    assertThat(hours.has(11)).isTrue();
    assertThat(hours.low(0)[1]).isEqualTo(4);
    assertThat(hours.mean(0)[1]).isEqualTo(6, within(1e-6f));
    assertThat(hours.high(0)[1]).isEqualTo(8);
    assertThat(hours.mean(1)[1]).isEqualTo(1);
    MedianHours kept = new MedianHours(9, 3, 2);
    kept.put(11, new float[] {1, 1}, new float[] {2, 2}, new float[] {3, 3});
    kept.fill(hours);
    assertThat(kept.mean(0)[2]).as("what was kept stays").isEqualTo(2);
  }
}
