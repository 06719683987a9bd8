package io.peerlens.notify.relay;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.NotificationRelayState;
import io.peerlens.api.model.RelayedAlert;
import io.peerlens.api.model.RelayedAlertPage;
import io.peerlens.api.model.Severity;
import io.peerlens.web.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** States of relays and the alerts that came through them, for the API. */
final class RelayQueries {

  private static final String STATES =
      """
      select r.id, l.received_at, coalesce(l.received, 0) as received, coalesce(l.events, 0) as events,
        coalesce(l.refused, 0) as refused, l.tested_at, l.error, l.error_at,
        (select count(*) from foreign_alert f where f.source = r.name and f.open) as open
      from notification_relay r left join relay_line l on l.relay_id = r.id order by r.id
      """;

  // The times are compared as they are stored, in microseconds.
  private static final String ALERTS =
      """
      select id, key, open, context -> 'alert' ->> 'name' as name, context -> 'alert' ->> 'criticality' as criticality,
        context -> 'object' ->> 'name' as object_name, context -> 'object' ->> 'kind' as object_kind,
        context -> 'alert' ->> 'info' as info, context -> 'alert' ->> 'url' as url, opened_at, updated_at
      from foreign_alert
      where source = :source and (:open::boolean is null or open = :open)
        and (:before::timestamptz is null or (updated_at, id) < (:before::timestamptz, :id::uuid))
      order by updated_at desc, id desc limit :limit
      """;

  private static final String COUNT =
      "select count(*) from foreign_alert where source = :source and (:open::boolean is null or"
          + " open = :open)";

  private static final String KEY =
      "select key from foreign_alert where source = :source and id = :id";

  private final JdbcClient jdbc;

  RelayQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<NotificationRelayState> states() {
    return jdbc.sql(STATES)
        .query(
            (row, number) ->
                new NotificationRelayState(
                    row.getObject("id", UUID.class),
                    instantOrNull(row, "received_at"),
                    row.getLong("received"),
                    row.getLong("events"),
                    row.getLong("refused"),
                    instantOrNull(row, "tested_at"),
                    row.getString("error"),
                    instantOrNull(row, "error_at"),
                    row.getLong("open")))
        .list();
  }

  RelayedAlertPage alerts(
      String source, @Nullable Boolean open, int limit, @Nullable String cursor) {
    String scope = "alerts of relay " + source + " " + open;
    List<String> after = cursor == null ? List.of() : Cursor.keys(cursor, scope, 2);
    List<RelayedAlert> found =
        jdbc.sql(ALERTS)
            .param("source", source)
            .param("open", open, Types.BOOLEAN)
            .param(
                "before",
                after.isEmpty() ? null : utc(Instant.parse(after.getFirst())),
                Types.TIMESTAMP_WITH_TIMEZONE)
            .param("id", after.isEmpty() ? null : UUID.fromString(after.get(1)), Types.OTHER)
            .param("limit", limit + 1)
            .query((row, number) -> alert(row))
            .list();
    List<RelayedAlert> items = found.subList(0, Math.min(limit, found.size()));
    return new RelayedAlertPage(
        items,
        found.size() > limit
            ? Cursor.after(
                scope,
                items.getLast().getUpdatedAt().toString(),
                items.getLast().getId().toString())
            : null,
        jdbc.sql(COUNT)
            .param("source", source)
            .param("open", open, Types.BOOLEAN)
            .query(Long.class)
            .single());
  }

  /** What the sender calls an alert. */
  Optional<String> key(String source, UUID alert) {
    return jdbc.sql(KEY).param("source", source).param("id", alert).query(String.class).optional();
  }

  private static RelayedAlert alert(ResultSet row) throws SQLException {
    return new RelayedAlert(
        row.getObject("id", UUID.class),
        row.getString("key"),
        row.getString("name"),
        row.getBoolean("open"),
        Severity.valueOf(row.getString("criticality")),
        row.getString("object_name"),
        row.getString("object_kind"),
        row.getString("info"),
        row.getString("url"),
        Objects.requireNonNull(instantOrNull(row, "opened_at")),
        Objects.requireNonNull(instantOrNull(row, "updated_at")));
  }
}
