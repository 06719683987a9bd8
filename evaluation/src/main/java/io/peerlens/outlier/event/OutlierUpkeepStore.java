package io.peerlens.outlier.event;

import static io.peerlens.database.Times.utc;

import io.peerlens.outlier.group.OutlierProperties;
import io.peerlens.store.Hypertables;
import java.time.Duration;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Upkeep of outlier groups from time to time, apart from ticks. */
public final class OutlierUpkeepStore {

  /** So many rows are deleted at a time, so that nobody waits for long. */
  private static final int AT_ONCE = 2000;

  private static final String DELETE =
      """
      delete from outlier_bucket where (group_id, bucket) in (
        select group_id, bucket from outlier_bucket where bucket < :before limit :most)
      """;

  /** Previews go back 30 days, and learn from 29 before that. */
  private static final Duration HOURS = Duration.ofDays(62);

  private static final String DELETE_HOURS =
      """
      delete from outlier_hour where (group_id, hour) in (
        select group_id, hour from outlier_hour where hour < :before limit :most)
      """;

  private final JdbcClient jdbc;
  private final ApartStore apart;
  private final OutlierProperties properties;

  OutlierUpkeepStore(JdbcClient jdbc, ApartStore apart, OutlierProperties properties) {
    this.jdbc = jdbc;
    this.apart = apart;
    this.properties = properties;
  }

  /** Forgets what was judged long ago; events are kept. */
  public void forgetOld(Instant now) {
    while (jdbc.sql(DELETE_HOURS)
            .param("before", utc(now.minus(HOURS)))
            .param("most", AT_ONCE)
            .update()
        > 0) {
      // the next ones
    }
    Instant before = now.minus(properties.results());
    if (Hypertables.areThere(jdbc)) {
      jdbc.sql("select drop_chunks('outlier_bucket', :before::timestamptz)")
          .param("before", utc(before))
          .query(String.class)
          .list();
      return;
    }
    while (jdbc.sql(DELETE).param("before", utc(before)).param("most", AT_ONCE).update() > 0) {
      // the next ones
    }
  }

  /** Finds out what sets those apart that have become outliers lately. */
  public void lookApart() {
    apart.look();
  }
}
