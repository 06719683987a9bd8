package io.peerlens.planning;

import io.peerlens.impact.RecordedChangeStore;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.node.KafkaWriter;
import io.peerlens.node.KafkaWriter.Message;
import io.peerlens.node.KafkaWriter.NotWritten;
import io.peerlens.planning.BenchmarkImportStore.Origin;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.planning.BenchmarkRunStore.Tested;
import io.peerlens.run.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the rest of Peerlens sees of a run: an object with properties, metrics by interval, and a
 * change with an end on what was tested. Objects and metrics go the way of all samples, through
 * Kafka.
 */
final class BenchmarkRunRecords {

  static final String ADAPTER_KIND = "Peerlens";
  static final String OBJECT_KIND = "BenchmarkRun";

  private static final JsonMapper JSON = JsonMapper.shared();

  /** Samples of a record, so that records stay far below what topics take. */
  private static final int AT_ONCE = 200;

  /** Time of a run whose tool gives no length, for the change on what was tested. */
  private static final Duration UNKNOWN = Duration.ofSeconds(1);

  private final BenchmarkRunStore store;
  private final RecordedChangeStore changes;
  private final TransactionTemplate transaction;
  private final KafkaWriter kafka;
  private final String topic;

  BenchmarkRunRecords(
      BenchmarkRunStore store,
      RecordedChangeStore changes,
      TransactionTemplate transaction,
      KafkaWriter kafka,
      String topic) {
    this.store = store;
    this.changes = changes;
    this.transaction = transaction;
    this.kafka = kafka;
    this.topic = topic;
  }

  /** The key of the object of a run. */
  static ObjectKey key(UUID importId, int position) {
    return new ObjectKey(ADAPTER_KIND, OBJECT_KIND, importId + "/" + position);
  }

  /**
   * Stores a run and tells of it.
   *
   * @param position among the runs of the import
   * @throws IOException when Kafka does not take it
   */
  void take(Origin origin, int position, Run run, @Nullable Tested tested, String note)
      throws IOException {
    ObjectKey key = key(origin.id(), position);
    deliver(key, records(key, run, tested));
    transaction.executeWithoutResult(
        status ->
            store.insert(
                key.uuid(), origin, position, run, tested, note, change(origin, run, tested)));
  }

  /** Records that what was tested was under test; null = it is not known what or when. */
  private @Nullable Long change(Origin origin, Run run, @Nullable Tested tested) {
    Instant start = run.start();
    if (start == null || tested == null) {
      return null;
    }
    OptionalLong recorded =
        changes.insert(
            new RecordedChangeStore.New(
                tested.uuid(),
                start,
                start.plus(run.length().isZero() ? UNKNOWN : run.length()),
                "Benchmark: " + run.name(),
                "benchmark",
                origin.importedBy(),
                null,
                null,
                List.of(),
                null));
    return recorded.isPresent() ? recorded.getAsLong() : null;
  }

  /**
   * Tells a property of several runs.
   *
   * @throws IOException when Kafka does not take it
   */
  void properties(Map<Stored, String> values, String property, Instant now) throws IOException {
    for (Map.Entry<Stored, String> one : values.entrySet()) {
      ObjectKey key = key(one.getKey().importId(), one.getKey().position());
      ObjectNode record = record(key).put("time", now.toEpochMilli());
      record.putObject("properties").put(property, one.getValue());
      deliver(key, List.of(record));
    }
  }

  /** Says that the object of a run is gone. */
  void gone(ObjectKey key, Instant now) throws IOException {
    ObjectNode record = record(key).put("time", now.toEpochMilli()).put("gone", true);
    deliver(key, List.of(record));
  }

  private static ObjectNode record(ObjectKey key) {
    return JSON.createObjectNode()
        .put("adapterKind", key.adapterKind())
        .put("objectKind", key.objectKind())
        .put("id", key.externalId());
  }

  static List<ObjectNode> records(ObjectKey key, Run run, @Nullable Tested tested) {
    ObjectNode about = record(key).put("name", run.name());
    ObjectNode properties = about.putObject("properties");
    properties.put("run|tool", run.tool());
    if (!run.version().isEmpty()) {
      properties.put("run|version", run.version());
    }
    run.parameters().forEach((name, value) -> properties.put("parameter|" + name, value));
    if (tested != null) {
      about
          .putArray("parents")
          .addObject()
          .put("adapterKind", tested.adapterKind())
          .put("objectKind", tested.objectKind())
          .put("id", tested.externalId());
    }
    List<ObjectNode> records = new ArrayList<>();
    Instant start = run.start();
    if (start == null) {
      records.add(about);
      return records;
    }
    about.put("time", start.toEpochMilli());
    records.add(about);
    samples(run, start)
        .forEach(
            (time, metrics) -> {
              ObjectNode sample = record(key).put("time", time);
              ObjectNode values = sample.putObject("metrics");
              metrics.forEach(values::put);
              records.add(sample);
            });
    return records;
  }

  /** Metrics by time in milliseconds; totals have that of the end. */
  private static SortedMap<Long, SortedMap<String, Double>> samples(Run run, Instant start) {
    SortedMap<Long, SortedMap<String, Double>> samples = new TreeMap<>();
    for (Run.Series series : run.series()) {
      String key =
          series.instance().isEmpty()
              ? "run|" + series.metric()
              : "run:" + series.instance().replace('|', '/') + "|" + series.metric();
      for (int i = 0; i < series.values().length; i++) {
        if (Double.isFinite(series.values()[i])) {
          long time = start.toEpochMilli() + Math.round(series.seconds()[i] * 1000);
          samples.computeIfAbsent(time, t -> new TreeMap<>()).put(key, series.values()[i]);
        }
      }
    }
    long end = start.plus(run.length()).toEpochMilli();
    for (Run.Figure figure : run.figures()) {
      if (Double.isFinite(figure.value())) {
        samples
            .computeIfAbsent(end, t -> new TreeMap<>())
            .put("total|" + figure.name(), figure.value());
      }
    }
    return samples;
  }

  private void deliver(ObjectKey key, List<ObjectNode> records) throws IOException {
    byte[] partition = key.uuid().toString().getBytes(StandardCharsets.ISO_8859_1);
    List<Message> messages = new ArrayList<>();
    for (int from = 0; from < records.size(); from += AT_ONCE) {
      ArrayNode some = JSON.createArrayNode();
      records.subList(from, Math.min(records.size(), from + AT_ONCE)).forEach(some::add);
      messages.add(new Message(partition, JSON.writeValueAsBytes(some), Map.of()));
    }
    try {
      kafka.write(topic, messages);
    } catch (NotWritten e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
