package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.benchmarks.learned.NabScorer.Profile;
import io.peerlens.benchmarks.learned.NabScorer.Scored;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NabSweepTest {

  private static List<Scored> random(int files) {
    Random random = new Random(3);
    List<Scored> scored = new ArrayList<>();
    for (int f = 0; f < files; f++) {
      double[] scores = new double[300];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = Math.rint(100 * random.nextDouble() * random.nextDouble());
      }
      int from = 60 + random.nextInt(200);
      scores[from + 3] = 80 + random.nextInt(30);
      scored.add(new Scored(new int[][] {{from, from + 29}}, 45, scores));
    }
    return scored;
  }

  @Test
  void noThresholdIsBetterThanTheOneThatIsFound() {
    List<Scored> scored = random(6);
    for (Profile profile : Profile.values()) {
      NabSweep.Best best = new NabSweep(scored, profile).best();
      double most = Double.NEGATIVE_INFINITY;
      for (double threshold = 0; threshold < 120; threshold++) {
        most = Math.max(most, NabScorer.normalised(scored, profile, threshold));
      }
      assertThat(best.normalised()).isCloseTo(most, within(1e-9)).isPositive();
      assertThat(NabScorer.normalised(scored, profile, best.threshold()))
          .isCloseTo(most, within(1e-9));
    }
  }

  @Test
  void aFileThatCountsTwiceIsAsGoodAsThereTwice() {
    List<Scored> scored = random(4);
    NabSweep.Best sample = new NabSweep(scored, Profile.STANDARD).best(new int[] {2, 0, 1, 1});
    NabSweep.Best same =
        new NabSweep(
                List.of(scored.get(0), scored.get(0), scored.get(2), scored.get(3)),
                Profile.STANDARD)
            .best();
    assertThat(sample.threshold()).isEqualTo(same.threshold());
    assertThat(sample.normalised()).isCloseTo(same.normalised(), within(1e-9));
  }
}
