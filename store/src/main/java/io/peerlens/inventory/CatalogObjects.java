package io.peerlens.inventory;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The objects that one call of the catalog is about, with their references and relations; lives for
 * that call's transaction.
 */
final class CatalogObjects {

  private static final String OBJECTS =
      """
      select id, uuid, adapter_kind, object_kind, external_id, name, locator, properties, tags,
             (extract(epoch from attributes_time) * 1000000)::bigint as attributes_micros
      from object where uuid = any (?) or id = any (?)
      """;
  private static final String INSERT_OBJECT =
      """
      insert into object (uuid, adapter_kind, object_kind, external_id, name, locator, properties,
                          tags, attributes_time, first_seen)
      values (?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, to_timestamp(? / 1e6), to_timestamp(? / 1e6))
      returning id
      """;
  private static final String UPDATE_OBJECT =
      """
      update object set name = ?, locator = ?, properties = ?::jsonb, tags = ?::jsonb,
                        attributes_time = to_timestamp(? / 1e6)
      where id = ?
      """;
  private static final String INSERT_LIVENESS =
      """
      insert into object_liveness (object_id, last_seen) values (?, to_timestamp(? / 1e6))
      on conflict (object_id) do nothing
      """;

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

  private final Connection connection;
  private final Map<ObjectKey, Known> objects = new LinkedHashMap<>();
  private int made;
  private boolean changed;

  CatalogObjects(Connection connection) {
    this.connection = connection;
  }

  /** An object as this transaction sees it. */
  static final class Known {
    private int id;
    private final ObjectKey key;
    private final @Nullable ObjectAttributes stored; // null: new
    private ObjectAttributes attributes;
    private long timeMicros;

    private Known(
        int id,
        ObjectKey key,
        @Nullable ObjectAttributes stored,
        ObjectAttributes attributes,
        long timeMicros) {
      this.id = id;
      this.key = key;
      this.stored = stored;
      this.attributes = attributes;
      this.timeMicros = timeMicros;
    }

    private void tell(ObjectAttributes told, long micros) {
      if (micros >= timeMicros) {
        ObjectAttributes merged = attributes.with(told);
        if (!merged.equals(attributes)) {
          attributes = merged;
          timeMicros = micros;
        }
      }
    }

    int id() {
      return id;
    }

    /** All that is known of it now. */
    ObjectAttributes attributes() {
      return attributes;
    }

    /** What was known of it before this call; null = it is new. */
    @Nullable ObjectAttributes stored() {
      return stored;
    }

    /** Of the newest sample that told any of its attributes. */
    long timeMicros() {
      return timeMicros;
    }
  }

  /** Finds, makes and changes what a request names, and relates what is new or has moved. */
  void apply(Catalog.Request request) throws SQLException {
    read(request);
    insertNew(request.maxNewObjects());
    storeChanges();
  }

  /** An object of the request; null when it was one too many to be made. */
  @Nullable Known get(ObjectKey key) {
    return objects.get(key);
  }

  /** How many objects were made. */
  int made() {
    return made;
  }

  /** Whether there are other objects, names, properties, tags or relations than before. */
  boolean changed() {
    return changed;
  }

  private void read(Catalog.Request request) throws SQLException {
    Set<UUID> uuids = new LinkedHashSet<>();
    for (Catalog.NewSet set : request.sets()) {
      uuids.add(set.key().object().uuid());
    }
    Integer[] ids =
        request.updates().stream().map(Catalog.AttributeUpdate::objectId).toArray(Integer[]::new);
    Map<Integer, Known> byId = new HashMap<>();
    if (!uuids.isEmpty() || ids.length > 0) {
      for (Known known : stored(uuids, ids)) {
        objects.put(known.key, known);
        byId.put(known.id, known);
      }
    }
    for (Catalog.NewSet set : request.sets()) {
      ObjectKey key = set.key().object();
      Known known = objects.get(key);
      if (known == null) {
        objects.put(key, new Known(0, key, null, set.attributes().ofNew(key), set.timeMicros()));
      } else {
        known.tell(set.attributes(), set.timeMicros());
      }
    }
    for (Catalog.AttributeUpdate update : request.updates()) {
      Known known = byId.get(update.objectId());
      if (known != null) {
        known.tell(update.attributes(), update.timeMicros());
      }
    }
  }

