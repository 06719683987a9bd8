package io.peerlens.inventory;

import io.peerlens.api.model.Ancestor;
import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.ObjectMetric;
import io.peerlens.api.model.ObjectPage;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.ObjectSort;
import io.peerlens.api.model.ObjectState;
import io.peerlens.api.model.TreeNode;
import io.peerlens.api.model.TreePage;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.inventory.ObjectFilter.Pair;
import io.peerlens.web.Cursor;
import io.peerlens.web.NamePattern;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
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
 * Reads objects. Pages go by sort keys, not by offset: objects that come or go between two pages
 * neither repeat nor hide others.
 */
public final class ObjectQueries {

  private static final String OBJECT =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.external_id, o.name, o.properties, o.tags,
             o.first_seen, coalesce(l.last_seen, o.first_seen) as last_seen,
      """
          + Silence.FROM
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

  /** A way that leads round in a circle ends at the depth limit; each object counts once. */
  private static final String ANCESTORS =
      """
      with recursive up(id, distance) as (
        select r.parent_id, 1 from relation r where r.child_id = :id
        union
        select r.parent_id, u.distance + 1 from relation r join up u on r.child_id = u.id
        where u.distance < 12)
      select o.uuid, o.adapter_kind, o.object_kind, o.name, u.distance
      from (select id, min(distance) as distance from up where id <> :id group by id) u
      join object o on o.id = u.id
      order by u.distance, lower(o.object_kind) collate "C", lower(o.name) collate "C", o.id
      """;

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
          select o.id, o.name from relation r join object o on o.id = r.parent_id
          where r.child_id = u.id
          order by case o.object_kind when 'HostSystem' then 0 when 'ClusterComputeResource' then 1
                     when 'Datacenter' then 2 when 'VirtualMachine' then 4 else 3 end,
                   lower(o.name) collate "C", o.id
          limit 1) p
        where u.depth < 12 and not p.id = any (u.seen))
      select distinct on (start) start, names from up order by start, depth desc
      """;

  private static final String LEVEL =
      """
      from object o left join object_liveness l on l.object_id = o.id
      where (:roots and not exists (select from relation r where r.child_id = o.id)
           and """
          + Silence.NO_ADDRESS
          + """
         or o.id in (select r.child_id from relation r join object p on p.id = r.parent_id
                     where p.uuid = :parent))
      """;

