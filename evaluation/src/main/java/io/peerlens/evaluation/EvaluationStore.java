package io.peerlens.evaluation;

import static io.peerlens.database.Times.utc;

import io.peerlens.alert.AlertChanges;
import io.peerlens.alert.AlertStore;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.outlier.OutlierStore;
import io.peerlens.outlier.Outliers;
import io.peerlens.store.Level;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.EnabledDefinition;
import io.peerlens.supermetric.ResultStore;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Reason;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.supermetrics.program.Results.Result;
import io.peerlens.threshold.SymptomStore;
import io.peerlens.threshold.Symptoms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores what a tick has found, and how far each shard is, in one transaction: a tick that a killed
 * process had begun leaves nothing behind, and one that two processes evaluate is stored once.
 */
final class EvaluationStore {

  private static final String HOLD =
      "select s.version, r.version from super_metric_version s, rule_version r for share";
  private static final String BEGIN =
      """
      insert into evaluation_shard (last_tick, next_tick, node, evaluated_at, rules, thresholds, results, failed,
                                    open_symptoms, open_alerts, transitions, outlier_groups, open_outliers, shard)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;
  private static final String MOVE =
      """
      update evaluation_shard
      set last_tick = ?, next_tick = ?, node = ?, evaluated_at = ?, rules = ?, thresholds = ?, results = ?, failed = ?,
          open_symptoms = ?, open_alerts = ?, transitions = ?, outlier_groups = ?, open_outliers = ?, error = null, error_at = null,
          waits_for = null, waiting_since = null
      where shard = ? and last_tick = ?
      """;
  private static final String TOOK =
      """
      update evaluation_shard set load_ms = ?, compute_ms = ?, threshold_ms = ?, outlier_ms = ?, alert_ms = ?, store_ms = ?
      where shard = ? and last_tick = ?
      """;
  private static final String SKIP =
      """
      update evaluation_shard
      set last_tick = :to, next_tick = :to, skipped_ticks = skipped_ticks + :ticks, skipped_at = :now
      where shard = :shard and last_tick = :from
      """;
  private static final String FAILED =
      "update evaluation_shard set error = :error, error_at = :now where shard = :shard";
  private static final String WAITS =
      "update evaluation_shard set waits_for = :what, waiting_since = :now where shard = :shard";
  private static final String LAST_TICK = "select last_tick from evaluation_shard where shard = ?";
  private static final String STATE =
      """
      insert into super_metric_state (super_metric_id, adapter_kind, object_kind, tick, computed, no_data,
                                      nanos, error)
      select ?, ?, ?, ?, ?, ?::jsonb, ?, ?
      where exists (select from super_metric where id = ?)
      on conflict (super_metric_id, adapter_kind, object_kind) do update
      set tick = excluded.tick, computed = excluded.computed, no_data = excluded.no_data,
          nanos = excluded.nanos, error = excluded.error
      where excluded.tick >= super_metric_state.tick
      """;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final ResultStore sets;
  private final SampleWriter writer;
  private final SymptomStore symptoms;
  private final OutlierStore outliers;
  private final AlertStore alerts;
  private final String node;
  private final InstantSource clock;

  EvaluationStore(
      DataSource dataSource,
      JdbcClient jdbc,
      ResultStore sets,
      SampleWriter writer,
      SymptomStore symptoms,
      OutlierStore outliers,
      AlertStore alerts,
      String node,
      InstantSource clock) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.sets = sets;
    this.writer = writer;
    this.symptoms = symptoms;
    this.outliers = outliers;
    this.alerts = alerts;
    this.node = node;
    this.clock = clock;
  }

  /** Another process has evaluated this tick. */
  static final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Overtaken(int shard, Instant tick) {
      super(
          "Shard %d is past %s already: another process has taken it over".formatted(shard, tick));
    }
  }

  /** A rule was changed while the tick was evaluated, so what it found says nothing. */
  static final class RulesChanged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RulesChanged(int shard, Instant tick) {
      super("Shard %d: a rule was changed during the tick %s".formatted(shard, tick));
    }
  }

  /** Notes what the next tick of a shard waits for, from now until it is stored. */
  void waits(int shard, String what) {
    jdbc.sql(WAITS)
        .param("what", what)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .param("shard", shard)
        .update();
  }

  /** The tick that a shard is at; empty = it was never evaluated. */
  Optional<Instant> lastTick(int shard) {
    return jdbc.sql(LAST_TICK)
        .param(shard)
        .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .optional();
  }

  /** Leaves ticks out that lie too far back. */
  void skip(int shard, Instant from, Instant to, long ticks) {
    jdbc.sql(SKIP)
        .param("shard", shard)
        .param("from", utc(from))
        .param("to", utc(to))
        .param("ticks", ticks)
        .param("now", utc(clock.instant()))
        .update();
  }

  void failed(int shard, String error) {
    jdbc.sql(FAILED)
        .param("shard", shard)
        .param("error", error)
        .param("now", utc(clock.instant()))
        .update();
  }

  /** The numbers that move with every change of rules. */
  record Versions(long superMetrics, long rules) {}

  /**
   * A step of a shard.
   *
   * @param before the tick that the shard was at; null = none yet
   * @param next the tick after this one, as far as is known now
   * @param versions of the rules that the tick was evaluated by
   */
  record Move(int shard, @Nullable Instant before, Instant tick, Instant next, Versions versions) {}

  /** What a tick has found. */
  record Found(
      ObjectGraph objects,
      Results results,
      Symptoms symptoms,
      Outliers outliers,
      AlertChanges alerts) {}

  /**
   * Stores what a tick has found and moves the shard on.
   *
   * @param due the rules that were evaluated
   * @return number of values stored
   * @throws Overtaken if the shard is not where the caller believes it to be
   * @throws RulesChanged if a rule has changed since
   */
  long commit(Move move, Rules due, Found found) {
    SampleBatch batch = new SampleBatch();
    Map<UUID, String> units = new HashMap<>();
    for (EnabledDefinition rule : due.superMetrics()) {
      if (rule.unit() != null) {
        units.put(rule.id(), rule.unit());
      }
    }
    sets.fill(batch, Level.micros(move.tick()), found.objects(), units, found.results());
    try {
      try {
        write(move, due, batch, found, false);
      } catch (SQLException e) {
        if (!SampleWriter.isClash(e)) {
          throw e;
        }
        // A rule has come from another shard that was ahead: what exists already is merged.
        write(move, due, batch, found, true);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("A tick could not be stored: " + e.getMessage(), e);
    }
    return batch.points();
  }

  private void write(Move move, Rules due, SampleBatch batch, Found found, boolean merge)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        holdRules(connection, move);
        move(connection, move, due, batch, found);
        writer.write(connection, batch, merge);
        states(connection, move.tick(), found.results());
        symptoms.write(connection, found.symptoms().changes(), move.tick());
        outliers.write(connection, found.outliers().changes());
        alerts.write(connection, found.alerts());
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        try {
          connection.rollback();
        } catch (SQLException rollback) {
          e.addSuppressed(rollback);
        }
        throw e;
      }
    }
  }

  /** Until the transaction ends, nobody changes a rule. */
  private static void holdRules(Connection connection, Move move) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HOLD);
        ResultSet row = statement.executeQuery()) {
      row.next();
      if (!move.versions().equals(new Versions(row.getLong(1), row.getLong(2)))) {
        throw new RulesChanged(move.shard(), move.tick());
      }
    }
  }

  private void move(Connection connection, Move move, Rules due, SampleBatch batch, Found found)
      throws SQLException {
    int failed = (int) found.results().columns().stream().filter(r -> r.error() != null).count();
    Instant before = move.before();
    int moved;
    try (PreparedStatement statement = connection.prepareStatement(before == null ? BEGIN : MOVE)) {
      statement.setObject(1, utc(move.tick()));
      statement.setObject(2, utc(move.next()));
      statement.setString(3, node);
      statement.setObject(4, utc(clock.instant()));
      statement.setInt(5, due.superMetrics().size());
      statement.setInt(6, due.thresholds().size());
      statement.setLong(7, batch.points());
      statement.setInt(8, failed);
      statement.setLong(9, found.symptoms().openCount());
      statement.setLong(10, found.alerts().open());
      statement.setInt(11, found.alerts().count());
      statement.setInt(12, found.outliers().groups());
      statement.setLong(13, found.outliers().open());
      statement.setInt(14, move.shard());
      if (before != null) {
        statement.setObject(15, utc(before));
      }
      moved = statement.executeUpdate();
    }
    if (moved == 0) {
      throw new Overtaken(move.shard(), move.tick());
    }
  }

  private static void states(Connection connection, Instant tick, Results results)
      throws SQLException {
    if (results.columns().isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(STATE)) {
      for (Result result : results.columns()) {
        statement.setObject(1, result.id());
        statement.setString(2, result.kind().adapterKind());
        statement.setString(3, result.kind().objectKind());
        statement.setObject(4, utc(tick));
        statement.setInt(5, result.computed());
        statement.setString(6, noData(result.noData()));
        statement.setLong(7, result.nanos());
        statement.setObject(8, result.error(), Types.VARCHAR);
        statement.setObject(9, result.id());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String noData(Map<Reason, Integer> counts) {
    Map<String, Integer> byName = new LinkedHashMap<>();
    counts.forEach(
        (reason, count) ->
            byName.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count));
    return JSON.writeValueAsString(byName);
  }

  /** Notes how long the stages of a tick took; for the status page only. */
  void took(int shard, TickReport report) {
    jdbc.sql(TOOK)
        .params(
            millis(report.load()),
            millis(report.compute()),
            millis(report.judge()),
            millis(report.outliers()),
            millis(report.alerts()),
            millis(report.store()),
            shard,
            utc(report.tick()))
        .update();
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