  private List<Known> stored(Set<UUID> uuids, Integer[] ids) throws SQLException {
    record Row(int id, ObjectKey key, ObjectAttributes withoutReferences, long micros) {}
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(OBJECTS)) {
      statement.setArray(1, connection.createArrayOf("uuid", uuids.toArray()));
      statement.setArray(2, connection.createArrayOf("int4", ids));
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          rows.add(
              new Row(
                  found.getInt("id"),
                  new ObjectKey(
                      found.getString("adapter_kind"),
                      found.getString("object_kind"),
                      found.getString("external_id")),
                  new ObjectAttributes(
                      found.getString("name"),
                      found.getString("locator"),
                      JSON.readValue(found.getString("properties"), TEXTS),
                      JSON.readValue(found.getString("tags"), TEXTS),
                      Set.of()),
                  found.getLong("attributes_micros")));
        }
      }
    }
    Map<Integer, Set<ObjectReference>> references =
        ObjectReferences.of(connection, rows.stream().map(Row::id).toArray(Integer[]::new));
    List<Known> known = new ArrayList<>(rows.size());
    for (Row row : rows) {
      ObjectAttributes plain = row.withoutReferences;
      ObjectAttributes attributes =
          new ObjectAttributes(
              plain.name(),
              plain.locator(),
              plain.properties(),
              plain.tags(),
              references.getOrDefault(row.id, Set.of()));
      known.add(new Known(row.id, row.key, attributes, attributes, row.micros));
    }
    return known;
  }

  /** Inserts objects that are new, in the order in which they were met, and forgets the rest. */
  private void insertNew(int allowed) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT_OBJECT);
        PreparedStatement alive = connection.prepareStatement(INSERT_LIVENESS)) {
      for (var iterator = objects.values().iterator(); iterator.hasNext(); ) {
        Known object = iterator.next();
        if (object.stored != null) {
          continue;
        }
        if (made == allowed) {
          iterator.remove();
          continue;
        }
        insert.setObject(1, object.key.uuid());
        insert.setString(2, object.key.adapterKind());
        insert.setString(3, object.key.objectKind());
        insert.setString(4, object.key.externalId());
        insert.setString(5, object.attributes.name());
        insert.setString(6, object.attributes.locator());
        insert.setString(7, json(object.attributes.properties()));
        insert.setString(8, json(object.attributes.tags()));
        insert.setLong(9, object.timeMicros);
        insert.setLong(10, object.timeMicros);
        try (ResultSet id = insert.executeQuery()) {
          id.next();
          object.id = id.getInt(1);
        }
        alive.setInt(1, object.id);
        alive.setLong(2, object.timeMicros);
        alive.addBatch();
        made++;
        changed = true;
      }
      alive.executeBatch();
    }
  }

  private void storeChanges() throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE_OBJECT);
        ObjectReferences references = new ObjectReferences(connection);
        ObjectHistory history = new ObjectHistory(connection)) {
      for (Known object : objects.values()) {
        ObjectAttributes now = object.attributes;
        ObjectAttributes before = object.stored;
        if (now.equals(before)) {
          continue;
        }
        if (before != null) {
          changed |=
              !now.name().equals(before.name())
                  || !now.properties().equals(before.properties())
                  || !now.tags().equals(before.tags());
          update.setString(1, now.name());
          update.setString(2, now.locator());
          update.setString(3, json(now.properties()));
          update.setString(4, json(now.tags()));
          update.setLong(5, object.timeMicros);
          update.setInt(6, object.id);
          update.addBatch();
        }
        references.note(object);
        history.note(object);
      }
      update.executeBatch();
      changed |= references.write();
      history.write();
    }
  }

  private static String json(Map<String, String> texts) {
    return JSON.writeValueAsString(texts);
  }
}
