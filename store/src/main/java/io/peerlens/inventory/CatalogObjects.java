package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectDescription;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.Told;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
             (extract(epoch from attributes_time) * 1000000)::bigint as attributes_micros,
             (extract(epoch from record_time) * 1000000)::bigint as record_micros, record_keys
      from object where uuid = any (:uuids) or id = any (:ids)
      """;
  private static final String INSERT_OBJECT =
      """
      insert into object (uuid, adapter_kind, object_kind, external_id, name, locator, properties,
                          tags, attributes_time, record_time, record_keys, first_seen)
      values (:uuid, :adapterKind, :objectKind, :externalId, :name, :locator, :properties::jsonb,
              :tags::jsonb, to_timestamp(:linesMicros / 1e6), to_timestamp(:recordMicros / 1e6), :recordKeys::text[],
              to_timestamp(:micros / 1e6))
      returning id
      """;
  private static final String UPDATE_OBJECT =
      """
      update object set name = :name, locator = :locator, properties = :properties::jsonb,
                        tags = :tags::jsonb, attributes_time = to_timestamp(:linesMicros / 1e6),
                        record_time = to_timestamp(:recordMicros / 1e6), record_keys = :recordKeys::text[]
      where id = :id
      """;

  /** A record that says what records have said before is noted, and nothing else. */
  private static final String RENEW_RECORD =
      "update object set record_time = to_timestamp(:recordMicros / 1e6) where id = :id";

  /** What was heard of later than it was removed is there: an older removal comes too late. */
  private static final String REMOVE =
      """
      update object o set removed_at = t.at
      from (
        select id, to_timestamp(micros / 1e6) as at from unnest(:ids::int[], :micros::bigint[]) as u(id, micros)) t
      where o.id = t.id and o.removed_at is null
        and coalesce(o.attributes_time <= t.at, true) and coalesce(o.record_time <= t.at, true)
        and not exists (select from object_liveness l where l.object_id = o.id and l.last_seen > t.at)
      returning o.id
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
    private final @Nullable ObjectDescription stored; // null: new
    private ObjectDescription description;
    private long changedMicros;
    private long goneMicros = Long.MIN_VALUE; // no report says that it is gone

    private Known(
        int id,
        ObjectKey key,
        @Nullable ObjectDescription stored,
        ObjectDescription description,
        long changedMicros) {
      this.id = id;
      this.key = key;
      this.stored = stored;
      this.description = description;
      this.changedMicros = changedMicros;
    }

    private void tell(ObjectReport report, long micros) {
      ObjectDescription after = description.after(report, micros);
      if (after != description) {
        description = after;
        changedMicros =
            stored == null ? Math.min(changedMicros, micros) : Math.max(changedMicros, micros);
      }
      if (report.gone()) {
        goneMicros = Math.max(goneMicros, micros);
      }
    }

    int id() {
      return id;
    }

    /** What its source calls it, which is its name until somebody tells one. */
    String externalId() {
      return key.externalId();
    }

    /** All that is known of it now. */
    ObjectAttributes attributes() {
      return description.attributes();
    }

    /** What was known of it before this call; null = it is new. */
    @Nullable ObjectAttributes stored() {
      return stored == null ? null : stored.attributes();
    }

    /** Of the first that told of a new object, or the newest that changed a known one. */
    long changedMicros() {
      return changedMicros;
    }

    /** Of the newest report that says that its source removed it. */
    long goneMicros() {
      return goneMicros;
    }

    /** As an answer of the catalog. */
    Catalog.KnownObject known() {
      return new Catalog.KnownObject(id, description);
    }
  }

  /** Finds, makes and changes what a request names, and relates what is new or has moved. */
  void apply(Catalog.Request request) throws SQLException {
    read(request);
    insertNew(request.maxNewObjects());
    storeChanges();
  }

  /**
   * An object of the request; null when it was one too many to be made, or was never known and is
   * gone.
   */
  @Nullable Known get(ObjectKey key) {
    return objects.get(key);
  }

  /** The objects that a request asked for, in that order. */
  List<Catalog.ObjectAnswer> answers(Catalog.Request request) {
    List<Catalog.ObjectAnswer> answers = new ArrayList<>();
    for (Catalog.NewObject asked : request.objects()) {
      Known object = objects.get(asked.key());
      answers.add(
          object != null
              ? object.known()
              : asked.report().gone() ? new Catalog.NeverKnown() : Catalog.TooMany.OBJECTS);
    }
    return answers;
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
    for (Catalog.NewObject object : request.objects()) {
      uuids.add(object.key().uuid());
    }
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
    for (Catalog.NewObject object : request.objects()) {
      tell(object.key(), object.report(), object.timeMicros());
    }
    for (Catalog.NewSet set : request.sets()) {
      tell(set.key().object(), ObjectReport.ofLine(set.attributes()), set.timeMicros());
    }
    for (Catalog.AttributeUpdate update : request.updates()) {
      Known known = byId.get(update.objectId());
      if (known != null) {
        known.tell(update.report(), update.timeMicros());
      }
    }
  }

  private void tell(ObjectKey key, ObjectReport report, long micros) {
    Known known = objects.get(key);
    if (known == null && report.gone()) {
      return;
    }
    if (known == null) {
      ObjectDescription made = ObjectDescription.ofNew(key, report, micros);
      objects.put(key, new Known(0, key, null, made, micros));
    } else {
      known.tell(report, micros);
    }
  }

  private List<Known> stored(Set<UUID> uuids, int[] ids) throws SQLException {
    record Row(
        int id, ObjectKey key, ObjectAttributes withoutReferences, long linesMicros, Told told) {}
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
                micros(found, "attributes_micros"),
                RecordKeys.told(
                    micros(found, "record_micros"),
                    (String[]) found.getArray("record_keys").getArray())));
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
      ObjectDescription description = new ObjectDescription(attributes, row.linesMicros, row.told);
      known.add(new Known(row.id, row.key, description, description, Long.MIN_VALUE));
    }
    return known;
  }

  private static long micros(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? Long.MIN_VALUE : micros;
  }

  private static @Nullable Long micros(long micros) {
    return micros == Long.MIN_VALUE ? null : micros;
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
        ResultSet id = description(insert, object).set("micros", object.changedMicros).query();
        id.next();
        object.id = id.getInt(1);
        alive.set("id", object.id).set("micros", object.changedMicros).add();
        made++;
        changed = true;
      }
      alive.run();
    }
  }

  private void storeChanges() throws SQLException {
    try (NamedStatement update = new NamedStatement(connection, UPDATE_OBJECT);
        NamedStatement renew = new NamedStatement(connection, RENEW_RECORD);
        ObjectReferences references = new ObjectReferences(connection);
        ObjectHistory history = new ObjectHistory(connection)) {
      for (Known object : objects.values()) {
        ObjectDescription now = object.description;
        ObjectDescription before = object.stored;
        if (now.equals(before)) {
          continue;
        }
        if (before != null) {
          if (isRenewed(before, now)) {
            renew.set("recordMicros", now.told().timeMicros()).set("id", object.id).add();
            continue;
          }
          changed |=
              !now.attributes().name().equals(before.attributes().name())
                  || !now.attributes().properties().equals(before.attributes().properties())
                  || !now.attributes().tags().equals(before.attributes().tags());
          description(update, object).set("id", object.id).add();
        }
        references.note(object);
        history.note(object);
      }
      renew.run();
      update.run();
      for (Known object : removeGone()) {
        references.noteRemoved(object);
        history.noteRemoved(object);
        changed = true;
      }
      changed |= references.write();
      history.write();
    }
  }

  /** Notes which objects are gone now, and were not before. */
  private List<Known> removeGone() throws SQLException {
    Map<Integer, Known> gone = new LinkedHashMap<>();
    for (Known object : objects.values()) {
      if (object.goneMicros != Long.MIN_VALUE) {
        gone.put(object.id, object);
      }
    }
    List<Known> removed = new ArrayList<>();
    if (!gone.isEmpty()) {
      try (NamedStatement remove = new NamedStatement(connection, REMOVE)) {
        ResultSet row =
            remove
                .set("ids", "int4", gone.keySet())
                .set("micros", "int8", gone.values().stream().map(Known::goneMicros).toList())
                .query();
        while (row.next()) {
          removed.add(Objects.requireNonNull(gone.get(row.getInt(1))));
        }
      }
    }
    return removed;
  }

  /** Whether nothing but the time of the newest record is another. */
  private static boolean isRenewed(ObjectDescription before, ObjectDescription now) {
    return before.linesMicros() == now.linesMicros()
        && before.attributes().equals(now.attributes())
        && RecordKeys.of(before.told()).equals(RecordKeys.of(now.told()));
  }

  private static NamedStatement description(NamedStatement statement, Known object)
      throws SQLException {
    ObjectDescription now = object.description;
    return statement
        .set("name", now.attributes().name())
        .set("locator", now.attributes().locator())
        .json("properties", now.attributes().properties())
        .json("tags", now.attributes().tags())
        .set("linesMicros", micros(now.linesMicros()))
        .set("recordMicros", micros(now.told().timeMicros()))
        .set("recordKeys", "text", RecordKeys.of(now.told()));
  }
}
