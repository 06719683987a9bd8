package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.utc;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Delivery queue, people's side: send again, drop. */
final class DeliveryActionStore {

  /** What is sent again gets as much time as it had the first time. */
  private static final String REPLAY =
      """
      update delivery d
      set status = 'retry', due_at = :now, ended_at = null, reason = 'Sent again by ' || :by,
        expires_at = greatest(d.expires_at, :now::timestamptz + (d.expires_at - d.created_at))
      where d.message is not null and\s
      """;

  private static final String AT_ONCE =
      "update delivery set due_at = :now where id = :id and status in ('waiting', 'retry')";

  private static final String DROP =
      """
      update delivery set status = 'dropped', ended_at = :now, reason = 'Dropped by ' || :by
      where id = :id and status in ('waiting', 'retry')
      """;

  private static final String DROP_FOLLOWERS =
      """
      update delivery d set status = 'dropped', ended_at = :now, reason = 'Its NEW was dropped by ' || :by
      from delivery n
      where n.id = :id and n.event = 'NEW' and not n.reached
        and d.target_id = n.target_id and d.subject_id = n.subject_id and d.number > n.number
        and d.status in ('waiting', 'retry') and not d.reached
        and d.number < coalesce(
          (select min(x.number) from delivery x
           where x.target_id = n.target_id and x.subject_id = n.subject_id and x.number > n.number and x.event = 'NEW'),
          9223372036854775807)
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  DeliveryActionStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  /** Sends one again, or at once if it waits; false = it is on its way, or was never made. */
  boolean replay(UUID id, String by, Instant now) {
    int waits = jdbc.sql(AT_ONCE).param("id", id).param("now", utc(now)).update();
    return waits > 0
        || jdbc.sql(
                    REPLAY
                        + "d.id = :id and d.status in ('delivered', 'unconfirmed', 'dead',"
                        + " 'dropped')")
                .param("id", id)
                .param("now", utc(now))
                .param("by", by)
                .update()
            > 0;
  }

  /** How many match. */
  long count(DeliveryQueries.Filter filter) {
    Map<String, Object> parameters = new HashMap<>();
    String where = filter.where(parameters);
    return jdbc.sql("select count(*) from delivery d where d.message is not null and " + where)
        .params(parameters)
        .query(Long.class)
        .single();
  }

  /** Sends those again that match; in their order, since each waits for what is before it. */
  long replay(DeliveryQueries.Filter filter, String by, Instant now) {
    Map<String, Object> parameters = new HashMap<>();
    String where = filter.where(parameters);
    parameters.put("now", utc(now));
    parameters.put("by", by);
    return jdbc.sql(REPLAY + where).params(parameters).update();
  }

  /** Drops one that waits, and what makes no sense without it; false = it does not wait. */
  boolean drop(UUID id, String by, Instant now) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              int dropped =
                  jdbc.sql(DROP).param("id", id).param("by", by).param("now", utc(now)).update();
              if (dropped > 0) {
                jdbc.sql(DROP_FOLLOWERS)
                    .param("id", id)
                    .param("by", by)
                    .param("now", utc(now))
                    .update();
              }
              return dropped > 0;
            }));
  }

  static final Duration LONGEST_RANGE = Duration.ofDays(31);
}
