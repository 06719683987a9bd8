package io.peerlens.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.Application;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import io.peerlens.support.Vcsim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two nodes with the role of a collector and one vCenter: the one that reads is killed with SIGKILL
 * in the middle of a round, the other goes on, and every moment of every machine is stored once.
 */
@Order(1)
@Timeout(400)
class CollectorThroughKillsIT {

  private static final String TOPIC = "collector-kills-" + UUID.randomUUID();
  private static final String KEY =
      "peerlens.secrets.key=BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=";

  /** A lease ends after so long at most, and the other node has begun to read. */
  private static final Duration TAKEOVER = Duration.ofSeconds(30);

  private static final Duration LONG = Duration.ofMinutes(3);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void aKilledNodeIsFollowedByTheOtherAndNoMomentIsLostOrDoubled() throws Exception {
    TestKafka kafka = TestKafka.shared();
    for (String suffix : List.of("", "-flows", "-events")) {
      kafka.createTopic(TOPIC + suffix, 1);
    }
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-vm", "30", "-host", "3");
        SampleData data = SampleData.create();
        PeerlensServer server =
            PeerlensServer.start(
                data.database(), Set.of(Role.API, Role.INGEST), settings(kafka, ""))) {
      Map<String, ChildJvm> nodes = new LinkedHashMap<>();
      try {
        for (String node : List.of("collector-1", "collector-2")) {
          nodes.put(node, start(node, kafka, data));
        }
        ApiClient admin = server.admin();
        String source = add(admin, vcsim);
        for (int kill = 0; kill < 2; kill++) {
          String reader = await().atMost(LONG).until(() -> node(admin, source), n -> !n.isEmpty());
          inTheMiddleOfARound(kafka);
          nodes.get(reader).kill();
          Instant killed = Instant.now();
          String next =
              await()
                  .atMost(TAKEOVER)
                  .until(() -> node(admin, source), n -> !n.isEmpty() && !n.equals(reader));
          System.out.printf(
              "%s was killed; %s reads after %d s%n",
              reader, next, Duration.between(killed, Instant.now()).toSeconds());
          nodes.get(reader).start();
        }
        // Rounds after the last kill, with what was missed.
        inTheMiddleOfARound(kafka);
        inTheMiddleOfARound(kafka);
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(gaps(data)).as("moments that are missing").isEmpty());
        assertThat(machines(data)).isEqualTo(60);
        assertThat(data.jdbc().sql("select count(*) from dead_letter").query(Long.class).single())
            .isZero();
      } finally {
        nodes.values().forEach(ChildJvm::close);
      }
    }
  }

  private static String[] settings(TestKafka kafka, String dashes) {
    return new String[] {
      dashes + KEY,
      dashes + "peerlens.collector.egress.allow=127.0.0.0/8",
      dashes + "peerlens.collector.egress.ports=1024-65535",
      dashes + "peerlens.events.topic=" + TOPIC + "-events",
      dashes + "peerlens.events.group=" + TOPIC + "-events",
      dashes + "peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
      dashes + "peerlens.ingest.topic=" + TOPIC,
      dashes + "peerlens.ingest.group=" + TOPIC,
      dashes + "peerlens.flows.topic=" + TOPIC + "-flows",
      dashes + "peerlens.flows.group=" + TOPIC + "-flows"
    };
  }

  private ChildJvm start(String node, TestKafka kafka, SampleData data) throws IOException {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "--peerlens.roles=collector",
                "--peerlens.node=" + node,
                "--spring.datasource.url=" + data.database().jdbcUrl(),
                "--spring.datasource.username=" + data.database().user(),
                "--spring.datasource.password=" + data.database().password(),
                "--server.port=0",
                "--server.address=127.0.0.1"));
    arguments.addAll(List.of(settings(kafka, "--")));
    ChildJvm child =
        new ChildJvm(
            folder.resolve(node + ".log"),
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            Application.class,
            arguments);
    child.start();
    return child;
  }

  private static String add(ApiClient admin, Vcsim vcsim) {
    ObjectNode probe = JsonMapper.shared().createObjectNode();
    probe.put("kind", "vcenter").put("address", vcsim.address().toString());
    String sha256 =
        admin
            .post("/sources/probe", probe.toString())
            .json()
            .at("/certificate/sha256")
            .asString("");
    ObjectNode edit = probe.put("name", "vc").put("username", Vcsim.USERNAME);
    edit.putObject("password").put("value", Vcsim.PASSWORD);
    edit.putObject("trust").put("sha256", sha256);
    Answer made = admin.post("/sources", edit.toString());
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").stringValue();
  }

  /** The node that reads; empty = none does. */
  private static String node(ApiClient admin, String source) {
    return admin.get("/sources/" + source).json().path("node").asString("");
  }

  /** Waits until the first lines of a round of performance are in Kafka. */
  private static void inTheMiddleOfARound(TestKafka kafka) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrap(),
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class.getName(),
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class.getName()))) {
      List<TopicPartition> partitions = List.of(new TopicPartition(TOPIC, 0));
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      consumer.position(partitions.getFirst());
      Instant end = Instant.now().plus(LONG);
      while (Instant.now().isBefore(end)) {
        for (var record : consumer.poll(Duration.ofMillis(50))) {
          if (new String(record.value(), 0, Math.min(11, record.value().length))
              .equals("vcenter_vm_")) {
            return;
          }
        }
      }
      throw new AssertionError("no round of performance within " + LONG);
    }
  }

  private static long machines(SampleData data) {
    return data.jdbc()
        .sql("select count(*) from object where object_kind = 'VirtualMachine'")
        .query(Long.class)
        .single();
  }

  /** Machines whose values of processors lack moments between their first and the last of all. */
  private static List<String> gaps(SampleData data) {
    return data.jdbc()
        .sql(
            """
            with cpu as (
              select o.name, s.time
              from sample s
              join metric_set m on m.id = s.set_id
              join metric_group g on g.id = m.group_id
              join object o on o.id = m.object_id
              where o.object_kind = 'VirtualMachine' and g.name = 'cpu' and m.instance = ''
                and s.time = date_bin('20 seconds', s.time, 'epoch')  -- not configuration, which has any time
            ), stretch as (
              select min(time) as first, max(time) as last from cpu
            )
            select o.name || ': ' || count(c.time) || ' of '
                || (extract(epoch from stretch.last - stretch.first) / 20 + 1)::int
            from stretch, object o
            left join cpu c on c.name = o.name
            where o.object_kind = 'VirtualMachine'
            group by o.name, stretch.first, stretch.last
            having count(c.time) <> (extract(epoch from stretch.last - stretch.first) / 20 + 1)::int
                or count(distinct c.time) <> count(c.time)
            """)
        .query(String.class)
        .list();
  }
}
