package io.peerlens.benchmarks;

import io.peerlens.Application;
import io.peerlens.frame.Frames;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.outlier.judge.OutlierStage;
import io.peerlens.outlier.judge.OutlierStages;
import io.peerlens.outlier.judge.OutlierStore;
import io.peerlens.outlier.judge.OutlierTick;
import io.peerlens.supermetrics.program.ObjectGraph;
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
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Groups of peers from stored samples to stored results, as the evaluation loop does it: so many
 * groups of so many VMs are judged bucket by bucket over a made-up day, one stage for all of them.
 * One VM in a hundred is far out from the third bucket on. Printed is what each bucket took:
 * reading (with learning, in the first, and with restoring, in the last, which another stage
 * judges), judging with events and their explanations, and storing.
 *
 * <pre>
 * java io.peerlens.benchmarks.PeerTicks JDBC_URL [GROUPS] [MEMBERS] [BUCKETS] [INTERVAL_S] [LEARN_H]
 * </pre>
 *
 * The database must be empty: the program makes the schema and everything in it. Five metrics are
 * compared, three of one group of metrics and two of another. The hours that are learned from have
 * one sample for each bucket, those that are judged have one each interval.
 */
public final class PeerTicks {

  private static final Duration BUCKET = Duration.ofMinutes(5);
  private static final Duration DELAY = Duration.ofMinutes(1);
  private static final int TROUBLE = 2;

  private PeerTicks() {}

