package io.peerlens.learning;

import io.peerlens.learning.Exclusions.Trouble;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Alerts and outlier events that were open at a time, metric by metric. */
final class TroubleQueries {

  // A member of an alert names its object, its metric, and the key of the instance if there are
  // several.
  private static final String TROUBLES =
      """
      select o.id, coalesce(nullif(m ->> 'instance', ''), m ->> 'key') as key, a.since, a.canceled_at as until
      from alert a
      cross join lateral jsonb_array_elements(a.members) m
      join object o on o.id = (m ->> 'object')::int
      where a.since < :to and (a.canceled_at is null or a.canceled_at > :from)
        and o.adapter_kind = :adapter and o.object_kind = :kind
        and (:objects::int[] is null or o.id = any(:objects::int[]))
      union all
      select o.id, m ->> 'key', e.since, e.closed_at
      from outlier_event e
      cross join lateral jsonb_array_elements(e.metrics) m
      join object o on o.id = e.object_id
      where e.since < :to and (e.closed_at is null or e.closed_at > :from)
        and o.adapter_kind = :adapter and o.object_kind = :kind
        and (:objects::int[] is null or o.id = any(:objects::int[]))
      """;

  private final JdbcClient jdbc;

  TroubleQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Those that were open at some time of a stretch, one for each metric of each.
   *
   * @param objects ids within the database; null = all of the kind
   */
  List<Trouble> during(ObjectKind kind, int @Nullable [] objects, Instant from, Instant to) {
    return jdbc.sql(TROUBLES)
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("adapter", kind.adapterKind())
        .param("kind", kind.objectKind())
        .param("objects", objects)
        .query(
            (row, number) -> {
              OffsetDateTime until = row.getObject("until", OffsetDateTime.class);
              return new Trouble(
                  row.getInt("id"),
                  row.getString("key"),
                  row.getObject("since", OffsetDateTime.class).toInstant(),
                  until == null ? null : until.toInstant());
            })
        .list();
  }
}
