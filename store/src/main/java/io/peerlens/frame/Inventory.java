package io.peerlens.frame;

import static java.util.Objects.requireNonNull;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The objects that are there, their relations and properties as they were when they were read;
 * objects that their source removed are not there. Everything that frames need of them is read once
 * and kept until the inventory changes; then what changed is read. Thread-safe.
 */
final class Inventory implements ObjectProperties {

  private static final String OBJECTS =
      "select id, adapter_kind, object_kind, name, external_id from object where removed_at is null order by id";
  private static final String RELATIONS = "select parent_id, child_id from relation";
  private static final String PROPERTY =
      """
      select id, properties ->> :key as value from object
      where adapter_kind = :adapter and object_kind = :kind and properties ?? :key
      """;
  private static final String PROPERTIES =
      """
      select o.id, p.key, p.value from object o cross join lateral jsonb_each_text(o.properties) p
      where o.adapter_kind = :adapter and o.object_kind = :kind and p.key = any (:keys)
      """;
  private static final String CHANGED_OBJECTS =
      """
      select id, adapter_kind, object_kind, name, external_id from object
      where id = any (:ids) and removed_at is null
      """;
  private static final String CHANGED_RELATIONS =
      """
      select parent_id, child_id from relation where parent_id = any (:ids)
      union select parent_id, child_id from relation where child_id = any (:ids)
      """;
  private static final String CHANGED_PROPERTIES =
      """
      select o.id, p.key, p.value from object o cross join lateral jsonb_each_text(o.properties) p
      where o.id = any (:ids) and o.removed_at is null
      """;
  private static final String PROPERTY_KEYS =
      """
      select distinct jsonb_object_keys(properties) as key from object
      where adapter_kind = :adapter and object_kind = :kind and removed_at is null
      """;

  /** vROps has every object's name as a property too, and published formulas count by it. */
  private static final String NAME_PROPERTY = "config|name";

  /** The identifiers in the export format of vCenter objects. */
  private static final String OBJECT_ID = "VMEntityObjectID";

  private record KindKey(ObjectKind kind, String key) {}

  private final long version;
  private final JdbcClient jdbc;
  private final ObjectGraph graph;

  /** Shared with the inventories that come after; an id is that of one object for ever. */
  private final Map<Integer, String> externalIds;

  private final Map<KindKey, Column> properties = new ConcurrentHashMap<>();
  private final Map<ObjectKind, List<String>> propertyKeys = new ConcurrentHashMap<>();

  private Inventory(
      long version, JdbcClient jdbc, ObjectGraph graph, Map<Integer, String> externalIds) {
    this.version = version;
    this.jdbc = jdbc;
    this.graph = graph;
    this.externalIds = externalIds;
  }

  /** Reads all of it. */
  static Inventory read(long version, JdbcClient jdbc) {
    Map<Integer, String> externalIds = new ConcurrentHashMap<>();
    ObjectGraph.Builder builder = ObjectGraph.builder();
    jdbc.sql(OBJECTS)
        .query(
            row -> {
              int id = row.getInt(1);
              builder.object(
                  id, new ObjectKind(row.getString(2), row.getString(3)), row.getString(4));
              externalIds.put(id, row.getString(5));
            });
    jdbc.sql(RELATIONS)
        .query(
            row -> {
              builder.relation(row.getInt(1), row.getInt(2));
            });
    builder.identifiers((id, wanted) -> hasIdentifiers(externalIds, jdbc, id, wanted));
    return new Inventory(version, jdbc, builder.build(), externalIds);
  }

  /**
   * What it is after some objects have changed. What was read of the others is kept; names of
   * properties that no object has any more are kept, too.
   *
   * @param ids of objects that are new, other or gone, or have other relations
   */
  Inventory after(long version, int[] ids) {
    Map<Integer, Member> present = new HashMap<>();
    jdbc.sql(CHANGED_OBJECTS)
        .param("ids", ids)
        .query(
            row -> {
              ObjectKind kind = new ObjectKind(row.getString(2), row.getString(3));
              present.put(row.getInt(1), new Member(kind, row.getString(4)));
              externalIds.put(row.getInt(1), row.getString(5));
            });
    Map<Integer, IntStream.Builder> parents = new HashMap<>();
    Map<Integer, IntStream.Builder> children = new HashMap<>();
    jdbc.sql(CHANGED_RELATIONS)
        .param("ids", ids)
        .query(
            row -> {
              int parent = row.getInt(1);
              int child = row.getInt(2);
              parents.computeIfAbsent(child, id -> IntStream.builder()).add(parent);
              children.computeIfAbsent(parent, id -> IntStream.builder()).add(child);
            });
    List<ObjectGraph.Changed> changes = new ArrayList<>();
    for (int id : ids) {
      Member member = present.get(id);
      changes.add(
          new ObjectGraph.Changed(
              id,
              member == null ? null : member.kind(),
              member == null ? "" : member.name(),
              built(parents.get(id)),
              built(children.get(id))));
    }
    Inventory after = new Inventory(version, jdbc, graph.with(changes), externalIds);
    after.keepProperties(this, ids, present);
    return after;
  }

  private record Member(ObjectKind kind, String name) {}

  private static int[] built(IntStream.@Nullable Builder ids) {
    return ids == null ? new int[0] : ids.build().toArray();
  }

