package io.peerlens.planning.sizing;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.database.Uuid7;
import io.peerlens.planning.sizing.SizingInventoryQueries.Vm;
import io.peerlens.sizing.VmSize;
import io.peerlens.sizing.VropsKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Store of what evaluations find. While one goes on, what it has found stands beside what the one
 * before found of other machines; at its end the rest goes. Thread-safe.
 */
final class ResultStore {

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String RECOMMENDATIONS =
      """
      insert into sizing_recommendation as r (id, object_id, subject, instance, kind, label, size_now, size, regret, vcpus, memory_gb, disk_gb, place,
        owner, evidence, first_seen_at, evaluated_at)
      select n.id, n.object, n.subject, n.instance, n.kind, n.label, n.size_now, n.size, n.regret, n.vcpus, n.memory_gb, n.disk_gb, n.place,
        n.owner, n.evidence, :now, :now
      from jsonb_to_recordset(:rows::jsonb) as n(id uuid, object int, subject text, instance text, kind text, label text, size_now float8, size float8,
        regret float8, vcpus float8, memory_gb float8, disk_gb float8, place float8, owner text, evidence jsonb)
      join object o on o.id = n.object
      on conflict (object_id, subject, instance) do update
      set kind = excluded.kind, label = excluded.label, size_now = excluded.size_now, size = excluded.size, regret = excluded.regret,
        vcpus = excluded.vcpus, memory_gb = excluded.memory_gb, disk_gb = excluded.disk_gb, place = excluded.place, owner = excluded.owner,
        evidence = excluded.evidence, evaluated_at = excluded.evaluated_at,
        first_seen_at = case when r.kind = excluded.kind then r.first_seen_at else excluded.first_seen_at end,
        decision = case when r.kind = excluded.kind and r.decision <> 'done' then r.decision else 'open' end,
        decided_by = case when r.kind = excluded.kind and r.decision <> 'done' then r.decided_by end,
        decided_at = case when r.kind = excluded.kind and r.decision <> 'done' then r.decided_at end,
        ignored_until = case when r.kind = excluded.kind and r.decision <> 'done' then r.ignored_until end,
        note = case when r.kind = excluded.kind and r.decision <> 'done' then r.note end
      """;

  private static final String RESULTS =
      """
      insert into sizing_result (object_id, vcpus, memory_gb, owner, metrics, cluster, evaluated_at)
      select n.object, n.vcpus, n.memory_gb, n.owner, n.metrics, n.cluster, :now
      from jsonb_to_recordset(:rows::jsonb) as n(object int, vcpus float8, memory_gb float8, owner text, metrics jsonb, cluster jsonb)
      join object o on o.id = n.object
      on conflict (object_id) do update
      set vcpus = excluded.vcpus, memory_gb = excluded.memory_gb, owner = excluded.owner, metrics = excluded.metrics, cluster = excluded.cluster,
        evaluated_at = excluded.evaluated_at
      """;

