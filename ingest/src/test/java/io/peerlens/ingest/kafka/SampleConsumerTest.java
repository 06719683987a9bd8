package io.peerlens.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.InMemoryCatalog;
import io.peerlens.ingest.InMemorySampleSink;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.Mappings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Exactly once on a real broker, whatever happens to store, group and data. */
@Timeout(60)
@Order(1) // the longest, so that it is not left alone at the end
@Execution(ExecutionMode.CONCURRENT)
class SampleConsumerTest {

  private static final long T = 1_795_219_680_000_000L;
  private static final int PARTITIONS = 4;

  private final String topic = "metrics-" + UUID.randomUUID();
  private final InMemorySampleSink sink = new InMemorySampleSink();
  private final InMemoryCatalog catalog = new InMemoryCatalog(sink::lastRow);
  private final List<Node> nodes = new ArrayList<>();
  private KafkaProducer<byte[], byte[]> producer;
  private int produced;

  /** One ingest node: a consumer, its thread and its figures. */
  private static final Instant EARLY = Instant.parse("2026-11-21T00:20:00Z");

  private static final Instant LATE = EARLY.plus(Duration.ofMinutes(10));

  private static final class Node {
    volatile Instant now = EARLY;
    volatile String pause = "";

    final IngestCounters counters =
        new IngestCounters(new SimpleMeterRegistry(), InstantSource.system());
    final SampleConsumer consumer;
    final Thread thread;

    Node(SampleConsumer.Settings settings, Catalog catalog, SampleSink sink) {
      consumer =
          new SampleConsumer(
              settings,
              Mappings.shipped(),
              catalog,
              sink,
              () -> IngestGuards.DEFAULT,
              () -> pause,
              counters,
              () -> now);
      thread = Thread.ofPlatform().name("ingest-test").start(consumer);
    }

    void stop() throws InterruptedException {
      consumer.close();
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
    }
  }

