package io.peerlens.benchmarks;

import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Replay;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Transform;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Outliers: one bucket of groups whose members are known for two days, and a preview of a week. The
 * values are a wave that all share, a bias of each and noise, one member in a hundred far out.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 4, time = 2)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class OutlierBenchmark {

  private static final long BUCKET = 300_000;
  private static final int ROWS = 48;

  private static Settings settings(int metrics) {
    return Settings.peers(
        BUCKET, Collections.nCopies(metrics, Settings.Metric.of(Transform.LINEAR, 2)));
  }

  private static double[][] rows(int members, long seed) {
    Random random = new Random(seed);
    double[] bias = random.doubles(members, -8, 8).toArray();
    double[][] rows = new double[ROWS][members];
    for (int b = 0; b < ROWS; b++) {
      double wave = 40 + 20 * Math.sin(2 * Math.PI * b / ROWS);
      for (int i = 0; i < members; i++) {
        rows[b][i] = wave + bias[i] + random.nextGaussian() + (i % 100 == 7 && b > 24 ? 30 : 0);
      }
    }
    return rows;
  }

  /** One group of one metric. */
  @State(Scope.Benchmark)
  public static class OneGroup {
    @Param({"3", "10", "30", "100", "1000", "10000"})
    int members;

    PeerGroup group;
    double[][][] values;
    long bucket;

    @Setup
    public void learn() {
      group = new PeerGroup(settings(1), IntStream.range(0, members).toArray());
      double[][] rows = rows(members, 1);
      values = new double[ROWS][1][];
      for (int b = 0; b < ROWS; b++) {
        values[b][0] = rows[b];
      }
      for (int b = 0; b < 576; b++) {
        next();
      }
    }

    Judgement next() {
      bucket++;
      return group.judge(bucket * BUCKET, values[(int) (bucket % ROWS)]);
    }
  }

  /** 1,000 groups of 100 members and five metrics. */
  @State(Scope.Benchmark)
  public static class Fleet {
    @Param({"1", "2"})
    int threads;

    final List<PeerGroup> groups = new ArrayList<>();
    double[][][][] values;
    long bucket;

    @Setup(Level.Trial)
    public void learn() {
      values = new double[8][ROWS][5][];
      for (int v = 0; v < values.length; v++) {
        for (int m = 0; m < 5; m++) {
          double[][] rows = rows(100, 10 * v + m);
          for (int b = 0; b < ROWS; b++) {
            values[v][b][m] = rows[b];
          }
        }
      }
      for (int g = 0; g < 1000; g++) {
        groups.add(new PeerGroup(settings(5), IntStream.range(0, 100).toArray()));
      }
      for (int b = 0; b < 150; b++) {
        next();
      }
    }

    int next() {
      bucket++;
      if (threads == 1) {
        return half(0, 1);
      }
      int[] changes = new int[1];
      Thread other = Thread.ofPlatform().start(() -> changes[0] = half(1, 2));
      int mine = half(0, 2);
      try {
        other.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return mine + changes[0];
    }

    private int half(int from, int step) {
      int changes = 0;
      for (int g = from; g < groups.size(); g += step) {
        changes +=
            groups
                .get(g)
                .judge(bucket * BUCKET, values[g % values.length][(int) (bucket % ROWS)])
                .changes()
                .size();
      }
      return changes;
    }
  }

  /** 200 members, a week of five-minute buckets, one metric. */
  @State(Scope.Benchmark)
  public static class Week {
    double[][][] values;
    int[] ids;

    @Setup
    public void make() {
      ids = IntStream.range(0, 200).toArray();
      double[][] rows = rows(200, 5);
      values = new double[1][2016][];
      for (int b = 0; b < 2016; b++) {
        values[0][b] = rows[b % ROWS];
      }
    }
  }

  @Benchmark
  public Judgement bucketOfOneGroup(OneGroup one) {
    return one.next();
  }

  @Benchmark
  public int bucketOfFleet(Fleet fleet) {
    return fleet.next();
  }

  /** Scores of a week and the events at sensitivities 1, 1.5, ... 10. */
  @Benchmark
  public int previewOfWeek(Week week) {
    Replay replay = Replay.run(settings(1), week.ids, BUCKET, week.values, 0);
    int events = 0;
    for (double threshold = 1; threshold <= 10; threshold += 0.5) {
      events += replay.events(threshold).size();
    }
    return events;
  }
}