  private static final String RUN =
      """
      insert into sizing_run (evaluated_at, history_from, history_to, took_millis) values (:now, :from, :to, :took)
      on conflict (only_one) do update
      set evaluated_at = excluded.evaluated_at, history_from = excluded.history_from, history_to = excluded.history_to,
        took_millis = excluded.took_millis
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  ResultStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** A machine with what was found of it. */
  record Machine(Vm vm, MachineSizing.Result result) {}

  /** The last evaluation. */
  record Run(Instant at, Instant from, Instant to, long tookMillis) {}

  /**
   * State of a cluster.
   *
   * @param at when it was evaluated
   */
  record Evaluated(int object, ClusterState state, Instant at) {}

  Round begin(Instant now) {
    return new Round(now);
  }

  /** What one evaluation stores. */
  final class Round {
    private final Instant now;

    private Round(Instant now) {
      this.now = now;
    }

    /** Stores what was found of some machines. */
    void add(List<Machine> machines) {
      List<Map<String, @Nullable Object>> recommendations = new ArrayList<>();
      List<Map<String, @Nullable Object>> results = new ArrayList<>();
      for (Machine machine : machines) {
        VmSize size = machine.result().size();
        Map<String, @Nullable Object> result = new HashMap<>();
        result.put("object", machine.vm().id());
        result.put("vcpus", size == null ? null : size.vcpus());
        result.put("memory_gb", size == null ? null : size.memoryGb());
        result.put("owner", machine.vm().owner());
        result.put("metrics", byKey(machine.result().metrics()));
        results.add(result);
        machine
            .result()
            .found()
            .forEach(
                found -> recommendations.add(row(machine.vm().id(), machine.vm().owner(), found)));
      }
      put(RECOMMENDATIONS, recommendations);
      put(RESULTS, results);
    }

    /** Stores the orphaned disks of datastores. */
    void add(Orphans orphans) {
      List<Map<String, @Nullable Object>> recommendations = new ArrayList<>();
      orphans
          .byDatastore()
          .forEach(
              (datastore, found) ->
                  found
                      .disks()
                      .forEach(
                          disk -> recommendations.add(row(datastore, null, Found.orphan(disk)))));
      put(RECOMMENDATIONS, recommendations);
      List<Map<String, Object>> results = new ArrayList<>();
      orphans
          .gb()
          .forEach(
              (datastore, gb) ->
                  results.add(
                      Map.of(
                          "object",
                          datastore,
                          "metrics",
                          byKey(Map.of(VropsKey.RECLAIMABLE_ORPHANED_DISK, gb)))));
      put(RESULTS, results);
    }

    /** Stores the state of a cluster. */
    void add(int cluster, ClusterState state, Map<VropsKey, Double> metrics) {
      put(RESULTS, List.of(Map.of("object", cluster, "metrics", byKey(metrics), "cluster", state)));
    }

    /** Forgets what this evaluation did not find again. */
    void finish(Instant from, Instant to, Duration took) {
      transaction.executeWithoutResult(
          status -> {
            for (String table : List.of("sizing_recommendation", "sizing_result")) {
              jdbc.sql("delete from " + table + " where evaluated_at < :now")
                  .param("now", utc(now))
                  .update();
            }
            jdbc.sql(RUN)
                .param("now", utc(now))
                .param("from", utc(from))
                .param("to", utc(to))
                .param("took", took.toMillis())
                .update();
          });
    }

    private Map<String, @Nullable Object> row(int object, @Nullable String owner, Found found) {
      Map<String, @Nullable Object> row = new HashMap<>();
      row.put("id", Uuid7.at(now));
      row.put("object", object);
      row.put("subject", found.subject());
      row.put("instance", found.instance());
      row.put("kind", found.kind());
      row.put("label", found.label());
      row.put("size_now", found.now());
      row.put("size", found.size());
      row.put("regret", found.regret());
      row.put("vcpus", found.vcpus());
      row.put("memory_gb", found.memoryGb());
      row.put("disk_gb", found.diskGb());
      row.put("place", found.place());
      row.put("owner", owner);
      row.put("evidence", found.evidence());
      return row;
    }

    private void put(String sql, List<? extends Map<String, ?>> rows) {
      if (!rows.isEmpty()) {
        jdbc.sql(sql).param("rows", JSON.writeValueAsString(rows)).param("now", utc(now)).update();
      }
    }
  }

  private static Map<String, Double> byKey(Map<VropsKey, Double> metrics) {
    Map<String, Double> byKey = new HashMap<>();
    metrics.forEach((key, value) -> byKey.put(key.name(), value));
    return byKey;
  }

  /** The last evaluation that came to its end; empty = none did. */
  Optional<Run> run() {
    return jdbc.sql("select evaluated_at, history_from, history_to, took_millis from sizing_run")
        .query(
            (row, number) ->
                new Run(
                    instant(row, "evaluated_at"),
                    instant(row, "history_from"),
                    instant(row, "history_to"),
                    row.getLong("took_millis")))
        .optional();
  }

  /** Metrics of all objects of a kind by internal id. */
  Map<Integer, Map<VropsKey, Double>> metrics(ObjectKind kind) {
    Map<Integer, Map<VropsKey, Double>> metrics = new HashMap<>();
    jdbc.sql(
            """
            select s.object_id, s.metrics from sizing_result s join object o on o.id = s.object_id
            where o.adapter_kind = :adapter and o.object_kind = :kind
            """)
        .param("adapter", kind.adapterKind())
        .param("kind", kind.objectKind())
        .query(
            row -> {
              metrics.put(
                  row.getInt(1),
                  JSON.readValue(row.getString(2), new TypeReference<Map<VropsKey, Double>>() {}));
            });
    return metrics;
  }

  /** State of a cluster; empty = it was never evaluated. */
  Optional<Evaluated> cluster(UUID cluster) {
    return jdbc.sql(
            """
            select s.object_id, s.cluster, s.evaluated_at from sizing_result s join object o on o.id = s.object_id
            where o.uuid = :cluster and s.cluster is not null
            """)
        .param("cluster", cluster)
        .query(
            (row, number) ->
                new Evaluated(
                    row.getInt("object_id"),
                    JSON.readValue(row.getString("cluster"), ClusterState.class),
                    instant(row, "evaluated_at")))
        .optional();
  }
}