  /** Takes over the columns that were read, with the properties of changed objects as they are. */
  private void keepProperties(Inventory before, int[] ids, Map<Integer, Member> present) {
    Map<Integer, Map<String, String>> now = new HashMap<>();
    if (!before.properties.isEmpty() || !before.propertyKeys.isEmpty()) {
      jdbc.sql(CHANGED_PROPERTIES)
          .param("ids", ids)
          .query(
              row -> {
                now.computeIfAbsent(row.getInt(1), id -> new HashMap<>())
                    .put(row.getString(2), row.getString(3));
              });
    }
    Map<ObjectKind, Set<Integer>> changed = new HashMap<>();
    present.forEach(
        (id, member) -> changed.computeIfAbsent(member.kind(), kind -> new HashSet<>()).add(id));
    before.properties.forEach(
        (key, column) -> {
          Set<Integer> those = changed.getOrDefault(key.kind(), Set.of());
          PropertyColumn kept = PropertyColumn.of(column, before.graph, graph, key.kind());
          for (int id : those) {
            String text = now.getOrDefault(id, Map.of()).get(key.key());
            kept.set(
                graph.number(key.kind(), id),
                text == null && key.key().equals(NAME_PROPERTY)
                    ? requireNonNull(present.get(id)).name()
                    : text);
          }
          properties.put(key, kept.column());
        });
    before.propertyKeys.forEach(
        (kind, keys) -> {
          Set<String> all = new LinkedHashSet<>(keys);
          for (int id : changed.getOrDefault(kind, Set.of())) {
            all.addAll(now.getOrDefault(id, Map.of()).keySet());
          }
          propertyKeys.put(kind, all.size() == keys.size() ? keys : List.copyOf(all));
        });
  }

  long version() {
    return version;
  }

  @Override
  public ObjectGraph graph() {
    return graph;
  }

  /**
   * Whether an object has all identifiers of a formula. The managed object id is the last part of
   * our id, {@code vcenter/vm-42}; any other one must be its first part, or a property.
   */
  private static boolean hasIdentifiers(
      Map<Integer, String> externalIds, JdbcClient jdbc, int id, Map<String, String> wanted) {
    String externalId = externalIds.getOrDefault(id, "");
    int slash = externalId.lastIndexOf('/');
    String moid = externalId.substring(slash + 1);
    String source = slash < 0 ? "" : externalId.substring(0, slash);
    return wanted.entrySet().stream()
        .allMatch(
            identifier ->
                identifier.getKey().equals(OBJECT_ID)
                    ? identifier.getValue().equals(moid)
                    : identifier.getValue().equals(source)
                        || identifier.getValue().equals(property(jdbc, id, identifier.getKey())));
  }

  private static @Nullable String property(JdbcClient jdbc, int id, String key) {
    return jdbc.sql("select properties ->> ? from object where id = ?")
        .params(key, id)
        .query(String.class)
        .optional()
        .orElse(null);
  }

  /** A property of all objects of a kind; null = none of them has it. */
  @Nullable Column property(ObjectKind kind, String key) {
    Column column = properties.computeIfAbsent(new KindKey(kind, key), this::readProperty);
    return column.texts() == null ? null : column;
  }

  private Column readProperty(KindKey property) {
    ObjectKind kind = property.kind();
    @Nullable String[] texts = new String[graph.count(kind)];
    jdbc.sql(PROPERTY)
        .param("key", property.key())
        .param("adapter", kind.adapterKind())
        .param("kind", kind.objectKind())
        .query(
            row -> {
              int number = graph.number(kind, row.getInt(1));
              if (number >= 0) {
                texts[number] = row.getString(2);
              }
            });
    if (property.key().equals(NAME_PROPERTY)) {
      for (int i = 0; i < texts.length; i++) {
        texts[i] = texts[i] == null ? graph.name(kind, i) : texts[i];
      }
    }
    return column(texts);
  }

  /** A property that no object has is known, too: it has no texts. */
  private static Column column(@Nullable String[] texts) {
    return Arrays.stream(texts).anyMatch(Objects::nonNull)
        ? Column.of(texts)
        : PropertyColumn.nothing(texts.length);
  }

  @Override
  public Map<String, Column> columns(ObjectKind kind, Collection<String> keys) {
    Map<String, @Nullable String[]> missing = new HashMap<>();
    for (String key : keys) {
      if (!properties.containsKey(new KindKey(kind, key)) && !key.equals(NAME_PROPERTY)) {
        missing.put(key, new @Nullable String[graph.count(kind)]);
      }
    }
    if (!missing.isEmpty()) {
      jdbc.sql(PROPERTIES)
          .param("keys", missing.keySet().toArray(String[]::new))
          .param("adapter", kind.adapterKind())
          .param("kind", kind.objectKind())
          .query(
              row -> {
                int number = graph.number(kind, row.getInt(1));
                if (number >= 0) {
                  requireNonNull(missing.get(row.getString(2)))[number] = row.getString(3);
                }
              });
      missing.forEach((key, texts) -> properties.put(new KindKey(kind, key), column(texts)));
    }
    Map<String, Column> columns = new HashMap<>();
    for (String key : keys) {
      Column column = property(kind, key);
      if (column != null) {
        columns.put(key, column);
      }
    }
    return columns;
  }

  @Override
  public List<String> propertyKeys(ObjectKind kind) {
    return propertyKeys.computeIfAbsent(
        kind,
        k ->
            jdbc.sql(PROPERTY_KEYS)
                .param("adapter", k.adapterKind())
                .param("kind", k.objectKind())
                .query(String.class)
                .list());
  }

  /** The one property whose name differs in letter case only; null = none or several. */
  @Nullable String similarProperty(ObjectKind kind, String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    List<String> similar =
        propertyKeys(kind).stream()
            .filter(known -> known.toLowerCase(Locale.ROOT).equals(lower))
            .toList();
    return similar.size() == 1 ? similar.getFirst() : null;
  }
}
