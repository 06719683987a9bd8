package io.peerlens.evaluation;

import static io.peerlens.database.Times.utc;

import io.peerlens.alert.AlertChanges;
import io.peerlens.alert.AlertStore;
import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.node.NodeProperties;
import io.peerlens.outlier.judge.OutlierStore;
import io.peerlens.outlier.judge.OutlierTick;
import io.peerlens.store.Level;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.ResultStore;
import io.peerlens.supermetric.SuperMetricRule;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Commit of a tick: its findings, and the tick that each shard has reached, in one transaction. A
 * tick that a killed process had begun leaves nothing behind, and one that two processes evaluate
 * is stored once.
 */
final class EvaluationStore {

  private static final String HOLD =
      "select s.version, r.version from super_metric_version s, rule_version r for share";
  private static final String BEGIN =
      """
      insert into evaluation_shard (shard, last_tick, next_tick, node, evaluated_at, rules, thresholds, results, failed,
                                    open_symptoms, open_alerts, transitions, outlier_groups, open_outliers)
      values (:shard, :tick, :next, :node, :now, :rules, :thresholds, :results, :failed,
              :symptoms, :alerts, :transitions, :groups, :outliers)
      on conflict do nothing
      """;
  private static final String MOVE =
      """
      update evaluation_shard
      set last_tick = :tick, next_tick = :next, node = :node, evaluated_at = :now, rules = :rules,
          thresholds = :thresholds, results = :results, failed = :failed, open_symptoms = :symptoms,
          open_alerts = :alerts, transitions = :transitions, outlier_groups = :groups, open_outliers = :outliers,
          error = null, error_at = null, waits_for = null, waiting_since = null
      where shard = :shard and last_tick = :before
      """;
  private static final String TOOK =
      """
      update evaluation_shard
      set load_ms = :load, compute_ms = :compute, threshold_ms = :judge, outlier_ms = :outliers, alert_ms = :alerts,
          store_ms = :store
      where shard = :shard and last_tick = :tick
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
  private static final String LAST_TICK =
      "select last_tick from evaluation_shard where shard = :shard";
  private static final String STATE =
      """
      insert into super_metric_state (super_metric_id, adapter_kind, object_kind, tick, computed, no_data,
                                      nanos, error)
      select :id, :adapterKind, :objectKind, :tick, :computed, :noData::jsonb, :nanos, :error
      where exists (select from super_metric where id = :id)
      on conflict (super_metric_id, adapter_kind, object_kind) do update
      set tick = excluded.tick, computed = excluded.computed, no_data = excluded.no_data,
          nanos = excluded.nanos, error = excluded.error
      where excluded.tick >= super_metric_state.tick
      """;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final ResultStore sets;
  private final SymptomStore symptoms;
  private final OutlierStore outliers;
  private final AlertStore alerts;
  private final String node;
  private final InstantSource clock;

  EvaluationStore(
      DataSource dataSource,
      JdbcClient jdbc,
      ResultStore sets,
      SymptomStore symptoms,
      OutlierStore outliers,
      AlertStore alerts,
      NodeProperties node,
      InstantSource clock) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.sets = sets;
    this.symptoms = symptoms;
    this.outliers = outliers;
    this.alerts = alerts;
    this.node = node.node();
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
        .param("now", utc(clock.instant()))
        .param("shard", shard)
        .update();
  }

  /** The tick that a shard is at; empty = it was never evaluated. */
  Optional<Instant> lastTick(int shard) {
    return jdbc.sql(LAST_TICK)
        .param("shard", shard)
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

  /** Change numbers of the rules. */
  record Versions(long superMetrics, long rules) {}

  /**
   * A step of a shard.
   *
   * @param before the tick that the shard was at; null = none yet
   * @param next the tick after this one, as far as is known now
   * @param versions of the rules that the tick was evaluated by
   */
  record Move(int shard, @Nullable Instant before, Instant tick, Instant next, Versions versions) {}

  /** Findings of a tick. */
  record Found(
      ObjectGraph objects,
      Results results,
      Symptoms symptoms,
      OutlierTick outliers,
      AlertChanges alerts) {}

  /**
   * Stores what a tick has found and moves the shard on.
   *
   * @param writer of the shard, for one thread
   * @param due the rules that were evaluated
   * @return number of values stored
   * @throws Overtaken if the shard is not where the caller believes it to be
   * @throws RulesChanged if a rule has changed since
   */
  long commit(SampleWriter writer, Move move, Rules due, Found found) {
    SampleBatch batch = new SampleBatch();
    Map<UUID, String> units = new HashMap<>();
    for (SuperMetricRule rule : due.superMetrics()) {
      if (rule.unit() != null) {
        units.put(rule.id(), rule.unit());
      }
    }
    sets.fill(batch, Level.micros(move.tick()), found.objects(), units, found.results());
    try {
      try {
        write(writer, move, due, batch, found, false);
      } catch (SQLException e) {
        if (!SampleWriter.isClash(e)) {
          throw e;
        }
        // A rule has come from another shard that was ahead: what exists already is merged.
        write(writer, move, due, batch, found, true);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("A tick could not be stored: " + e.getMessage(), e);
    }
    return batch.points();
  }

  private void write(
      SampleWriter writer, Move move, Rules due, SampleBatch batch, Found found, boolean merge)
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
    try (NamedStatement statement = new NamedStatement(connection, before == null ? BEGIN : MOVE)) {
      if (before != null) {
        statement.set("before", before);
      }
      int moved =
          statement
              .set("shard", move.shard())
              .set("tick", move.tick())
              .set("next", move.next())
              .set("node", node)
              .set("now", clock.instant())
              .set("rules", due.superMetrics().size())
              .set("thresholds", due.thresholds().size())
              .set("results", batch.points())
              .set("failed", failed)
              .set("symptoms", found.symptoms().openCount())
              .set("alerts", found.alerts().open())
              .set("transitions", found.alerts().count())
              .set("groups", found.outliers().groups())
              .set("outliers", found.outliers().open())
              .update();
      if (moved == 0) {
        throw new Overtaken(move.shard(), move.tick());
      }
    }
  }

  private static void states(Connection connection, Instant tick, Results results)
      throws SQLException {
    try (NamedStatement statement = new NamedStatement(connection, STATE)) {
      statement.set("tick", tick);
      for (Result result : results.columns()) {
        statement
            .set("id", result.id())
            .set("adapterKind", result.kind().adapterKind())
            .set("objectKind", result.kind().objectKind())
            .set("computed", result.computed())
            .json("noData", noData(result.noData()))
            .set("nanos", result.nanos())
            .set("error", result.error())
            .add();
      }
      statement.run();
    }
  }

  private static Map<String, Integer> noData(Map<Reason, Integer> counts) {
    Map<String, Integer> byName = new LinkedHashMap<>();
    counts.forEach(
        (reason, count) ->
            byName.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count));
    return byName;
  }

  /** Notes how long the stages of a tick took; for the status page only. */
  void took(int shard, TickReport report) {
    jdbc.sql(TOOK)
        .param("load", millis(report.load()))
        .param("compute", millis(report.compute()))
        .param("judge", millis(report.judge()))
        .param("outliers", millis(report.outliers()))
        .param("alerts", millis(report.alerts()))
        .param("store", millis(report.store()))
        .param("shard", shard)
        .param("tick", utc(report.tick()))
        .update();
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
