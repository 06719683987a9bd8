package io.peerlens.ingest;

import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.Mappings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Drives a {@link RecordDecoder} with the fakes: text in, values by metric key out. */
final class Decoding {

  static final TopicPartition PARTITION = new TopicPartition("peerlens.metrics", 0);

  /** 2026-11-21T00:00:00Z, close to what the captures hold. */
  static final Instant NOW = Instant.parse("2026-11-21T00:20:00Z");

  final InMemorySampleSink sink = new InMemorySampleSink();
  final InMemoryCatalog catalog = new InMemoryCatalog(sink::lastRow);
  private final Mappings mappings;
  private final TimePrecision precision;
  private IngestGuards guards = IngestGuards.DEFAULT;
  private Instant now = NOW;
  private RecordDecoder decoder;
  private long offset;
  private long passedOver;

  Decoding() {
    this(Mappings.shipped(), TimePrecision.NS);
  }

  Decoding(Mappings mappings, TimePrecision precision) {
    this.mappings = mappings;
    this.precision = precision;
    this.decoder = newDecoder();
  }

  private RecordDecoder newDecoder() {
    return new RecordDecoder(mappings, catalog, () -> guards, precision, () -> now);
  }

  Decoding guards(IngestGuards other) {
    guards = other;
    return this;
  }

  Decoding at(Instant time) {
    now = time;
    return this;
  }

  /** As after a restart: everything is learned again from the catalog. */
  void restart() {
    decoder = newDecoder();
  }

  ConsumerRecord<byte[], byte[]> record(
      byte @Nullable [] value, long timestampMillis, @Nullable String contentType) {
    RecordHeaders headers = new RecordHeaders();
    if (contentType != null) {
      headers.add("content-type", contentType.getBytes(StandardCharsets.UTF_8));
    }
    return new ConsumerRecord<>(
        PARTITION.topic(),
        PARTITION.partition(),
        offset++,
        timestampMillis,
        TimestampType.CREATE_TIME,
        -1,
        value == null ? -1 : value.length,
        null,
        value,
        headers,
        Optional.empty());
  }

  /** Decodes each text as a record, all in one batch, and stores the batch. */
  Decoding records(String... values) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String value : values) {
      records.add(record(value.getBytes(StandardCharsets.UTF_8), now.toEpochMilli(), null));
    }
    return batch(records);
  }

  Decoding bytes(byte[] value) {
    return batch(List.of(record(value, now.toEpochMilli(), null)));
  }

  Decoding batch(List<ConsumerRecord<byte[], byte[]>> records) {
    SampleBatch batch = new SampleBatch();
    decoder.decode(records, sink.positions(List.of(PARTITION)), batch);
    sink.write(batch);
    passedOver += batch.passedOver();
    return this;
  }

  /** Lines with texts alone, of all batches. */
  long passedOver() {
    return passedOver;
  }

  RecordDecoder decoder() {
    return decoder;
  }

  static ObjectKey host(String name) {
    return new ObjectKey("Telegraf", "Host", name);
  }

  /** NaN when there is no such value. */
  double value(ObjectKey object, String metricKey, long timeMicros) {
    MetricKey key = MetricKey.parse(metricKey);
    int set = catalog.setId(new SetKey(object, key.group(), key.instance()));
    double[] row = set == 0 ? null : sink.row(set, timeMicros);
    List<String> names = names(object, key.group());
    int position = names.indexOf(key.metric());
    return row == null || position < 0 || position >= row.length ? Double.NaN : row[position];
  }

  List<String> names(ObjectKey object, String group) {
    return catalog.metrics(new GroupKey(object.adapterKind(), object.objectKind(), group)).stream()
        .map(Metric::name)
        .toList();
  }

  /** All values as {@code object/key@micros}. */
  Map<String, Double> all() {
    Map<String, Double> all = new HashMap<>();
    for (InMemorySampleSink.RowKey key : sink.keys()) {
      SetKey set = catalog.set(key.setId());
      double[] row = sink.row(key.setId(), key.timeMicros());
      List<String> names = names(set.object(), set.group());
      for (int i = 0; row != null && i < row.length; i++) {
        if (!Double.isNaN(row[i])) {
          all.put(
              set.object().externalId()
                  + '/'
                  + new MetricKey(set.group(), set.instance(), names.get(i))
                  + '@'
                  + key.timeMicros(),
              row[i]);
        }
      }
    }
    return all;
  }

  List<DeadLetter> letters() {
    return sink.deadLetters();
  }

  /** Each dead letter as {@code reason: detail}. */
  List<String> rejections() {
    return letters().stream().map(l -> l.reason().code() + ": " + l.detail()).toList();
  }

  List<String> payloads() {
    return letters().stream().map(l -> new String(l.payload(), StandardCharsets.UTF_8)).toList();
  }
}
