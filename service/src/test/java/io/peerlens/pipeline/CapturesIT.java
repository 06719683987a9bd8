package io.peerlens.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.role.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What collectors really sent, through Kafka and the whole service, compared with a naive count
 * over the files that shares no code with it.
 */
@Timeout(300)
class CapturesIT {

  private static final Path CORPUS = Path.of("../../shared/corpus").toAbsolutePath().normalize();

  @Test
  void theVsphereCaptureIsCountedAsAnIndependentCountDoes() throws Exception {
    compare("telegraf-vsphere/vsphere-main.lp.gz");
  }

  @Test
  void theCaptureWithInstancesIsCountedAsAnIndependentCountDoes() throws Exception {
    compare("telegraf-vsphere/vsphere-instances.lp.gz");
  }

  @Test
  void theSimpleCaptureIsCountedAsAnIndependentCountDoes() throws Exception {
    compare("telegraf-vsphere/vsphere-simple.lp.gz");
  }

  @Test
  void theHostCaptureIsCountedAsAnIndependentCountDoes() throws Exception {
    compare("telegraf-host/host.lp.gz");
  }

  private static void compare(String file) throws Exception {
    Path capture = CORPUS.resolve(file);
    if (!Files.exists(capture)) {
      System.err.println("SKIPPED: no capture " + file + " in the corpus");
    }
    assumeTrue(Files.exists(capture), "no capture " + file);
    Naive naive = new Naive();
    String topic = "captures-" + UUID.randomUUID();
    TestKafka.shared().createTopic(topic, 2);
    long sent = send(capture, topic, naive);
    try (PeerlensServer server =
        PeerlensServer.start(
            TestDatabase.create(),
            Set.of(Role.INGEST, Role.API),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic)) {
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      Awaitility.await("all records stored")
          .atMost(Duration.ofMinutes(3))
          .until(
              () ->
                  jdbc.sql("select coalesce(sum(next_offset), 0) from kafka_offset")
                          .query(Long.class)
                          .single()
                      == sent);
      naive.finish();
      assertThat(counts(jdbc, "select object_kind, count(*) from object group by 1"))
          .as("objects by kind")
          .isEqualTo(naive.objectsByKind());
      assertThat(
              jdbc.sql(
                      "select count(*) from metric_set m where exists (select from sample where set_id = m.id)")
                  .query(Long.class)
                  .single())
          .as("metric sets")
          .isEqualTo(naive.sets.size());
      assertThat(
              counts(
                  jdbc,
                  """
                  select o.object_kind, count(*) from sample s
                  join metric_set m on m.id = s.set_id join object o on o.id = m.object_id group by 1
                  """))
          .as("rows by kind")
          .isEqualTo(naive.rowsByKind());
      assertThat(points(jdbc)).as("values").isEqualTo(naive.points.size());
      assertThat(
              jdbc.sql(
                      """
                      select sum(v.value) from sample s join metric_set m on m.id = s.set_id
                      join metric_group g on g.id = m.group_id
                      cross join lateral unnest(g.metrics, s.values) as v(metric, value)
                      where v.metric not like '%\\_rate'
                      """)
                  .query(Double.class)
                  .single())
          .as("sum of all values")
          .isCloseTo(
              naive.points.values().stream().mapToDouble(Double::doubleValue).sum(),
              org.assertj.core.data.Percentage.withPercentage(1e-9));
      assertThat(
              counts(
                  jdbc,
                  """
                  select p.object_kind || ' > ' || c.object_kind, count(*) from relation r
                  join object p on p.id = r.parent_id join object c on c.id = r.child_id
                  where p.object_kind in ('HostSystem', 'ClusterComputeResource')
                     or (p.object_kind, c.object_kind) in (('ResourcePool', 'VirtualMachine'),
                        ('Datacenter', 'ClusterComputeResource'), ('Datacenter', 'Datastore'))
                  group by 1
                  """))
          .as("relations")
          .isEqualTo(naive.relations());
      assertThat(jdbc.sql("select count(*) from dead_letter").query(Long.class).single())
          .as("dead letters")
          .isEqualTo(naive.withoutNumbers);
      assertThat(server.admin().get("/ingest/status").json().path("totals").path("lag").asLong(-1))
          .isZero();
      System.out.printf(
          "%s: %,d lines -> %s, %,d sets, %,d rows, %,d values, relations %s%n",
          file,
          sent,
          naive.objectsByKind(),
          naive.sets.size(),
          naive.rows.size(),
          naive.points.size(),
          naive.relations());
    }
  }

