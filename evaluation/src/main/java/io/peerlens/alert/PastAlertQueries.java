package io.peerlens.alert;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Times;
import io.peerlens.threshold.PastAlerts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Figures of thresholds from the history of their alerts. */
final class PastAlertQueries implements PastAlerts {

  private static final Duration WEEK = Duration.ofDays(7);

  private static final String PER_WEEK =
      """
      select a.definition_id, floor(extract(epoch from :now - h.at) / 604800)::int as weeks_ago, count(*) as opened
      from alert a
      join alert_history h on h.alert_id = a.id and h.event in ('opened', 'reopened') and h.at > :from and h.at <= :now
      where a.definition_id = any (:ids) and (a.canceled_at is null or a.canceled_at > :from)
      group by 1, 2
      """;

  private static final String ACKNOWLEDGED =
      """
      select a.object_id, least(a.since, a.opened_at) as begin, a.canceled_at
      from alert a
      where a.definition_id = :id and least(a.since, a.opened_at) < :to
        and (a.canceled_at is null or a.canceled_at > :from)
        and exists (select from alert_history h where h.alert_id = a.id and h.event = 'acknowledged')
      """;

  private final JdbcClient jdbc;

  PastAlertQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Map<UUID, int[]> perWeek(Collection<UUID> thresholds, Instant now) {
    Map<UUID, int[]> weeks = new HashMap<>();
    if (!thresholds.isEmpty()) {
      jdbc.sql(PER_WEEK)
          .param("ids", thresholds.toArray(UUID[]::new))
          .param("now", utc(now))
          .param("from", utc(now.minus(WEEK.multipliedBy(WEEKS))))
          .query(
              row -> {
                weeks
                        .computeIfAbsent(row.getObject(1, UUID.class), id -> new int[WEEKS])[
                        WEEKS - 1 - row.getInt("weeks_ago")] =
                    row.getInt("opened");
              });
    }
    return weeks;
  }

  @Override
  public List<Acknowledged> acknowledged(UUID threshold, Instant from, Instant to) {
    return jdbc.sql(ACKNOWLEDGED)
        .param("id", threshold)
        .param("from", utc(from))
        .param("to", utc(to))
        .query(
            (row, number) ->
                new Acknowledged(
                    row.getInt("object_id"),
                    Objects.requireNonNull(Times.instant(row, "begin")),
                    Times.instant(row, "canceled_at")))
        .list();
  }
}