  @BeforeAll
  static void bePatient() {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(40)); // builds run beside this
  }

  @AfterAll
  static void beAsBefore() {
    Awaitility.reset();
  }

  @BeforeEach
  void createTopic() throws InterruptedException {
    KafkaBroker.get().createTopic(topic, PARTITIONS);
    producer = KafkaBroker.get().producer();
  }

  @AfterEach
  void stopAll() throws InterruptedException {
    for (Node node : nodes) {
      node.stop();
    }
    producer.close();
  }

  private Node start() {
    return start(catalog, sink, 200);
  }

  private Node start(Catalog withCatalog, SampleSink withSink, int maxBatch) {
    Node node =
        new Node(
            new SampleConsumer.Settings(
                KafkaBroker.get().bootstrap(),
                List.of(topic),
                "group-" + topic,
                maxBatch,
                Duration.ofMillis(50),
                TimePrecision.NS,
                Map.of("session.timeout.ms", "3000", "heartbeat.interval.ms", "300")),
            withCatalog,
            withSink);
    nodes.add(node);
    return node;
  }

  /** Each sample has a value and a time of its own, so that a lost or doubled one shows. */
  private void produce(int count) {
    for (int i = 0; i < count; i++) {
      int n = produced++;
      String host = "h" + n % 16;
      send(host, "m,host=%s v=%d %d000\n".formatted(host, n, T + n));
    }
    producer.flush();
  }

  private void send(String key, String value) {
    producer.send(
        new ProducerRecord<>(
            topic,
            Math.floorMod(key.hashCode(), PARTITIONS),
            key.getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8)));
  }

  private void assertEachOnce() {
    await().until(() -> sink.rows() >= produced);
    assertThat(sink.rows()).isEqualTo(produced);
    assertThat(sink.overwritten()).isZero();
    for (int n = 0; n < produced; n++) {
      int set = catalog.setId(new SetKey(new ObjectKey("Telegraf", "Host", "h" + n % 16), "m", ""));
      assertThat(sink.row(set, T + n)).containsExactly(n);
    }
  }

  private long stored() {
    long sum = 0;
    for (int p = 0; p < PARTITIONS; p++) {
      sum += sink.position(new TopicPartition(topic, p));
    }
    return sum;
  }

  @Test
  void eachSampleIsStoredAndCountedOnce() {
    produce(1_000);
    Node node = start();
    assertEachOnce();
    await().until(() -> node.counters.points() == 1_000);
    assertThat(node.counters.rows()).isEqualTo(1_000);
    assertThat(node.counters.records()).isEqualTo(1_000);
    assertThat(node.counters.rejected()).isEmpty();
    await().until(() -> node.counters.lag().values().stream().allMatch(l -> l == 0));
  }

  @Test
  void readingContinuesAtTheStoredOffsetsAfterARestart() throws InterruptedException {
    produce(500);
    Node first = start();
    await().until(() -> sink.rows() > 100);
    first.stop();
    assertThat(stored()).isEqualTo(sink.rows());
    produce(500);
    start();
    assertEachOnce();
  }

  @Test
  void readingContinuesAtTheOldestRecordAfterKafkaDeletedUnreadOnes() throws Exception {
    produce(400);
    Node first = start();
    assertEachOnce();
    first.stop();
    produce(400);
    Map<TopicPartition, RecordsToDelete> deleted = new HashMap<>();
    for (int p = 0; p < PARTITIONS; p++) {
      TopicPartition partition = new TopicPartition(topic, p);
      deleted.put(partition, RecordsToDelete.beforeOffset(sink.position(partition) + 10));
    }
    try (Admin admin = admin()) {
      admin.deleteRecords(deleted).all().get(20, TimeUnit.SECONDS);
    }
    Node second = start();
    int left = produced - 10 * PARTITIONS;
    await().until(() -> sink.rows() >= left);
    assertThat(sink.rows()).isEqualTo(left);
    assertThat(sink.overwritten()).isZero();
    assertThat(second.counters.records()).as("read once").isEqualTo(left - 400);
  }

  @Test
  void aRecreatedTopicIsReadFromItsStart() throws Exception {
    produce(800);
    Node first = start();
    assertEachOnce();
    first.stop();
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topic)).all().get(20, TimeUnit.SECONDS);
    }
    await()
        .ignoreExceptions()
        .until(
            () -> {
              KafkaBroker.get().createTopic(topic, PARTITIONS);
              return true;
            });
    produce(100);
    start();
    assertEachOnce();
    assertThat(stored()).isEqualTo(100);
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", KafkaBroker.get().bootstrap()));
  }

  @Test
  void readRecordsAreStoredOnClose() throws InterruptedException {
    SampleConsumer.Settings slow =
        new SampleConsumer.Settings(
            KafkaBroker.get().bootstrap(),
            List.of(topic),
            "group-" + topic,
            1_000_000,
            Duration.ofHours(1),
            TimePrecision.NS,
            Map.of());
    produce(300);
    Node node = new Node(slow, catalog, sink);
    nodes.add(node);
    await().until(() -> catalog.objects().size() == 16);
    await()
        .until(
            () ->
                node.counters.lag().values().stream().mapToLong(l -> l).sum() == 0
                    && node.counters.lag().size() == PARTITIONS);
    assertThat(sink.rows()).isZero();
    node.stop();
    assertThat(sink.rows()).isEqualTo(300);
  }

  @Test
  void storingIsRetriedDuringAStoreOutage() {
    sink.failNext(
        new IllegalStateException("away"),
        new IllegalStateException("away"),
        new IllegalStateException("away"));
    produce(500);
    Node node = start();
    assertEachOnce();
    await().until(() -> node.counters.trouble().isEmpty());
  }

  @Test
  void theConsumerReportsWhyItCannotStore() {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch back = new CountDownLatch(1);
    produce(100);
    Node node =
        start(
            catalog,
            new Forwarding() {
              @Override
              public void write(SampleBatch batch) {
                calls.incrementAndGet();
                if (back.getCount() > 0) {
                  throw new IllegalStateException("the database is away");
                }
                sink.write(batch);
              }
            },
            100);
    await().until(() -> node.counters.trouble().equals("the database is away"));
    back.countDown();
    assertEachOnce();
  }

  @Test
  void theConsumerReportsUntilWhenAllIsStored() {
    CountDownLatch inStore = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Node node =
        start(
            catalog,
            new Forwarding() {
              @Override
              public void write(SampleBatch batch) {
                inStore.countDown();
                try {
                  go.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                sink.write(batch);
              }
            },
            100);
    assertThat(node.counters.storedUntil()).as("before it has partitions").isNull();
    await().untilAsserted(() -> assertThat(node.counters.storedUntil()).isEqualTo(EARLY));

    produce(300);
    await().until(() -> inStore.getCount() == 0);
    node.now = LATE;
    await()
        .during(Duration.ofSeconds(3))
        .untilAsserted(() -> assertThat(node.counters.storedUntil()).isEqualTo(EARLY));

    go.countDown();
    await().until(() -> LATE.equals(node.counters.storedUntil()));
    assertThat(sink.rows()).isEqualTo(300);
    node.now = LATE.plusSeconds(60); // it moves on without records
    await().until(() -> node.now.equals(node.counters.storedUntil()));
    assertEachOnce();
  }

  @Test
  void aPausedConsumerReadsNothingAndResumesByItself() {
    produce(100);
    Node node = start();
    assertEachOnce();

    node.pause = "the disk is nearly full";
    await().until(() -> node.counters.trouble().equals("paused: the disk is nearly full"));
    produce(300);
    await()
        .during(Duration.ofSeconds(4)) // longer than the session of a member that is gone
        .untilAsserted(() -> assertThat(sink.rows()).isEqualTo(100));

    node.pause = "";
    assertEachOnce();
    assertThat(node.counters.trouble()).isEmpty();
    assertThat(node.counters.records()).as("read once, and by the same member").isEqualTo(400);
  }

  @Test
  void aStoreThatCannotReportOffsetsIsSurvived() {
    AtomicInteger failures = new AtomicInteger(3);
    produce(200);
    start(
        catalog,
        new Forwarding() {
          @Override
          public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
            if (failures.getAndDecrement() > 0) {
              throw new IllegalStateException("no positions now");
            }
            return sink.positions(partitions);
          }
        },
        100);
    assertEachOnce();
    assertThat(failures.get()).isNegative();
  }

  @Test
  void aCatalogOutageIsSurvived() {
    catalog.fail(new IllegalStateException("no catalog now"));
    produce(200);
    Node node = start();
    await().until(() -> node.counters.trouble().equals("no catalog now"));
    assertThat(sink.rows()).isZero();
    catalog.fail(null);
    assertEachOnce();
  }

  @Test
  void aBatchOfUnknownOutcomeIsForgottenAndReadAgain() {
    // The store commits and the connection breaks: trying again is fenced off, nothing is doubled.
    AtomicInteger breaks = new AtomicInteger(3);
    produce(1_000);
    start(
        catalog,
        new Forwarding() {
          @Override
          public void write(SampleBatch batch) {
            sink.write(batch);
            if (breaks.getAndDecrement() > 0) {
              throw new IllegalStateException("connection lost after commit");
            }
          }
        },
        100);
    assertEachOnce();
  }

  @Test
  void recordsThatTheStoreRefusesBecomeDeadLettersAndTheRestIsKept() {
    produce(300);
    String bad = "refused,host=h3 v=1 " + T + "000\n";
    send("h3", bad);
    produce(300);
    sink.refuse(
        batch -> {
          for (int row = 0; row < batch.rows(); row++) {
            if (catalog.set(batch.setId(row)).group().equals("refused")) {
              return true;
            }
          }
          return false;
        });
    Node node = start();
    assertEachOnce();
    await().until(() -> !sink.deadLetters().isEmpty());
    assertThat(sink.deadLetters()).hasSize(1);
    DeadLetter letter = sink.deadLetters().getFirst();
    assertThat(letter.reason()).isEqualTo(RejectReason.STORE);
    assertThat(letter.detail()).isEqualTo("refused by the test");
    assertThat(new String(letter.payload(), StandardCharsets.UTF_8)).isEqualTo(bad);
    await().until(() -> node.counters.rejected().equals(Map.of(RejectReason.STORE, 1L)));
    await().until(() -> stored() == produced + 1);
  }

  @Test
  void recordsThatTheCatalogRefusesBecomeDeadLetters() {
    produce(50);
    send("h3", "refused,host=h3 v=1 " + T + "000\n");
    produce(50);
    start(
        request -> {
          if (request.sets().stream().anyMatch(s -> s.key().group().equals("refused"))) {
            throw new SampleSink.RefusedException("bad name", new IllegalStateException());
          }
          return catalog.apply(request);
        },
        sink,
        100);
    assertEachOnce();
    await().until(() -> sink.deadLetters().size() == 1);
    assertThat(sink.deadLetters().getFirst().detail()).isEqualTo("bad name");
  }

  @Test
  void badLinesBecomeDeadLettersWithTheirPosition() {
    send("h1", "broken line\n");
    produce(100);
    start();
    assertEachOnce();
    await().until(() -> sink.deadLetters().size() == 1);
    DeadLetter letter = sink.deadLetters().getFirst();
    assertThat(letter.topic()).isEqualTo(topic);
    assertThat(letter.partition()).isEqualTo(Math.floorMod("h1".hashCode(), PARTITIONS));
    assertThat(letter.offset()).isZero();
  }

  @Test
  void aConsumerYieldsToANodeThatMovedOn() {
    produce(400);
    Node node = start();
    await().until(() -> sink.rows() == 400);
    // As if another node had stored more of a partition than this one knows.
    TopicPartition partition =
        new TopicPartition(topic, Math.floorMod("h0".hashCode(), PARTITIONS));
    send("h0", "m,host=h0 v=-1 " + (T - 1) + "000\n");
    sink.moveOn(partition, sink.position(partition) + 1);
    producer.flush();
    produce(400);
    assertEachOnceOrSkipped();
    assertThat(node.thread.isAlive()).isTrue();
  }

  private void assertEachOnceOrSkipped() {
    // What the other node took, it took: it is not stored here again. Everything else is.
    await().until(() -> sink.rows() >= 800);
    assertThat(sink.rows()).isBetween(800, 801);
    assertThat(sink.overwritten()).isZero();
  }

  @Test
  void nothingIsLostOrDoubledWhenNodesComeAndGo() throws InterruptedException {
    produce(1_000);
    Node first = start();
    await().until(() -> sink.rows() > 100);
    Node second = start();
    await().until(() -> !second.counters.lag().isEmpty());
    produce(1_000);
    first.stop();
    produce(1_000);
    start();
    produce(1_000);
    assertEachOnce();
    assertThat(stored()).isEqualTo(produced);
  }

  @Test
  void nothingIsLostWhenANodeJoinsWhileTheStoreIsSlow() {
    SampleSink slow =
        new Forwarding() {
          private final CountDownLatch never = new CountDownLatch(1);

          @Override
          public void write(SampleBatch batch) {
            try {
              assertThat(never.await(250, java.util.concurrent.TimeUnit.MILLISECONDS)).isFalse();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            sink.write(batch);
          }
        };
    produce(2_000);
    start(catalog, slow, 200);
    await().until(() -> sink.rows() > 200);
    start(catalog, slow, 200);
    produce(1_000);
    assertEachOnce();
  }

  private class Forwarding implements SampleSink {
    @Override
    public void write(SampleBatch batch) {
      sink.write(batch);
    }

    @Override
    public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
      return sink.positions(partitions);
    }
  }

  @Test
  void anOffsetAtWhichReadingKeepsFailingIsReportedUntilItWorks() {
    catalog.fail(new SampleSink.UnavailableException("away", new IOException("no connection")));
    produce(50);
    Node node = start();
    await().until(() -> node.consumer.stuck().contains("was started 10 times at offset 0: away"));
    assertThat(node.counters.trouble()).isNotEmpty();
    assertThat(sink.rows()).isZero();
    catalog.fail(null);
    assertEachOnce();
    await().until(() -> node.consumer.stuck().isEmpty() && node.counters.trouble().isEmpty());
    assertThat(sink.deadLetters()).isEmpty();
  }

  @Test
  void aRecordThatTheCatalogFailsAboutForGoodBecomesADeadLetter() {
    send("poison", "m,host=poison v=1 " + T + "000\n");
    produce(50);
    Catalog failing =
        request -> {
          if (request.sets().stream()
              .anyMatch(set -> set.key().object().externalId().equals("poison"))) {
            throw new NullPointerException("a mistake about this object");
          }
          return catalog.apply(request);
        };
    Node node = start(failing, sink, 100);
    assertEachOnce();
    await().until(() -> sink.deadLetters().size() == 1);
    assertThat(sink.deadLetters().getFirst().reason()).isEqualTo(RejectReason.STORE);
    assertThat(sink.deadLetters().getFirst().detail()).contains("a mistake about this object");
    await().until(() -> node.consumer.stuck().isEmpty());
  }
}
