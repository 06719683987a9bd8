package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.samples.IngestProgress;
import io.peerlens.samples.IngestProgressQueries;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service is away while samples go on coming into Kafka. */
@Timeout(300)
@Order(2)
class CatchUpIT {

  private static final long BEGIN = Instant.now().getEpochSecond();
  private static final int AWAY_SECONDS = 10;

  /** Seconds of which there is a sample; on a busy machine not each has one. */
  private final NavigableSet<Long> sent = new ConcurrentSkipListSet<>();

  private final String topic = "catch-up-" + UUID.randomUUID();
  private final SampleData data = SampleData.create();
  private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
  private final KafkaProducer<String, String> producer =
      new KafkaProducer<>(
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
              TestKafka.shared().bootstrap(),
              ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
              StringSerializer.class.getName(),
              ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
              StringSerializer.class.getName()));

  @BeforeEach
  void send() {
    TestKafka.shared().createTopic(topic, 2);
    sender.scheduleAtFixedRate(
        () -> {
          long now = Instant.now().getEpochSecond();
          String line = "m,host=h v=%d %d000000000\n".formatted(now - BEGIN, now);
          producer.send(new ProducerRecord<>(topic, "h", line));
          sent.add(now);
        },
        0,
        1,
        TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws InterruptedException {
    sender.shutdownNow();
    assertThat(sender.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    producer.close();
    data.close();
  }

  private PeerlensServer serve() {
    return PeerlensServer.start(
        data.database(),
        Set.of(Role.INGEST, Role.EVALUATOR, Role.API),
        "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
        "peerlens.ingest.topic=" + topic,
        "peerlens.ingest.group=" + topic,
        "peerlens.ingest.linger=50ms",
        "peerlens.evaluation.lag=3s",
        "peerlens.evaluation.shards=1");
  }

  @Test
  void caughtUpTicksHaveTheSamplesOfTheirTime() throws InterruptedException {
    IngestProgress before;
    String id;
    Instant away;
    try (PeerlensServer server = serve()) {
      id = superMetric(server.admin());
      await().atMost(Duration.ofSeconds(90)).until(() -> values(id).size() >= 2);
      IngestProgressQueries readings = new IngestProgressQueries(data.jdbc());
      await() // ingest says every two seconds how far it is, on a busy machine later
          .atMost(Duration.ofSeconds(60))
          .until(() -> readings.at(Instant.now()).since() != null);
      before = readings.at(Instant.now());
      away = Instant.now();
    }
    assertThat(before.since()).as("there never was a pause").isEqualTo(Instant.EPOCH);
    assertThat(before.until()).isBetween(away.minusSeconds(30), away);
    TimeUnit.SECONDS.sleep(AWAY_SECONDS);
    Instant back = Instant.now();
    data.sql("update ingest_reading set until = until - interval '5 minutes'"); // a longer one

    try (PeerlensServer again = serve()) {
      assertThat(again.url()).isNotEmpty();
      await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> !values(id).isEmpty() && values(id).lastKey().isAfter(back.plusSeconds(5)));
      IngestProgress after = new IngestProgressQueries(data.jdbc()).at(Instant.now());
      assertThat(after.since()).as("a pause").isAfter(back);
      assertThat(after.noticing(back)).isEqualTo(after.since());
    }
    TreeMap<Instant, Double> values = values(id);
    int made = 0;
    for (Instant tick = values.firstKey();
        !tick.isAfter(values.lastKey());
        tick = tick.plusSeconds(5)) {
      long newest = Objects.requireNonNull(sent.floor(tick.getEpochSecond()));
      double age = newest - BEGIN - values.getOrDefault(tick, Double.NaN) / 2;
      assertThat(age)
          .as("how much older than the newest is what %s was computed of, in %s", tick, values)
          .isBetween(0.0, 3.0);
      made += tick.isAfter(away) && tick.isBefore(back) ? 1 : 0;
    }
    assertThat(made).as("ticks of the time away").isBetween(AWAY_SECONDS / 5 - 1, 20);
  }

  private static String superMetric(ApiClient admin) {
    ApiClient.Answer made =
        admin.post(
            "/super-metrics",
            """
            {"name": "Twice", "formula": "${this, metric=m|v} * 2", "interval": "5s",
             "kinds": [{"adapterKind": "Telegraf", "objectKind": "Host"}]}
            """);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().get("id").asString();
  }

  /** By tick. */
  private TreeMap<Instant, Double> values(String superMetric) {
    TreeMap<Instant, Double> values = new TreeMap<>();
    data.jdbc()
        .sql(
            """
            select s.time, s.values[array_position(g.metrics, :metric)]
            from sample s
            join metric_set m on m.id = s.set_id
            join metric_group g on g.id = m.group_id and g.name = 'Super Metric'
            """)
        .param("metric", "sm_" + superMetric)
        .query(
            row -> {
              Double value = (Double) row.getObject(2);
              if (value != null) {
                values.put(row.getObject(1, OffsetDateTime.class).toInstant(), value);
              }
            });
    return values;
  }
}
