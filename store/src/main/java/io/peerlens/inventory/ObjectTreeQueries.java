package io.peerlens.inventory;

import io.peerlens.api.model.Ancestor;
import io.peerlens.api.model.ObjectSort;
import io.peerlens.api.model.TreeNode;
import io.peerlens.api.model.TreePage;
import io.peerlens.web.Cursor;
import io.peerlens.web.Page;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tree of objects: the children of an object page by page, and all objects above one. */
final class ObjectTreeQueries {

  /**
   * A way that leads round in a circle ends at the depth limit; each object counts once. The offset
   * keeps PostgreSQL from reading the whole view at each step.
   */
  private static final String ANCESTORS =
      """
      with recursive up(id, distance) as (
        select r.parent_id, 1 from last_relation r where r.child_id = :id
        union
        select r.parent_id, u.distance + 1 from up u
        cross join lateral (select parent_id from last_relation where child_id = u.id offset 0) r
        where u.distance < 12)
      select o.uuid, o.adapter_kind, o.object_kind, o.name, u.distance
      from (select id, min(distance) as distance from up where id <> :id group by id) u
      join object o on o.id = u.id
      order by u.distance, lower(o.object_kind) collate "C", lower(o.name) collate "C", o.id
      """;

  private static final String LEVEL =
      """
      from object o left join object_liveness l on l.object_id = o.id
      where (:roots and o.removed_at is null and not exists (select from relation r where r.child_id = o.id)
           and """
          + Liveness.NO_ADDRESS
          + """
         or o.id in (select r.child_id from relation r join object p on p.id = r.parent_id
                     where p.uuid = :parent))
      """;

  private static final String TREE =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.name, o.removed_at,
             """
          + Liveness.FROM
          + """
             as silent_from, lower(o.object_kind) as kind_key, lower(o.name) as name_key,
             (select count(*) from relation c where c.parent_id = o.id) as children
      """;

  private final JdbcClient jdbc;
  private final Liveness silence;
  private final InstantSource clock;

  ObjectTreeQueries(JdbcClient jdbc, Liveness silence, InstantSource clock) {
    this.jdbc = jdbc;
    this.silence = silence;
    this.clock = clock;
  }

  /** All objects above one, nearest first. */
  List<Ancestor> ancestors(int id) {
    return jdbc.sql(ANCESTORS)
        .param("id", id)
        .query((row, number) -> new Ancestor(row.getInt("distance"), ObjectQueries.reference(row)))
        .list();
  }

  /** The children of an object, or the roots when it is null, with the number of their children. */
  TreePage children(@Nullable UUID parent, int limit, @Nullable String cursor) {
    String scope = "tree " + parent;
    Map<String, Object> parameters = new HashMap<>(silence.parameters());
    parameters.put("roots", parent == null);
    parameters.put("parent", parent == null ? new UUID(0, 0) : parent);
    long total = jdbc.sql("select count(*) " + LEVEL).params(parameters).query(Long.class).single();
    ObjectOrder order = ObjectOrder.of(ObjectSort.OBJECT_KIND);
    String after = "";
    if (cursor != null) {
      after = " and " + order.after(Cursor.keys(cursor, scope, 3), parameters);
    }
    record Node(TreeNode node, String[] keys) {}
    Instant now = clock.instant();
    List<Node> rows =
        jdbc.sql(TREE + LEVEL + after + order.by() + " limit " + (limit + 1))
            .params(parameters)
            .query(
                (row, number) ->
                    new Node(
                        new TreeNode(
                            row.getObject("uuid", UUID.class),
                            row.getString("adapter_kind"),
                            row.getString("object_kind"),
                            row.getString("name"),
                            ObjectQueries.state(row, now),
                            row.getInt("children")),
                        new String[] {
                          row.getString("kind_key"), row.getString("name_key"), row.getString("id")
                        }))
            .list();
    return Page.cut(rows, Node::keys, scope, limit, total).map(Node::node).as(TreePage::new);
  }
}
