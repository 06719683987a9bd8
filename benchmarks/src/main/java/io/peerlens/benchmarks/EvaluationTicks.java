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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Ticks of the evaluation loop from end to end: an evaluator on a real database with so many VMs on
 * hosts in clusters, samples every 20 s, and 50 super metrics of which half look up or down. Prints
 * what the stages of each tick took, as the evaluator notes it.
 *
 * <pre>
 * java io.peerlens.benchmarks.EvaluationTicks JDBC_URL [VMS] [TICKS]
 * </pre>
 *
 * The database must be empty: the program makes the schema and everything in it.
 */
public final class EvaluationTicks {

  private static final int GROUPS = 3;
  private static final int METRICS = 6;
  private static final int INTERVAL = 20;

  private EvaluationTicks() {}

  /** Prepares the database, runs an evaluator and prints its ticks. */
  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println("usage: EvaluationTicks JDBC_URL [VMS] [TICKS]");
      System.exit(2);
    }
    String url = args[0];
    int vms = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    int ticks = args.length > 2 ? Integer.parseInt(args[2]) : 10;
    Flyway.configure().dataSource(url, null, null).load().migrate();
    try (Connection connection = DriverManager.getConnection(url)) {
      prepare(connection, vms, Duration.ofMinutes(ticks + 5L), INTERVAL);
      formulas(connection);
      ConfigurableApplicationContext context =
          SpringApplication.run(
              Application.class,
              "--peerlens.roles=evaluator",
              "--spring.datasource.url=" + url,
              "--spring.datasource.username=",
              "--spring.datasource.password=",
              "--peerlens.evaluation.lag=1s",
              "--peerlens.evaluation.shards=1",
              "--peerlens.rollup.every=1h",
              "--logging.level.root=warn",
              "--server.port=0",
              "--server.address=127.0.0.1");
      try {
        watch(connection, ticks);
      } finally {
        context.close();
      }
    }
  }

  /** Makes the fleet and its samples, from five minutes ago to some time ahead. */
  static void prepare(Connection connection, int vms, Duration ahead, int interval)
      throws SQLException {
    long started = System.nanoTime();
    int hosts = Math.max(1, vms / 40);
    int clusters = Math.max(1, hosts / 16);
    try (Statement sql = connection.createStatement()) {
      objects(sql, "ClusterComputeResource", "cluster", clusters);
      objects(sql, "HostSystem", "host", hosts);
      objects(sql, "VirtualMachine", "vm", vms);
      objects(sql, "Datastore", "datastore", clusters * 4);
      relate(sql, "ClusterComputeResource", clusters, "HostSystem");
      relate(sql, "HostSystem", hosts, "VirtualMachine");
      // a datastore is a child of its VMs
      sql.executeUpdate(
          """
          insert into relation
          select v.id, d.id
          from (select id, row_number() over (order by id) n from object where object_kind = 'VirtualMachine') v
          join (select id, row_number() over (order by id) n from object where object_kind = 'Datastore') d
            on d.n = v.n %% %d + 1
          """
              .formatted(clusters * 4));
      sql.executeUpdate(
          """
          update object set properties = jsonb_build_object('config|hardware|num_Cpu', (1 + id %% 8)::text,
            'summary|guest|fullName', case id %% 3 when 0 then 'Microsoft Windows Server 2022' else 'Debian 12' end)
          where object_kind = 'VirtualMachine'
          """
              .replace("%%", "%"));
      for (String kind : List.of("VirtualMachine", "HostSystem")) {
        for (String group : List.of("cpu", "mem", "disk")) {
          sql.executeUpdate(
              """
              insert into metric_group (adapter_kind, object_kind, name, metrics, units)
              select 'VMWARE', '%s', '%s', array_agg('m' || i order by i), array_agg(null::text)
              from generate_series(1, %d) i
              """
                  .formatted(kind, group, METRICS));
        }
      }
      sql.executeUpdate(
          """
          insert into metric_set (object_id, group_id)
          select o.id, g.id from object o join metric_group g on g.object_kind = o.object_kind order by g.id, o.id
          """);
      sql.executeUpdate(
          "update inventory_version set version = version + 1, sets_version = sets_version + 1");
      long from = InstantSource.system().instant().getEpochSecond() / interval * interval - 300;
      long to = from + 300 + ahead.toSeconds() + vms / 250;
      System.out.printf(
          Locale.ROOT,
          "%,d VMs, %,d hosts, %,d clusters; writing %,d rows of %d values ...%n",
          vms,
          hosts,
          clusters,
          (to - from) / interval * (vms + hosts) * GROUPS,
          METRICS);
      for (long second = from; second <= to; second += interval) {
        sql.executeUpdate(
            """
            insert into sample (time, set_id, values)
            select to_timestamp(%d), id,
                   array[(id * 7 + %d) %% 101, id %% 89, (id + %d) %% 97, 1, id %% 13, (id * 3 + %d) %% 83]
            from metric_set order by id
            """
                .formatted(second, second, second, second));
      }
      sql.execute("vacuum analyze");
    }
    System.out.printf(
        Locale.ROOT,
        "prepared in %d s%n",
        Duration.ofNanos(System.nanoTime() - started).toSeconds());
  }

  static void objects(Statement sql, String kind, String name, int count) throws SQLException {
    sql.executeUpdate(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select gen_random_uuid(), 'VMWARE', '%1$s', 'vcenter/%2$s-' || i, '%2$s-' || i, now(), now()
        from generate_series(1, %3$d) i
        """
            .formatted(kind, name, count));
  }

  private static void relate(Statement sql, String parent, int parents, String child)
      throws SQLException {
    sql.executeUpdate(
        """
        insert into relation
        select p.id, c.id
        from (select id, row_number() over (order by id) n from object where object_kind = '%s') p
        join (select id, row_number() over (order by id) n from object where object_kind = '%s') c
          on p.n = c.n %% %d + 1
        """
            .formatted(parent, child, parents));
  }

  /** 25 of the VM itself, 25 that look up or down, in the proportions of published ones. */
  private static void formulas(Connection connection) throws SQLException {
    List<String[]> formulas = new ArrayList<>();
    String vm = "adaptertype=VMWARE, objecttype=VirtualMachine, ";
    for (int i = 0; i < 5; i++) {
      String m = "m" + (i + 1);
      formulas.add(
          own("${this, metric=cpu|" + m + "} / ${this, metric=config|hardware|num_Cpu} * 100"));
      formulas.add(own("${this, metric=mem|" + m + "} > 50 ? 1 : 0"));
      formulas.add(own("max([${this, metric=disk|" + m + "} as d - 20, 0]) / (d + 0.001)"));
      formulas.add(own("(${this, metric=cpu|" + m + "} + ${this, metric=mem|" + m + "}) / 2"));
      formulas.add(
          own(
              "floor(${this, metric=cpu|"
                  + m
                  + "} as a * 100 + 0.5) / 100 + (a > 80 && a < 90 ? 1 : 0)"));
      formulas.add(below("HostSystem", "sum(${" + vm + "metric=cpu|" + m + ", depth=1})"));
      formulas.add(
          below("ClusterComputeResource", "avg(${" + vm + "metric=mem|" + m + ", depth=2})"));
      formulas.add(
          below(
              "ClusterComputeResource",
              "count(${"
                  + vm
                  + "metric=cpu|"
                  + m
                  + ", depth=2, where=($value > 60)})"
                  + " / count(${"
                  + vm
                  + "metric=cpu|"
                  + m
                  + ", depth=2}) * 100"));
      formulas.add(
          below(
              "HostSystem",
              "count(${"
                  + vm
                  + "metric=summary|guest|fullName, depth=1,"
                  + " where=\"startsWith Microsoft\"}) + "
                  + i));
      formulas.add(
          own(
              "${this, metric=cpu|"
                  + m
                  + "} - max(${adaptertype=VMWARE, objecttype=HostSystem,"
                  + " metric=cpu|"
                  + m
                  + ", depth=-1})"));
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into super_metric (id, name, formula, kinds, created_at, created_by, updated_at, updated_by)
            values (?, ?, ?, ?::json, now(), 'benchmark', now(), 'benchmark')
            """)) {
      for (int i = 0; i < formulas.size(); i++) {
        insert.setObject(1, new UUID(2, i));
        insert.setString(2, "benchmark " + i);
        insert.setString(3, formulas.get(i)[1]);
        insert.setString(
            4,
            "[{\"resourceKindKey\": \""
                + formulas.get(i)[0]
                + "\", \"adapterKindKey\": \"VMWARE\"}]");
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static String[] own(String formula) {
    return new String[] {"VirtualMachine", formula};
  }

  private static String[] below(String kind, String formula) {
    return new String[] {kind, formula};
  }

  private static void watch(Connection connection, int ticks) throws Exception {
    Instant last = Instant.MIN;
    int seen = 0;
    System.out.println("tick                   results     load  compute    store   (ms)");
    while (seen < ticks) {
      Thread.sleep(500);
      try (Statement sql = connection.createStatement();
          ResultSet row =
              sql.executeQuery(
                  """
                  select last_tick, results, load_ms, compute_ms, store_ms, error from evaluation_shard
                  where load_ms > 0 or error is not null
                  """)) {
        if (row.next()) {
          Instant tick = row.getTimestamp(1).toInstant();
          if (tick.isAfter(last)) {
            last = tick;
            seen++;
            System.out.printf(
                Locale.ROOT,
                "%s %,9d %8.0f %8.0f %8.0f   %s%n",
                tick,
                row.getLong(2),
                row.getDouble(3),
                row.getDouble(4),
                row.getDouble(5),
                row.getString(6) == null ? "" : row.getString(6));
          }
        }
      }
    }
  }
}
