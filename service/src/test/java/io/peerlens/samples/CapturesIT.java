package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.support.ApiClient;
import io.peerlens.support.Capture;
import io.peerlens.support.PeerlensServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What collectors really sent, through Kafka and the whole service, compared with a naive count
 * over the files that shares no code with it.
 */
@Order(2)
@Timeout(300)
class CapturesIT {

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
    Capture capture = Capture.orSkip(file);
    Naive naive = new Naive();
    try (PeerlensServer server = capture.stored(naive::add)) {
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      ApiClient api = server.admin();
      Map<String, Thing> things = things(api);
      assertThat(new HashSet<>(things.values())).as("objects").isEqualTo(naive.things);
      assertThat(objectsByKind(api)).as("objects by kind").isEqualTo(naive.objectsByKind());
      Map<String, Set<String>> relations = relations(api, things);
      assertThat(counts(relations)).as("relations by kinds").isEqualTo(counts(naive.relations()));
      assertThat(relations).as("relations").isEqualTo(naive.relations());
      Map<Thing, Set<String>> keys = metricKeys(api, things);
      assertThat(keys).as("metric keys").isEqualTo(naive.metricKeys());
      assertThat(series(api, things, keys, naive, "count"))
          .as("values of each metric of each object")
          .isEqualTo(naive.counts());
      assertThat(
              series(api, things, keys, naive, "sum").values().stream().mapToDouble(v -> v).sum())
          .as("sum of all values")
          .isCloseTo(
              naive.points.values().stream().mapToDouble(Double::doubleValue).sum(),
              Percentage.withPercentage(1e-9));
      assertThat(rowsByKind(jdbc)).as("rows by kind").isEqualTo(naive.rowsByKind());
      assertThat(api.get("/ingest/dead-letters?limit=1").json().path("total").asLong())
          .as("dead letters")
          .isZero();
      assertThat(
              server
                  .context()
                  .getBean(MeterRegistry.class)
                  .get("peerlens.ingest.text.only")
                  .functionCounter()
                  .count())
          .as("lines with text alone")
          .isEqualTo(naive.withoutNumbers);
      assertThat(api.get("/ingest/status").json().path("totals").path("lag").asLong(-1)).isZero();
      System.out.printf(
          "%s: %,d lines -> %s, %,d sets, %,d rows, %,d metric keys, %,d values, relations %s%n",
          file,
          capture.sent(),
          naive.objectsByKind(),
          naive.sets.size(),
          naive.rows.size(),
          naive.counts().size(),
          naive.points.size(),
          counts(naive.relations()));
    }
  }

  /** All pages of a list. */
  private static List<JsonNode> all(ApiClient api, String path) {
    List<JsonNode> items = new ArrayList<>();
    String next = path + "?limit=1000";
    while (true) {
      JsonNode page = api.get(next).json();
      page.path("items").forEach(items::add);
      if (!page.path("nextCursor").isString()) {
        return items;
      }
      next =
          path
              + "?limit=1000&cursor="
              + URLEncoder.encode(page.path("nextCursor").asString(), StandardCharsets.UTF_8);
    }
  }

  private static Map<String, Thing> things(ApiClient api) {
    Map<String, Thing> things = new HashMap<>();
    for (JsonNode object : all(api, "/objects")) {
      things.put(object.path("id").asString(), thing(object));
    }
    return things;
  }

  private static Thing thing(JsonNode object) {
    return new Thing(object.path("objectKind").asString(), object.path("externalId").asString());
  }

  private static Map<String, Long> objectsByKind(ApiClient api) {
    Map<String, Long> counts = new TreeMap<>();
    for (JsonNode adapter : api.get("/adapter-kinds").json().path("items")) {
      for (JsonNode kind : adapter.path("objectKinds")) {
        counts.merge(kind.path("objectKind").asString(), kind.path("objects").asLong(), Long::sum);
      }
    }
    return counts;
  }

  /** Pairs of ids by pair of kinds, as the parents tell and the children tell. */
  private static Map<String, Set<String>> relations(ApiClient api, Map<String, Thing> things) {
    Map<String, Set<String>> down = new TreeMap<>();
    Map<String, Set<String>> up = new TreeMap<>();
    things.forEach(
        (id, thing) -> {
          all(api, "/objects/" + id + "/children").forEach(c -> relate(down, thing, thing(c)));
          all(api, "/objects/" + id + "/parents").forEach(p -> relate(up, thing(p), thing));
        });
    assertThat(up).as("what the children say of their parents").isEqualTo(down);
    return down;
  }

  private static void relate(Map<String, Set<String>> relations, Thing parent, Thing child) {
    relations
        .computeIfAbsent(parent.kind + " > " + child.kind, k -> new HashSet<>())
        .add(parent.id + " > " + child.id);
  }

  private static Map<String, Integer> counts(Map<String, Set<String>> relations) {
    Map<String, Integer> counts = new TreeMap<>();
    relations.forEach((kinds, pairs) -> counts.put(kinds, pairs.size()));
    return counts;
  }

  /** Without the rates, which we compute. */
  private static Map<Thing, Set<String>> metricKeys(ApiClient api, Map<String, Thing> things) {
    Map<Thing, Set<String>> keys = new HashMap<>();
    things.forEach(
        (id, thing) -> {
          Set<String> own = new HashSet<>();
          api.get("/objects/" + id + "/metrics")
              .json()
              .path("items")
              .forEach(metric -> own.add(metric.path("key").asString()));
          own.removeIf(key -> key.endsWith("_rate"));
          keys.put(thing, own);
        });
    return keys;
  }

  /** One aggregate over the whole capture for each metric of each object. */
  private static Map<String, Double> series(
      ApiClient api,
      Map<String, Thing> things,
      Map<Thing, Set<String>> keys,
      Naive naive,
      String aggregation) {
    Map<String, Double> values = new HashMap<>();
    Map<String, List<String>> ids = new TreeMap<>();
    Map<String, Set<String>> metrics = new TreeMap<>();
    things.forEach(
        (id, thing) -> {
          ids.computeIfAbsent(thing.kind, k -> new ArrayList<>()).add(id);
          metrics.computeIfAbsent(thing.kind, k -> new TreeSet<>()).addAll(keys.get(thing));
        });
    ids.forEach(
        (kind, objects) -> {
          List<String> names = List.copyOf(metrics.get(kind));
          for (int from = 0; from < names.size(); from += 100) {
            ObjectNode query = JsonMapper.shared().createObjectNode();
            objects.forEach(query.putArray("objects")::add);
            names
                .subList(from, Math.min(from + 100, names.size()))
                .forEach(query.putArray("metrics")::add);
            query.put("from", String.valueOf(naive.firstMicros / 1_000));
            query.put("to", String.valueOf(naive.lastMicros / 1_000 + 1));
            query.put("step", "1d").put("aggregation", aggregation);
            ApiClient.Answer answer = api.post("/series/query", query.toString());
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            for (JsonNode series : answer.json().path("series")) {
              Thing thing = Objects.requireNonNull(things.get(series.path("objectId").asString()));
              String key = thing + " " + series.path("metric").asString();
              for (JsonNode value : series.path("values")) {
                if (!value.isNull()) {
                  values.merge(key, value.asDouble(), Double::sum);
                }
              }
            }
          }
        });
    return values;
  }

  /** The API says nothing of rows. */
  private static Map<String, Long> rowsByKind(JdbcClient jdbc) {
    Map<String, Long> counts = new TreeMap<>();
    jdbc.sql(
            """
            select o.object_kind, count(*) from sample s
            join metric_set m on m.id = s.set_id join object o on o.id = m.object_id group by 1
            """)
        .query(
            row -> {
              counts.put(row.getString(1), row.getLong(2));
            });
    return counts;
  }

  /** An object: its kind and what its collector knows it by. */
  record Thing(String kind, String id) {}

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
    private final Map<Thing, Set<String>> datastores = new HashMap<>();
    long firstMicros = Long.MAX_VALUE;
    long lastMicros = Long.MIN_VALUE;

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
      firstMicros = Math.min(firstMicros, time);
      lastMicros = Math.max(lastMicros, time);
      if (group.equals("datastore") && tags.containsKey("dsname")) {
        datastores.computeIfAbsent(thing, t -> new HashSet<>()).add(tags.get("dsname"));
      }
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

    /** Pairs by kinds: children name their parents by the names above them. */
    Map<String, Set<String>> relations() {
      Map<String, Set<String>> relations = new TreeMap<>();
      pairs(relations, "HostSystem", "VirtualMachine", "dcname", "esxhostname");
      pairs(relations, "ResourcePool", "VirtualMachine", "dcname", "clustername", "rpname");
      pairs(relations, "ClusterComputeResource", "HostSystem", "dcname", "clustername");
      pairs(relations, "ClusterComputeResource", "ResourcePool", "dcname", "clustername");
      pairs(relations, "Datacenter", "ClusterComputeResource", "dcname");
      pairs(relations, "Datacenter", "HostSystem", "dcname");
      pairs(relations, "Datacenter", "Datastore", "dcname");
      // Machines and hosts name the datastores they use.
      datastores.forEach(
          (user, names) -> {
            for (Thing store : things) {
              if (store.kind.equals("Datastore")
                  && (user.kind.equals("VirtualMachine") || user.kind.equals("HostSystem"))
                  && same(newest.get(user), newest.get(store), "dcname")
                  && names.contains(newest.get(store).get("source"))) {
                relate(relations, user, store);
              }
            }
          });
      return relations;
    }

    private void pairs(
        Map<String, Set<String>> relations, String parentKind, String childKind, String... tags) {
      for (Thing child : things) {
        for (Thing parent : things) {
          if (child.kind.equals(childKind)
              && parent.kind.equals(parentKind)
              && same(newest.get(child), newest.get(parent), tags)) {
            relate(relations, parent, child);
          }
        }
      }
    }

    private static String key(Point point) {
      Set3 set = point.row.set;
      return set.group + (set.instance.isEmpty() ? "" : ":" + set.instance) + "|" + point.field;
    }

    Map<Thing, Set<String>> metricKeys() {
      Map<Thing, Set<String>> keys = new HashMap<>();
      points
          .keySet()
          .forEach(p -> keys.computeIfAbsent(p.row.set.thing, t -> new HashSet<>()).add(key(p)));
      return keys;
    }

    /** How many values each metric of each object has. */
    Map<String, Double> counts() {
      Map<String, Double> counts = new HashMap<>();
      points.keySet().forEach(p -> counts.merge(p.row.set.thing + " " + key(p), 1.0, Double::sum));
      return counts;
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
