package io.peerlens.source.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.api.model.SourceTrend;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TrendTest {

  private static final Instant BUCKET = Instant.parse("2026-11-26T12:00:00Z");

  private static Trend full(Instant now) {
    Trend trend = new Trend(now, Duration.ZERO);
    for (int i = 1; i <= 100; i++) {
      trend.add(BUCKET.minusSeconds(300L * i), 3_000);
    }
    return trend;
  }

  @Test
  void aStepThatHasJustBegunIsLeftOut() {
    SourceTrend answer = full(BUCKET.plusSeconds(59)).answer();
    assertThat(answer.getFrom()).isEqualTo(BUCKET.minusSeconds(6 * 3600));
    assertThat(answer.getStepSeconds()).isEqualTo(300);
    assertThat(answer.getSamplesPerSecond()).hasSize(72).containsOnly(10.0);
  }

  @Test
  void theMeanOfAStepIsOverWhatIsOverOfIt() {
    Trend trend = full(BUCKET.plusSeconds(100));
    trend.add(BUCKET, 500);
    SourceTrend answer = trend.answer();
    assertThat(answer.getFrom()).isEqualTo(BUCKET.minusSeconds(6 * 3600 - 300));
    assertThat(answer.getSamplesPerSecond()).hasSize(72);
    assertThat(answer.getSamplesPerSecond().getLast()).isEqualTo(5);
    assertThat(answer.getSamplesPerSecond().getFirst()).isEqualTo(10);
  }

  @Test
  void stepsWithoutAnythingAreZero() {
    Trend trend = new Trend(BUCKET.plusSeconds(200), Duration.ZERO);
    trend.add(BUCKET.minusSeconds(3600), 300);
    assertThat(trend.answer().getSamplesPerSecond())
        .contains(1.0)
        .filteredOn(v -> v == 0)
        .hasSize(71);
  }

  @Test
  void theRateIsThatOfTheLastMinutesSinceItBegan() {
    Trend trend = new Trend(BUCKET.plusSeconds(100), Duration.ZERO);
    trend.add(BUCKET.minusSeconds(300), 3_000);
    trend.add(BUCKET, 1_000);
    assertThat(trend.perSecond(BUCKET.minusSeconds(9000))).isCloseTo(10, within(0.01));
    assertThat(trend.perSecond(BUCKET.minusSeconds(100))).isCloseTo(20, within(0.01));
  }
}
