package io.peerlens.support;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A migrated database, and plain SQL to put objects and samples into it. */
public final class SampleData implements AutoCloseable {
  private final TestDatabase database;
  private final HikariDataSource dataSource;
  private final JdbcClient jdbc;

  private SampleData(TestDatabase database, HikariDataSource dataSource) {
    this.database = database;
    this.dataSource = dataSource;
    this.jdbc = JdbcClient.create(dataSource);
  }

  /** A database with all migrations and nothing else. */
  public static SampleData create() {
    TestDatabase database = TestDatabase.migrated();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(0);
    return new SampleData(database, new HikariDataSource(config));
  }

  public TestDatabase database() {
    return database;
  }

  public HikariDataSource dataSource() {
    return dataSource;
  }

  public JdbcClient jdbc() {
    return jdbc;
  }

  /** Makes an object; its uuid follows from its kind and name. */
  public int object(String adapterKind, String objectKind, String name) {
    return jdbc.sql(
            """
            insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
            values (?, ?, ?, ?, ?, now(), now()) returning id
            """)
        .params(uuid(objectKind, name), adapterKind, objectKind, name, name)
        .query(Integer.class)
        .single();
  }

  /** The uuid that {@link #object} gives. */
  public static UUID uuid(String objectKind, String name) {
    return UUID.nameUUIDFromBytes((objectKind + '/' + name).getBytes());
  }

  /** Makes a metric group with units {@code unit0}, none, {@code unit2}, ... */
  public int group(String adapterKind, String objectKind, String name, List<String> metrics) {
    @Nullable String[] units = new String[metrics.size()];
    for (int i = 0; i < units.length; i += 2) {
      units[i] = "unit" + i;
    }
    return jdbc.sql(
            """
            insert into metric_group (adapter_kind, object_kind, name, metrics, units)
            values (?, ?, ?, ?, ?) returning id
            """)
        .params(adapterKind, objectKind, name, metrics.toArray(String[]::new), units)
        .query(Integer.class)
        .single();
  }

  /** Makes a metric set; an empty instance is the aggregate. */
  public int set(int objectId, int groupId, String instance) {
    return jdbc.sql(
            "insert into metric_set (object_id, group_id, instance) values (?, ?, ?) returning id")
        .params(objectId, groupId, instance)
        .query(Integer.class)
        .single();
  }

  /** One raw sample; NaN = no value. */
  public void sample(Instant time, int setId, double... values) {
    try (Connection connection = dataSource.getConnection()) {
      sample(connection, time, setId, values);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One raw sample on a connection of the caller; NaN = no value. */
  public static void sample(Connection connection, Instant time, int setId, double... values)
      throws SQLException {
    @Nullable Double[] boxed = new Double[values.length];
    for (int i = 0; i < values.length; i++) {
      boxed[i] = Double.isNaN(values[i]) ? null : values[i];
    }
    try (PreparedStatement statement =
        connection.prepareStatement("insert into sample (time, set_id, values) values (?, ?, ?)")) {
      statement.setObject(1, time.atOffset(ZoneOffset.UTC));
      statement.setInt(2, setId);
      statement.setArray(3, connection.createArrayOf("float8", boxed));
      statement.executeUpdate();
    }
  }

  /** Many raw samples, written by COPY when this is closed. */
  public Samples samples() {
    return new Samples(dataSource);
  }

  /** Rows of the table sample that are written together; not thread-safe. */
  public static final class Samples implements AutoCloseable {
    private static final int FLUSH_AT = 1 << 20;

    private final DataSource dataSource;
    private final StringBuilder rows = new StringBuilder();

    Samples(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /** One row; NaN = no value. */
    public Samples add(Instant time, int setId, double... values) {
      rows.append(time).append('\t').append(setId).append("\t{");
      for (int i = 0; i < values.length; i++) {
        rows.append(i == 0 ? "" : ",");
        if (Double.isNaN(values[i])) {
          rows.append("NULL");
        } else {
          rows.append(values[i]);
        }
      }
      rows.append("}\n");
      if (rows.length() > FLUSH_AT) {
        flush();
      }
      return this;
    }

    /** Writes what was added since the last time. */
    public void flush() {
      if (rows.isEmpty()) {
        return;
      }
      try (Connection connection = dataSource.getConnection()) {
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn(
                "copy sample (time, set_id, values) from stdin", new StringReader(rows.toString()));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      rows.setLength(0);
    }

    @Override
    public void close() {
      flush();
    }
  }

  /** Runs SQL without parameters. */
  public void sql(String sql) {
    jdbc.sql(sql).update();
  }

  /** What {@code setObject} takes for a timestamptz. */
  public static OffsetDateTime time(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
