package io.peerlens.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.peerlens.job.Progress;
import io.peerlens.store.RollUps;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;

/**
 * Rolls up real samples and prints how long that takes and what it leaves: rows read and written in
 * a second, and bytes of a sketch for each series and hour. The samples are rows of a CSV file, one
 * column for each metric, given to so many sets every 20 s, each from a row of its own on.
 *
 * <pre>
 * java io.peerlens.benchmarks.RollUpLoad JDBC_URL CSV_GZ [SETS] [METRICS] [HOURS] [RUNS] [PARTS]
 * </pre>
 *
 * The first call fills an empty database; each call rolls up everything anew, in so many parts at
 * once, and in each run as a whole beside it.
 */
public final class RollUpLoad {
  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final int STEP_SECONDS = 20;
  private static final int FLUSH_AT = 1 << 22;

  private RollUpLoad() {}

  /** Fills the database if it is empty, rolls up and prints. */
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println(
          "usage: RollUpLoad JDBC_URL CSV_GZ [SETS] [METRICS] [HOURS] [RUNS] [PARTS]");
      System.exit(2);
    }
    int sets = number(args, 2, 2000);
    int metrics = number(args, 3, 20);
    int hours = number(args, 4, 4);
    int runs = number(args, 5, 3);
    Flyway.configure().dataSource(args[0], null, null).load().migrate();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    int parts = number(args, 6, 2);
    config.setMaximumPoolSize(3 * parts + 1);
    try (HikariDataSource data = new HikariDataSource(config)) {
      try (Connection connection = data.getConnection();
          Statement sql = connection.createStatement()) {
        if (one(sql, "select count(*) from metric_set") == 0) {
          fill(connection, sql, rows(Path.of(args[1])), sets, metrics, hours);
        }
        for (int run = 0; run < runs; run++) {
          rollUp(data, sql, 1, sets, metrics, hours);
          rollUp(data, sql, parts, sets, metrics, hours);
        }
        sizes(sql, metrics);
      }
    }
  }

  private static void rollUp(
      DataSource data, Statement sql, int parts, int sets, int metrics, int hours)
      throws Exception {
    sql.execute("truncate sample_5m, sample_1h, rollup_dirty, level_part");
    sql.execute("update level_state set rolled_until = null");
    sql.execute("checkpoint");
    long started = System.nanoTime();
    long read = 0;
    long written = 0;
    try (ExecutorService nodes = Executors.newFixedThreadPool(parts)) {
      List<Future<RollUps.Result>> running = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        RollUps part =
            new RollUps(
                data,
                new SampleReader(data),
                Duration.ofMinutes(10),
                Duration.ZERO,
                new SetPart(i, parts));
        running.add(
            nodes.submit(() -> part.run(START.plus(Duration.ofHours(hours + 2L)), Progress.NONE)));
      }
      for (Future<RollUps.Result> one : running) {
        read += one.get().rowsRead();
        written += one.get().rowsWritten();
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    print(
        "%d parts: %,d rows read and %,d written in %.1f s; raw samples rolled up: %,.0f rows/s, %,.0f values/s%n",
        parts,
        read,
        written,
        seconds,
        sets * hours * 180.0 / seconds,
        sets * hours * 180.0 * metrics / seconds);
  }

  private static int number(String[] args, int at, int otherwise) {
    return args.length > at ? Integer.parseInt(args[at]) : otherwise;
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format, values);
  }

  private static double one(Statement sql, String query) throws SQLException {
    try (ResultSet row = sql.executeQuery(query)) {
      row.next();
      return row.getDouble(1);
    }
  }

  private static void sizes(Statement sql, int metrics) throws SQLException {
    double rows = one(sql, "select count(*) from sample_1h");
    double series = rows * metrics;
    print(
        "an hour of a series: %.0f bytes without its sketch, %.1f bytes of a sketch in the row, of which the"
            + " sketch itself %.1f; %.0f %% of the series and hours have one, then of %.1f bytes, the longest"
            + " of %.0f%n",
        one(
                sql,
                "select avg(pg_column_size(s.avg) + coalesce(pg_column_size(s.min), 0) +"
                    + " coalesce(pg_column_size(s.max), 0) + coalesce(pg_column_size(s.last), 0) + 44)"
                    + " from sample_1h s")
            / metrics,
        one(sql, "select sum(pg_column_size(sketches)) from sample_1h") / series,
        one(sql, "select sum(length(one)) from sample_1h, unnest(sketches) one") / series,
        100 * one(sql, "select count(one) from sample_1h, unnest(sketches) one") / series,
        one(sql, "select avg(length(one)) from sample_1h, unnest(sketches) one"),
        one(sql, "select max(length(one)) from sample_1h, unnest(sketches) one"));
  }

  private static List<String[]> rows(Path csv) throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(csv)), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        rows.add(line.split(","));
      }
    }
    return rows;
  }

  private static void fill(
      Connection connection, Statement sql, List<String[]> rows, int sets, int metrics, int hours)
      throws SQLException, IOException {
    long started = System.nanoTime();
    sql.execute(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'vm-' || i, 'vm-' || i, now(), now()
        from generate_series(1, %d) i
        """
            .formatted(sets));
    sql.execute(
        """
        with g as (
          insert into metric_group (adapter_kind, object_kind, name, metrics, units)
          select 'VMWARE', 'VirtualMachine', 'smd', array_agg('m' || i), array_agg(null::text)
          from generate_series(1, %d) i returning id)
        insert into metric_set (object_id, group_id, instance) select o.id, g.id, '' from object o, g
        """
            .formatted(metrics));
    int first = (int) one(sql, "select min(id) from metric_set");
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < hours * 180; step++) {
      Instant time = START.plusSeconds((long) step * STEP_SECONDS);
      for (int set = 0; set < sets; set++) {
        String[] row = rows.get((int) ((set * 7919L + step) % rows.size()));
        text.append(time).append('\t').append(first + set).append("\t{");
        for (int metric = 0; metric < metrics; metric++) {
          text.append(metric == 0 ? "" : ",").append(row[metric % row.length]);
        }
        text.append("}\n");
        if (text.length() > FLUSH_AT) {
          copy(connection, text);
        }
      }
    }
    copy(connection, text);
    sql.execute("vacuum analyze");
    print("%,d rows written in %.0f s%n", sets * hours * 180, (System.nanoTime() - started) / 1e9);
  }

  private static void copy(Connection connection, StringBuilder text)
      throws SQLException, IOException {
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("copy sample (time, set_id, values) from stdin", new StringReader(text.toString()));
    text.setLength(0);
  }
}
