package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** From a Kafka record to rows and to the API: the service on a real database and a real broker. */
@Timeout(180)
@Order(1)
class PipelineIT {

  private static final long TIME = Instant.now().getEpochSecond() - 600;

  private final String topic = "metrics-" + UUID.randomUUID();
  private final String letterTopic = "letters-" + UUID.randomUUID();
  private final TestDatabase database = TestDatabase.migrated();
  private final KafkaProducer<byte[], byte[]> producer =
      new KafkaProducer<>(
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
              ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
              ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName()));
  private @Nullable PeerlensServer server;
  private @Nullable ApiClient admin;

  @BeforeEach
  void start() {
    TestKafka.shared().createTopic(topic, 2);
    TestKafka.shared().createTopic(letterTopic, 1);
    PeerlensServer started = serve(Role.INGEST, Role.API);
    admin = started.admin();
    server = started;
  }

  private PeerlensServer serve(Role... roles) {
    return PeerlensServer.start(
        database,
        Set.of(roles),
        "peerlens.node=test-node",
        "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
        "peerlens.ingest.topic=" + topic,
        "peerlens.ingest.group=" + topic,
        "peerlens.ingest.dead-letter-topic=" + letterTopic,
        "peerlens.ingest.linger=50ms");
  }

  @AfterEach
  void stop() {
    producer.close();
    server().close();
  }

  private PeerlensServer server() {
    return java.util.Objects.requireNonNull(server);
  }

  private ApiClient admin() {
    return java.util.Objects.requireNonNull(admin);
  }

  private JdbcClient jdbc() {
    return server().context().getBean(JdbcClient.class);
  }

  private void send(String record) {
    send(0, record);
  }

  private void send(int partition, String record) {
    try {
      producer
          .send(
              new ProducerRecord<>(topic, partition, null, record.getBytes(StandardCharsets.UTF_8)))
          .get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitCount(long expected, String sql) {
    Awaitility.await(sql)
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(jdbc().sql(sql).query(Long.class).single()).isEqualTo(expected));
  }

  private void awaitOffset(int partition, long offset) {
    awaitCount(offset, "select next_offset from kafka_offset where partition = " + partition);
  }

  private List<String> rows(String group) {
    return jdbc()
        .sql(
            """
            select o.name || '/' || m.instance || '@' || (extract(epoch from s.time) - :base)::int
                   || coalesce((select string_agg(' ' || metric || '=' || value, '' order by metric)
                       from unnest(g.metrics, s.values) as v(metric, value) where value is not null), '')
            from sample s join metric_set m on m.id = s.set_id
            join metric_group g on g.id = m.group_id join object o on o.id = m.object_id
            where g.name = :group order by s.time, 1
            """)
        .param("base", TIME)
        .param("group", group)
        .query(String.class)
        .list();
  }

  private static String at(long second) {
    return (TIME + second) + "000000000";
  }

  @Test
  void linesBecomeRowsHoweverTheyArriveAndRatesContinueAfterARestart() {
    send("app,host=a,part=x f=1,g=2 " + at(10) + "\napp,host=a,part=y f=3 " + at(10) + "\n");
    awaitOffset(0, 1);
    send("app,host=a,part=x h=4 " + at(10)); // the rest of a moment, in a later batch
    awaitOffset(0, 2);
    send("app,host=a,part=x f=5 " + at(0)); // late
    send("net,host=a,interface=eth0 bytes_recv=1000i " + at(10));
    send("net,host=a,interface=eth0 bytes_recv=3000i " + at(20));
    awaitOffset(0, 5);
    server().close();
    send("net,host=a,interface=eth0 bytes_recv=3500i " + at(30));
    server = serve(Role.INGEST, Role.API);
    awaitOffset(0, 6);
    assertThat(rows("app"))
        .containsExactly("a/part=x@0 f=5", "a/part=x@10 f=1 g=2 h=4", "a/part=y@10 f=3");
    assertThat(rows("net"))
        .containsExactly(
            "a/eth0@10 bytes_recv=1000",
            "a/eth0@20 bytes_recv=3000 bytes_recv_rate=200",
            "a/eth0@30 bytes_recv=3500 bytes_recv_rate=50");
  }

  @Test
  void theLastTwoGapsOfAnObjectAreKept() {
    for (long second : new long[] {0, 40, 340, 100, 400}) {
      send("app,host=a f=1 " + at(second)); // 100 comes late and tells nothing
      awaitCount(
          1, "select count(*) from sample where time = to_timestamp(" + (TIME + second) + ")");
    }
    String liveness =
        """
        select gap_before_s || ' ' || gap_s || ' '
               || case when delay_s = 0 then 'none'
                  else (delay_s between 100 and extract(epoch from now() - last_seen) + 1)::text end
        from object_liveness
        """;
    assertThat(jdbc().sql(liveness).query(String.class).single())
        .as("a past that comes in at once is not late")
        .isEqualTo("300 60 none");
    jdbc().sql("update object_liveness set arrived_at = now() - interval '50 seconds'").update();
    send("app,host=a f=1 " + at(460));
    awaitCount(1, "select count(*) from sample where time = to_timestamp(" + (TIME + 460) + ")");
    assertThat(jdbc().sql(liveness).query(String.class).single())
        .as("one that comes at the pace of its time is")
        .isEqualTo("60 60 true");
    assertThat(admin().get("/objects").json().path("items").get(0).path("state").asString())
        .isEqualTo("reporting");
  }

  @Test
  void historyThatIsReadAtOnceHasTheGapsOfItsSamples() {
    StringBuilder past = new StringBuilder();
    for (long minute = -120; minute <= -60; minute += 5) {
      past.append("app,host=a f=1 ").append(at(60 * minute)).append('\n');
    }
    send(past.toString());
    awaitCount(13, "select count(*) from sample");
    String gap = "select gap_s::int from object_liveness";
    assertThat(jdbc().sql(gap).query(Integer.class).single()).isEqualTo(300);
    past.setLength(0);
    for (long minute = -55; minute <= 0; minute += 5) {
      past.append("app,host=a f=1 ").append(at(60 * minute)).append('\n');
    }
    send(past.toString());
    awaitCount(25, "select count(*) from sample");
    assertThat(jdbc().sql(gap).query(Integer.class).single())
        .as("not the time from one batch to the next")
        .isEqualTo(300);
  }

  @Test
  void aVmThatMovesChangesItsParent() {
    String vm =
        "vsphere_vm_cpu,vcenter=v,moid=vm-1,dcname=D,clustername=C,rpname=R,vmname=a,esxhostname=";
    send(
        "vsphere_host_cpu,vcenter=v,moid=host-1,dcname=D,clustername=C,esxhostname=e1 u=1 "
            + at(0));
    send(
        "vsphere_host_cpu,vcenter=v,moid=host-2,dcname=D,clustername=C,esxhostname=e2 u=1 "
            + at(0));
    send(1, vm + "e1 u=1 " + at(0));
    awaitOffset(0, 2);
    awaitOffset(1, 1);
    assertThat(parentOf("v/vm-1")).isEqualTo("v/host-1");
    send(1, vm + "e2 u=2 " + at(20) + "\n" + vm + "e1 u=3 " + at(10)); // the old place comes late
    awaitOffset(1, 2);
    assertThat(parentOf("v/vm-1")).isEqualTo("v/host-2");
    assertThat(
            jdbc()
                .sql(
                    "select old_value || ' -> ' || new_value from object_change where kind = 'placement'")
                .query(String.class)
                .list())
        .containsExactly("e1 -> e2");
  }

  @Test
  void aRecordOfConfigurationAloneMakesAnObject() {
    send(
        """
        [{"adapterKind": "VMWARE", "objectKind": "Folder", "id": "v/group-v3", "name": "shops"},
         {"adapterKind": "VMWARE", "objectKind": "VirtualMachine", "id": "v/vm-1", "name": "web1",
          "properties": {"config|version": "vmx-19", "snapshot|age": 3}, "tags": {"tier": "web"},
          "parents": [{"objectKind": "Folder", "id": "v/group-v3"}]},
         {"adapterKind": "VMWARE", "objectKind": "VirtualMachine", "id": "v/vm-2"}]
        """);
    awaitOffset(0, 1);
    send(
        """
        {"adapterKind": "VMWARE", "objectKind": "VirtualMachine", "id": "v/vm-1", "properties": {"snapshot|age": null}}
        """);
    awaitOffset(0, 2);
    JsonNode page = admin().get("/objects?objectKind=VirtualMachine&withPath=true").json();
    assertThat(page.path("total").asInt()).isEqualTo(1);
    JsonNode vm = page.path("items").get(0);
    assertThat(vm.path("name").asString()).isEqualTo("web1");
    assertThat(vm.path("path").get(0).asString()).isEqualTo("shops");
    assertThat(vm.path("properties").toString()).isEqualTo("{\"config|version\":\"vmx-19\"}");
    assertThat(vm.path("state").asString()).isEqualTo("reporting");
    String id = vm.path("id").asString();
    assertThat(admin().get("/objects/" + id + "/metrics").json().path("items")).isEmpty();
    JsonNode change = admin().get("/objects/" + id + "/changes").json().path("items").get(0);
    assertThat(change.path("kind").asString()).isEqualTo("property");
    assertThat(change.path("key").asString()).isEqualTo("snapshot|age");
    assertThat(change.path("before").asString()).isEqualTo("3");
    assertThat(change.path("after").isNull()).isTrue();
    JsonNode letter = admin().get("/ingest/dead-letters").json().path("items").get(0);
    assertThat(letter.path("reason").asString()).isEqualTo("json");
    assertThat(letter.path("detail").asString()).startsWith("nothing is said of the object");
    assertThat(jdbc().sql("select count(*) from metric_group").query(Long.class).single()).isZero();
  }

  private String parentOf(String externalId) {
    return jdbc()
        .sql(
            """
            select string_agg(p.external_id, ' ') from relation r
            join object p on p.id = r.parent_id join object c on c.id = r.child_id
            where c.external_id = ?
            """)
        .param(externalId)
        .query(String.class)
        .single();
  }

  @Test
  void deadLettersAreListedCopiedAndReplayed() {
    String early = "app,host=a f=1 " + at(3_000); // 40 minutes ahead
    send("app,host=a f=1 " + at(0) + "\napp,host=a f=7x1 " + at(1) + "\n" + early);
    awaitOffset(0, 1);
    JsonNode page = admin().get("/ingest/dead-letters").json();
    assertThat(page.path("total").asInt()).isEqualTo(2);
    JsonNode bad = page.path("items").get(1);
    assertThat(bad.path("reason").asString()).isEqualTo("number");
    assertThat(bad.path("line").asInt()).isEqualTo(2);
    assertThat(bad.path("payload").asString()).isEqualTo("app,host=a f=7x1 " + at(1));
    assertThat(bad.path("payload").asString().substring(bad.path("position").asInt()))
        .startsWith("7x1");
    JsonNode first = admin().get("/ingest/dead-letters?limit=1").json();
    JsonNode second =
        admin()
            .get("/ingest/dead-letters?limit=1&cursor=" + first.path("nextCursor").asString())
            .json();
    assertThat(second.path("items").get(0).path("id")).isEqualTo(bad.path("id"));
    assertThat(second.path("nextCursor").isNull()).isTrue();
    assertThat(admin().get("/ingest/dead-letters?from=nonsense").status()).isEqualTo(400);
    assertThat(admin().get("/ingest/dead-letters?limit=1&cursor=abc").status()).isEqualTo(400);
    assertThat(
            StreamSupport.stream(
                    admin().get("/ingest/dead-letters/reasons").json().path("items").spliterator(),
                    false)
                .map(r -> r.path("reason").asString() + r.path("count").asInt())
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("number1", "future1");
    assertThat(lettersInTopic(2)).containsExactlyInAnyOrder("app,host=a f=7x1 " + at(1), early);

    assertThat(admin().post("/ingest/dead-letters/replay", "{}").status()).isEqualTo(400);
    JsonNode refused =
        admin()
            .post("/ingest/dead-letters/replay", "{\"reason\": \"future\", \"dryRun\": true}")
            .json();
    assertThat(refused.path("succeeded").asInt()).isZero();
    assertThat(refused.path("failed").get(0).path("reason").asString()).isEqualTo("future");
    assertThat(refused.path("failed").get(0).path("detail").asString())
        .contains("a guard that was changed just now holds within a minute");

    guards(100, "2h");
    Awaitility.await("the guards are read again")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        admin()
                            .post(
                                "/ingest/dead-letters/replay",
                                "{\"topic\": \"" + topic + "\", \"dryRun\": true}")
                            .json()
                            .path("succeeded")
                            .asInt())
                    .isEqualTo(1));
    JsonNode replayed =
        admin().post("/ingest/dead-letters/replay", "{\"topic\": \"" + topic + "\"}").json();
    assertThat(replayed.path("matched").asInt()).isEqualTo(2);
    assertThat(replayed.path("replayed").asInt()).isEqualTo(1);
    awaitOffset(0, 2);
    assertThat(rows("app")).containsExactly("a/@0 f=1", "a/@3000 f=1");
    assertThat(admin().get("/ingest/dead-letters?replayed=true").json().path("total").asInt())
        .isEqualTo(1);
    assertThat(
            admin()
                .post("/ingest/dead-letters/replay", "{\"reason\": \"future\"}")
                .json()
                .path("matched")
                .asInt())
        .as("replayed once, left alone")
        .isZero();
    send("app,host=b f=1 " + at(540));
    Awaitility.await("a sample from the future does not make a stopped ingest look fresh")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              JsonNode totals = admin().get("/ingest/status").json().path("totals");
              assertThat(totals.path("newestSampleAt").asString())
                  .startsWith(Instant.ofEpochSecond(TIME + 540).toString().substring(0, 19));
              assertThat(totals.path("newestSampleAgeSeconds").asDouble()).isGreaterThan(30);
            });
    send("x".repeat(5_000));
    awaitCount(1, "select count(*) from dead_letter where reason = 'oversized'");
  }

  private void guards(int newSets, String maxFuture) {
    ApiClient.Answer changed =
        admin()
            .with("If-Match", admin().get("/settings/ingest-guards").header("ETag"))
            .put(
                "/settings/ingest-guards",
                """
                {"newObjectsPerMinute": 100, "newMetricNamesPerMinute": 100, "newSetsPerMinute": %d,
                 "maxFuture": "%s", "maxRecordBytes": 4096}
                """
                    .formatted(newSets, maxFuture));
    assertThat(changed.status()).isEqualTo(200);
  }

  @Test
  void onlyAConstantlyChangingTagIsHeldBack() {
    guards(5, "10m");
    send("app,host=a,request=0 f=1 " + at(0)); // a new object may bring 100 sets along
    awaitOffset(0, 1);
    Awaitility.await("the guards are read again")
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> {
              sendFortySets();
              return letters("new-sets") > 0;
            });
    long sets = jdbc().sql("select count(*) from metric_set").query(Long.class).single();
    for (int i = 0; i < 5; i++) {
      sendFortySets();
    }
    send("app,host=a,request=0 f=2 " + at(2)); // what is known goes on
    awaitCount(1, "select count(*) from sample where values[1] = 2");
    assertThat(jdbc().sql("select count(*) from metric_set").query(Long.class).single())
        .as("5 a minute, or two minutes")
        .isBetween(sets, sets + 10);
    JsonNode letter =
        admin().get("/ingest/dead-letters?reason=new-sets&limit=1").json().path("items").get(0);
    assertThat(letter.path("detail").asString())
        .isEqualTo(
            "more than 5 new metric sets in this minute: correct the tag or instance that changes all the time, or raise the guard newSetsPerMinute and replay");
    Awaitility.await("the status tells it")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              JsonNode guard =
                  admin()
                      .get("/ingest/status")
                      .json()
                      .path("guards")
                      .valueStream()
                      .filter(g -> g.path("guard").asString().equals("new-sets-per-minute"))
                      .findFirst()
                      .orElseThrow();
              assertThat(guard.path("limit").asInt()).isEqualTo(5);
              assertThat(guard.path("unit").asString()).isEqualTo("sets/min");
              assertThat(guard.path("heldBackTotal").asLong()).isEqualTo(letters("new-sets"));
            });
  }

  private void sendFortySets() {
    send(
        Stream.generate(() -> "app,host=a,request=" + UUID.randomUUID() + " f=1 " + at(1))
            .limit(40)
            .collect(Collectors.joining("\n")));
  }

  private long letters(String reason) {
    return admin()
        .get("/ingest/dead-letters?limit=1&reason=" + reason)
        .json()
        .path("total")
        .asLong();
  }

  private List<String> lettersInTopic(int count) {
    List<String> letters = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
                ConsumerConfig.GROUP_ID_CONFIG, letterTopic,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName(),
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                    ByteArrayDeserializer.class.getName()))) {
      consumer.subscribe(List.of(letterTopic));
      Awaitility.await("letters in their topic")
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record :
                    consumer.poll(Duration.ofMillis(200))) {
                  assertThat(record.headers().lastHeader("reason")).isNotNull();
                  letters.add(new String(record.value(), StandardCharsets.UTF_8));
                }
                return letters.size() >= count;
              });
    }
    return letters;
  }

  @Test
  void theStatusOfIngestIsReportedByAnyApiNode() {
    for (int i = 0; i < 50; i++) {
      send(i % 2, "app,host=h" + i + " f=1,g=2 " + at(i));
    }
    send("nonsense");
    awaitOffset(0, 26);
    awaitOffset(1, 25);
    try (PeerlensServer apiOnly = serve(Role.API)) {
      String token =
          admin()
              .with("x", "y")
              .post("/tokens", "{\"name\": \"t\", \"role\": \"viewer\"}")
              .json()
              .path("secret")
              .asString();
      for (ApiClient client : List.of(admin(), new ApiClient(apiOnly.url(), token))) {
        // A node reports every two seconds, and the first time before it knows all of this.
        Awaitility.await("a report of all that was done")
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(
                () -> {
                  JsonNode status = client.get("/ingest/status").json();
                  assertThat(status.path("totals").path("pointsPerSecond").asDouble()).isPositive();
                  assertThat(status.path("totals").path("lag").asInt()).isZero();
                  assertThat(status.path("totals").path("rejectedTotal").asInt()).isEqualTo(1);
                  assertThat(status.path("rejected").get(0).path("reason").asString())
                      .isEqualTo("syntax");
                  assertThat(status.path("partitions").size()).isEqualTo(2);
                  assertThat(status.path("partitions").get(0).path("endOffset").asInt())
                      .isEqualTo(26);
                  assertThat(status.path("partitions").get(0).path("node").asString())
                      .isEqualTo("test-node");
                  assertThat(status.path("nodes").get(0).path("partitions").asInt()).isEqualTo(2);
                  assertThat(status.path("batches").path("recordsP50").asDouble()).isPositive();
                  assertThat(status.path("freshness").get(0).path("objectKind").asString())
                      .isEqualTo("Host");
                  assertThat(status.path("history").path("times").size()).isEqualTo(60);
                  assertThat(client.get("/ingest/mappings").json().path("items").valueStream())
                      .extracting(mapping -> mapping.path("matchedSeries").asInt())
                      .contains(50);
                });
      }
      assertThat(
              new ApiClient(apiOnly.url(), token)
                  .post("/ingest/dead-letters/replay", "{\"reason\": \"syntax\"}")
                  .status())
          .as("a viewer replays nothing")
          .isEqualTo(403);
    }
  }

  @Test
  void prometheusGetsTheFiguresOfThisNode() {
    for (int i = 0; i < 20; i++) {
      send("app,host=a f=1,g=2 " + at(i));
    }
    send("nonsense\nnonsense");
    awaitOffset(0, 21);
    Awaitility.await("the lag is known")
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(admin().get("//metrics").body().lines())
                    .contains(
                        "peerlens_ingest_points_total 40.0",
                        "peerlens_ingest_rows_total 20.0",
                        "peerlens_ingest_records_total 21.0",
                        "peerlens_ingest_rejected_total{reason=\"syntax\"} 2.0",
                        "peerlens_ingest_rejected_total{reason=\"new-sets\"} 0.0",
                        "peerlens_ingest_lag 0.0",
                        "peerlens_ingest_series 1.0",
                        "peerlens_ingest_batch_rows_sum 20.0"));
    String text = admin().get("//metrics").body();
    assertThat(text.lines())
        .anyMatch(line -> line.matches("peerlens_ingest_batch_rows_bucket\\{le=\"100.0\"} [1-9].*"))
        .anyMatch(line -> line.matches("peerlens_ingest_write_seconds_bucket\\{le=\"10.0\"} .*"));
    assertThat(admin().get("//health").json().path("components").path("ingest").path("status"))
        .hasToString("\"UP\"");
  }

  @Test
  void aDatabaseFailureInTheMiddleIsSurvived() {
    for (int i = 0; i < 300; i++) {
      send(0, "app,host=h" + i % 60 + " f=" + i + " " + at(i));
      if (i % 60 == 30) {
        try (var connection = database.connect();
            var statement = connection.createStatement()) {
          statement.execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where datname = current_database() and pid <> pg_backend_pid()");
        } catch (java.sql.SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    awaitOffset(0, 300);
    awaitCount(300, "select count(*) from sample");
    awaitCount(300 * 299 / 2, "select sum(values[1])::bigint from sample");
  }

  @Test
  void onlyTheRecordThatTheDatabaseRefusesIsLost() {
    awaitCount(0, "select count(*) from sample");
    jdbc().sql("alter table sample add check (values[1] is distinct from 13)").update();
    jdbc().sql("alter table object add check (name <> 'unlucky')").update();
    for (int i = 10; i < 20; i++) {
      send("app,host=a f=" + i + " " + at(i));
    }
    send("app,host=unlucky f=1 " + at(20));
    send("app,host=b f=1 " + at(21));
    awaitOffset(0, 12);
    assertThat(rows("app")).hasSize(10).doesNotContain("a/@13 f=13").contains("b/@21 f=1");
    assertThat(
            jdbc()
                .sql("select reason || ' ' || \"offset\" from dead_letter order by id")
                .query(String.class)
                .list())
        .containsExactly("store 3", "store 10");
  }
}
