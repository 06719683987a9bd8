package io.peerlens.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers and arrays of the columns of a row. */
public final class Rows {

  private Rows() {}

  /** Null where the column has none, or one that is not finite. */
  public static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() ? null : finite(number);
  }

  /** Null for NaN and infinities. */
  public static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  public static int[] ints(ResultSet row, String column) throws SQLException {
    return Arrays.stream((Integer[]) row.getArray(column).getArray())
        .mapToInt(Integer::intValue)
        .toArray();
  }

  public static float[] floats(ResultSet row, String column) throws SQLException {
    Float[] values = (Float[]) row.getArray(column).getArray();
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values[i];
    }
    return floats;
  }

  /** Empty for null. */
  public static double[] doublesOrNone(ResultSet row, String column) throws SQLException {
    return row.getArray(column) == null ? new double[0] : doubles(row, column);
  }

  public static double[] doubles(ResultSet row, String column) throws SQLException {
    return Arrays.stream((Double[]) row.getArray(column).getArray())
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  public static String[] texts(ResultSet row, String column) throws SQLException {
    return (String[]) row.getArray(column).getArray();
  }
}
