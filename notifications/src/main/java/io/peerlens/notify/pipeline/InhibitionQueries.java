package io.peerlens.notify.pipeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Finds the open alerts of objects that may speak for those below them. */
final class InhibitionQueries {

  private static final String OPEN =
      """
      select o.uuid, o.name as object, a.id, a.number, a.definition_name, a.impact, a.severity
      from object o join alert a on a.object_id = o.id
      where o.uuid = any (:objects) and a.status <> 'canceled' and a.control_state in ('open', 'acknowledged')
      order by a.severity desc, a.opened_at
      """;

  private final JdbcClient jdbc;

  InhibitionQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * An open alert.
   *
   * @param impact in the words of contexts
   */
  record OpenAlert(
      UUID id, long number, String name, String objectName, String impact, int severity) {}

  /** Open alerts by the ids of their objects. */
  Map<UUID, List<OpenAlert>> open(Collection<UUID> objects) {
    Map<UUID, List<OpenAlert>> open = new HashMap<>();
    if (!objects.isEmpty()) {
      jdbc.sql(OPEN)
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
}
