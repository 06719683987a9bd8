package io.peerlens.alert;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Open alerts, and alerts that wait, whose definition raises nothing any more, with the reason: it
 * was deleted, disabled or changed.
 */
final class OrphanQueries {

  private static final String ORPHANS =
      "select %s from alert where status <> 'canceled' and definition_id <> all (:ids)"
          .formatted(AlertRows.COLUMNS);

  private static final String PENDING_ORPHANS =
      "select definition_id, object_id, cycles, last_tick from alert_pending where definition_id <> all (:ids)";

  /** Why alerts that nothing raises any more have lost their definition. */
  private static final String RETIRED =
      """
      select distinct on (a.definition_id) a.definition_id,
        case when coalesce(t.definition, d.definition, g.definition, r.definition) is null then 'DEFINITION_DELETED'
             when coalesce(t.definition, d.definition, g.definition, r.definition) ->> 'enabled' = 'false' or d.definition is not null
               then 'DEFINITION_DISABLED'
             else 'DEFINITION_CHANGED' end
      from (
        select definition_id from alert where status <> 'canceled' and definition_id <> all (:ids)
        union select definition_id from alert_pending where definition_id <> all (:ids)) a
      left join threshold t on t.id = a.definition_id
      left join alert_definition d on d.id = a.definition_id
      left join outlier_group g on g.id = a.definition_id
      left join talker_report r on r.id = a.definition_id
      """;

  private final JdbcClient jdbc;

  OrphanQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * @param ids definitions that raise alerts, here or in other shards
   */
  List<AlertState> alerts(UUID[] ids) {
    return jdbc.sql(ORPHANS).param("ids", ids).query(AlertRows::state).list();
  }

  /**
   * @param ids definitions that raise alerts, here or in other shards
   */
  List<Pending> pending(UUID[] ids) {
    return jdbc.sql(PENDING_ORPHANS).param("ids", ids).query(AlertRows::pending).list();
  }

  /**
   * Why definitions of orphans raise nothing any more.
   *
   * @param ids definitions that raise alerts, here or in other shards
   */
  Map<UUID, CancelReason> reasons(UUID[] ids) {
    Map<UUID, CancelReason> reasons = new HashMap<>();
    jdbc.sql(RETIRED)
        .param("ids", ids)
        .query(
            row -> {
              reasons.put(row.getObject(1, UUID.class), CancelReason.valueOf(row.getString(2)));
            });
    return reasons;
  }
}
