package io.peerlens.alert;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Counts of the open alerts of definitions. */
final class OpenAlertQueries {

  private static final String COUNT =
      """
      select definition_id, count(*) as open from alert
      where status <> 'canceled' and definition_id = any (:ids) group by 1
      """;

  private final JdbcClient jdbc;

  OpenAlertQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** By definition; those without any are left out. */
  Map<UUID, Integer> count(Collection<UUID> definitions) {
    Map<UUID, Integer> open = new HashMap<>();
    if (!definitions.isEmpty()) {
      jdbc.sql(COUNT)
          .param("ids", definitions.toArray(UUID[]::new))
          .query(
              row -> {
                open.put(row.getObject(1, UUID.class), row.getInt(2));
              });
    }
    return open;
  }
}
