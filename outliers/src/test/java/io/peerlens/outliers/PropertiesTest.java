package io.peerlens.outliers;

import static io.peerlens.outliers.Worlds.DAY;
import static io.peerlens.outliers.Worlds.end;
import static io.peerlens.outliers.Worlds.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold for any data; the data are random, from fixed seeds. */
class PropertiesTest {

  private static final int BUCKETS = 2 * DAY;

  record Case(long seed, Method method, int members) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    long seed = 100;
    for (int members : new int[] {3, 4, 5, 9, 40}) {
      for (Method method :
          List.of(
              new Method.Peers(false),
              new Method.Peers(true),
              new Method.Dbscan(3, 12),
              new Method.Mad(3, 20, 12),
              new Method.BucketDbscan(0.5, 48),
              new Method.DoubleMad(0.5, 12))) {
        cases.add(new Case(seed++, method, members));
      }
    }
    return cases;
  }

  private static Settings settings(Case c) {
    return Worlds.settings().withMethod(c.method()).withSensitivity(3.5);
  }

  /** Values with bursts, gaps and silence. */
  private static double[][] values(Case c) {
    double[][] values = Worlds.values(c.seed(), BUCKETS, c.members());
    Random random = new Random(c.seed());
    for (int k = 0; k < 12; k++) {
      int member = random.nextInt(c.members());
      int from = random.nextInt(BUCKETS - 40);
      double size = 40 * random.nextGaussian();
      int kind = random.nextInt(4);
      for (int b = from; b < from + 1 + random.nextInt(30); b++) {
        values[b][member] =
            switch (kind) {
              case 0 -> Double.NaN;
              case 1 -> 0;
              default -> values[b][member] + size;
            };
      }
    }
    return values;
  }

  private static List<Change> run(PeerGroup group, double[][] values, int from, int to) {
    List<Change> changes = new ArrayList<>();
    for (int b = from; b < to; b++) {
      changes.addAll(group.judge(end(b), new double[][] {values[b]}).changes());
    }
    return changes;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void restoringAtAnyBucketChangesNothing(Case c) {
    double[][] values = values(c);
    PeerGroup whole = new PeerGroup(settings(c), ids(c.members()));
    List<Change> expected = run(whole, values, 0, BUCKETS);
    Random random = new Random(c.seed());
    PeerGroup group = new PeerGroup(settings(c), ids(c.members()));
    List<Change> changes = new ArrayList<>();
    int b = 0;
    while (b < BUCKETS) {
      int next = Math.min(BUCKETS, b + 1 + random.nextInt(120));
      changes.addAll(run(group, values, b, next));
      group = PeerGroup.restore(settings(c), group.save());
      b = next;
    }

    assertThat(changes).isEqualTo(expected);
    assertThat(group.save()).isEqualTo(whole.save());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theOrderOfMembersChangesNothing(Case c) {
    double[][] values = values(c);
    int n = c.members();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      order.add(i);
    }
    java.util.Collections.shuffle(order, new Random(c.seed()));
    int[] shuffled = new int[n];
    double[][] columns = new double[BUCKETS][n];
    for (int i = 0; i < n; i++) {
      shuffled[i] = ids(n)[order.get(i)];
      for (int b = 0; b < BUCKETS; b++) {
        columns[b][i] = values[b][order.get(i)];
      }
    }

    Replay one = Replay.run(settings(c), ids(n), end(0), new double[][][] {values}, 0);
    Replay other = Replay.run(settings(c), shuffled, end(0), new double[][][] {columns}, 0);

    assertThat(other.events()).isEqualTo(one.events());
    // The ids themselves mean nothing either: the same values under opposite ids.
    double[][] mirrored = new double[BUCKETS][n];
    for (int b = 0; b < BUCKETS; b++) {
      for (int i = 0; i < n; i++) {
        mirrored[b][i] = values[b][n - 1 - i];
      }
    }
    Replay mirror = Replay.run(settings(c), ids(n), end(0), new double[][][] {mirrored}, 0);
    for (int b = 0; b < BUCKETS; b++) {
      for (int i = 0; i < n; i++) {
        double a = one.score(b, i);
        double z = mirror.score(b, n - 1 - i);
        if (Double.isNaN(a)) {
          assertThat(z).isNaN();
        } else {
          assertThat(z).isCloseTo(a, within(1e-3 * Math.max(1, Math.abs(a))));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aReplayGivesTheEventsOfTheStepwiseRun(Case c) {
    double[][] values = values(c);
    PeerGroup group = new PeerGroup(settings(c), ids(c.members()));
    List<Change> changes = run(group, values, 0, BUCKETS);

    Replay replay = Replay.run(settings(c), ids(c.members()), end(0), new double[][][] {values}, 0);

    assertThat(replay.events()).isEqualTo(Episodes.fold(changes, group.open()));
    assertThat(replay.events(1e9)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aReplayAppliesExpectedMembersInTime(Case c) {
    double[][] values = values(c);
    int middle = BUCKETS / 2;
    int[] some = Arrays.copyOf(ids(c.members()), 1);
    long[] until = {end(BUCKETS - 5)};
    PeerGroup live = new PeerGroup(settings(c), ids(c.members()));
    List<Change> changes = new ArrayList<>(run(live, values, 0, middle));
    live.expected(some, until);
    changes.addAll(run(live, values, middle, BUCKETS));

    PeerGroup replayed = new PeerGroup(settings(c), ids(c.members()));
    Replay replay =
        Replay.run(
            replayed,
            end(0),
            new double[][][] {values},
            0,
            end -> {
              if (end == end(middle)) {
                replayed.expected(some, until);
              }
            });

    assertThat(replay.events()).isEqualTo(Episodes.fold(changes, live.open()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theUnitOfAMetricChangesNothing(Case c) {
    double[][] values = values(c);
    // A power of two, so that no rounding differs.
    double factor = 1024;
    double[][] scaled = new double[BUCKETS][];
    for (int b = 0; b < BUCKETS; b++) {
      scaled[b] = Arrays.stream(values[b]).map(v -> v * factor).toArray();
    }
    Settings.Metric metric = settings(c).metrics().getFirst();
    Settings large =
        new Settings(
            c.method(),
            List.of(
                new Settings.Metric(
                    metric.transform(),
                    metric.minDeviation() * factor,
                    metric.unitFloor() * factor)),
            Side.BOTH,
            3.5,
            3,
            4,
            6,
            Worlds.BUCKET,
            settings(c).cooldownMillis(),
            settings(c).staleMillis());

    Replay one = Replay.run(settings(c), ids(c.members()), end(0), new double[][][] {values}, 0);
    Replay other = Replay.run(large, ids(c.members()), end(0), new double[][][] {scaled}, 0);

    for (int b = 0; b < BUCKETS; b++) {
      for (int i = 0; i < c.members(); i++) {
        double a = one.score(b, i);
        if (Double.isNaN(a)) {
          assertThat(other.score(b, i)).isNaN();
        } else {
          assertThat(other.score(b, i)).isCloseTo(a, within(1e-3 * Math.max(1, Math.abs(a))));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void groupsThatRunSideBySideDoNotTouchEachOther(Case c) {
    double[][] values = values(c);
    double[][] others = values(new Case(c.seed() + 999, c.method(), c.members()));
    PeerGroup alone = new PeerGroup(settings(c), ids(c.members()));
    List<Change> expected = run(alone, values, 0, BUCKETS);
    PeerGroup group = new PeerGroup(settings(c), ids(c.members()));
    PeerGroup neighbour = new PeerGroup(settings(c), ids(c.members()));
    List<Change> changes = new ArrayList<>();
    for (int b = 0; b < BUCKETS; b++) {
      neighbour.judge(end(b), new double[][] {others[b]});
      changes.addAll(group.judge(end(b), new double[][] {values[b]}).changes());
    }

    assertThat(changes).isEqualTo(expected);
  }
}
