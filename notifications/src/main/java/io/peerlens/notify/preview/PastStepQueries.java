package io.peerlens.notify.preview;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** History of alerts, for simulations. */
final class PastStepQueries {

  /**
   * What notifiers would have heard of, the newest first; of alerts that were open at the start
   * their steps before it, too.
   */
  private static final String STEPS =
      """
      select h.id, h.alert_id, h.event, h.at, a.number, a.definition_name, o.name
      from alert_history h join alert a on a.id = h.alert_id join object o on o.id = a.object_id
      where h.at < :to
        and (h.at >= :from
          or h.at >= :before and a.opened_at < :from and (a.canceled_at is null or a.canceled_at >= :from))
      order by h.at desc, h.id desc
      limit :limit
      """;

  /** An alert that opened longer ago is as if it had opened by its next step. */
  private static final Duration BEFORE = Duration.ofDays(7);

  private final JdbcClient jdbc;

  PastStepQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A step of an alert.
   *
   * @param event as in the history
   */
  record PastStep(
      long id, UUID alert, String event, Instant at, long number, String name, String object) {}

  /** Steps within a stretch of the past, the newest first. */
  List<PastStep> steps(Instant from, Instant to, int limit) {
    return jdbc.sql(STEPS)
        .param("before", utc(from.minus(BEFORE)))
        .param("from", utc(from))
        .param("to", utc(to))
        .param("limit", limit)
        .query(
            (row, number) ->
                new PastStep(
                    row.getLong("id"),
                    row.getObject("alert_id", UUID.class),
                    row.getString("event"),
                    instant(row, "at"),
                    row.getLong("number"),
                    row.getString("definition_name"),
                    row.getString("name")))
        .list();
  }
}