  private static final String TREE =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.name,
             """
          + Silence.FROM
          + """
             as silent_from, lower(o.object_kind) as kind_key, lower(o.name) as name_key,
             (select count(*) from relation c where c.parent_id = o.id) as children
      """;

  /**
   * A set need not have reported every metric of its group. What its newest row lacks is looked for
   * in the hours of the 30 days before: one read of at most 720 rows a set tells which metrics it
   * has, and in which hour to look for the newest value. Raw rows are searched only for the last 24
   * hours before that newest row, in such an hour and after the last one rolled up; searching a day
   * of them for every metric that a set never had took seconds. A set whose raw rows are all too
   * old to be kept has its hours still.
   */
  private static final String METRICS =
      """
      with newest as materialized (
        select s.id, s.instance, g.name, g.metrics, g.units, r.time, r.values, r.raw,
               cardinality(r.values) < cardinality(g.metrics)
                 or array_position(r.values, null) is not null as partial
        from metric_set s
        join metric_group g on g.id = s.group_id
        cross join lateral (
          (select time, values, true as raw from sample where set_id = s.id
           order by time desc limit 1)
          union all
          (select time, avg, false from sample_1h where set_id = s.id
           order by time desc limit 1)
          order by time desc, raw desc limit 1) r
        where s.object_id = :id and (:group::text is null or g.name = :group)),
      rolled as materialized (
        select n.id, u.position, max(h.time) as hour
        from newest n
        cross join lateral (
          select time, avg from sample_1h
          where set_id = n.id and time > n.time - interval '30 days' and time <= n.time) h
        cross join lateral unnest(h.avg) with ordinality as u(value, position)
        where n.partial and u.value is not null
        group by n.id, u.position)
      select n.name, n.instance, p.metric, p.unit, v.time, v.value
      from newest n
      cross join lateral unnest(n.metrics, n.units) with ordinality as p(metric, unit, position)
      left join rolled r on r.id = n.id and r.position = p.position
      left join lateral (
        select n.time, n.values[p.position] as value
        where n.raw and n.values[p.position] is not null
        union all
        (select time, values[p.position] from sample
         where n.values[p.position] is null and set_id = n.id
           and time > n.time - interval '24 hours'
           and time >= (select coalesce(rolled_until, '-infinity') from level_state
                        where level = '1h')
           and values[p.position] is not null
         order by time desc limit 1)
        union all
        (select time, values[p.position] from sample
         where n.values[p.position] is null and set_id = n.id
           and time > n.time - interval '24 hours'
           and time >= r.hour and time < r.hour + interval '1 hour'
           and values[p.position] is not null
         order by time desc limit 1)
        order by time desc limit 1) v on true
      where n.values[p.position] is not null or r.hour is not null or v.time is not null
      order by n.name collate "C", p.metric collate "C", n.instance collate "C"
      """;

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

  private final JdbcClient jdbc;
  private final Silence silence;
  private final InstantSource clock;

  ObjectQueries(JdbcClient jdbc, Silence silence, InstantSource clock) {
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
    Order order = Order.of(filter.sort());
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
    boolean more = rows.size() > limit;
    List<Row> page = more ? rows.subList(0, limit) : rows;
    if (withPath) {
      addPaths(page);
    }
    return new ObjectPage(
        page.stream().map(Row::object).toList(),
        more ? Cursor.after(filter.toString(), page.getLast().keys()) : null,
        total);
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

  /** All objects above one, nearest first. */
  List<Ancestor> ancestors(int id) {
    return jdbc.sql(ANCESTORS)
        .param("id", id)
        .query((row, number) -> new Ancestor(row.getInt("distance"), reference(row)))
        .list();
  }

  /** The children of an object, or the roots when it is null, with the number of their children. */
  TreePage tree(@Nullable UUID parent, int limit, @Nullable String cursor) {
    String scope = "tree " + parent;
    Map<String, Object> parameters = new HashMap<>(silence.parameters());
    parameters.put("roots", parent == null);
    parameters.put("parent", parent == null ? new UUID(0, 0) : parent);
    long total = jdbc.sql("select count(*) " + LEVEL).params(parameters).query(Long.class).single();
    Order order = Order.of(ObjectSort.OBJECT_KIND);
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
                            state(row, now),
                            row.getInt("children")),
                        new String[] {
                          row.getString("kind_key"), row.getString("name_key"), row.getString("id")
                        }))
            .list();
    boolean more = rows.size() > limit;
    List<Node> page = more ? rows.subList(0, limit) : rows;
    return new TreePage(
        page.stream().map(Node::node).toList(),
        more ? Cursor.after(scope, page.getLast().keys()) : null,
        total);
  }

  /**
   * The metrics of an object, by group, metric and instance: those with a value in the 30 days
   * before the newest sample of their set.
   *
   * @param group null = all
   * @param newest whether to give newest values of the last 24 hours
   */
  List<ObjectMetric> metrics(int id, @Nullable String group, boolean newest) {
    Instant since = clock.instant().minus(Duration.ofHours(24));
    return jdbc.sql(METRICS)
        .param("id", id)
        .param("group", group, Types.VARCHAR)
        .query((row, number) -> metric(row, newest ? since : null))
        .list();
  }

  private static ObjectMetric metric(ResultSet row, @Nullable Instant newestSince)
      throws SQLException {
    String group = row.getString("name");
    String instance = row.getString("instance");
    String metric = row.getString("metric");
    ObjectMetric answer =
        new ObjectMetric(
            new MetricKey(group, instance, metric).toString(),
            group,
            instance.isEmpty() ? null : instance,
            metric,
            row.getString("unit"));
    Timestamp time = row.getTimestamp("time"); // null: known from roll-ups only
    if (newestSince != null && time != null && time.toInstant().isAfter(newestSince)) {
      answer.newestTime(time.toInstant()).newestValue(row.getDouble("value"));
    }
    return answer;
  }

  // -----------------------------------------------------------------------------------------------

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
      conditions.add(Silence.NO_ADDRESS);
    }
    if (filter.silent() != null) {
      conditions.add(Silence.FROM + (filter.silent() ? "<" : ">=") + " :now");
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
            row.getTimestamp("first_seen").toInstant(),
            row.getTimestamp("last_seen").toInstant(),
            state(row, clock.instant()));
    return new Row(row.getInt("id"), object, keys);
  }

  private static ObjectState state(ResultSet row, Instant now) throws SQLException {
    return row.getTimestamp("silent_from").toInstant().isBefore(now)
        ? ObjectState.SILENT
        : ObjectState.REPORTING;
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

  /**
   * An order of objects that is total, because the internal id is its last key.
   *
   * @param keys SQL of the keys before the id
   * @param cast what makes a key of the text in a cursor
   */
  private record Order(List<String> keys, String cast, boolean descending) {

    private static final String NAME = "lower(o.name) collate \"C\"";
    private static final String KIND = "lower(o.object_kind) collate \"C\"";
    private static final String LAST_SEEN = "coalesce(l.last_seen, o.first_seen)";

    static Order of(ObjectSort sort) {
      return switch (sort) {
        case NAME -> new Order(List.of(NAME), "text", false);
        case NAME_DESC -> new Order(List.of(NAME), "text", true);
        case OBJECT_KIND -> new Order(List.of(KIND, NAME), "text", false);
        case OBJECT_KIND_DESC -> new Order(List.of(KIND, NAME), "text", true);
        case FIRST_SEEN -> new Order(List.of("o.first_seen"), "timestamptz", false);
        case FIRST_SEEN_DESC -> new Order(List.of("o.first_seen"), "timestamptz", true);
        case LAST_SEEN -> new Order(List.of(LAST_SEEN), "timestamptz", false);
        case LAST_SEEN_DESC -> new Order(List.of(LAST_SEEN), "timestamptz", true);
      };
    }

    String select() {
      StringBuilder select = new StringBuilder();
      for (int i = 0; i < keys.size(); i++) {
        select.append(", (").append(keys.get(i)).append(")::text as key").append(i);
      }
      return select.append('\n').toString();
    }

    String by() {
      String direction = descending ? " desc" : "";
      return " order by " + String.join(direction + ", ", keys) + direction + ", o.id" + direction;
    }

    String after(List<String> values, Map<String, Object> parameters) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        names.add(":after" + i + "::" + cast);
        parameters.put("after" + i, values.get(i));
      }
      parameters.put("afterId", Integer.parseInt(values.getLast()));
      return "("
          + String.join(", ", keys)
          + ", o.id) "
          + (descending ? "<" : ">")
          + " ("
          + String.join(", ", names)
          + ", :afterId)";
    }
  }
}
