package io.peerlens.threshold;

import io.peerlens.threshold.Changes.Key;
import io.peerlens.threshold.Changes.Row;
import io.peerlens.threshold.Changes.Tick;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored states of symptoms that are not at rest, and how each threshold's last tick went. */
public final class SymptomStore {

  private static final String TICKS =
      "select threshold_id, tick from threshold_state where threshold_id = any (:ids)";

  private static final String LOAD =
      """
      select threshold_id, object_id, instance, severity, history, runs, good, good_held, since, last_sample, value, text,
        bound, upper, unknown
      from symptom where threshold_id = any (:ids)
      """;

  /** Several thousand rows at a time may change when a whole datacentre is in trouble. */
  private static final String WRITE =
      """
      insert into symptom (threshold_id, object_id, instance, severity, history, runs, good, good_held, since, last_sample,
        value, text, bound, upper, updated_at, unknown)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (threshold_id, object_id, instance) do update
      set severity = excluded.severity, history = excluded.history, runs = excluded.runs, good = excluded.good,
        good_held = excluded.good_held, since = excluded.since, last_sample = excluded.last_sample,
        value = excluded.value, text = excluded.text, bound = excluded.bound, upper = excluded.upper,
        updated_at = excluded.updated_at, unknown = excluded.unknown
      """;

  private static final String FORGET =
      "delete from symptom where threshold_id = ? and object_id = ? and instance = ?";

  private static final String TICK =
      """
      insert into threshold_state (threshold_id, tick, objects, instances, unknown, information, warning, immediate,
        critical, nanos, error)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (threshold_id) do update
      set tick = excluded.tick, objects = excluded.objects, instances = excluded.instances, unknown = excluded.unknown,
        information = excluded.information, warning = excluded.warning, immediate = excluded.immediate,
        critical = excluded.critical, nanos = excluded.nanos, error = excluded.error
      """;

  private static final int BATCH = 1000;

  private final JdbcClient jdbc;

  public SymptomStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What is stored of a threshold.
   *
   * @param lastTick the tick that was judged last; {@link SymptomState#NEVER} = none
   */
  record Stored(long lastTick, List<Tracked> states) {}

  /** What is stored of thresholds; those without anything are left out. */
  Map<UUID, Stored> load(Collection<UUID> thresholds) {
    UUID[] ids = thresholds.toArray(UUID[]::new);
    Map<UUID, Long> ticks = new HashMap<>();
    jdbc.sql(TICKS)
        .param("ids", ids)
        .query(
            row -> {
              ticks.put(
                  row.getObject(1, UUID.class),
                  row.getObject(2, OffsetDateTime.class).toInstant().toEpochMilli());
            });
    Map<UUID, List<Tracked>> states = new HashMap<>();
    jdbc.sql(LOAD)
        .param("ids", ids)
        .query(
            row -> {
              states
                  .computeIfAbsent(row.getObject(1, UUID.class), id -> new ArrayList<>())
                  .add(tracked(row));
            });
    Map<UUID, Stored> stored = new HashMap<>();
    for (UUID id : ids) {
      if (ticks.containsKey(id) || states.containsKey(id)) {
        stored.put(
            id,
            new Stored(
                ticks.getOrDefault(id, SymptomState.NEVER), states.getOrDefault(id, List.of())));
      }
    }
    return stored;
  }

  private static Tracked tracked(ResultSet row) throws SQLException {
    long[] runs = new long[Severity.values().length];
    @Nullable Timestamp[] times = (Timestamp[]) row.getArray("runs").getArray();
    for (int i = 0; i < runs.length; i++) {
      Timestamp time = times[i];
      runs[i] = time == null ? SymptomState.NEVER : time.getTime();
    }
    Tracked tracked =
        new Tracked(
            row.getInt("object_id"),
            row.getString("instance"),
            SymptomState.of(
                new SymptomState.Saved(
                    row.getInt("severity"),
                    row.getString("history"),
                    runs,
                    row.getInt("good"),
                    row.getInt("good_held"),
                    millis(row, "since"),
                    millis(row, "last_sample"))));
    tracked.value = number(row, "value");
    tracked.text = row.getString("text");
    tracked.bound = number(row, "bound");
    tracked.upper = number(row, "upper");
    tracked.unknown = row.getBoolean("unknown");
    tracked.stored = true;
    return tracked;
  }

  private static long millis(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? SymptomState.NEVER : time.toInstant().toEpochMilli();
  }

  private static double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() ? Double.NaN : number;
  }

