package io.peerlens.notify.preview;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Open alerts, those of other systems too. */
final class OpenAlertQueries {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String OWN =
      """
      select a.id, a.number, a.definition_name, a.severity, o.uuid, o.name
      from alert a join object o on o.id = a.object_id
      where a.status <> 'canceled'
      """;

  private static final String NEWEST_FIRST = " order by a.opened_at desc";

  private static final String FOREIGN =
      """
      select id, source, context::text as context from foreign_alert where open order by opened_at desc
      """;

  private final JdbcClient jdbc;

  OpenAlertQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * An alert.
   *
   * @param severity from 1 to 4
   */
  record Own(UUID id, long number, String name, int severity, UUID object, String objectName) {}

  /**
   * An alert of another system, or a notice.
   *
   * @param context without what the inventory knows of its object
   */
  record Foreign(UUID id, String source, ObjectNode context) {}

  /** Those of this installation, the newest first. */
  List<Own> own() {
    return jdbc.sql(OWN + NEWEST_FIRST).query(OpenAlertQueries::read).list();
  }

  /** Those of this installation among some, the newest first. */
  List<Own> own(Collection<UUID> some) {
    return jdbc.sql(OWN + " and a.id = any (:some)" + NEWEST_FIRST)
        .param("some", some.toArray(UUID[]::new))
        .query(OpenAlertQueries::read)
        .list();
  }

  private static Own read(ResultSet row, int number) throws SQLException {
    return new Own(
        row.getObject("id", UUID.class),
        row.getLong("number"),
        row.getString("definition_name"),
        row.getInt("severity"),
        row.getObject("uuid", UUID.class),
        row.getString("name"));
  }

  /** Those that came from elsewhere, the newest first. */
  List<Foreign> foreign() {
    return jdbc.sql(FOREIGN)
        .query(
            (row, number) ->
                new Foreign(
                    row.getObject("id", UUID.class),
                    row.getString("source"),
                    (ObjectNode) JSON.readTree(row.getString("context"))))
        .list();
  }
}
