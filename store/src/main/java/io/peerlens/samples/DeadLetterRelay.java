package io.peerlens.samples;

import io.peerlens.database.Workload;
import io.peerlens.job.RecurringTask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Relay of dead letters from their table to the dead-letter topic. The table is written with the
 * samples and holds each letter once; the topic gets each at least once, with the letter's id as
 * key so that a reader can tell a repetition.
 */
final class DeadLetterRelay extends RecurringTask {

  private static final int AT_ONCE = 1_000;
  private static final int BYTES_AT_ONCE = 16 << 20;

  private static final String NEXT =
      """
      select id, topic, partition, "offset", line, reason, detail, payload
      from dead_letter
      where id in (
        select id
        from (select id, row_number() over w as number, sum(octet_length(payload)) over w as bytes
              from (select id, payload from dead_letter where published_at is null
                    order by id limit :count) as next
              window w as (order by id)) as page
        where bytes <= :bytes or number = 1)
      order by id for update skip locked
      """;
  private static final String PUBLISHED =
      "update dead_letter set published_at = :now where id = any (:ids)";

  private record Letter(
      long id,
      String topic,
      int partition,
      long offset,
      int line,
      String reason,
      String detail,
      byte[] payload) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String topic;
  private final Properties settings = new Properties();
  private final InstantSource clock;

  private @Nullable KafkaProducer<byte[], byte[]> producer;

  DeadLetterRelay(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      String bootstrapServers,
      String topic,
      Map<String, String> kafka,
      InstantSource clock) {
    super(
        "dead-letter-relay",
        Workload.INGEST,
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        "Dead letters wait to be copied to topic " + topic);
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.topic = topic;
    this.clock = clock;
    settings.putAll(kafka);
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(32 << 20));
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
  }

  @Override
  public synchronized void stop() {
    super.stop();
    if (producer != null) {
      producer.close(Duration.ofSeconds(2));
      producer = null;
    }
  }

  @Override
  protected void work() {
    int sent;
    do {
      Integer count = transaction.execute(status -> relaySome());
      sent = count == null ? 0 : count;
    } while (sent > 0);
  }

  private int relaySome() {
    // Letters may be large, so a page of them is bounded by bytes too; the first one always goes.
    List<Letter> letters =
        jdbc.sql(NEXT)
            .param("count", AT_ONCE)
            .param("bytes", BYTES_AT_ONCE)
            .query(
                (row, number) ->
                    new Letter(
                        row.getLong("id"),
                        row.getString("topic"),
                        row.getInt("partition"),
                        row.getLong("offset"),
                        row.getInt("line"),
                        row.getString("reason"),
                        row.getString("detail"),
                        row.getBytes("payload")))
            .list();
    if (letters.isEmpty()) {
      return 0;
    }
    List<Future<RecordMetadata>> sent =
        letters.stream().map(letter -> producer().send(record(letter, letter.payload))).toList();
    for (int i = 0; i < sent.size(); i++) {
      try {
        await(sent.get(i));
      } catch (RecordTooLargeException e) {
        // The broker does not take records of this size; the table has the bytes.
        ProducerRecord<byte[], byte[]> without = record(letters.get(i), new byte[0]);
        without.headers().add("payload-left-out", bytes(letters.get(i).payload.length + " bytes"));
        await(producer().send(without));
      }
    }
    jdbc.sql(PUBLISHED)
        .param("now", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
        .param("ids", letters.stream().map(Letter::id).toArray(Long[]::new))
        .update();
    return letters.size();
  }

  private static void await(Future<RecordMetadata> sent) {
    try {
      sent.get(40, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException refused
          ? refused
          : new KafkaException("a dead letter was not accepted", e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaException("a dead letter was not accepted in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted", e);
    }
  }

  private ProducerRecord<byte[], byte[]> record(Letter letter, byte[] payload) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, bytes(Long.toString(letter.id)), payload);
    Headers headers = record.headers();
    headers.add("reason", bytes(letter.reason));
    headers.add("detail", bytes(letter.detail));
    headers.add("source-topic", bytes(letter.topic));
    headers.add("source-partition", bytes(Integer.toString(letter.partition)));
    headers.add("source-offset", bytes(Long.toString(letter.offset)));
    headers.add("source-line", bytes(Integer.toString(letter.line)));
    return record;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private synchronized KafkaProducer<byte[], byte[]> producer() {
    KafkaProducer<byte[], byte[]> made = producer;
    if (made == null) {
      made = new KafkaProducer<>(settings);
      producer = made;
    }
    return made;
  }
}
