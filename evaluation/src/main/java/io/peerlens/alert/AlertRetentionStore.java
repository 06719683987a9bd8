package io.peerlens.alert;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Retention of alerts: removes alerts and incidents that ended long ago, with their history, and
 * steps that no notifier has taken.
 */
public final class AlertRetentionStore {

  private static final int AT_ONCE = 5000;

  private static final String CANCELED =
      """
      delete from alert where id in (select id from alert where canceled_at < :before order by canceled_at limit :limit)
      """;

  private static final String OUTBOX =
      """
      delete from alert_outbox where id in (select id from alert_outbox where at < :before order by at limit :limit)
      """;

  private static final String INCIDENTS =
      """
      delete from incident where id in (
        select id from incident where closed_at < :before order by closed_at limit :limit)
      """;

  private final JdbcClient jdbc;
  private final Duration keepCanceled;
  private final Duration keepOutbox;

  AlertRetentionStore(JdbcClient jdbc, AlertProperties properties) {
    this.jdbc = jdbc;
    this.keepCanceled = properties.keepCanceled();
    this.keepOutbox = properties.keepOutbox();
  }

  /**
   * Removes what is too old, some at a time.
   *
   * @return how many alerts were removed
   */
  public long run(Instant now) {
    delete(OUTBOX, now.minus(keepOutbox));
    delete(INCIDENTS, now.minus(keepCanceled));
    return delete(CANCELED, now.minus(keepCanceled));
  }

  private long delete(String sql, Instant before) {
    long all = 0;
    int some;
    do {
      some =
          jdbc.sql(sql)
              .param("before", before.atOffset(ZoneOffset.UTC))
              .param("limit", AT_ONCE)
              .update();
      all += some;
    } while (some == AT_ONCE);
    return all;
  }
}
