package io.peerlens.threshold;

import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.database.NamedStatement;
import io.peerlens.threshold.Changes.Key;
import io.peerlens.threshold.Changes.Row;
import io.peerlens.threshold.Changes.Tick;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored states of symptoms that are not at rest, and the last tick of each threshold. */
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
      values (:threshold, :object, :instance, :severity, :history, :runs, :good, :goodHeld, :since, :lastSample,
        :value, :text, :bound, :upper, :now, :unknown)
      on conflict (threshold_id, object_id, instance) do update
      set severity = excluded.severity, history = excluded.history, runs = excluded.runs, good = excluded.good,
        good_held = excluded.good_held, since = excluded.since, last_sample = excluded.last_sample,
        value = excluded.value, text = excluded.text, bound = excluded.bound, upper = excluded.upper,
        updated_at = excluded.updated_at, unknown = excluded.unknown
      """;

  private static final String FORGET =
      "delete from symptom where threshold_id = :threshold and object_id = :object and instance = :instance";

  private static final String TICK =
      """
      insert into threshold_state (threshold_id, tick, objects, instances, unknown, information, warning, immediate,
        critical, nanos, error)
      values (:threshold, :now, :objects, :instances, :unknown, :information, :warning, :immediate,
        :critical, :nanos, :error)
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
   * Stored state of a threshold.
   *
   * @param lastTick the tick that was judged last; {@link SymptomState#NEVER} = none
   */
  record Stored(long lastTick, List<Tracked> states) {}

  /** Stored states of thresholds; those without any are left out. */
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
    try (NamedStatement statement = new NamedStatement(connection, FORGET)) {
      for (Key key : changes.gone()) {
        add(key(statement, key));
      }
      statement.run();
    }
    try (NamedStatement statement = new NamedStatement(connection, WRITE)) {
      statement.set("now", tick);
      for (Row row : changes.rows()) {
        add(row(statement, row));
      }
      statement.run();
    }
    try (NamedStatement statement = new NamedStatement(connection, TICK)) {
      statement.set("now", tick);
      for (Tick one : changes.ticks()) {
        add(tick(statement, one));
      }
      statement.run();
    }
  }

  private static void add(NamedStatement statement) throws SQLException {
    statement.add();
    if (statement.size() == BATCH) {
      statement.run();
    }
  }

  private static NamedStatement key(NamedStatement statement, Key key) throws SQLException {
    return statement
        .set("threshold", key.threshold())
        .set("object", key.objectId())
        .set("instance", key.instance());
  }

  private static NamedStatement row(NamedStatement statement, Row row) throws SQLException {
    SymptomState.Saved state = row.state();
    return key(statement, row.key())
        .set("severity", state.severity())
        .set("history", state.history())
        .set(
            "runs",
            "timestamptz",
            Arrays.stream(state.runs()).mapToObj(run -> utcOrNull(time(run))).toList())
        .set("good", state.good())
        .set("goodHeld", state.goodHeld())
        .set("since", time(state.since()))
        .set("lastSample", time(state.lastSample()))
        .set("value", number(row.value()))
        .set("text", row.text())
        .set("bound", number(row.bound()))
        .set("upper", number(row.upper()))
        .set("unknown", row.unknown());
  }

  private static @Nullable Instant time(long millis) {
    return millis == SymptomState.NEVER ? null : Instant.ofEpochMilli(millis);
  }

  private static @Nullable Double number(double number) {
    return Double.isNaN(number) ? null : (Double) number;
  }

  private static NamedStatement tick(NamedStatement statement, Tick one) throws SQLException {
    return statement
        .set("threshold", one.threshold())
        .set("objects", one.objects())
        .set("instances", one.instances())
        .set("unknown", one.unknown())
        .set("information", one.open()[0])
        .set("warning", one.open()[1])
        .set("immediate", one.open()[2])
        .set("critical", one.open()[3])
        .set("nanos", one.nanos())
        .set("error", one.error());
  }
}
