package io.peerlens.notify.delivery;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads how the queue does. */
final class FigureQueries {

  private static final String FIGURES =
      """
      select (select count(*) from delivery where status in ('waiting', 'retry', 'sending')) as waiting,
        (select min(created_at) from delivery where status in ('waiting', 'retry', 'sending')) as oldest,
        (select count(*) from delivery where status = 'dead' and ended_at > :since) as dead,
        (select min(at) from (select at from alert_outbox order by id limit 1) o) as outbox
      """;

  private final JdbcClient jdbc;

  FigureQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** What there is; null = nothing waits. */
  record Figures(long waiting, @Nullable Instant oldest, long dead, @Nullable Instant outbox) {}

  Figures read(Instant now) {
    return jdbc.sql(FIGURES)
        .param("since", now.minus(Duration.ofDays(1)).atOffset(ZoneOffset.UTC))
        .query(
            (row, number) -> {
              OffsetDateTime oldest = row.getObject("oldest", OffsetDateTime.class);
              OffsetDateTime outbox = row.getObject("outbox", OffsetDateTime.class);
              return new Figures(
                  row.getLong("waiting"),
                  oldest == null ? null : oldest.toInstant(),
                  row.getLong("dead"),
                  outbox == null ? null : outbox.toInstant());
            })
        .single();
  }
}