  /** Prepares the database, judges bucket by bucket and prints what each took. */
  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println(
          "usage: PeerTicks JDBC_URL [GROUPS] [MEMBERS] [BUCKETS] [INTERVAL_S] [LEARN_H]");
      System.exit(2);
    }
    String url = args[0];
    int groups = number(args, 1, 1_000);
    int members = number(args, 2, 100);
    int buckets = number(args, 3, 8);
    int interval = number(args, 4, 60);
    int learn = number(args, 5, 2);
    Instant begin =
        InstantSource.system().instant().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(2));
    Flyway.configure().dataSource(url, null, null).load().migrate();
    try (Connection connection = DriverManager.getConnection(url)) {
      objects(connection, groups, members);
      definitions(connection, groups);
      long started = System.nanoTime();
      long rows = samples(connection, begin.minus(Duration.ofHours(learn)), learn * 12, 300, -1);
      rows += samples(connection, begin, TROUBLE * 300 / interval, interval, -1);
      rows +=
          samples(
              connection,
              begin.plus(BUCKET.multipliedBy(TROUBLE)),
              (buckets + 1 - TROUBLE) * 300 / interval,
              interval,
              members);
      try (Statement sql = connection.createStatement()) {
        sql.execute("vacuum analyze");
      }
      System.out.printf(
          Locale.ROOT, "%,d rows of samples written in %.0f s%n", rows, seconds(started));
      ConfigurableApplicationContext context =
          SpringApplication.run(
              Application.class,
              "--peerlens.roles=api",
              "--spring.datasource.url=" + url,
              "--spring.datasource.username=",
              "--spring.datasource.password=",
              "--peerlens.outliers.learn-from=" + learn + "h",
              "--peerlens.outliers.learn-time=1h",
              "--logging.level.root=warn",
              "--server.port=0",
              "--server.address=127.0.0.1");
      try {
        run(context, connection, begin, buckets);
      } finally {
        context.close();
      }
    }
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static double seconds(long started) {
    return (System.nanoTime() - started) / 1e9;
  }

  // What is judged ------------------------------------------------------------------------------

  private static void objects(Connection connection, int groups, int members) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.executeUpdate(
          """
          insert into object (uuid, adapter_kind, object_kind, external_id, name, tags, attributes_time, first_seen)
          select gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'vc/' || g || '/' || i, 'app' || g || '-' || i,
            jsonb_build_object('app', 'app' || g), now(), now()
          from generate_series(1, %d) g, generate_series(1, %d) i order by g, i
          """
              .formatted(groups, members));
      sql.executeUpdate(
          """
          insert into object_liveness (object_id, last_seen) select id, now() + interval '1 day' from object
          """);
      sql.executeUpdate(
          """
          insert into metric_group (adapter_kind, object_kind, name, metrics, units)
          values ('VMWARE', 'VirtualMachine', 'cpu', array['m1', 'm2', 'm3'], array['percent', 'percent', 'ms']),
                 ('VMWARE', 'VirtualMachine', 'net', array['m1', 'm2'], array['KBps', 'KBps'])
          """);
      sql.executeUpdate(
          "insert into metric_set (object_id, group_id) select o.id, g.id from object o, metric_group g order by g.id, o.id");
      sql.executeUpdate(
          "update inventory_version set version = version + 1, sets_version = sets_version + 1");
    }
  }

  private static void definitions(Connection connection, int groups) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into outlier_group (id, name, definition, created_at, created_by, updated_at, updated_by)
            values (?, ?, ?::jsonb, now(), 'benchmark', now(), 'benchmark')
            """)) {
      for (int g = 1; g <= groups; g++) {
        insert.setObject(1, UUID.nameUUIDFromBytes(new byte[] {(byte) g, (byte) (g >> 8), 3}));
        insert.setString(2, "app" + g);
        insert.setString(
            3,
            """
            {"name": "app%1$d", "description": "", "enabled": true,
             "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}, "scope": {"tags": ["app=app%1$d"]},
             "metrics": [{"key": "cpu|m1"}, {"key": "cpu|m2"}, {"key": "cpu|m3"}, {"key": "net|m1"}, {"key": "net|m2"}],
             "side": "both", "method": {"type": "peers", "interchangeable": false}, "sensitivity": "medium", "bucket": "5m",
             "evaluationDelay": "1m", "opens": {"violations": 3, "of": 4}, "closesAfter": 6,
             "alert": {"severity": "warning", "impact": "health", "recommendations": []}}
            """
                .formatted(g));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /**
   * A wave that all share, a bias of each, and noise; one in so many is far out, none if &lt; 0.
   */
  private static long samples(Connection connection, Instant from, int count, int interval, int odd)
      throws SQLException {
    long rows = 0;
    try (Statement sql = connection.createStatement()) {
      for (int k = 0; k < count; k++) {
        long at = from.getEpochSecond() + (long) k * interval;
        double wave = 30 + 10 * Math.sin(at / 86_400.0 * 2 * Math.PI);
        String value = "%s + s.id %% 7 + random() * 3".formatted(wave);
        String out =
            odd < 0 ? "0" : "case when s.object_id %% %d = 0 then 50 else 0 end".formatted(odd);
        rows +=
            sql.executeUpdate(
                """
                insert into sample (time, set_id, values)
                select to_timestamp(%1$d), s.id, array[%2$s + %3$s, %2$s, %2$s]
                from metric_set s join metric_group g on g.id = s.group_id where g.name = 'cpu' order by s.id
                """
                    .formatted(at, value, out)
                    .replace("%%", "%"));
        rows +=
            sql.executeUpdate(
                """
                insert into sample (time, set_id, values)
                select to_timestamp(%1$d), s.id, array[(%2$s) * 100 + %3$s * 100, (%2$s) * 50]
                from metric_set s join metric_group g on g.id = s.group_id where g.name = 'net' order by s.id
                """
                    .formatted(at, value, out)
                    .replace("%%", "%"));
      }
    }
    return rows;
  }

  // Ticks ---------------------------------------------------------------------------------------

  private static void run(
      ConfigurableApplicationContext context, Connection connection, Instant begin, int buckets)
      throws SQLException {
    OutlierStages stages = context.getBean(OutlierStages.class);
    OutlierStore store = context.getBean(OutlierStore.class);
    List<OutlierGroup> groups = context.getBean(OutlierGroupStore.class).enabled();
    ObjectGraph objects = context.getBean(Frames.class).objects();
    connection.setAutoCommit(false);
    OutlierStage stage = stages.create();
    long started = System.nanoTime();
    stage.assign(groups);
    System.out.printf(
        Locale.ROOT, "%,d groups assigned in %.2f s%n", groups.size(), seconds(started));
    System.out.println("bucket  judged   open      read     judge     store   (ms)");
    for (int b = 0; b < buckets; b++) {
      tick(stage, store, groups, objects, connection, begin, b);
    }
    started = System.nanoTime();
    OutlierStage other = stages.create();
    other.assign(groups);
    System.out.printf(Locale.ROOT, "taken over: assigned in %.2f s%n", seconds(started));
    tick(other, store, groups, objects, connection, begin, buckets);
    size(connection);
  }

  private static void tick(
      OutlierStage stage,
      OutlierStore store,
      List<OutlierGroup> groups,
      ObjectGraph objects,
      Connection connection,
      Instant begin,
      int bucket)
      throws SQLException {
    Instant tick = begin.plus(BUCKET.multipliedBy(bucket + 1L)).plus(DELAY);
    long started = System.nanoTime();
    OutlierTick found = stage.run(groups, objects, tick);
    long ran = System.nanoTime();
    store.write(connection, found.changes());
    connection.commit();
    long stored = System.nanoTime();
    try (PreparedStatement query =
        connection.prepareStatement(
            "select count(*), coalesce(sum(nanos), 0) / 1e6 from outlier_state where bucket = ?")) {
      query.setObject(1, tick.minus(DELAY).minus(BUCKET).atOffset(ZoneOffset.UTC));
      try (ResultSet row = query.executeQuery()) {
        row.next();
        double judged = row.getDouble(2);
        System.out.printf(
            Locale.ROOT,
            "%6d %,7d %,6d %,9.0f %,9.0f %,9.0f%n",
            bucket,
            row.getInt(1),
            found.open(),
            (ran - started) / 1e6 - judged,
            judged,
            (stored - ran) / 1e6);
      }
    }
    connection.commit();
  }

  private static void size(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement();
        ResultSet row =
            sql.executeQuery(
                """
                select avg(pg_column_size(b.*)) / 1e3, (select avg(pg_column_size(l.*)) / 1e3 from outlier_learned l)
                from outlier_bucket b
                """)) {
      row.next();
      System.out.printf(
          Locale.ROOT,
          "kept of a group: %.1f kB a bucket, %.1f kB of what was learned%n",
          row.getDouble(1),
          row.getDouble(2));
    }
    connection.commit();
  }
}
