package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import java.sql.Connection;
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
      from object where uuid = any (:uuids) or id = any (:ids)
      """;
  private static final String INSERT_OBJECT =
      """
      insert into object (uuid, adapter_kind, object_kind, external_id, name, locator, properties,
                          tags, attributes_time, first_seen)
      values (:uuid, :adapterKind, :objectKind, :externalId, :name, :locator, :properties::jsonb,
              :tags::jsonb, to_timestamp(:micros / 1e6), to_timestamp(:micros / 1e6))
      returning id
      """;
  private static final String UPDATE_OBJECT =
      """
      update object set name = :name, locator = :locator, properties = :properties::jsonb,
                        tags = :tags::jsonb, attributes_time = to_timestamp(:micros / 1e6)
      where id = :id
      """;
  private static final String INSERT_LIVENESS =
      """
      insert into object_liveness (object_id, last_seen) values (:id, to_timestamp(:micros / 1e6))
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
    int[] ids = request.updates().stream().mapToInt(Catalog.AttributeUpdate::objectId).toArray();
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

  private List<Known> stored(Set<UUID> uuids, int[] ids) throws SQLException {
    record Row(int id, ObjectKey key, ObjectAttributes withoutReferences, long micros) {}
    List<Row> rows = new ArrayList<>();
    try (NamedStatement statement = new NamedStatement(connection, OBJECTS)) {
      ResultSet found = statement.set("uuids", "uuid", uuids).set("ids", ids).query();
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
    Map<Integer, Set<ObjectReference>> references =
        ObjectReferences.of(connection, rows.stream().mapToInt(Row::id).toArray());
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
    try (NamedStatement insert = new NamedStatement(connection, INSERT_OBJECT);
        NamedStatement alive = new NamedStatement(connection, INSERT_LIVENESS)) {
      for (var iterator = objects.values().iterator(); iterator.hasNext(); ) {
        Known object = iterator.next();
        if (object.stored != null) {
          continue;
        }
        if (made == allowed) {
          iterator.remove();
          continue;
        }
        insert
            .set("uuid", object.key.uuid())
            .set("adapterKind", object.key.adapterKind())
            .set("objectKind", object.key.objectKind())
            .set("externalId", object.key.externalId());
        ResultSet id = attributes(insert, object).query();
        id.next();
        object.id = id.getInt(1);
        alive.set("id", object.id).set("micros", object.timeMicros).add();
        made++;
        changed = true;
      }
      alive.run();
    }
  }

  private void storeChanges() throws SQLException {
    try (NamedStatement update = new NamedStatement(connection, UPDATE_OBJECT);
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
          attributes(update, object).set("id", object.id).add();
        }
        references.note(object);
        history.note(object);
      }
      update.run();
      changed |= references.write();
      history.write();
    }
  }

  private static NamedStatement attributes(NamedStatement statement, Known object)
      throws SQLException {
    return statement
        .set("name", object.attributes.name())
        .set("locator", object.attributes.locator())
        .json("properties", object.attributes.properties())
        .json("tags", object.attributes.tags())
        .set("micros", object.timeMicros);
  }
}
