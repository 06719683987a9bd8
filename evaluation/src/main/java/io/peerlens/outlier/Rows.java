package io.peerlens.outlier;

import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Arrays and moments between Java and rows. */
final class Rows {

  private Rows() {}

  static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() ? null : finite(number);
  }

  /** Null where there is no number. */
  static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  static Array array(Connection connection, int[] values) throws SQLException {
    return connection.unwrap(PGConnection.class).createArrayOf("int4", values);
  }

  static Array array(Connection connection, float[] values) throws SQLException {
    return connection.unwrap(PGConnection.class).createArrayOf("float4", values);
  }

  static Array array(Connection connection, double[] values) throws SQLException {
    return connection.unwrap(PGConnection.class).createArrayOf("float8", values);
  }

  static int[] ints(ResultSet row, String column) throws SQLException {
    Integer[] values = (Integer[]) row.getArray(column).getArray();
    int[] ints = new int[values.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = values[i];
    }
    return ints;
  }

  static float[] floats(ResultSet row, String column) throws SQLException {
    Float[] values = (Float[]) row.getArray(column).getArray();
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values[i];
    }
    return floats;
  }

  /** Empty for null. */
  static double[] doublesOrNone(ResultSet row, String column) throws SQLException {
    return row.getArray(column) == null ? new double[0] : doubles(row, column);
  }

  static double[] doubles(ResultSet row, String column) throws SQLException {
    Double[] values = (Double[]) row.getArray(column).getArray();
    double[] doubles = new double[values.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  static String[] texts(ResultSet row, String column) throws SQLException {
    return (String[]) row.getArray(column).getArray();
  }

  /** One row for each metric, of an array that holds one metric after the other. */
  static double[][] matrix(float[] values, int members) {
    double[][] matrix = new double[members == 0 ? 0 : values.length / members][members];
    for (int m = 0; m < matrix.length; m++) {
      for (int i = 0; i < members; i++) {
        matrix[m][i] = values[m * members + i];
      }
    }
    return matrix;
  }
}
