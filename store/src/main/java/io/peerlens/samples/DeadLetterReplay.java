package io.peerlens.samples;

import io.peerlens.api.model.ReplayFailure;
import io.peerlens.api.model.ReplayResult;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.RecordSize;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Replay of dead letters: sends them to their topic again, as far as they can be stored now. Each
 * is first decoded as ingest would, against the catalog but without storing anything.
 *
 * <p>Sending comes before marking, so a crash in between sends a letter twice; the second time
 * changes nothing: a set has one row for each moment, and of flows it is noted that they are
 * counted.
 */
final class DeadLetterReplay {

  static final int AT_ONCE = 10_000;
  private static final long BYTES_AT_ONCE = 32L << 20;

  private static final String MATCHING =
      """
      select id, octet_length(payload) as bytes from dead_letter
      where (:ids::bigint[] is null or id = any (:ids))
        and (:reason::text is null or reason = :reason)
        and (:topic::text is null or topic = :topic)
        and (:ids::bigint[] is not null or replayed_at is null)
      order by id limit :limit
      """;
  private static final String LETTERS =
      """
      select id, topic, partition, record_time, detail, payload from dead_letter
      where id = any (:ids) order by id for update skip locked
      """;
  private static final String REPLAYED =
      "update dead_letter set replayed_at = :now where id = any (:ids)";

  /** Filter of what is replayed: all that is given must match; null = any. */
  record Request(
      @Nullable List<Long> ids, @Nullable String reason, @Nullable String topic, boolean dryRun) {}

  private record Size(long id, int bytes) {}

  private record Letter(
      long id,
      String topic,
      int partition,
      @Nullable Instant recordTime,
      String detail,
      byte[] payload) {

    boolean isWhole() {
      return !detail.endsWith(RecordSize.NOT_WHOLE);
    }
  }

  private record Why(String reason, String detail) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final InventoryCatalog catalog;
  private final Mappings mappings;
  private final Supplier<IngestGuards> guards;
  private final Map<String, DeadLetterCheck> checks = new HashMap<>();
  private final TimePrecision precision;
  private final Map<String, Object> producerSettings = new HashMap<>();
  private final InstantSource clock;

