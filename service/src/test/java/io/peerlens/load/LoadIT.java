package io.peerlens.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Many clients ask for much at once, of a service with all roles that is fed meanwhile: it goes on
 * to evaluate and to store, answers what is cheap, and refuses the rest in words.
 */
class LoadIT {

  /**
   * How much there is.
   *
   * @param past of samples, one a minute
   * @param clients that ask for much
   * @param time how long they do
   */
  private record Size(int objects, Duration past, int clients, Duration time) {}

  /** For a machine that has other work to do; the real bounds are those of the proof. */
  @Test
  @Timeout(300)
  void heavyRequestsAreBoundedAndEverythingElseContinues() throws Exception {
    Figures figures = run(new Size(50, Duration.ofHours(6), 50, Duration.ofSeconds(8)));
    assertThat(figures.statuses()).containsKey("200");
    assertThat(Set.of("200", "429", "503")).containsAll(figures.statuses().keySet());
    assertThat(figures.health().max()).isLessThan(10_000);
    assertThat(figures.cheap().max()).isLessThan(30_000);
  }

  @Test
  @Tag("proof")
  @Timeout(900)
  void twoHundredClientsDoNotStopAlerting() throws Exception {
    Figures figures = run(new Size(300, Duration.ofHours(60), 200, Duration.ofSeconds(60)));
    assertThat(figures.statuses()).containsKey("200");
    assertThat(Set.of("200", "429", "503")).containsAll(figures.statuses().keySet());
    assertThat(figures.cheapFailures()).isEmpty();
    assertThat(figures.health().max()).as("/health, ms").isLessThan(1_000);
    assertThat(figures.cheap().percentile(99)).as("cheap reads, p99, ms").isLessThan(2_000);
    assertThat(figures.caughtUp()).isLessThan(Duration.ofSeconds(10));
  }

