package io.peerlens.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.peerlens.flow.FlowDemand;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.job.Progress;
import io.peerlens.talker.FlowMetricStore;
import io.peerlens.talker.FlowRollUpStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;

/**
 * What it costs to make metrics of flows, beside rolling the same flows up: buckets of 5 minutes
 * with so many VMs on a host for each 20 of them, once without and once with metrics, in turns. A
 * tenth of the VMs is also asked for a part of two services.
 *
 * <pre>
 * java io.peerlens.benchmarks.FlowMetricTicks JDBC_URL [VMS] [KEYS] [BUCKETS]
 * </pre>
 *
 * KEYS are sent by each VM in each minute. The database must be empty: the program makes the schema
 * and everything in it.
 */
public final class FlowMetricTicks {

  private static final Duration LAG = Duration.ofMinutes(5);
  private static final int WARM_UP = 2;

  private FlowMetricTicks() {}

  /** Prepares the database, rolls up bucket by bucket and prints what they took. */
  public static void main(String[] args) throws SQLException {
    if (args.length < 1) {
      System.err.println("usage: FlowMetricTicks JDBC_URL [VMS] [KEYS] [BUCKETS]");
      System.exit(2);
    }
    int vms = number(args, 1, 10_000);
    int keys = number(args, 2, 20);
    int buckets = number(args, 3, 8);
    Flyway.configure().dataSource(args[0], null, null).load().migrate();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(4);
    try (HikariDataSource dataSource = new HikariDataSource(config)) {
      InstantSource clock = InstantSource.system();
      Instant begin = clock.instant().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(3));
      int[] ids = objects(dataSource, vms);
      FlowPart web =
          new FlowPart(
              null,
              List.of(
                  ServiceName.parse("443/tcp").orElseThrow(),
                  ServiceName.parse("444/tcp").orElseThrow()));
      int[] some = IntStream.of(ids).limit(vms / 10).toArray();
      FlowDemand demand = () -> Map.of(web, some);
      FlowRollUpStore.Settings settings =
          new FlowRollUpStore.Settings(LAG, Duration.ZERO, true, 200, 1_000, 1_000_000);
      FlowRollUpStore[] stores = {
        new FlowRollUpStore(dataSource, settings),
        new FlowRollUpStore(
            dataSource,
            settings,
            new FlowMetricStore(dataSource, demand, Duration.ofMinutes(10), clock))
      };
      double[][] seconds = new double[2][buckets];
      for (int i = 0; i < WARM_UP + buckets; i++) {
        for (int with = 0; with < 2; with++) {
          Instant bucket = begin.plus(Duration.ofMinutes(5L * (2 * i + with)));
          flows(dataSource, bucket, vms, keys);
          long started = System.nanoTime();
          stores[with].run(bucket.plus(Duration.ofMinutes(5)).plus(LAG), Progress.NONE);
          double took = (System.nanoTime() - started) / 1e9;
          if (i >= WARM_UP) {
            seconds[with][i - WARM_UP] = took;
          }
        }
      }
      double without = median(seconds[0]);
      double with = median(seconds[1]);
      System.out.printf(
          Locale.ROOT,
          "%,d VMs, %,d rows a bucket, %,d rows of samples a bucket: without %.2f s (%s), with %.2f s (%s), %.0f %% more%n",
          vms,
          5L * vms * keys,
          count(dataSource) / (WARM_UP + buckets),
          without,
          Arrays.toString(seconds[0]),
          with,
          Arrays.toString(seconds[1]),
          100 * (with - without) / without);
    }
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static int[] objects(HikariDataSource dataSource, int vms) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement sql = connection.createStatement()) {
      sql.executeUpdate(
          """
          insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
          select gen_random_uuid(), 'VMWARE', kind, kind || i, kind || i, now(), now()
          from (values ('VirtualMachine', 1), ('HostSystem', 20)) k(kind, each), generate_series(1, %d / each) i
          """
              .formatted(vms));
      sql.executeUpdate(
          """
          insert into relation (parent_id, child_id)
          select h.id, v.id from (select id, row_number() over (order by id) as n from object where object_kind = 'VirtualMachine') v
          join (select id, row_number() over (order by id) as n, count(*) over () as hosts from object where object_kind = 'HostSystem') h
            on h.n = v.n %% h.hosts + 1
          """
              .replace("%%", "%"));
      sql.executeUpdate(
          """
          insert into endpoint (id, address, object_id, internal, first_seen)
          overriding system value
          select row_number() over (order by id), '10.0.0.0'::inet + id, id, true, now()
          from object where object_kind = 'VirtualMachine'
          """);
      sql.executeUpdate(
          "insert into endpoint (id, internal, first_seen) overriding system value select %d + 1, false, now()"
              .formatted(vms));
      int[] ids = new int[vms];
      try (ResultSet row =
          sql.executeQuery("select object_id from endpoint where internal order by id")) {
        for (int i = 0; row.next(); i++) {
          ids[i] = row.getInt(1);
        }
      }
      return ids;
    }
  }

  /** Each VM sends to some others and to one end outside. */
  private static void flows(HikariDataSource dataSource, Instant bucket, int vms, int keys)
      throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement sql = connection.createStatement()) {
      sql.executeUpdate(
          """
          insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets, proto,
                                 to_service, egress)
          select '%1$s'::timestamptz + m * interval '1 minute', 1000 + (vm * 31 + k * 17) %% 100000, 10, 0, 1, vm,
                 case when k = 0 then %2$d + 1 else (vm + k * 97) %% %2$d + 1 end, 443 + k %% 5, 1, 1, 0, 6, true, false
          from generate_series(0, 4) m, generate_series(1, %2$d) vm, generate_series(0, %3$d - 1) k
          """
              .formatted(bucket, vms, keys));
      sql.execute("analyze flow_part");
    }
  }

  private static long count(HikariDataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement sql = connection.createStatement();
        ResultSet row = sql.executeQuery("select count(*) from sample")) {
      row.next();
      return row.getLong(1);
    }
  }
}
