package io.peerlens.inventory;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;

import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.ObjectPage;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.ObjectState;
import io.peerlens.inventory.ObjectFilter.Pair;
import io.peerlens.web.Cursor;
import io.peerlens.web.NamePattern;
import io.peerlens.web.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Objects by filter, sort order and page, and one object by id. Pages go by sort keys, not by
 * offset: objects that come or go between two pages neither repeat nor hide others.
 */
public final class ObjectQueries {

  private static final String OBJECT =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.external_id, o.name, o.properties, o.tags,
             o.first_seen, coalesce(l.last_seen, o.first_seen) as last_seen, o.removed_at,
      """
          + Liveness.FROM
          + " as silent_from ";

  private static final String FROM =
      """
      from object o left join object_liveness l on l.object_id = o.id
      """;

  private static final String BELOW =
      """
      with recursive below(id) as (
        select r.child_id from relation r join object p on p.id = r.parent_id where p.uuid = :ancestor
        union
        select r.child_id from relation r join below b on r.parent_id = b.id)
      """;

  private static final String EXISTS = "select id from object where uuid = :id";

  /**
   * One parent a step: the host before the cluster before the datacenter; a machine last, so that a
   * datastore does not lie in one of the many that use it if it lies anywhere else.
   */
  private static final String PATHS =
      """
      with recursive up(start, id, depth, names, seen) as (
        select o.id, o.id, 0, array[]::text[], array[o.id] from object o where o.id in (:ids)
        union all
        select u.start, p.id, u.depth + 1, p.name || u.names, u.seen || p.id
        from up u
        cross join lateral (
          select o.id, o.name from last_relation r join object o on o.id = r.parent_id
          where r.child_id = u.id
          order by case o.object_kind when 'HostSystem' then 0 when 'ClusterComputeResource' then 1
                     when 'Datacenter' then 2 when 'VirtualMachine' then 4 else 3 end,
                   lower(o.name) collate "C", o.id
          limit 1) p
        where u.depth < 12 and not p.id = any (u.seen))
      select distinct on (start) start, names from up order by start, depth desc
      """;

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

  private final JdbcClient jdbc;
  private final Liveness silence;
  private final InstantSource clock;

  ObjectQueries(JdbcClient jdbc, Liveness silence, InstantSource clock) {
    this.jdbc = jdbc;
    this.silence = silence;
    this.clock = clock;
  }

  /** One page of the objects that match. */
  ObjectPage find(ObjectFilter filter, int limit, @Nullable String cursor, boolean withPath) {
    Map<String, Object> parameters = new HashMap<>(silence.parameters());
    String where = where(filter, parameters);
    String with = filter.ancestor() == null ? "" : BELOW;
    long total =
        jdbc.sql(
                with
                    + "select count(*) from object o "
                    + (filter.silent() == null
                        ? ""
                        : "left join object_liveness l on l.object_id = o.id ")
                    + where)
            .params(parameters)
            .query(Long.class)
            .single();
    ObjectOrder order = ObjectOrder.of(filter.sort());
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, filter.toString(), order.keys().size() + 1);
      where += " and " + order.after(keys, parameters);
    }
    List<Row> rows =
        jdbc.sql(
                with
                    + OBJECT
                    + order.select()
                    + FROM
                    + where
                    + order.by()
                    + " limit "
                    + (limit + 1))
            .params(parameters)
            .query((row, number) -> row(row, order.keys().size()))
            .list();
    Page<Row> page = Page.cut(rows, Row::keys, filter.toString(), limit, total);
    if (withPath) {
      addPaths(page.items());
    }
    return page.map(Row::object).as(ObjectPage::new);
  }

  /** One object with its path. */
  Optional<ManagedObject> get(UUID id) {
    List<Row> rows =
        jdbc.sql(OBJECT + FROM + "where o.uuid = :id")
            .params(silence.parameters())
            .param("id", id)
            .query((row, number) -> row(row, 0))
            .list();
    addPaths(rows);
    return rows.stream().map(Row::object).findFirst();
  }

  /** The internal id of an object. */
  Optional<Integer> internalId(UUID id) {
    return jdbc.sql(EXISTS).param("id", id).query(Integer.class).optional();
  }

  private String where(ObjectFilter filter, Map<String, Object> parameters) {
    List<String> conditions = new ArrayList<>(List.of("true"));
    if (!filter.ids().isEmpty()) {
      conditions.add("o.uuid in (:ids)");
      parameters.put("ids", filter.ids());
    }
    if (!filter.adapterKinds().isEmpty()) {
      conditions.add("lower(o.adapter_kind) in (:adapterKinds)");
      parameters.put("adapterKinds", filter.adapterKinds());
    }
    if (!filter.objectKinds().isEmpty()) {
      conditions.add("lower(o.object_kind) collate \"C\" in (:objectKinds)");
      parameters.put("objectKinds", filter.objectKinds());
    }
    if (filter.name() != null) {
      boolean pattern = NamePattern.isPattern(filter.name());
      conditions.add(pattern ? "o.name ilike :name" : "strpos(lower(o.name), lower(:name)) > 0");
      parameters.put("name", pattern ? NamePattern.like(filter.name()) : filter.name());
    }
    pairs(filter.tags(), "tag", "o.tags", conditions, parameters);
    pairs(filter.properties(), "property", "o.properties", conditions, parameters);
    if (filter.parent() != null) {
      conditions.add(
          "o.id in (select r.child_id from relation r join object p on p.id = r.parent_id"
              + " where p.uuid = :parent)");
      parameters.put("parent", filter.parent());
    }
    if (filter.child() != null) {
      conditions.add(
          "o.id in (select r.parent_id from relation r join object c on c.id = r.child_id"
              + " where c.uuid = :child)");
      parameters.put("child", filter.child());
    }
    if (filter.ancestor() != null) {
      conditions.add("o.id in (select id from below)");
      parameters.put("ancestor", filter.ancestor());
    }
    for (int i = 0; i < filter.words().size(); i++) {
      conditions.add("strpos(o.search_text, :word" + i + ") > 0");
      parameters.put("word" + i, filter.words().get(i));
    }
    if (!filter.namesAddresses()) {
      conditions.add(Liveness.NO_ADDRESS);
    }
    if (filter.silent() != null) {
      conditions.add(Liveness.FROM + (filter.silent() ? "<" : ">=") + " :now");
      conditions.add(Liveness.IS_THERE);
    }
    if (filter.removed() != null) {
      conditions.add(filter.removed() ? "not " + Liveness.IS_THERE : Liveness.IS_THERE);
    } else if (filter.ids().isEmpty()) {
      conditions.add(Liveness.IS_THERE);
    }
    return "where " + String.join(" and ", conditions);
  }

  private static void pairs(
      List<Pair> pairs,
      String name,
      String column,
      List<String> conditions,
      Map<String, Object> parameters) {
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      String value = pair.value();
      if (value == null) {
        conditions.add("jsonb_exists(" + column + ", :" + name + i + ")");
        parameters.put(name + i, pair.key());
      } else {
        conditions.add(column + " @> :" + name + i + "::jsonb");
        parameters.put(name + i, JSON.writeValueAsString(Map.of(pair.key(), value)));
      }
    }
  }

  /** A row of a list: the object, its internal id and its sort keys. */
  private record Row(int id, ManagedObject object, String[] keys) {}

  private Row row(ResultSet row, int keyCount) throws SQLException {
    String[] keys = new String[keyCount + 1];
    for (int i = 0; i < keyCount; i++) {
      keys[i] = row.getString("key" + i);
    }
    keys[keyCount] = row.getString("id");
    ManagedObject object =
        new ManagedObject(
            row.getObject("uuid", UUID.class),
            row.getString("adapter_kind"),
            row.getString("object_kind"),
            row.getString("external_id"),
            row.getString("name"),
            JSON.readValue(row.getString("properties"), TEXTS),
            JSON.readValue(row.getString("tags"), TEXTS),
            instant(row, "first_seen"),
            instant(row, "last_seen"),
            state(row, clock.instant()));
    Instant removedAt = instantOrNull(row, "removed_at");
    if (removedAt != null) {
      object.setRemovedAt(removedAt);
    }
    return new Row(row.getInt("id"), object, keys);
  }

  static ObjectState state(ResultSet row, Instant now) throws SQLException {
    if (instantOrNull(row, "removed_at") != null) {
      return ObjectState.REMOVED;
    }
    return instant(row, "silent_from").isBefore(now) ? ObjectState.SILENT : ObjectState.REPORTING;
  }

  private void addPaths(List<Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    Map<Integer, List<String>> paths = new HashMap<>();
    jdbc.sql(PATHS)
        .param("ids", rows.stream().map(Row::id).toList())
        .query(
            row -> {
              paths.put(
                  row.getInt("start"), Arrays.asList((String[]) row.getArray("names").getArray()));
            });
    rows.forEach(row -> row.object().path(paths.getOrDefault(row.id(), List.of())));
  }

  static ObjectRef reference(ResultSet row) throws SQLException {
    return new ObjectRef(
        row.getObject("uuid", UUID.class),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("name"));
  }
}
