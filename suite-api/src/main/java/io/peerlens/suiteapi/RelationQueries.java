package io.peerlens.suiteapi;

import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReference.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of which resources are above or below others. */
final class RelationQueries {

  private static final String DIRECT =
      """
      select c.id as of, p.uuid from relation r join object c on c.id = r.child_id join object p on p.id = r.parent_id
      where :parents and c.id = any (:ids)
      union all
      select p.id, c.uuid from relation r join object c on c.id = r.child_id join object p on p.id = r.parent_id
      where :children and p.id = any (:ids)
      """;

  private static final String CHILDREN =
      """
      select r.child_id from relation r join object o on o.id = r.child_id
      where r.parent_id = :id and o.removed_at is null order by r.child_id
      """;

  private static final String PARENTS =
      """
      select r.parent_id from relation r join object o on o.id = r.parent_id
      where r.child_id = :id and o.removed_at is null order by r.parent_id
      """;

  private static final String BELOW =
      """
      with recursive walk(start, id, depth) as (
        select id, id, 0 from object where id = any (:ids)
        union
        select w.start, r.child_id, w.depth + 1 from walk w join relation r on r.parent_id = w.id where w.depth < :depth)
      """;

  private static final String ABOVE =
      """
      with recursive walk(start, id, depth) as (
        select id, id, 0 from object where id = any (:ids)
        union
        select w.start, r.parent_id, w.depth + 1 from walk w join relation r on r.child_id = w.id where w.depth < :depth)
      """;

  private static final String NEAREST =
      """
      select n.id, s.uuid as start
      from (select id, start, min(depth) as depth from walk where depth > 0 and id <> start group by id, start) n
      join object s on s.id = n.start
      order by n.id, n.depth, n.start
      """;

  private static final String REFERENCES =
      "select role, adapter_kind, object_kind, locator from object_reference where object_id = :id";

  private static final String LOCATORS =
      "select uuid, locator from object where id = any (:ids) and locator is not null";

  private final JdbcClient jdbc;

  RelationQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Parents and children of each. */
  Map<Integer, List<UUID>> direct(Collection<Integer> ids, boolean parents, boolean children) {
    Map<Integer, List<UUID>> found = new HashMap<>();
    jdbc.sql(DIRECT)
        .param("ids", ids.toArray(Integer[]::new))
        .param("parents", parents)
        .param("children", children)
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getInt(1), id -> new ArrayList<>())
                  .add(row.getObject(2, UUID.class));
            });
    return found;
  }

  /** Ids within the database of the children, the parents or both. */
  List<Integer> of(int id, boolean parents, boolean children) {
    Set<Integer> found = new LinkedHashSet<>();
    if (parents) {
      found.addAll(jdbc.sql(PARENTS).param("id", id).query(Integer.class).list());
    }
    if (children) {
      found.addAll(jdbc.sql(CHILDREN).param("id", id).query(Integer.class).list());
    }
    return new ArrayList<>(found);
  }

  /** How a resource names its parents and children. */
  List<ObjectReference> references(int id) {
    return jdbc.sql(REFERENCES)
        .param("id", id)
        .query(
            (row, number) ->
                new ObjectReference(
                    Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT)),
                    row.getString("adapter_kind"),
                    row.getString("object_kind"),
                    row.getString("locator")))
        .list();
  }

  /** What others call some resources, where that is not their id. */
  Map<UUID, String> locators(Collection<Integer> ids) {
    Map<UUID, String> found = new HashMap<>();
    jdbc.sql(LOCATORS)
        .param("ids", ids.toArray(Integer[]::new))
        .query(
            row -> {
              found.put(row.getObject("uuid", UUID.class), row.getString("locator"));
            });
    return found;
  }

  /**
   * Those below or above some resources, each with those of the given ones that it belongs to, the
   * nearest first.
   *
   * @param depth so many steps at most
   */
  Map<Integer, Set<UUID>> around(Collection<Integer> ids, boolean below, boolean above, int depth) {
    Map<Integer, Set<UUID>> found = new LinkedHashMap<>();
    if (below) {
      walk(BELOW, ids, depth, found);
    }
    if (above) {
      walk(ABOVE, ids, depth, found);
    }
    return found;
  }

  private void walk(
      String walk, Collection<Integer> ids, int depth, Map<Integer, Set<UUID>> found) {
    jdbc.sql(walk + NEAREST)
        .param("ids", ids.toArray(Integer[]::new))
        .param("depth", depth)
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getInt("id"), id -> new LinkedHashSet<>())
                  .add(row.getObject("start", UUID.class));
            });
  }
}
