package io.peerlens.notify.dispatch;

import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.notify.render.Wanted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Alerts as they are stored now. */
final class StoredAlertQueries implements AlertSource {

  private static final String PRESENT =
      """
      select id, context::text as context, open from foreign_alert where id = any (:ids)
      """;

  private static final String OPEN =
      "select id from alert where id = any (:ids) and status <> 'canceled'";

  private static final String LAST =
      """
      select alert_name, alert_number, object_name, criticality from delivery
      where subject_id = :id order by number desc limit 1
      """;

  private static final String OPEN_OF =
      """
      select o.uuid, o.name as object, a.id, a.number, a.definition_name, a.impact, a.severity
      from object o join alert a on a.object_id = o.id
      where o.uuid = any (:objects) and a.status <> 'canceled' and a.control_state in ('open', 'acknowledged')
      order by a.severity desc, a.opened_at
      """;

  private final JdbcClient jdbc;
  private final Contexts contexts;

  StoredAlertQueries(JdbcClient jdbc, Contexts contexts) {
    this.jdbc = jdbc;
    this.contexts = contexts;
  }

  @Override
  public Map<UUID, Present> present(Collection<UUID> ids) {
    Map<UUID, Present> present = new HashMap<>();
    jdbc.sql(PRESENT)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            row -> {
              present.put(
                  row.getObject("id", UUID.class),
                  new Present(
                      new NotificationContext(
                          (ObjectNode) JsonMapper.shared().readTree(row.getString("context"))),
                      row.getBoolean("open")));
            });
    return present;
  }

  @Override
  public Set<UUID> open(Collection<UUID> ids) {
    return jdbc.sql(OPEN)
        .param("ids", ids.toArray(UUID[]::new))
        .query((row, number) -> row.getObject(1, UUID.class))
        .set();
  }

  @Override
  public @Nullable NotificationContext last(UUID alert, Instant now) {
    return jdbc.sql(LAST)
        .param("id", alert)
        .query(
            (row, number) -> {
              ObjectNode context = JsonMapper.shared().createObjectNode();
              context
                  .put("event", EventType.CANCEL.name())
                  .put("change", "canceled")
                  .put("source", "peerlens");
              context.put("now", now.toEpochMilli());
              ObjectNode of = context.putObject("alert");
              of.put("id", alert.toString());
              of.put("name", row.getString("alert_name"));
              of.put("status", "CANCELED");
              of.put("criticality", row.getString("criticality"));
              long told = row.getLong("alert_number");
              if (!row.wasNull()) {
                of.put("number", told);
              }
              of.put("cancelTime", now.toEpochMilli());
              of.put("updateTime", now.toEpochMilli());
              of.put("info", "The object of the alert is gone.");
              of.putArray("symptoms");
              of.putArray("recommendations");
              context.putObject("object").put("name", row.getString("object_name"));
              return new NotificationContext(context);
            })
        .optional()
        .orElse(null);
  }

  @Override
  public Map<UUID, List<OpenAlert>> openOf(Collection<UUID> objects) {
    Map<UUID, List<OpenAlert>> open = new HashMap<>();
    if (!objects.isEmpty()) {
      jdbc.sql(OPEN_OF)
          .param("objects", objects.toArray(UUID[]::new))
          .query(
              row -> {
                open.computeIfAbsent(row.getObject("uuid", UUID.class), id -> new ArrayList<>())
                    .add(
                        new OpenAlert(
                            row.getObject("id", UUID.class),
                            row.getLong("number"),
                            row.getString("definition_name"),
                            row.getString("object"),
                            row.getString("impact").toUpperCase(Locale.ROOT),
                            row.getInt("severity")));
              });
    }
    return open;
  }

  @Override
  public List<@Nullable NotificationContext> contexts(
      List<Moment> moments, Wanted wanted, Instant now) {
    List<@Nullable NotificationContext> found = new ArrayList<>();
    for (ObjectNode one : contexts.of(moments, wanted, now)) {
      found.add(one == null ? null : new NotificationContext(one));
    }
    return found;
  }

  @Override
  public void enrich(List<NotificationContext> given, Wanted wanted, Instant now) {
    contexts.enrich(given.stream().map(NotificationContext::tree).toList(), wanted, now);
  }
}
