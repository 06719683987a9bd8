package io.peerlens.notify.dispatch;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.notify.render.NotificationContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Intake of the pipeline: what happened to alerts, and what is due. */
final class IntakeStore {

  /** One at a time over all nodes; lets go at the end of the transaction, or of the process. */
  private static final String LOCK = "select pg_try_advisory_xact_lock(7305119023401)";

  private static final String ANYTHING =
      """
      select exists (select from alert_outbox) or exists (select from notification_event)
        or exists (select from notification_state where due <= :now)
        or exists (select from notification_group where due <= :now)
      """;

  private static final String OUTBOX =
      """
      with taken as (
        delete from alert_outbox where id in (select id from alert_outbox order by id limit :limit)
        returning id, alert_id, history_id, event, at)
      select * from taken order by id
      """;

  private static final String EVENTS =
      """
      with taken as (
        delete from notification_event where id in (select id from notification_event order by id limit :limit)
        returning id, alert_id, event, change, at, context)
      select * from taken order by id
      """;

  private static final String DUE =
      """
      select target_id, alert_id, due from notification_state where due <= :now order by due limit :limit
      """;

  private final JdbcClient jdbc;

  IntakeStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether there is anything to do. */
  boolean isAnything(Instant now) {
    return jdbc.sql(ANYTHING).param("now", utc(now)).query(Boolean.class).single();
  }

  /** Begins a batch; false = another node is at it. */
  boolean lock() {
    return jdbc.sql(LOCK).query(Boolean.class).single();
  }

  /** Takes what happened, in the order in which it was written, then what is due. */
  List<Item> take(Instant now, int limit) {
    List<Item> items = new ArrayList<>();
    items.addAll(
        jdbc.sql(OUTBOX).param("limit", limit).query((row, number) -> ofOutbox(row)).list());
    items.addAll(
        jdbc.sql(EVENTS).param("limit", limit).query((row, number) -> ofEvent(row)).list());
    items.addAll(
        jdbc.sql(DUE)
            .param("now", utc(now))
            .param("limit", limit)
            .query(
                (row, number) ->
                    new Item(
                        row.getObject("alert_id", UUID.class),
                        new Arrival(Arrival.Kind.LOOK, "look"),
                        instant(row, "due"),
                        0,
                        false,
                        row.getObject("target_id", UUID.class),
                        null))
            .list());
    return items;
  }

  private static Item ofOutbox(ResultSet row) throws SQLException {
    String step = row.getString("event");
    return new Item(
        row.getObject("alert_id", UUID.class),
        Arrival.ofStep(step),
        instant(row, "at"),
        row.getLong("history_id"),
        false,
        null,
        null);
  }

  private static Item ofEvent(ResultSet row) throws SQLException {
    return new Item(
        row.getObject("alert_id", UUID.class),
        new Arrival(Arrival.Kind.valueOf(row.getString("event")), row.getString("change")),
        instant(row, "at"),
        0,
        true,
        null,
        new NotificationContext(
            (ObjectNode) JsonMapper.shared().readTree(row.getString("context"))));
  }
}
