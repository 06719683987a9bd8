package io.peerlens.database;

import static io.peerlens.database.Times.utcOrNull;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import tools.jackson.databind.json.JsonMapper;

/**
 * Statement with parameters of the form {@code :name}, on a connection whose transaction is the
 * caller's. It reads, writes at once, or writes rows in batches; errors are those of the driver. A
 * parameter that is set stays so for what follows. Null keeps the type of its column, so that rows
 * with and without it go to the server together.
 */
public final class NamedStatement implements AutoCloseable {

  /** Texts in quotes, casts and slices of arrays are passed over. */
  private static final Pattern PARAMETER = Pattern.compile("'[^']*'|::|:([a-zA-Z]\\w*)");

  private final Connection connection;
  private final PreparedStatement statement;
  private final Map<String, List<Integer>> places = new HashMap<>();
  private int rows;

  public NamedStatement(Connection connection, String sql) throws SQLException {
    this.connection = connection;
    StringBuilder plain = new StringBuilder();
    Matcher matcher = PARAMETER.matcher(sql);
    for (int place = 1; matcher.find(); ) {
      String name = matcher.group(1);
      matcher.appendReplacement(
          plain, name == null ? Matcher.quoteReplacement(matcher.group()) : "?");
      if (name != null) {
        places.computeIfAbsent(name, n -> new ArrayList<>()).add(place++);
      }
    }
    this.statement = connection.prepareStatement(matcher.appendTail(plain).toString());
  }

  public NamedStatement set(String name, @Nullable String value) throws SQLException {
    return put(name, value, Types.VARCHAR);
  }

  public NamedStatement set(String name, @Nullable UUID value) throws SQLException {
    return put(name, value, Types.OTHER);
  }

  public NamedStatement set(String name, @Nullable Instant value) throws SQLException {
    return put(name, utcOrNull(value), Types.TIMESTAMP_WITH_TIMEZONE);
  }

  public NamedStatement set(String name, @Nullable Integer value) throws SQLException {
    return put(name, value, Types.INTEGER);
  }

  public NamedStatement set(String name, @Nullable Long value) throws SQLException {
    return put(name, value, Types.BIGINT);
  }

  public NamedStatement set(String name, @Nullable Double value) throws SQLException {
    return put(name, value, Types.DOUBLE);
  }

  public NamedStatement set(String name, boolean value) throws SQLException {
    return put(name, value, Types.BOOLEAN);
  }

  public NamedStatement set(String name, byte @Nullable [] value) throws SQLException {
    return put(name, value, Types.BINARY);
  }

  public NamedStatement set(String name, int[] values) throws SQLException {
    return array(name, "int4", values);
  }

  public NamedStatement set(String name, long @Nullable [] values) throws SQLException {
    return array(name, "int8", values);
  }

  public NamedStatement set(String name, float[] values) throws SQLException {
    return array(name, "float4", values);
  }

  public NamedStatement set(String name, double @Nullable [] values) throws SQLException {
    return array(name, "float8", values);
  }

  /**
   * @param type of the elements in the database
   * @param values of a type that the driver converts: texts, numbers, ids, OffsetDateTime
   */
  public NamedStatement set(String name, String type, @Nullable Collection<?> values)
      throws SQLException {
    Array array = values == null ? null : connection.createArrayOf(type, values.toArray());
    return put(name, array, Types.ARRAY);
  }

  /** Sets a parameter that the statement casts to jsonb; null stays null. */
  public NamedStatement json(String name, @Nullable Object value) throws SQLException {
    return set(name, value == null ? null : JsonMapper.shared().writeValueAsString(value));
  }

  private NamedStatement array(String name, String type, @Nullable Object values)
      throws SQLException {
    PGConnection postgres = connection.unwrap(PGConnection.class);
    return put(name, values == null ? null : postgres.createArrayOf(type, values), Types.ARRAY);
  }

  private NamedStatement put(String name, @Nullable Object value, int type) throws SQLException {
    List<Integer> found = places.get(name);
    if (found == null) {
      throw new IllegalArgumentException("The statement has no parameter :" + name);
    }
    for (int place : found) {
      if (value == null) {
        statement.setNull(place, type);
      } else {
        statement.setObject(place, value);
      }
    }
    return this;
  }

  /** Reads rows, which the next query and the end of the statement close. */
  public ResultSet query() throws SQLException {
    return statement.executeQuery();
  }

  /** Returns the number of rows that were written. */
  public int update() throws SQLException {
    return statement.executeUpdate();
  }

  /** Adds a row of the parameters that are set. */
  public void add() throws SQLException {
    statement.addBatch();
    rows++;
  }

  /** Number of rows that wait to be sent. */
  public int size() {
    return rows;
  }

  /** Sends the rows that wait; nothing where there are none. */
  public void run() throws SQLException {
    if (rows > 0) {
      statement.executeBatch();
      rows = 0;
    }
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