  private record Times(List<Long> millis) {
    long percentile(int percent) {
      List<Long> sorted = millis.stream().sorted().toList();
      return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) * percent / 100);
    }

    long max() {
      return percentile(100);
    }

    @Override
    public String toString() {
      return "%d asked, median %d ms, p99 %d ms, longest %d ms"
          .formatted(millis.size(), percentile(50), percentile(99), max());
    }
  }

  private record Figures(
      Map<String, Long> statuses,
      Times answered,
      Times refused,
      Times health,
      Times cheap,
      List<String> cheapFailures,
      Duration caughtUp) {}

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private volatile boolean attacking = true;
  private volatile boolean feeding = true;

  private Figures run(Size size) throws Exception {
    String topic = "load-" + UUID.randomUUID();
    TestKafka.shared().createTopic(topic, 1);
    try (SampleData data = SampleData.create()) {
      fill(data, size);
      try (PeerlensServer server =
              PeerlensServer.start(
                  data.database(),
                  Set.of(Role.values()),
                  "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
                  "peerlens.ingest.topic=" + topic,
                  "peerlens.ingest.group=" + topic,
                  "peerlens.flows.enabled=false",
                  "peerlens.evaluation.lag=2s");
          KafkaProducer<byte[], byte[]> producer =
              new KafkaProducer<>(
                  Map.of(
                      ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
                      ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class,
                      ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class))) {
        AtomicLong sent = new AtomicLong();
        Thread feed = Thread.ofPlatform().start(() -> feed(producer, topic, size.objects(), sent));
        try {
          return attack(server, data, size, topic, sent, feed);
        } finally {
          attacking = false;
          feeding = false;
          feed.join();
        }
      }
    }
  }

  private Figures attack(
      PeerlensServer server, SampleData data, Size size, String topic, AtomicLong sent, Thread feed)
      throws Exception {
    ApiClient admin = server.admin();
    Answer made =
        admin.post(
            "/super-metrics",
            """
            {"name": "Double", "formula": "${this, metric=cpu|usage_average} * 2", "interval": "5s",
             "kinds": [{"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}]}
            """);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    await("the first tick").atMost(Duration.ofSeconds(90)).until(() -> lastTick(admin) != null);
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      tokens.add(
          admin
              .post("/tokens", "{\"name\":\"load\",\"role\":\"viewer\"}")
              .json()
              .path("secret")
              .asString());
    }
    Instant now = Instant.now();
    String series = seriesQuery(size, now);
    String preview = preview(size, now);
    ConcurrentMap<String, AtomicLong> statuses = new ConcurrentHashMap<>();
    Times answered = new Times(Collections.synchronizedList(new ArrayList<>()));
    Times refused = new Times(Collections.synchronizedList(new ArrayList<>()));
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < size.clients(); i++) {
      String token = tokens.get(i % tokens.size());
      String path = i % 2 == 0 ? "/api/v1/series/query" : "/api/v1/super-metrics/preview";
      String body = i % 2 == 0 ? series : preview;
      clients.add(
          Thread.ofVirtual()
              .start(() -> ask(server.url() + path, token, body, statuses, answered, refused)));
    }
    Times health = new Times(new ArrayList<>());
    Times cheap = new Times(new ArrayList<>());
    List<String> cheapFailures = new ArrayList<>();
    String viewer =
        admin
            .post("/tokens", "{\"name\":\"quiet\",\"role\":\"viewer\"}")
            .json()
            .path("secret")
            .asString();
    double latest = 0;
    long end = System.nanoTime() + size.time().toNanos();
    for (int i = 0; System.nanoTime() < end; i++) {
      timed(server.url() + "/health", null, health, cheapFailures);
      timed(
          server.url()
              + List.of(
                      "/api/v1/alerts?limit=20",
                      "/api/v1/objects?limit=20",
                      "/api/v1/status",
                      "/api/v1/jobs",
                      "/")
                  .get(i % 5),
          viewer,
          cheap,
          cheapFailures);
      Thread.sleep(50);
    }
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    for (JsonNode shard : admin.get("/evaluation").json().path("shards")) {
      latest = Math.max(latest, shard.path("lateSeconds").asDouble(0));
    }
    attacking = false;
    feeding = false;
    feed.join();
    long ended = System.nanoTime();
    await("ingest lag 0")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> stored(data, topic) == sent.get());
    Duration caughtUp = Duration.ofNanos(System.nanoTime() - ended);
    for (Thread client : clients) {
      client.join();
    }
    Instant attacked = Instant.now();
    await("ticks up to the end of the load")
        .atMost(Duration.ofSeconds(60))
        .until(() -> !Objects.requireNonNull(lastTick(admin)).isBefore(attacked));
    for (JsonNode shard : admin.get("/evaluation").json().path("shards")) {
      assertThat(shard.path("skippedTicks").asLong(0)).as("ticks left out").isZero();
      assertThat(shard.path("error").asString("")).isEmpty();
    }
    assertThat(admin.get("/ingest/dead-letters").json().path("items"))
        .as("what was sent was good")
        .isEmpty();
    Map<String, Long> counts = new TreeMap<>();
    statuses.forEach((status, count) -> counts.put(status, count.get()));
    Figures figures =
        new Figures(counts, answered, refused, health, cheap, cheapFailures, caughtUp);
    System.out.printf(
        "LOAD %s: statuses %s%n  heavy, answered: %s%n  heavy, refused: %s%n  /health: %s%n"
            + "  cheap reads: %s, not answered %s%n  a tick was late by %.1f s at the end; ingest"
            + " caught up in %d ms; load average %.1f%n",
        size,
        counts,
        answered,
        refused,
        health,
        cheap,
        cheapFailures,
        latest,
        caughtUp.toMillis(),
        load);
    return figures;
  }

  /** The last tick of the shard that has a rule; the others have one a minute. */
  private static @Nullable Instant lastTick(ApiClient admin) {
    Instant least = null;
    for (JsonNode shard : admin.get("/evaluation").json().path("shards")) {
      if (shard.path("rules").asInt() == 0) {
        continue;
      }
      Instant tick = Instant.parse(shard.path("lastTick").asString());
      least = least == null || tick.isBefore(least) ? tick : least;
    }
    return least;
  }

  private static long stored(SampleData data, String topic) {
    return data.jdbc()
        .sql("select coalesce(sum(next_offset), 0) from kafka_offset where topic = ?")
        .params(topic)
        .query(Long.class)
        .single();
  }

  private static void fill(SampleData data, Size size) {
    int group =
        data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready_summation"));
    StringBuilder sets = new StringBuilder();
    for (int i = 0; i < size.objects(); i++) {
      sets.append(i == 0 ? "" : ",")
          .append(data.set(data.object("VMWARE", "VirtualMachine", "vm" + i), group, ""));
    }
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, s, array[50 + 40 * sin(s + extract(epoch from t) / 3600), s]
        from generate_series(now() - interval '%d s', now() - interval '1 min', interval '1 min') t,
             unnest(array[%s]) s
        """
            .formatted(size.past().toSeconds(), sets));
    data.sql("analyze");
  }

  private static String ids(int objects) {
    return java.util.stream.IntStream.range(0, objects)
        .mapToObj(i -> "\"" + SampleData.uuid("VirtualMachine", "vm" + i) + "\"")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String seriesQuery(Size size, Instant now) {
    return """
        {"objects": %s, "metrics": ["cpu|usage_average", "cpu|ready_summation"],
         "from": "%s", "to": "%s", "maxPoints": 1000}
        """
        .formatted(ids(size.objects()), now.minus(size.past()), now);
  }

  private static String preview(Size size, Instant now) {
    return """
        {"formula": "avg(${this, metric=cpu|usage_average}) + 1", "objects": %s, "from": "%s", "to": "%s"}
        """
        .formatted(ids(20), now.minus(size.past()), now);
  }

  private void ask(
      String url,
      String token,
      String body,
      ConcurrentMap<String, AtomicLong> statuses,
      Times answered,
      Times refused) {
    while (attacking) {
      long began = System.nanoTime();
      String status;
      try {
        HttpResponse<Void> answer =
            http.send(
                HttpRequest.newBuilder(URI.create(url))
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .timeout(Duration.ofSeconds(60))
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.discarding());
        status = String.valueOf(answer.statusCode());
        if (answer.statusCode() != 200
            && (answer.headers().firstValue("Retry-After").isEmpty()
                || !answer
                    .headers()
                    .firstValue("Content-Type")
                    .orElse("")
                    .startsWith("application/problem+json"))) {
          status += " without words";
        }
        (answer.statusCode() == 200 ? answered : refused)
            .millis()
            .add((System.nanoTime() - began) / 1_000_000);
        if (answer.statusCode() != 200) {
          Thread.sleep(250); // sooner than it is told to
        }
      } catch (IOException e) {
        status = "failed";
      } catch (InterruptedException e) {
        return;
      }
      statuses.computeIfAbsent(status, s -> new AtomicLong()).incrementAndGet();
    }
  }

  private void timed(String url, @Nullable String token, Times times, List<String> failures)
      throws InterruptedException {
    long began = System.nanoTime();
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60));
      if (token != null) {
        request.header("Authorization", "Bearer " + token);
      }
      int status = http.send(request.build(), BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        failures.add(url.replaceFirst(".*?//[^/]*", "") + " " + status);
      }
    } catch (IOException e) {
      failures.add(url.replaceFirst(".*?//[^/]*", "") + " " + e);
    }
    times.millis().add((System.nanoTime() - began) / 1_000_000);
  }

  private void feed(
      KafkaProducer<byte[], byte[]> producer, String topic, int objects, AtomicLong sent) {
    while (feeding) {
      for (int i = 0; i < objects; i++) {
        String record =
            """
            {"adapterKind":"VMWARE","objectKind":"VirtualMachine","id":"fed%d","name":"fed%d",
             "metrics":{"cpu|usage_average":%d,"cpu|ready_summation":1}}
            """
                .formatted(i, i, 10 + i % 80);
        producer.send(new ProducerRecord<>(topic, record.getBytes(StandardCharsets.UTF_8)));
        sent.incrementAndGet();
      }
      producer.flush();
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
