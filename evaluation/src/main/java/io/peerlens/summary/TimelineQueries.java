package io.peerlens.summary;

import static io.peerlens.database.Times.instant;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.Timeline;
import io.peerlens.api.model.TimelineItem;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Timeline of open alerts and outlier events, without what they say. */
final class TimelineQueries {

  private static final String BETWEEN =
      """
      with recursive below(id) as (
        select id from object where uuid = :ancestor
        union
        select r.child_id from below b join relation r on r.parent_id = b.id),
      item as (
        select 'alert' as kind, id, definition_name as title, source = 'outlier-group' as from_group, object_id,
          severity, since, canceled_at as until
        from alert
        where (canceled_at is null or canceled_at > :from) and opened_at < :to
          and (:ancestor::uuid is null or object_id in (select id from below))
        union all
        select 'outlier-event', e.id, e.group_name, true, e.object_id, e.severity, e.since, e.closed_at
        from outlier_event e
        where (e.closed_at is null or e.closed_at > :from) and e.since < :to
          and (:ancestor::uuid is null or e.object_id in (select id from below))
          and not exists (
            select from alert a
            where a.definition_id = e.group_id and a.object_id = e.object_id
              and a.opened_at >= e.opened_at - interval '1 day' and (a.canceled_at is null or a.canceled_at >= e.opened_at)
              and (e.closed_at is null or a.opened_at <= e.closed_at + interval '1 hour')))
      select i.*, count(*) over () as total, o.uuid, o.adapter_kind, o.object_kind, o.name
      from item i left join object o on o.id = i.object_id
      order by i.severity desc, i.since desc, i.id limit :limit
      """;

  private record Row(TimelineItem item, long total) {}

  private final JdbcClient jdbc;

  TimelineQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What was open at any moment of a window, the most severe first.
   *
   * @param ancestor only that object and what is below it; null = all
   */
  Timeline between(Instant from, Instant to, @Nullable UUID ancestor, int limit) {
    List<Row> rows =
        jdbc.sql(BETWEEN)
            .param("from", from.atOffset(ZoneOffset.UTC))
            .param("to", to.atOffset(ZoneOffset.UTC))
            .param("ancestor", ancestor)
            .param("limit", limit)
            .query((row, number) -> new Row(item(row), row.getLong("total")))
            .list();
    return new Timeline(
        rows.stream().map(Row::item).toList(), rows.isEmpty() ? 0L : rows.getFirst().total());
  }

  private static TimelineItem item(ResultSet row) throws SQLException {
    UUID object = row.getObject("uuid", UUID.class);
    OffsetDateTime until = row.getObject("until", OffsetDateTime.class);
    return new TimelineItem(
            TimelineItem.KindEnum.fromValue(row.getString("kind")),
            row.getObject("id", UUID.class),
            row.getString("title"),
            Severity.values()[row.getInt("severity") - 1],
            instant(row, "since"))
        .fromGroup(row.getBoolean("from_group"))
        .object(
            object == null
                ? null
                : new ObjectRef(
                    object,
                    row.getString("adapter_kind"),
                    row.getString("object_kind"),
                    row.getString("name")))
        .until(until == null ? null : until.toInstant());
  }
}
