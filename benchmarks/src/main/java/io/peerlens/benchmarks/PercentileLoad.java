package io.peerlens.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.peerlens.series.Percentile;
import io.peerlens.series.WindowStatistics;
import io.peerlens.series.WindowStatistics.Precision;
import io.peerlens.series.WindowStatistics.Statistics;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads percentiles of all sets of what {@link RollUpLoad} filled, over their whole window: exactly
 * from raw samples, and quickly from sketches. Prints how long each takes and by how much they
 * differ. Run it with a small heap to see that memory is bounded.
 *
 * <pre>
 * java -Xmx256m io.peerlens.benchmarks.PercentileLoad JDBC_URL
 * </pre>
 */
public final class PercentileLoad {

  private PercentileLoad() {}

  /** Reads and prints. */
  public static void main(String[] args) throws SQLException {
    if (args.length != 1) {
      System.err.println("usage: PercentileLoad JDBC_URL");
      System.exit(2);
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(2);
    try (HikariDataSource data = new HikariDataSource(config)) {
      SampleReader reader = new SampleReader(data);
      WindowStatistics statistics =
          new WindowStatistics(new LevelStates(JdbcClient.create(data)), reader);
      int first;
      int count;
      Instant from;
      Instant to;
      long values;
      try (Connection connection = data.getConnection();
          Statement sql = connection.createStatement();
          ResultSet row =
              sql.executeQuery(
                  "select min(id), count(*), (select min(time) from sample),"
                      + " (select max(time) from sample), (select count(*) from sample) from metric_set")) {
        row.next();
        first = row.getInt(1);
        count = row.getInt(2);
        from = row.getTimestamp(3).toInstant();
        to = row.getTimestamp(4).toInstant().plusSeconds(1);
        values = row.getLong(5);
      }
      int[] sets = IntStream.range(first, first + count).toArray();
      List<Percentile> wanted =
          List.of(Percentile.of(50), Percentile.of(95), Percentile.of(99), Percentile.of(99.9));
      System.out.printf(
          Locale.ROOT,
          "%,d sets, %,d values over %s, with a heap of at most %,d MB%n",
          count,
          values,
          Duration.between(from, to),
          Runtime.getRuntime().maxMemory() >> 20);
      Statistics quick = read(statistics, sets, from, to, wanted, Precision.QUICK);
      quick = read(statistics, sets, from, to, wanted, Precision.QUICK);
      Statistics exact = read(statistics, sets, from, to, wanted, Precision.EXACT);
      double worst = 0;
      for (int set : sets) {
        for (Percentile percentile : wanted) {
          double is = exact.percentile(set, 0, percentile);
          double was = quick.percentile(set, 0, percentile);
          worst = Math.max(worst, is == was ? 0 : Math.abs(was - is) / Math.abs(is));
        }
      }
      System.out.printf(Locale.ROOT, "greatest difference: %.5f of the exact value%n", worst);
    }
  }

  private static Statistics read(
      WindowStatistics statistics,
      int[] sets,
      Instant from,
      Instant to,
      List<Percentile> wanted,
      Precision precision) {
    long started = System.nanoTime();
    Statistics read = statistics.percentiles(sets, new int[] {0}, from, to, wanted, precision);
    System.out.printf(Locale.ROOT, "%s: %.1f s%n", precision, (System.nanoTime() - started) / 1e9);
    return read;
  }
}
