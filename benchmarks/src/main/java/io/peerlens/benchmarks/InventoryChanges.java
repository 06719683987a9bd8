package io.peerlens.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Measures what a change of one object costs a node that keeps the inventory in memory, beside
 * reading all of it: objects with relations, two properties and the sets of three metric groups.
 *
 * <pre>
 * java io.peerlens.benchmarks.InventoryChanges JDBC_URL [OBJECTS] [RUNS]
 * </pre>
 *
 * The first call fills an empty database.
 */
public final class InventoryChanges {
  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  private static final List<String> KEYS = List.of("size", "place");
  private static final List<String> METRICS = List.of("cpu|m", "mem|m", "disk|m");

  private final JdbcClient jdbc;
  private final HikariDataSource data;

  private InventoryChanges(HikariDataSource data) {
    this.data = data;
    jdbc = JdbcClient.create(data);
  }

  /** Fills the database if it is empty, changes objects and prints medians. */
  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println("usage: InventoryChanges JDBC_URL [OBJECTS] [RUNS]");
      System.exit(2);
    }
    int objects = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    int runs = args.length > 2 ? Integer.parseInt(args[2]) : 9;
    Flyway.configure().dataSource(args[0], null, null).load().migrate();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(2);
    try (HikariDataSource data = new HikariDataSource(config)) {
      InventoryChanges measured = new InventoryChanges(data);
      measured.fill(objects);
      measured.run(runs);
    }
  }

  private void fill(int objects) throws SQLException {
    if (jdbc.sql("select count(*) from object").query(Integer.class).single() > 0) {
      return;
    }
    try (Connection connection = data.getConnection();
        Statement sql = connection.createStatement()) {
      EvaluationTicks.objects(sql, "HostSystem", "host", Math.max(1, objects / 40));
      EvaluationTicks.objects(sql, "VirtualMachine", "vm", objects);
      sql.executeUpdate(
          """
          insert into relation
          select h.id, v.id
          from (select id, row_number() over (order by id) n from object where object_kind = 'VirtualMachine') v
          join (select id, row_number() over (order by id) n, count(*) over () c from object where object_kind = 'HostSystem') h
            on h.n = v.n % h.c + 1
          """);
      sql.executeUpdate(
          "update object set properties = jsonb_build_object('size', (id % 8)::text, 'place', 'rack ' || id % 50)");
      for (String group : List.of("cpu", "mem", "disk")) {
        sql.executeUpdate(
            "insert into metric_group (adapter_kind, object_kind, name, metrics, units) values ('VMWARE', 'VirtualMachine', '%s', '{m}', '{null}')"
                .formatted(group));
      }
      sql.executeUpdate(
          "insert into metric_set (object_id, group_id) select o.id, g.id from object o join metric_group g on g.object_kind = o.object_kind order by g.id, o.id");
      sql.executeUpdate(
          "update inventory_version set version = version + 1, sets_version = sets_version + 1");
      sql.execute("truncate inventory_change");
      sql.execute("vacuum analyze");
    }
  }

  private Frames frames() {
    return new Frames(
        jdbc,
        new SampleReader(data),
        new LevelStates(jdbc),
        new FrameProperties(Duration.ofDays(1), 50_000_000),
        Duration.ofMinutes(10));
  }

  /** What a tick asks for: objects, two properties and the sets of three metrics. */
  private static void ask(Frames frames) {
    int count = frames.objects().count(VM);
    int found = frames.properties().columns(VM, KEYS).size();
    for (String metric : METRICS) {
      found += frames.keySets(VM, metric, false) == null ? 0 : 1;
    }
    if (count == 0 || found != KEYS.size() + METRICS.size()) {
      throw new IllegalStateException(count + " objects, " + found + " keys");
    }
  }

  private void run(int runs) {
    print("reading all of it", runs, null);
    print(
        "a property of one object",
        runs,
        "update object set properties = properties || jsonb_build_object('size', '%d') where id = (select max(id) from object)");
    print(
        "a name",
        runs,
        "update object set name = 'renamed %d' where id = (select max(id) from object)");
    print(
        "another host of one object",
        runs,
        "update relation set parent_id = (select min(id) + %d from object) where child_id = (select max(id) from object)");
    print(
        "a new object",
        runs,
        "insert into object (uuid, adapter_kind, object_kind, external_id, name, first_seen) values (gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'new %2$d', 'new %2$d', now())");
    print(
        "a new set",
        runs,
        "insert into metric_set (object_id, group_id, instance) select max(o.id), min(g.id), 'i%2$d' from object o, metric_group g");
  }

  private void print(String what, int runs, @Nullable String change) {
    Frames frames = frames();
    ask(frames);
    double[] millis = new double[runs];
    for (int run = 0; run < runs; run++) {
      if (change == null) {
        frames = frames();
      } else {
        jdbc.sql(change.formatted(run, System.nanoTime())).update();
        jdbc.sql(
                "update inventory_version set version = version + 1, sets_version = sets_version + %d"
                    .formatted(what.contains("set") ? 1 : 0))
            .update();
      }
      long started = System.nanoTime();
      ask(frames);
      millis[run] = (System.nanoTime() - started) / 1e6;
    }
    Arrays.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "%-28s %8.1f ms (%.1f to %.1f)%n",
        what,
        millis[runs / 2],
        millis[0],
        millis[runs - 1]);
  }
}
