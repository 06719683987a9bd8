package io.peerlens.outliers;

import static io.peerlens.outliers.Worlds.DAY;
import static io.peerlens.outliers.Worlds.end;
import static io.peerlens.outliers.Worlds.ids;
import static io.peerlens.outliers.Worlds.learnt;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Deviations that last, in members that are restless and in groups that go through turbulence. */
class SustainedTest {

  private static final int MEMBERS = 12;

  private static final Settings SETTINGS =
      Settings.peers(Worlds.BUCKET, List.of(Settings.Metric.of(Transform.LINEAR, 2)));

  /** Members that are busy for some buckets now and then, each in its own time. */
  private static double[][] restless(long seed, int buckets) {
    Random random = new Random(seed);
    double[][] values = new double[buckets][MEMBERS];
    double[] job = new double[MEMBERS];
    for (int b = 0; b < buckets; b++) {
      for (int i = 0; i < MEMBERS; i++) {
        job[i] =
            random.nextDouble() < 0.75
                ? job[i]
                : random.nextDouble() < 0.4 ? 10 * random.nextDouble() : 0;
        values[b][i] = 50 + job[i] + random.nextGaussian();
      }
    }
    return values;
  }

  /** Members that wander slowly around their group. */
  private static double[][] wandering(long seed, int buckets, double[] size) {
    Random random = new Random(seed);
    double[][] values = new double[buckets][MEMBERS];
    double[] far = new double[MEMBERS];
    for (int b = 0; b < buckets; b++) {
      for (int i = 0; i < MEMBERS; i++) {
        far[i] = 0.9 * far[i] + 0.44 * random.nextGaussian();
        values[b][i] = 50 + size[b] * (0.8 * far[i] + 0.6 * random.nextGaussian());
      }
    }
    return values;
  }

  private static List<Change> opened(PeerGroup group, double[][] values, int from, int to) {
    List<Change> opened = new ArrayList<>();
    for (int b = from; b < to; b++) {
      group.judge(end(b), new double[][] {values[b]}).changes().stream()
          .filter(c -> c.kind() == Change.Kind.OPENED)
          .forEach(opened::add);
    }
    return opened;
  }

  @Test
  void aShiftOfTheSizeOfItsJobsThatLastsIsFoundInARestlessMember() {
    int found = 0;
    int wrong = 0;
    for (int seed = 0; seed < 20; seed++) {
      double[][] values = restless(seed, DAY + 36);
      PeerGroup group = learnt(SETTINGS, values, DAY);
      for (int b = DAY; b < values.length; b++) {
        values[b][3] += 12;
      }
      List<Change> opened = opened(group, values, DAY, values.length);
      int member = ids(MEMBERS)[3];
      found += opened.stream().anyMatch(c -> c.event().member() == member) ? 1 : 0;
      wrong += (int) opened.stream().filter(c -> c.event().member() != member).count();
    }
    assertThat(found).as("found in 20 groups").isGreaterThanOrEqualTo(14);
    assertThat(wrong).as("events of others").isLessThanOrEqualTo(1);
  }

  @Test
  void hoursInWhichAllMembersWanderFartherRaiseHardlyAnything() {
    int events = 0;
    for (int seed = 0; seed < 60; seed++) {
      int buckets = 3 * DAY;
      double[] size = new double[buckets];
      for (int b = 0; b < buckets; b++) {
        size[b] = b % DAY >= 100 && b % DAY < 196 ? 6 : 2;
      }
      double[][] values = wandering(seed, buckets, size);
      events += opened(learnt(SETTINGS, values, DAY), values, DAY, buckets).size();
    }
    assertThat(events).as("events in 1,440 days of members").isLessThanOrEqualTo(1);
  }
}
