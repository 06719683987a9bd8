package io.peerlens.benchmarks.learned;

import java.util.Arrays;

/**
 * Reconstruction error of principal components (Jackson and Mudholkar, Technometrics 1979): how far
 * a row is from the space of the components with the largest variance, of which as many are taken
 * as hold 90 % of it. For a machine, a row is its metrics, and the components are fitted once, on
 * what is for learning. For a single series, a row is the last eight values, and they are fitted
 * again every 500 rows on all before.
 *
 * <p>Values are standardised; those that did not vary are only centred. A standardised value beyond
 * 10 counts as 10. The score is the squared error by its mean over the rows that were fitted, as a
 * logarithm, so that it means the same for machines that are told well and badly.
 */
final class PrincipalComponents implements Scorer {

  private static final double SHARE = 0.9;
  private static final double CUT = 10;
  private static final int WINDOW = 8;
  private static final int EVERY = 500;

  @Override
  public String name() {
    return "PCA";
  }

  @Override
  public double[][] scores(Labelled series) {
    int rows = series.rows();
    boolean single = series.metrics().length == 1;
    double[][] points = new double[rows][];
    double[] last = new double[single ? WINDOW : series.metrics().length];
    for (int i = 0; i < rows; i++) {
      if (single) {
        System.arraycopy(last, 0, last, 1, last.length - 1);
      }
      for (int m = 0; m < series.metrics().length; m++) {
        double value = series.metrics()[m][i];
        last[m] = Double.isNaN(value) ? last[m] : value;
      }
      points[i] = last.clone();
    }
    int first = single ? Math.min(WINDOW, series.judged() / 2) : 0;
    double[] scores = new double[rows];
    Model model = Model.fit(points, first, series.judged());
    for (int i = series.judged(); i < rows; i++) {
      if (single && (i - series.judged()) % EVERY == EVERY - 1) {
        model = Model.fit(points, first, i);
      }
      scores[i] = Math.log1p(model.error(points[i]) / model.usual);
    }
    return new double[][] {scores};
  }

  /**
   * What was fitted.
   *
   * @param mean of each column
   * @param scale of each column
   * @param components as rows
   * @param usual the mean squared error over the rows that were fitted
   */
  record Model(double[] mean, double[] scale, double[][] components, double usual) {

    static Model fit(double[][] points, int from, int until) {
      int columns = points[0].length;
      int n = Math.max(1, until - from);
      double[] mean = new double[columns];
      double[] scale = new double[columns];
      for (int i = from; i < until; i++) {
        for (int c = 0; c < columns; c++) {
          mean[c] += points[i][c] / n;
        }
      }
      for (int i = from; i < until; i++) {
        for (int c = 0; c < columns; c++) {
          scale[c] += (points[i][c] - mean[c]) * (points[i][c] - mean[c]) / n;
        }
      }
      for (int c = 0; c < columns; c++) {
        double deviation = Math.sqrt(scale[c]);
        scale[c] = deviation > 1e-9 * Math.abs(mean[c]) + 1e-12 ? deviation : 1;
      }
      Model centred = new Model(mean, scale, new double[0][], 1);
      double[][] covariance = new double[columns][columns];
      for (int i = from; i < until; i++) {
        double[] z = centred.standardised(points[i]);
        for (int a = 0; a < columns; a++) {
          for (int b = 0; b <= a; b++) {
            covariance[a][b] += z[a] * z[b] / n;
            covariance[b][a] = covariance[a][b];
          }
        }
      }
      SymmetricEigen eigen = SymmetricEigen.of(covariance);
      double all = Arrays.stream(eigen.values()).sum();
      int kept = 0;
      double held = 0;
      while (kept < columns && held < SHARE * all) {
        held += eigen.values()[kept++];
      }
      double[][] components = Arrays.copyOf(eigen.vectors(), kept);
      Model plain = new Model(mean, scale, components, 1);
      double sum = 0;
      for (int i = from; i < until; i++) {
        sum += plain.error(points[i]) / n;
      }
      return new Model(mean, scale, components, Math.max(sum, 1e-6));
    }

    private double[] standardised(double[] point) {
      double[] z = new double[point.length];
      for (int c = 0; c < z.length; c++) {
        z[c] = Math.max(-CUT, Math.min(CUT, (point[c] - mean[c]) / scale[c]));
      }
      return z;
    }

    /** The squared distance of a point from the space of the components. */
    double error(double[] point) {
      double[] z = standardised(point);
      double squares = 0;
      for (double v : z) {
        squares += v * v;
      }
      for (double[] component : components) {
        double along = 0;
        for (int c = 0; c < z.length; c++) {
          along += z[c] * component[c];
        }
        squares -= along * along;
      }
      return Math.max(0, squares);
    }
  }
}
