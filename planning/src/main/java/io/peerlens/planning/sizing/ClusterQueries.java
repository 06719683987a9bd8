package io.peerlens.planning.sizing;

import io.peerlens.api.model.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** States of clusters with what the inventory calls them. Thread-safe. */
final class ClusterQueries {

  private static final String ALL =
      """
      select o.uuid, o.adapter_kind, o.object_kind, o.name, s.cluster from sizing_result s join object o on o.id = s.object_id
      where s.cluster is not null and (:ancestor::uuid is null or o.uuid = :ancestor or s.object_id in (
        with recursive below(id) as (
          select id from object where uuid = :ancestor
          union
          select x.child_id from below b join relation x on x.parent_id = b.id)
        select id from below))
      """;

  private final JdbcClient jdbc;

  ClusterQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record Named(ObjectRef object, ClusterState state) {}

  /**
   * All clusters.
   *
   * @param ancestor only this one or those below it; null = all
   */
  List<Named> all(@Nullable UUID ancestor) {
    return new ArrayList<>(
        jdbc.sql(ALL)
            .param("ancestor", ancestor, java.sql.Types.OTHER)
            .query(
                (row, number) ->
                    new Named(
                        new ObjectRef(
                            row.getObject("uuid", UUID.class),
                            row.getString("adapter_kind"),
                            row.getString("object_kind"),
                            row.getString("name")),
                        JsonMapper.shared()
                            .readValue(row.getString("cluster"), ClusterState.class)))
            .list());
  }
}
