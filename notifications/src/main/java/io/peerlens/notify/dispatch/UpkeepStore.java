package io.peerlens.notify.dispatch;

import static io.peerlens.database.Times.utc;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Retention of deliveries, traces and states; it also finds what has lost its alert. */
public final class UpkeepStore {

  private static final int AT_ONCE = 5_000;

  private static final String DELIVERIES =
      "delete from delivery where id in (select id from delivery where ended_at < :before limit"
          + " :limit)";

  private static final String TRACES =
      """
      delete from notification_trace
      where id in (select id from notification_trace where at < :before order by id limit :limit)
      """;

  private static final String STATES =
      """
      delete from notification_state s
      where s.phase in ('none', 'over') and s.group_id is null and s.updated_at < :before
      """;

  private static final String NOTIFIED =
      """
      delete from notified n
      where n.delivered_at < :before
        and not exists (select from notification_state s
                        where s.target_id = n.target_id and s.alert_id = n.subject_id and s.phase not in ('none', 'over'))
        and not exists (select from notification_group g where g.id = n.subject_id)
      """;

  private static final String FOREIGN =
      "delete from foreign_alert where not open and updated_at < :before";

  /**
   * With its object an alert goes without a word; targets that were notified of it hear its end all
   * the same.
   */
  private static final String ORPHANS =
      """
      update notification_state s set due = :now
      where s.phase not in ('none', 'over') and (s.due is null or s.due > :now)
        and not exists (select from alert a where a.id = s.alert_id)
        and not exists (select from foreign_alert f where f.id = s.alert_id)
      """;

  private final JdbcClient jdbc;
  private final Duration keep;
  private final Duration keepStates;

  /**
   * Upkeep.
   *
   * @param keep how long deliveries that are over, and traces, are kept
   * @param keepStates how long it is remembered that targets were notified of an alert, once it is
   *     over
   */
  UpkeepStore(JdbcClient jdbc, Duration keep, Duration keepStates) {
    this.jdbc = jdbc;
    this.keep = keep;
    this.keepStates = keepStates;
  }

  /** Does all of it once. */
  public void run(Instant now) {
    OffsetDateTime before = utc(now.minus(keep));
    inParts(DELIVERIES, before);
    inParts(TRACES, before);
    jdbc.sql(STATES).param("before", utc(now.minus(keepStates))).update();
    jdbc.sql(NOTIFIED).param("before", before).update();
    jdbc.sql(FOREIGN).param("before", before).update();
    jdbc.sql(ORPHANS).param("now", utc(now)).update();
  }

  private void inParts(String statement, OffsetDateTime before) {
    int gone;
    do {
      gone = jdbc.sql(statement).param("before", before).param("limit", AT_ONCE).update();
    } while (gone == AT_ONCE);
  }
}