  /** Writes what a tick has changed, in the transaction of the connection. */
  public void write(Connection connection, Changes changes, Instant tick) throws SQLException {
    OffsetDateTime now = tick.atOffset(ZoneOffset.UTC);
    try (PreparedStatement statement = connection.prepareStatement(FORGET)) {
      int waiting = 0;
      for (Key key : changes.gone()) {
        key(statement, key);
        statement.addBatch();
        waiting = send(statement, waiting + 1, false);
      }
      send(statement, waiting, true);
    }
    try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
      int waiting = 0;
      for (Row row : changes.rows()) {
        row(connection, statement, row, now);
        statement.addBatch();
        waiting = send(statement, waiting + 1, false);
      }
      send(statement, waiting, true);
    }
    try (PreparedStatement statement = connection.prepareStatement(TICK)) {
      int waiting = 0;
      for (Tick one : changes.ticks()) {
        tick(statement, one, now);
        statement.addBatch();
        waiting = send(statement, waiting + 1, false);
      }
      send(statement, waiting, true);
    }
  }

  private static int send(PreparedStatement statement, int waiting, boolean last)
      throws SQLException {
    if (waiting > 0 && (last || waiting == BATCH)) {
      statement.executeBatch();
      return 0;
    }
    return waiting;
  }

  private static void key(PreparedStatement statement, Key key) throws SQLException {
    statement.setObject(1, key.threshold());
    statement.setInt(2, key.objectId());
    statement.setString(3, key.instance());
  }

  private static void row(
      Connection connection, PreparedStatement statement, Row row, OffsetDateTime now)
      throws SQLException {
    SymptomState.Saved state = row.state();
    key(statement, row.key());
    statement.setInt(4, state.severity());
    statement.setString(5, state.history());
    statement.setArray(6, runs(connection, state.runs()));
    statement.setInt(7, state.good());
    statement.setInt(8, state.goodHeld());
    statement.setObject(9, time(state.since()), Types.TIMESTAMP_WITH_TIMEZONE);
    statement.setObject(10, time(state.lastSample()), Types.TIMESTAMP_WITH_TIMEZONE);
    number(statement, 11, row.value());
    statement.setString(12, row.text());
    number(statement, 13, row.bound());
    number(statement, 14, row.upper());
    statement.setObject(15, now);
    statement.setBoolean(16, row.unknown());
  }

  private static Array runs(Connection connection, long[] runs) throws SQLException {
    @Nullable OffsetDateTime[] times = new OffsetDateTime[runs.length];
    for (int i = 0; i < runs.length; i++) {
      times[i] = time(runs[i]);
    }
    return connection.createArrayOf("timestamptz", times);
  }

  private static @Nullable OffsetDateTime time(long millis) {
    return millis == SymptomState.NEVER
        ? null
        : Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC);
  }

  private static void number(PreparedStatement statement, int index, double number)
      throws SQLException {
    if (Double.isNaN(number)) {
      statement.setNull(index, Types.DOUBLE);
    } else {
      statement.setDouble(index, number);
    }
  }

  private static void tick(PreparedStatement statement, Tick one, OffsetDateTime now)
      throws SQLException {
    statement.setObject(1, one.threshold());
    statement.setObject(2, now);
    statement.setInt(3, one.objects());
    statement.setInt(4, one.instances());
    statement.setInt(5, one.unknown());
    for (int i = 0; i < one.open().length; i++) {
      statement.setInt(6 + i, one.open()[i]);
    }
    statement.setLong(10, one.nanos());
    statement.setString(11, one.error());
  }
}
