package io.peerlens.notify.preview;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what happened to alerts. */
final class PastStepQueries {

  /** What notifiers would have heard of; the newest first. */
  private static final String STEPS =
      """
      select h.id, h.alert_id, h.event, h.at, a.number, a.definition_name, o.name,
        case when h.event in ('opened', 'reopened') then
          (select min(c.at) from alert_history c where c.alert_id = h.alert_id and c.id > h.id and c.event = 'canceled')
        end as ended
      from alert_history h join alert a on a.id = h.alert_id join object o on o.id = a.object_id
      where h.at >= :from and h.at < :to
      order by h.at desc, h.id desc
      limit :limit
      """;

  private final JdbcClient jdbc;

  PastStepQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A step of an alert.
   *
   * @param event as in the history
   * @param ended when an alert that was opened then was over; null = it is not, or it was not
   *     opened
   */
  record PastStep(
      long id,
      UUID alert,
      String event,
      Instant at,
      long number,
      String name,
      String object,
      @Nullable Instant ended) {}

  /** Steps within a stretch of the past, the newest first. */
  List<PastStep> steps(Instant from, Instant to, int limit) {
    return jdbc.sql(STEPS)
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("limit", limit)
        .query(
            (row, number) -> {
              OffsetDateTime ended = row.getObject("ended", OffsetDateTime.class);
              return new PastStep(
                  row.getLong("id"),
                  row.getObject("alert_id", UUID.class),
                  row.getString("event"),
                  row.getObject("at", OffsetDateTime.class).toInstant(),
                  row.getLong("number"),
                  row.getString("definition_name"),
                  row.getString("name"),
                  ended == null ? null : ended.toInstant());
            })
        .list();
  }
}
