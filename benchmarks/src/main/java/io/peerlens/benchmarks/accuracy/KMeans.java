package io.peerlens.benchmarks.accuracy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * k-means on each member's own past, as Netdata documents it: no peers. A bucket is the vector of
 * the last six differences of the series, each smoothed over three; every three hours a model of
 * two clusters is trained on the last four; the models of the last 54 hours are kept. A bucket is
 * as anomalous as the model that finds it least so: its distance to the nearest centre in that
 * model's distance at the 99th percentile. Netdata trains on seconds, so on far more vectors than
 * the 48 of four hours here.
 */
record KMeans() implements Detector {

  private static final int LAGS = 6;
  private static final int SMOOTH = 3;
  private static final int TRAIN = 48;
  private static final int EVERY = 36;
  private static final int MODELS = 18;
  private static final int HISTORY = TRAIN + LAGS + SMOOTH;

  @Override
  public String name() {
    return "Netdata-style k-means";
  }

  /** Beyond the 99th percentile of every model, as Netdata has it. */
  @Override
  public double threshold() {
    return 1;
  }

  @Override
  public Run start(Trace trace) {
    Member[] members = new Member[trace.members()];
    Arrays.setAll(members, i -> new Member());
    return new Running(members, trace.minDeviation());
  }

  /** Two centres and the distance that one vector in a hundred exceeds. */
  private record Model(double[] one, double[] two, double limit) {

    double score(double[] v) {
      return Math.sqrt(Math.min(distance(v, one), distance(v, two))) / limit;
    }

    /** Lloyd's algorithm from the two vectors that are farthest apart in length. */
    static Model of(double[][] vectors, double least) {
      double[] zero = new double[LAGS];
      double[] one = vectors[0];
      double[] two = vectors[0];
      for (double[] v : vectors) {
        one = distance(v, zero) < distance(one, zero) ? v : one;
        two = distance(v, zero) > distance(two, zero) ? v : two;
      }
      boolean[] second = new boolean[vectors.length];
      for (int round = 0; round < 100; round++) {
        boolean moved = round == 0;
        double[][] sums = new double[2][LAGS];
        int[] counts = new int[2];
        for (int k = 0; k < vectors.length; k++) {
          boolean to = distance(vectors[k], two) < distance(vectors[k], one);
          moved |= to != second[k];
          second[k] = to;
          int c = to ? 1 : 0;
          counts[c]++;
          for (int d = 0; d < LAGS; d++) {
            sums[c][d] += vectors[k][d];
          }
        }
        if (!moved) {
          break;
        }
        one = counts[0] == 0 ? one : mean(sums[0], counts[0]);
        two = counts[1] == 0 ? two : mean(sums[1], counts[1]);
      }
      double[] far = new double[vectors.length];
      for (int k = 0; k < far.length; k++) {
        far[k] = Math.sqrt(Math.min(distance(vectors[k], one), distance(vectors[k], two)));
      }
      Arrays.sort(far);
      return new Model(one, two, Math.max(least, far[(int) (0.99 * (far.length - 1))]));
    }

    private static double[] mean(double[] sum, int count) {
      return Arrays.stream(sum).map(s -> s / count).toArray();
    }

    private static double distance(double[] a, double[] b) {
      double sum = 0;
      for (int d = 0; d < LAGS; d++) {
        sum += (a[d] - b[d]) * (a[d] - b[d]);
      }
      return sum;
    }
  }

  private static final class Member {
    private final double[] last = new double[HISTORY];
    private int seen;
    private final Deque<Model> models = new ArrayDeque<>();

    Member copy() {
      Member copy = new Member();
      System.arraycopy(last, 0, copy.last, 0, HISTORY);
      copy.seen = seen;
      copy.models.addAll(models);
      return copy;
    }

    /** The score of a value, signed by the side of the last four hours' median it is on. */
    double step(double x, double minDeviation) {
      System.arraycopy(last, 1, last, 0, HISTORY - 1);
      last[HISTORY - 1] = x;
      seen++;
      double[] sorted = Arrays.copyOfRange(last, HISTORY - Math.min(seen, HISTORY), HISTORY);
      Arrays.sort(sorted);
      double deviation = x - sorted[sorted.length / 2];
      double score = Double.NaN;
      if (!models.isEmpty()) {
        double[] v = vector(HISTORY - 1);
        score = 1e6;
        for (Model model : models) {
          score = Math.min(score, model.score(v));
        }
        score = Math.abs(deviation) < minDeviation ? 0 : Math.copySign(score, deviation);
      }
      if (seen >= HISTORY && seen % EVERY == 0) {
        double[][] vectors = new double[TRAIN][];
        for (int k = 0; k < TRAIN; k++) {
          vectors[k] = vector(HISTORY - 1 - k);
        }
        models.addLast(Model.of(vectors, Math.max(1e-9, 0.4 * minDeviation)));
        if (models.size() > MODELS) {
          models.removeFirst();
        }
      }
      return score;
    }

    private double[] vector(int at) {
      double[] v = new double[LAGS];
      for (int d = 0; d < LAGS; d++) {
        v[d] = (last[at - d] - last[at - d - SMOOTH]) / SMOOTH;
      }
      return v;
    }
  }

  private record Running(Member[] members, double minDeviation) implements Run {

    @Override
    public void step(int bucket, double[] values, double[] scores) {
      for (int i = 0; i < values.length; i++) {
        scores[i] = Double.isNaN(values[i]) ? Double.NaN : members[i].step(values[i], minDeviation);
      }
    }

    @Override
    public void forget(boolean[] gone) {
      for (int i = 0; i < gone.length; i++) {
        if (gone[i]) {
          members[i] = new Member();
        }
      }
    }

    @Override
    public Run copy() {
      return new Running(
          Arrays.stream(members).map(Member::copy).toArray(Member[]::new), minDeviation);
    }
  }
}
