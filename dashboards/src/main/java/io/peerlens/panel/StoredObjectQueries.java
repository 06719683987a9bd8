package io.peerlens.panel;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is stored of objects; each call is one statement, or a few. */
final class StoredObjectQueries implements PanelObjectQueries {

  private static final String PINNED =
      """
      select o.id from object o
      where adapter_kind = :adapter and object_kind = :kind and name = :name and removed_at is null
        and not exists (
          select from unnest(:keys::text[], :values::text[]) wanted(key, value)
          where wanted.value <> all (string_to_array(o.external_id, '/'))
            and o.properties ->> wanted.key is distinct from wanted.value)
      order by o.id limit 2
      """;

  private static final String GROUP = "select id from object_group where name = :name";

  private static final String TAGS =
      "select id, tags ->> :key as value from object where id = any (:ids) and jsonb_exists(tags, :key)";

  private static final String SEEN =
      """
      select o.id, o.first_seen, l.last_seen from object o left join object_liveness l on l.object_id = o.id
      where o.id = any (:ids)
      """;

  private static final String UNITS = "select metrics, units from metric_group where id = :id";

  /** The first value of before a later change is the one that held at the moment. */
  private static final String FORMER =
      """
      select distinct on (object_id, key) object_id, key, old_value from object_change
      where object_id = any (:ids) and kind = :kind and key = any (:keys) and time > :at
      order by object_id, key, time, id
      """;

  private static final String FORMER_ALL =
      """
      select distinct on (key) key, old_value from object_change
      where object_id = :id and kind = 'property' and time > :at order by key, time, id
      """;

  private static final String PROPERTIES =
      """
      select p.key, p.value from object o cross join lateral jsonb_each_text(o.properties) p where o.id = :id order by p.key
      """;

  private static final String CHANGED =
      """
      select key, max(time) as at from object_change
      where object_id = :id and kind = 'property' and time <= :at group by key
      """;

  private static final String LAST_SEEN =
      """
      select max(last_seen) from object_liveness where object_id = any (:ids)
      """;

  private static final String CHANGES =
      """
      select c.object_id, c.time, c.kind, c.key, c.old_value, c.new_value from object_change c
      where c.object_id = any (:ids) and c.time >= :from and c.time < :to
        and c.kind in ('recorded', 'placement', 'property', 'name', 'new', 'removed') %s
      order by c.time desc, c.id desc limit :limit
      """;

  private final JdbcClient jdbc;
  private final ObjectLookup lookup;

  StoredObjectQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
    this.lookup = new ObjectLookup(jdbc);
  }

  @Override
  public Map<Integer, ObjectRef> references(int[] ids) {
    return lookup.references(Arrays.stream(ids).boxed().toList());
  }

  @Override
  public int[] ids(Collection<UUID> objects) {
    return lookup.ids(objects).stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public Optional<Integer> pinned(ObjectKind kind, String name, Map<String, String> identifiers) {
    List<String> keys = List.copyOf(identifiers.keySet());
    List<Integer> found =
        jdbc.sql(PINNED)
            .param("adapter", kind.adapterKind())
            .param("kind", kind.objectKind())
            .param("name", name)
            .param("keys", keys.toArray(String[]::new))
            .param("values", keys.stream().map(identifiers::get).toArray(String[]::new))
            .query((row, number) -> row.getInt("id"))
            .list();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  @Override
  public Optional<UUID> group(String name) {
    return jdbc.sql(GROUP).param("name", name).query(UUID.class).optional();
  }

  @Override
  public Map<Integer, String> tags(int[] ids, String key) {
    Map<Integer, String> found = new HashMap<>();
    jdbc.sql(TAGS)
        .param("ids", boxed(ids))
        .param("key", key)
        .query(
            row -> {
              found.put(row.getInt(1), row.getString(2));
            });
    return found;
  }

  @Override
  public Map<Integer, Seen> seen(int[] ids) {
    Map<Integer, Seen> found = new HashMap<>();
    jdbc.sql(SEEN)
        .param("ids", boxed(ids))
        .query(
            row -> {
              OffsetDateTime last = row.getObject(3, OffsetDateTime.class);
              found.put(
                  row.getInt(1),
                  new Seen(
                      row.getObject(2, OffsetDateTime.class).toInstant(),
                      last == null ? null : last.toInstant()));
            });
    return found;
  }

  @Override
  public @Nullable Instant lastSeen(int[] ids) {
    OffsetDateTime last =
        jdbc.sql(LAST_SEEN)
            .param("ids", boxed(ids))
            .query((row, number) -> row.getObject(1, OffsetDateTime.class))
            .optional()
            .orElse(null);
    return last == null ? null : last.toInstant();
  }

  @Override
  public @Nullable String unit(int group, int position) {
    return jdbc.sql(UNITS)
        .param("id", group)
        .query(
            (row, number) -> {
              String[] units = (String[]) row.getArray("units").getArray();
              return Optional.ofNullable(position < units.length ? units[position] : null);
            })
        .optional()
        .flatMap(unit -> unit)
        .orElse(null);
  }

  @Override
  public Map<Integer, Map<String, @Nullable String>> former(
      int[] ids, String kind, Collection<String> keys, Instant at) {
    Map<Integer, Map<String, @Nullable String>> found = new HashMap<>();
    jdbc.sql(FORMER)
        .param("ids", boxed(ids))
        .param("kind", kind)
        .param("keys", keys.toArray(String[]::new))
        .param("at", utc(at))
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getInt(1), id -> new HashMap<>())
                  .put(row.getString(2), row.getString(3));
            });
    return found;
  }

  @Override
  public List<Property> properties(int id, Instant at) {
    Map<String, @Nullable String> values = new java.util.TreeMap<>();
    jdbc.sql(PROPERTIES)
        .param("id", id)
        .query(
            row -> {
              values.put(row.getString(1), row.getString(2));
            });
    jdbc.sql(FORMER_ALL)
        .param("id", id)
        .param("at", utc(at))
        .query(
            row -> {
              values.put(row.getString(1), row.getString(2));
            });
    Map<String, Instant> changed = new HashMap<>();
    jdbc.sql(CHANGED)
        .param("id", id)
        .param("at", utc(at))
        .query(
            row -> {
              changed.put(row.getString(1), row.getObject(2, OffsetDateTime.class).toInstant());
            });
    List<Property> properties = new java.util.ArrayList<>();
    values.forEach(
        (key, value) -> {
          if (value != null) {
            properties.add(new Property(key, value, changed.get(key)));
          }
        });
    return properties;
  }

  @Override
  public List<Changed> changes(int[] ids, Instant from, Instant to, int limit) {
    return jdbc.sql(CHANGES.formatted(io.peerlens.inventory.ChangeQueries.ONCE))
        .param("ids", boxed(ids))
        .param("from", utc(from))
        .param("to", utc(to))
        .param("limit", limit)
        .query(
            (row, number) ->
                new Changed(
                    row.getInt("object_id"),
                    row.getObject("time", OffsetDateTime.class).toInstant(),
                    row.getString("kind"),
                    row.getString("key"),
                    row.getString("old_value"),
                    row.getString("new_value")))
        .list();
  }

  static Integer[] boxed(int[] ids) {
    return Arrays.stream(ids).boxed().toArray(Integer[]::new);
  }
}
