package io.peerlens.benchmarks.learned;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub and Van
 * Loan, Matrix Computations, section 8.5).
 *
 * @param values the largest first
 * @param vectors vectors[k] belongs to values[k] and has length 1
 */
record SymmetricEigen(double[] values, double[][] vectors) {

  private static final int SWEEPS = 60;

  static SymmetricEigen of(double[][] matrix) {
    int n = matrix.length;
    double[][] a = new double[n][];
    double[][] v = new double[n][n];
    for (int i = 0; i < n; i++) {
      a[i] = matrix[i].clone();
      v[i][i] = 1;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      double off = 0;
      double all = 0;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          all += a[i][j] * a[i][j];
          off += i == j ? 0 : a[i][j] * a[i][j];
        }
      }
      if (off <= 1e-24 * all) {
        break;
      }
      for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
          if (a[p][q] != 0) {
            rotate(a, v, p, q);
          }
        }
      }
    }
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -a[i][i]))
            .mapToInt(i -> i)
            .toArray();
    double[] values = new double[n];
    double[][] vectors = new double[n][n];
    for (int k = 0; k < n; k++) {
      values[k] = a[order[k]][order[k]];
      for (int i = 0; i < n; i++) {
        vectors[k][i] = v[i][order[k]];
      }
    }
    return new SymmetricEigen(values, vectors);
  }

  /** Makes the element at p, q zero. */
  private static void rotate(double[][] a, double[][] v, int p, int q) {
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double c = 1 / Math.hypot(t, 1);
    double s = t * c;
    for (int k = 0; k < a.length; k++) {
      double kp = a[k][p];
      double kq = a[k][q];
      a[k][p] = c * kp - s * kq;
      a[k][q] = s * kp + c * kq;
      double vp = v[k][p];
      double vq = v[k][q];
      v[k][p] = c * vp - s * vq;
      v[k][q] = s * vp + c * vq;
    }
    for (int k = 0; k < a.length; k++) {
      double pk = a[p][k];
      double qk = a[q][k];
      a[p][k] = c * pk - s * qk;
      a[q][k] = s * pk + c * qk;
    }
  }
}
