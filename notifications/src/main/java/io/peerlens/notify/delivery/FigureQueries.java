package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Depth and age of the delivery queue, as the database says. */
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

  /** Figures of the delivery queue; null = nothing waits. */
  record Figures(long waiting, @Nullable Instant oldest, long dead, @Nullable Instant outbox) {}

  Figures read(Instant now) {
    return jdbc.sql(FIGURES)
        .param("since", utc(now.minus(Duration.ofDays(1))))
        .query(
            (row, number) ->
                new Figures(
                    row.getLong("waiting"),
                    instantOrNull(row, "oldest"),
                    row.getLong("dead"),
                    instantOrNull(row, "outbox")))
        .single();
  }
}