  DeadLetterReplay(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      InventoryCatalog catalog,
      Mappings mappings,
      Supplier<IngestGuards> guards,
      List<DeadLetterCheck> otherTopics,
      IngestProperties properties,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.catalog = catalog;
    this.mappings = mappings;
    this.guards = guards;
    otherTopics.forEach(check -> checks.put(check.topic(), check));
    this.precision = properties.timestampPrecision();
    this.clock = clock;
    producerSettings.putAll(properties.kafka());
    producerSettings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, properties.bootstrapServers());
    producerSettings.put(
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    producerSettings.put(
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    producerSettings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 64 << 20);
    producerSettings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 96L << 20);
    producerSettings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    producerSettings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    producerSettings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
  }

  /**
   * Replays what matches, oldest first, at most {@link #AT_ONCE}.
   *
   * @throws ApiException {@code unavailable} when Kafka does not take them; what was sent until
   *     then is marked
   */
  ReplayResult replay(Request request) {
    List<Size> matching =
        jdbc.sql(MATCHING)
            .param("ids", request.ids == null ? null : request.ids.toArray(Long[]::new))
            .param("reason", request.reason)
            .param("topic", request.topic)
            .param("limit", AT_ONCE + 1)
            .query((row, number) -> new Size(row.getLong("id"), row.getInt("bytes")))
            .list();
    boolean more = matching.size() > AT_ONCE;
    long tried = 0;
    long replayed = 0;
    Map<String, ReplayFailure> failures = new LinkedHashMap<>();
    long failed = 0;
    try (Sender sender = new Sender()) {
      for (List<Long> ids : pages(matching.subList(0, Math.min(AT_ONCE, matching.size())))) {
        Outcome outcome = inTransaction(ids, request.dryRun, sender);
        tried += outcome.tried;
        replayed += outcome.sent;
        failed += outcome.failed.size();
        for (Why why : outcome.failed.values()) {
          failures
              .computeIfAbsent(why.reason, r -> new ReplayFailure(r, 0L, why.detail))
              .setCount(failures.get(why.reason).getCount() + 1);
        }
      }
    }
    return new ReplayResult(
        request.dryRun,
        tried,
        tried - failed,
        replayed,
        failures.values().stream()
            .sorted((a, b) -> Long.compare(b.getCount(), a.getCount()))
            .toList(),
        more);
  }

  /** Pages that fit in memory, since a payload can be as large as a Kafka record. */
  private static List<List<Long>> pages(List<Size> letters) {
    List<List<Long>> pages = new ArrayList<>();
    List<Long> page = new ArrayList<>();
    long bytes = 0;
    for (Size letter : letters) {
      if (!page.isEmpty() && bytes + letter.bytes > BYTES_AT_ONCE) {
        pages.add(page);
        page = new ArrayList<>();
        bytes = 0;
      }
      page.add(letter.id);
      bytes += letter.bytes;
    }
    if (!page.isEmpty()) {
      pages.add(page);
    }
    return pages;
  }

  private record Outcome(int tried, int sent, Map<Long, Why> failed) {}

  private Outcome inTransaction(List<Long> ids, boolean dryRun, Sender sender) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              List<Letter> letters = letters(ids);
              Map<Long, Why> failed = check(letters);
              if (dryRun) {
                return new Outcome(letters.size(), 0, failed);
              }
              List<Letter> good =
                  letters.stream().filter(letter -> !failed.containsKey(letter.id)).toList();
              sender.send(good);
              jdbc.sql(REPLAYED)
                  .param("now", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                  .param("ids", good.stream().map(Letter::id).toArray(Long[]::new))
                  .update();
              return new Outcome(letters.size(), good.size(), failed);
            }));
  }

  private List<Letter> letters(List<Long> ids) {
    return jdbc.sql(LETTERS)
        .param("ids", ids.toArray(Long[]::new))
        .query(
            (row, number) ->
                new Letter(
                    row.getLong("id"),
                    row.getString("topic"),
                    row.getInt("partition"),
                    Optional.ofNullable(row.getObject("record_time", OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant)
                        .orElse(null),
                    row.getString("detail"),
                    row.getBytes("payload")))
        .list();
  }

  /** Decodes the letters as ingest would; gives those that it would refuse. */
  private Map<Long, Why> check(List<Letter> letters) {
    Map<Long, Why> failed = new HashMap<>();
    try {
      check(letters, failed);
    } catch (SampleSink.RefusedException e) {
      for (Letter letter : letters) {
        try {
          check(List.of(letter), failed);
        } catch (SampleSink.RefusedException refused) {
          failed.put(letter.id, new Why("store", String.valueOf(refused.getMessage())));
        }
      }
    }
    return failed;
  }

  private void check(List<Letter> letters, Map<Long, Why> failed) {
    List<Letter> samples = new ArrayList<>();
    for (Letter letter : letters) {
      DeadLetterCheck check = checks.get(letter.topic);
      if (!letter.isWhole()) {
        failed.put(
            letter.id,
            new Why(
                RejectReason.OVERSIZED.code(),
                "not all bytes of the record were kept: send it again from its source, in smaller records"));
      } else if (check == null) {
        samples.add(letter);
      } else {
        check
            .check(record(letter))
            .ifPresent(why -> failed.put(letter.id, new Why(why.reason(), why.detail())));
      }
    }
    RecordDecoder decoder = new RecordDecoder(mappings, catalog::pretend, guards, precision, clock);
    SampleBatch batch = new SampleBatch();
    // The id stands in the offset, by which a rejection is recognised.
    List<ConsumerRecord<byte[], byte[]>> records =
        samples.stream().map(letter -> record(letter)).toList();
    decoder.decode(records, Map.of(), batch);
    batch
        .deadLetters()
        .forEach(
            rejected ->
                failed.putIfAbsent(
                    rejected.offset(),
                    new Why(
                        rejected.reason().code(),
                        rejected.reason() == RejectReason.FUTURE
                            ? rejected.detail()
                                + "; a guard that was changed just now holds within a minute"
                            : rejected.detail())));
  }

  private ConsumerRecord<byte[], byte[]> record(Letter letter) {
    Instant time = letter.recordTime == null ? clock.instant() : letter.recordTime;
    return new ConsumerRecord<>(
        letter.topic,
        letter.partition,
        letter.id,
        time.toEpochMilli(),
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        letter.payload.length,
        new byte[0],
        letter.payload,
        new RecordHeaders(),
        Optional.empty());
  }

  /** A producer that is made when the first letter goes, and closed with the call. */
  private final class Sender implements AutoCloseable {
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    void send(List<Letter> letters) {
      if (letters.isEmpty()) {
        return;
      }
      if (producer == null) {
        producer = new KafkaProducer<>(producerSettings);
      }
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      try {
        for (Letter letter : letters) {
          ProducerRecord<byte[], byte[]> record =
              new ProducerRecord<>(
                  letter.topic,
                  letter.partition,
                  letter.recordTime == null ? null : letter.recordTime.toEpochMilli(),
                  null,
                  letter.payload);
          record
              .headers()
              .add(
                  DeadLetterCheck.REPLAY_OF,
                  Long.toString(letter.id).getBytes(StandardCharsets.UTF_8));
          sent.add(producer.send(record));
        }
        for (Future<RecordMetadata> future : sent) {
          future.get(30, TimeUnit.SECONDS);
        }
      } catch (ExecutionException | TimeoutException | KafkaException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw ApiException.of(
                ErrorCode.UNAVAILABLE,
                "Kafka does not take the dead letters: " + cause.getMessage())
            .hint("Try again when the broker answers; nothing is lost.");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }

    @Override
    public void close() {
      if (producer != null) {
        producer.close(Duration.ofSeconds(1));
      }
    }
  }
}
