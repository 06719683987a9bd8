package io.peerlens.benchmarks;

import io.peerlens.Application;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Thresholds and alerts from end to end: so many VMs, so many thresholds over them, one or more
 * evaluators. Twenty VMs a second get a sample above a limit; printed are what the stages of each
 * tick took, the memory in use, and how long it is from the time of such a sample until its alert
 * can be read.
 *
 * <pre>
 * java io.peerlens.benchmarks.AlertTicks JDBC_URL [VMS] [THRESHOLDS] [INTERVAL_S] [SECONDS] [EVALUATORS]
 * </pre>
 *
 * The database must be empty: the program makes the schema and everything in it. Evaluators are
 * contexts of one process, each with its own scheduler and connections.
 */
public final class AlertTicks {

  private static final int PROBES_PER_SECOND = 20;
  private static final int SAMPLE_INTERVAL = 20;

  private AlertTicks() {}

  /** Prepares the database, runs evaluators and prints ticks and latencies. */
  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println(
          "usage: AlertTicks JDBC_URL [VMS] [THRESHOLDS] [INTERVAL_S] [SECONDS] [EVALUATORS]");
      System.exit(2);
    }
    String url = args[0];
    int vms = number(args, 1, 100_000);
    int thresholds = number(args, 2, 200);
    int interval = number(args, 3, 60);
    int seconds = number(args, 4, 300);
    int evaluators = number(args, 5, 1);
    Flyway.configure().dataSource(url, null, null).load().migrate();
    try (Connection connection = DriverManager.getConnection(url)) {
      EvaluationTicks.prepare(connection, vms, Duration.ofSeconds(seconds + 180L), SAMPLE_INTERVAL);
      List<Integer> probes = probes(connection, PROBES_PER_SECOND * seconds);
      thresholds(connection, thresholds, interval);
      List<ConfigurableApplicationContext> running = new ArrayList<>();
      for (int i = 0; i < evaluators; i++) {
        running.add(evaluator(url, "evaluator-" + i));
      }
      try {
        watch(connection, url, probes, seconds);
      } finally {
        running.forEach(ConfigurableApplicationContext::close);
      }
    }
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static ConfigurableApplicationContext evaluator(String url, String name) {
    return SpringApplication.run(
        Application.class,
        "--peerlens.roles=evaluator",
        "--peerlens.node=" + name,
        "--spring.datasource.url=" + url,
        "--spring.datasource.username=",
        "--spring.datasource.password=",
        "--spring.jmx.enabled=false",
        "--peerlens.evaluation.lag=1s",
        "--peerlens.rollup.every=1h",
        "--logging.level.root=warn",
        "--server.port=0",
        "--server.address=127.0.0.1");
  }

  /** Sets of a group of their own, one for each sample above the limit. */
  private static List<Integer> probes(Connection connection, int count) throws SQLException {
    List<Integer> sets = new ArrayList<>();
    try (Statement sql = connection.createStatement()) {
      sql.executeUpdate(
          """
          insert into metric_group (adapter_kind, object_kind, name, metrics, units)
          values ('VMWARE', 'VirtualMachine', 'probe', array['value'], array[null::text])
          """);
      try (ResultSet rows =
          sql.executeQuery(
              """
              insert into metric_set (object_id, group_id)
              select o.id, g.id
              from (select id from object where object_kind = 'VirtualMachine' order by id limit %d) o,
                   metric_group g
              where g.name = 'probe'
              returning id
              """
                  .formatted(count))) {
        while (rows.next()) {
          sets.add(rows.getInt(1));
        }
      }
      sql.executeUpdate(
          "update inventory_version set version = version + 1, sets_version = sets_version + 1");
    }
    return sets;
  }

  /** Most limits are never met, as in a fleet that is well; one in ten is by a few machines. */
  private static void thresholds(Connection connection, int count, int interval)
      throws SQLException {
    String[] groups = {"cpu", "mem", "disk"};
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into threshold (id, name, definition, created_at, created_by, updated_at, updated_by)
            values (?, ?, ?::jsonb, now(), 'benchmark', now(), 'benchmark')
            """)) {
      for (int i = 0; i < count; i++) {
        boolean probe = i == 0;
        String kind = i % 5 == 4 ? "HostSystem" : "VirtualMachine";
        String key = probe ? "probe|value" : groups[i % 3] + "|m" + (1 + i / 3 % 6);
        double limit = probe ? 50 : i % 10 == 5 ? 99.5 : 1000 + i;
        insert.setObject(1, new UUID(3, i));
        insert.setString(2, "benchmark " + i);
        insert.setString(
            3,
            """
            {"name": "benchmark %1$d", "description": "", "enabled": true,
             "objectKind": {"adapterKind": "VMWARE", "objectKind": "%2$s"}, "scope": {},
             "condition": {"type": "metric", "key": "%3$s", "instances": false, "operator": "gt", "levels": [
               {"severity": "warning", "bound": {"type": "number", "value": %4$s},
                "clear": {"type": "number", "value": %5$s}}]},
             "trigger": {"violations": %6$d, "of": %7$d, "minimumDuration": "0s", "clearAfter": 2}, "overrides": [],
             "alert": {"impact": "health", "recommendations": []}, "tags": [], "intervalSeconds": %8$d}
            """
                .formatted(i, kind, key, limit, limit - 5, probe ? 1 : 3, probe ? 1 : 4, interval));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void watch(Connection connection, String url, List<Integer> probes, int seconds)
      throws Exception {
    awaitTicks(connection, 3);
    System.out.println(
        "shard  tick                   rules   load  thresholds  alerts  store (ms)  symptoms  alerts");
    Map<Integer, Instant> shown = new HashMap<>();
    List<Double> latencies = new ArrayList<>();
    Instant newest = Instant.EPOCH;
    long mostMemory = 0;
    try (Connection writer = DriverManager.getConnection(url)) {
      long begin = System.nanoTime();
      int sent = 0;
      while (System.nanoTime() - begin < Duration.ofSeconds(seconds).toNanos()) {
        int due = (int) ((System.nanoTime() - begin) * PROBES_PER_SECOND / 1_000_000_000L);
        for (; sent < due && sent < probes.size(); sent++) {
          violate(writer, probes.get(sent));
        }
        Instant now = InstantSource.system().instant();
        try (PreparedStatement query =
            connection.prepareStatement(
                """
                select since, opened_at from alert
                where definition_id = ? and opened_at > ?
                """)) {
          query.setObject(1, new UUID(3, 0));
          query.setObject(2, newest.atOffset(ZoneOffset.UTC));
          try (ResultSet rows = query.executeQuery()) {
            Instant last = newest;
            while (rows.next()) {
              Instant since = rows.getTimestamp(1).toInstant();
              latencies.add(Duration.between(since, now).toMillis() / 1e3);
              Instant opened = rows.getTimestamp(2).toInstant();
              last = opened.isAfter(last) ? opened : last;
            }
            newest = last;
          }
        }
        show(connection, shown);
        mostMemory = Math.max(mostMemory, Figures.heapAfterCollection());
        Thread.sleep(100);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%,d alerts; sample to alert %s; heap after collection %,d MB%n",
        latencies.size(),
        Figures.spread(latencies),
        mostMemory);
  }

  private static void violate(Connection connection, int set) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into sample (time, set_id, values) values (clock_timestamp(), ?, array[100.0])")) {
      insert.setInt(1, set);
      insert.executeUpdate();
    }
  }

  private static void awaitTicks(Connection connection, int count) throws Exception {
    List<Instant> seen = new ArrayList<>();
    while (seen.size() < count) {
      Thread.sleep(200);
      try (Statement sql = connection.createStatement();
          ResultSet row =
              sql.executeQuery(
                  "select max(last_tick) from evaluation_shard where thresholds > 0")) {
        row.next();
        Instant tick = row.getTimestamp(1) == null ? null : row.getTimestamp(1).toInstant();
        if (tick != null && !seen.contains(tick)) {
          seen.add(tick);
        }
      }
    }
  }

  private static void show(Connection connection, Map<Integer, Instant> shown) throws SQLException {
    try (Statement sql = connection.createStatement();
        ResultSet row =
            sql.executeQuery(
                """
                select shard, last_tick, thresholds, load_ms, threshold_ms, alert_ms, store_ms, open_symptoms,
                       open_alerts, error
                from evaluation_shard where thresholds > 0 and load_ms > 0 order by shard
                """)) {
      while (row.next()) {
        Instant tick = row.getTimestamp(2).toInstant();
        if (!tick.equals(shown.put(row.getInt(1), tick))) {
          System.out.printf(
              Locale.ROOT,
              "%5d  %s %,7d %,6.0f %11.1f %7.1f %6.1f      %,8d %,7d  %s%n",
              row.getInt(1),
              tick,
              row.getInt(3),
              row.getDouble(4),
              row.getDouble(5),
              row.getDouble(6),
              row.getDouble(7),
              row.getLong(8),
              row.getLong(9),
              row.getString(10) == null ? "" : row.getString(10));
        }
      }
    }
  }
}