  private static long points(JdbcClient jdbc) {
    return jdbc.sql(
            """
            select count(*) from sample s join metric_set m on m.id = s.set_id
            join metric_group g on g.id = m.group_id
            cross join lateral unnest(g.metrics, s.values) as v(metric, value)
            where v.value is not null and v.metric not like '%\\_rate'
            """)
        .query(Long.class)
        .single();
  }

  private static Map<String, Long> counts(JdbcClient jdbc, String sql) {
    Map<String, Long> counts = new TreeMap<>();
    jdbc.sql(sql)
        .query(
            row -> {
              counts.put(row.getString(1), row.getLong(2));
            });
    return counts;
  }

  private static long send(Path capture, String topic, Naive naive) throws IOException {
    long sent = 0;
    try (KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of(
                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
                    ProducerConfig.LINGER_MS_CONFIG, 20,
                    ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
                    ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                        ByteArraySerializer.class.getName()));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(capture)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String key = naive.add(line);
        var unused =
            producer.send(
                new ProducerRecord<>(
                    topic,
                    key.getBytes(StandardCharsets.UTF_8),
                    (line + "\n").getBytes(StandardCharsets.UTF_8)));
        sent++;
      }
      producer.flush();
    }
    return sent;
  }

  /** Reads lines the slow and obvious way. */
  private static final class Naive {
    private static final Map<String, String> KINDS =
        Map.of(
            "vm",
            "VirtualMachine",
            "host",
            "HostSystem",
            "cluster",
            "ClusterComputeResource",
            "resourcepool",
            "ResourcePool",
            "datastore",
            "Datastore",
            "datacenter",
            "Datacenter");
    private static final Map<String, String> INSTANCES =
        Map.of(
            "cpu",
            "cpu",
            "net",
            "interface",
            "disk",
            "disk",
            "virtualDisk",
            "disk",
            "datastore",
            "lun",
            "storageAdapter",
            "adapter");
    private static final Map<String, String> HOST_INSTANCES =
        Map.of("cpu", "cpu", "net", "interface", "disk", "path", "diskio", "name");
    private static final Set<String> HOST_PLUGINS =
        Set.of(
            "cpu",
            "mem",
            "net",
            "disk",
            "diskio",
            "system",
            "processes",
            "swap",
            "kernel",
            "netstat");

    record Thing(String kind, String id) {}

    record Set3(Thing thing, String group, String instance) {}

    record Row(Set3 set, long time) {}

    record Point(Row row, String field) {}

    final Set<Thing> things = new HashSet<>();
    final Set<Set3> sets = new HashSet<>();
    final Set<Row> rows = new HashSet<>();
    final Map<Point, Double> points = new HashMap<>();
    long withoutNumbers;
    private final Map<Thing, Map<String, String>> newest = new HashMap<>();
    private final Map<Thing, Long> newestTime = new HashMap<>();
    private final Map<String, Long> relations = new TreeMap<>();

    /** Takes a line; gives the id of its object as key. */
    String add(String line) {
      List<String> parts = split(line, ' ');
      List<String> head = split(parts.get(0), ',');
      Map<String, String> tags = new TreeMap<>();
      for (String tag : head.subList(1, head.size())) {
        List<String> pair = split(tag, '=');
        tags.put(unescape(pair.get(0)), unescape(pair.get(1)));
      }
      String measurement = unescape(head.getFirst());
      long time = Long.parseLong(parts.get(2)) / 1_000;
      Thing thing;
      String group;
      String instance;
      if (measurement.startsWith("vsphere_")) {
        String[] words = measurement.split("_", 3);
        thing =
            new Thing(
                Objects.requireNonNull(KINDS.get(words[1])),
                tags.get("vcenter") + "/" + tags.get("moid"));
        group = words[2];
        instance = tags.getOrDefault(INSTANCES.getOrDefault(group, "instance"), "");
      } else {
        thing = new Thing("Host", tags.getOrDefault("host", ""));
        group = measurement;
        if (HOST_PLUGINS.contains(measurement)) {
          instance = tags.getOrDefault(HOST_INSTANCES.getOrDefault(group, "-"), "");
        } else {
          Map<String, String> others = new TreeMap<>(tags);
          others.remove("host");
          List<String> texts = new ArrayList<>();
          others.forEach((k, v) -> texts.add(k + "=" + v));
          instance = String.join(",", texts);
        }
      }
      if (instance.equals("instance-total")
          || (group.equals("cpu") && instance.equals("cpu-total"))) {
        instance = "";
      }
      Row row = new Row(new Set3(thing, group, instance), time);
      boolean numbers = false;
      for (String field : split(parts.get(1), ',')) {
        int equals = field.indexOf('=');
        String value = field.substring(equals + 1);
        if (!value.startsWith("\"")) {
          numbers = true;
          points.put(new Point(row, unescape(field.substring(0, equals))), number(value));
        }
      }
      if (!numbers) {
        withoutNumbers++;
        return thing.id;
      }
      things.add(thing);
      sets.add(row.set);
      rows.add(row);
      if (time >= newestTime.getOrDefault(thing, Long.MIN_VALUE)) {
        newestTime.put(thing, time);
        for (String tag :
            List.of("vcenter", "dcname", "clustername", "rpname", "esxhostname", "source")) {
          if (tags.containsKey(tag)) {
            newest.computeIfAbsent(thing, t -> new HashMap<>()).put(tag, tags.get(tag));
          }
        }
      }
      return thing.id;
    }

    private static double number(String value) {
      return switch (value) {
        case "true", "t" -> 1;
        case "false", "f" -> 0;
        default ->
            Double.parseDouble(
                value.endsWith("i") || value.endsWith("u")
                    ? value.substring(0, value.length() - 1)
                    : value);
      };
    }

    private static List<String> split(String text, char at) {
      List<String> parts = new ArrayList<>();
      StringBuilder part = new StringBuilder();
      boolean quoted = false;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\\' && i + 1 < text.length()) {
          part.append(c).append(text.charAt(++i));
          continue;
        }
        if (c == '"') {
          quoted = !quoted;
        }
        if (c == at && !quoted) {
          parts.add(part.toString());
          part.setLength(0);
        } else {
          part.append(c);
        }
      }
      parts.add(part.toString());
      return parts;
    }

    private static String unescape(String text) {
      return text.replaceAll("\\\\([,= \\\\])", "$1");
    }

    void finish() {
      relate("HostSystem", "VirtualMachine", "dcname", "esxhostname");
      relate("ResourcePool", "VirtualMachine", "dcname", "clustername", "rpname");
      relate("ClusterComputeResource", "HostSystem", "dcname", "clustername");
      relate("ClusterComputeResource", "ResourcePool", "dcname", "clustername");
      relate("Datacenter", "ClusterComputeResource", "dcname");
      relate("Datacenter", "Datastore", "dcname");
    }

    private void relate(String parentKind, String childKind, String... tags) {
      long count = 0;
      for (Thing child : things) {
        for (Thing parent : things) {
          if (child.kind.equals(childKind)
              && parent.kind.equals(parentKind)
              && same(newest.get(child), newest.get(parent), tags)) {
            count++;
          }
        }
      }
      if (count > 0) {
        relations.put(parentKind + " > " + childKind, count);
      }
    }

    private static boolean same(
        @Nullable Map<String, String> a, @Nullable Map<String, String> b, String... tags) {
      if (a == null || b == null || !Objects.equals(a.get("vcenter"), b.get("vcenter"))) {
        return false;
      }
      for (String tag : tags) {
        if (!a.containsKey(tag) || !Objects.equals(a.get(tag), b.get(tag))) {
          return false;
        }
      }
      return true;
    }

    Map<String, Long> relations() {
      return relations;
    }

    Map<String, Long> objectsByKind() {
      Map<String, Long> counts = new TreeMap<>();
      things.forEach(t -> counts.merge(t.kind, 1L, Long::sum));
      return counts;
    }

    Map<String, Long> rowsByKind() {
      Map<String, Long> counts = new TreeMap<>();
      rows.forEach(r -> counts.merge(r.set.thing.kind, 1L, Long::sum));
      return counts;
    }
  }
}
