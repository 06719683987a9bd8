package io.peerlens.suiteapi;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReference.Role;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.inventory.ReturnedObjects;
import io.peerlens.node.KafkaWriter;
import io.peerlens.node.KafkaWriter.Message;
import io.peerlens.node.KafkaWriter.NotWritten;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What requests tell of objects. It is in the inventory when it is told, and a record in Kafka says
 * the same once more, for those who read the topic.
 */
final class ObjectRecordStore {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** An object that comes back is seen later than it was removed. */
  private static final String SEEN =
      """
      update object_liveness l set last_seen = greatest(l.last_seen, :now)
      from object o where o.id = l.object_id and o.uuid = :uuid and o.removed_at is not null
      returning l.object_id
      """;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final Catalog catalog;
  private final KafkaWriter kafka;
  private final String topic;
  private final InstantSource clock;

  ObjectRecordStore(
      DataSource dataSource,
      JdbcClient jdbc,
      KafkaWriter kafka,
      String topic,
      InstantSource clock) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.catalog = new InventoryCatalog(dataSource);
    this.kafka = kafka;
    this.topic = topic;
    this.clock = clock;
  }

  /** Tells something of an object, which is made where it is new, and comes back if it was gone. */
  void tell(ObjectKey object, ObjectReport report) {
    long now = clock.millis();
    deliver(List.of(message(object.uuid(), record(object, report, now))));
    catalog.apply(
        new Catalog.Request(
            List.of(new Catalog.NewObject(object, report, now * 1000)),
            List.of(),
            Map.of(),
            List.of(),
            1,
            0,
            0));
    if (!report.gone()) {
      comesBack(object, Instant.ofEpochMilli(now));
    }
  }

  private void comesBack(ObjectKey object, Instant now) {
    List<Integer> ids =
        jdbc.sql(SEEN)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .param("uuid", object.uuid())
            .query((row, number) -> row.getInt(1))
            .list();
    if (!ids.isEmpty()) {
      try {
        ReturnedObjects.note(dataSource, ids);
      } catch (SQLException e) {
        throw new DataAccessResourceFailureException("It could not be noted that it is back", e);
      }
    }
  }

  /** A report as a record of our own form. */
  static ObjectNode record(ObjectKey object, ObjectReport report, long time) {
    ObjectNode record =
        JSON.createObjectNode()
            .put("adapterKind", object.adapterKind())
            .put("objectKind", object.objectKind())
            .put("id", object.externalId())
            .put("time", time);
    if (!report.attributes().name().isEmpty()) {
      record.put("name", report.attributes().name());
    }
    if (report.gone()) {
      record.put("gone", true);
    }
    new TreeMap<>(report.attributes().properties())
        .forEach((of, value) -> record.withObjectProperty("properties").put(of, value));
    relatives(record, "parents", Role.PARENT, report, report.withoutParents());
    relatives(record, "children", Role.CHILD, report, report.withoutChildren());
    return record;
  }

  private static void relatives(
      ObjectNode record, String member, Role role, ObjectReport report, Set<String> without) {
    ArrayNode all = JSON.createArrayNode();
    report.attributes().references().stream()
        .filter(one -> one.role() == role)
        .sorted(
            Comparator.comparing(ObjectReference::objectKind)
                .thenComparing(ObjectReference::locator))
        .forEach(
            one ->
                all.addObject()
                    .put("adapterKind", one.adapterKind())
                    .put("objectKind", one.objectKind())
                    .put("id", one.locator()));
    new TreeSet<>(without).forEach(kind -> all.addObject().put("objectKind", kind).putNull("id"));
    if (!all.isEmpty()) {
      record.set(member, all);
    }
  }

  static Message message(UUID id, JsonNode value) {
    return new Message(
        id.toString().getBytes(StandardCharsets.ISO_8859_1),
        JSON.writeValueAsBytes(value),
        Map.of());
  }

  /** Writes to the topic of samples, and waits until Kafka has it. */
  void deliver(List<Message> messages) {
    try {
      kafka.write(topic, messages);
    } catch (NotWritten e) {
      throw switch (e.reason()) {
        case TOO_LARGE -> SuiteException.of(413, String.valueOf(e.getMessage()));
        case BUSY -> SuiteException.later(429, String.valueOf(e.getMessage()), 1);
        case UNAVAILABLE -> SuiteException.later(503, String.valueOf(e.getMessage()), 5);
      };
    }
  }
}
