package io.peerlens.inventory;

import static io.peerlens.database.Times.instant;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangeKind;
import io.peerlens.api.model.ChangePage;
import io.peerlens.api.model.RecordedChange;
import io.peerlens.database.Times;
import io.peerlens.web.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Changes of objects, newest first. */
public final class ChangeQueries {

  /**
   * Condition on a change {@code c}, to be added to others: it is not what a recorded change tells
   * already, such as the event of a vCenter that says who moved a VM that a collector saw move.
   */
  public static final String ONCE =
      """
       and not (c.kind in ('placement', 'name') and exists (
         select from object_change e join recorded_change told on told.change_id = e.id
         where e.object_id = c.object_id and e.kind = 'recorded'
           and e.time between c.time - interval '1 day' and c.time + interval '10 minutes'
           and coalesce(told.until, e.time) >= c.time - interval '10 minutes'
           and told.tells && array[c.kind || '/' || coalesce(c.key, '') || '/' || c.new_value, c.kind || '/' || coalesce(c.key, '') || '/*']))
      """;

  private static final String TABLES =
      """
      from object_change c join object o on o.id = c.object_id left join recorded_change r on r.change_id = c.id
      """;

  private static final String FROM = TABLES + "where c.time >= :from and c.time < :to ";

  private static final String SELECT =
      """
      select c.id, c.time, c.time::text as time_key, c.kind, c.key, c.old_value, c.new_value,
             o.uuid, o.adapter_kind, o.object_kind, o.name, r.until, r.author, r.note, r.goal, r.metrics
      """;

  /**
   * A placement names the parent by kind and name, before and after. Where two parents of a kind
   * have one name, the one in another system is left out.
   */
  private static final String WITH_MOVES =
      """
       and (c.object_id = (select id from object where uuid = :object)
         or c.id in (
           select m.id from object_change m join object child on child.id = m.object_id
           join object p on p.uuid = :object and p.object_kind = m.key and p.adapter_kind = child.adapter_kind
           where m.kind = 'placement' and (m.old_value = p.name or m.new_value = p.name) and m.time >= :from and m.time < :to))
      """;

  /** What comes to an object and leaves it is seen from there by nothing but its placement. */
  private static final String OWN_ONCE =
      " and (c.object_id <> (select id from object where uuid = :object) or (true" + ONCE + "))";

  private static final String AROUND =
      """
      where c.object_id = any (:ids) and c.time >= :from - interval '31 days' and c.time < :to
        and (c.time >= :from or (c.kind = 'recorded' and r.until > :from))
        and not (c.kind = 'new' and c.time < (select min(time) from object_change where kind = 'new') + interval '15 minutes')
      """
          + ONCE;

  private static final String AFTER = " and (c.time, c.id) < (:afterTime::timestamptz, :afterId)";
  private static final String ORDER = " order by c.time desc, c.id desc limit ";

  private final JdbcClient jdbc;

  ChangeQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One page of changes in the half-open window.
   *
   * @param scope what the cursor belongs to; a window that moves with the clock is not part of it
   * @param object null = all
   * @param moves whether what came to the object and what left it counts as well
   * @param kinds empty = all
   */
  ChangePage find(
      String scope,
      Instant from,
      Instant to,
      @Nullable UUID object,
      boolean moves,
      List<ChangeKind> kinds,
      int limit,
      @Nullable String cursor) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("from", Times.utc(from));
    parameters.put("to", Times.utc(to));
    String where = "";
    if (object != null) {
      where +=
          moves ? WITH_MOVES : " and c.object_id = (select id from object where uuid = :object)";
      parameters.put("object", object);
    }
    where += moves ? OWN_ONCE : ONCE;
    if (!kinds.isEmpty()) {
      where += " and c.kind in (:kinds)";
      parameters.put("kinds", kinds.stream().map(ChangeQueries::stored).toList());
    }
    long total =
        jdbc.sql("select count(*) " + FROM + where).params(parameters).query(Long.class).single();
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, scope, 2);
      where += AFTER;
      parameters.put("afterTime", keys.getFirst());
      parameters.put("afterId", Long.parseLong(keys.getLast()));
    }
    record Row(Change change, String time, String id) {}
    List<Row> rows =
        jdbc.sql(SELECT + FROM + where + ORDER + (limit + 1))
            .params(parameters)
            .query(
                (row, number) ->
                    new Row(change(row), row.getString("time_key"), row.getString("id")))
            .list();
    boolean more = rows.size() > limit;
    List<Row> page = more ? rows.subList(0, limit) : rows;
    return new ChangePage(
        page.stream().map(Row::change).toList(),
        more ? Cursor.after(scope, page.getLast().time(), page.getLast().id()) : null,
        total);
  }

  /**
   * The newest changes of some objects in the half-open window. Of a single one what came to it and
   * what left it counts as well.
   *
   * @param objects null = all
   */
  public ChangePage of(@Nullable Collection<UUID> objects, Instant from, Instant to, int limit) {
    if (objects == null || objects.size() == 1) {
      UUID single = objects == null ? null : objects.iterator().next();
      return find("objects", from, to, single, single != null, List.of(), limit, null);
    }
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("from", Times.utc(from));
    parameters.put("to", Times.utc(to));
    parameters.put("objects", objects.toArray(UUID[]::new));
    String where = " and c.object_id in (select id from object where uuid = any (:objects))" + ONCE;
    long total =
        jdbc.sql("select count(*) " + FROM + where).params(parameters).query(Long.class).single();
    List<Change> newest =
        jdbc.sql(SELECT + FROM + where + ORDER + limit)
            .params(parameters)
            .query((row, number) -> change(row))
            .list();
    return new ChangePage(newest, null, total);
  }

  /**
   * The newest changes of some objects in the half-open window, and those that were recorded with
   * an end, began up to 31 days before it and went on in it; newest first. What an installation
   * sees at first is new to it, not to its objects, and is left out.
   *
   * @param objects internal ids
   */
  public ChangePage around(int[] objects, Instant from, Instant to, int limit) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("from", Times.utc(from));
    parameters.put("to", Times.utc(to));
    parameters.put("ids", Arrays.stream(objects).boxed().toArray(Integer[]::new));
    long total =
        jdbc.sql("select count(*) " + TABLES + AROUND)
            .params(parameters)
            .query(Long.class)
            .single();
    List<Change> newest =
        jdbc.sql(SELECT + TABLES + AROUND + ORDER + limit)
            .params(parameters)
            .query((row, number) -> change(row))
            .list();
    return new ChangePage(newest, null, total);
  }

  /** The newest changes of a window, of all objects and kinds, newest first. */
  public List<Change> newest(Instant from, Instant to, int limit) {
    return jdbc.sql(SELECT + FROM + ONCE + ORDER + limit)
        .param("from", Times.utc(from))
        .param("to", Times.utc(to))
        .query((row, number) -> change(row))
        .list();
  }

  /** One change, or none of that id. */
  public Optional<Change> get(long id) {
    return jdbc.sql(SELECT + TABLES + "where c.id = :id")
        .param("id", id)
        .query((row, number) -> change(row))
        .optional();
  }

  private static Change change(ResultSet row) throws SQLException {
    Change change =
        new Change(
                instant(row, "time"),
                shown(row.getString("kind")),
                ObjectQueries.reference(row),
                row.getString("key"),
                row.getString("old_value"),
                row.getString("new_value"))
            .id(row.getLong("id"));
    String author = row.getString("author");
    if (author != null) {
      Timestamp until = row.getTimestamp("until");
      change.setAuthor(author);
      change.setRecorded(
          new RecordedChange(
              until == null ? null : until.toInstant(),
              author,
              row.getString("note"),
              row.getString("goal"),
              List.of((String[]) row.getArray("metrics").getArray())));
    }
    return change;
  }

  private static String stored(ChangeKind kind) {
    return kind == ChangeKind.NEW_OBJECT ? "new" : kind.getValue();
  }

  private static ChangeKind shown(String kind) {
    return kind.equals("new") ? ChangeKind.NEW_OBJECT : ChangeKind.fromValue(kind);
  }
}
