package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Answers of panels, on a datacentre of two clusters, four hosts and twelve VMs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PanelsIT {

  private static final UUID CLUSTER_A = SampleData.uuid("ClusterComputeResource", "cluster-a");

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private SampleData data;
  private PeerlensServer server;
  private ApiClient viewer;

  @BeforeAll
  void start() {
    data = SampleData.create();
    int cpuOfHosts = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    int cpu =
        data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "readyPct", "idle"));
    int net = data.group("VMWARE", "VirtualMachine", "net", List.of("usage_average"));
    SampleData.Samples rows = data.samples();
    Random random = new Random(7);
    int vm = 0;
    for (String cluster : List.of("cluster-a", "cluster-b")) {
      int clusterId = data.object("VMWARE", "ClusterComputeResource", cluster);
      for (int h = 1; h <= 2; h++) {
        String host = "esx-" + cluster.charAt(8) + "-" + h;
        int hostId = data.object("VMWARE", "HostSystem", host);
        relate(clusterId, hostId);
        int hostSet = data.set(hostId, cpuOfHosts, "");
        for (int minute = 0; minute < 360; minute++) {
          rows.add(now.minus(Duration.ofMinutes(minute)), hostSet, 10 * h + minute % 7);
        }
        for (int v = 0; v < 3; v++, vm++) {
          String name = "vm-%02d".formatted(vm);
          int id = data.object("VMWARE", "VirtualMachine", name);
          relate(hostId, id);
          data.jdbc()
              .sql(
                  """
                  update object set tags = :tags::jsonb, properties = :properties::jsonb where id = :id
                  """)
              .param("tags", "{\"env\": \"%s\"}".formatted(vm % 3 == 0 ? "prod" : "test"))
              .param(
                  "properties",
                  "{\"config|hardware|num_Cpu\": \"%d\", \"summary|guest|fullName\": \"%s\"}"
                      .formatted(1 + vm % 4, vm % 2 == 0 ? "Windows 2012" : "Linux"))
              .param("id", id)
              .update();
          if (vm == 11) {
            continue; // reports nothing
          }
          int set = data.set(id, cpu, "");
          int vmnic0 = data.set(id, net, "vmnic0");
          int vmnic1 = data.set(id, net, "vmnic1");
          for (int minute = 0; minute < 360; minute++) {
            Instant at = now.minus(Duration.ofMinutes(minute));
            rows.add(at, set, 5 * vm + random.nextInt(5), vm == 4 ? 12 : random.nextDouble());
            rows.add(at, vmnic0, vm * 100);
            rows.add(at, vmnic1, vm * 10);
          }
        }
      }
    }
    rows.flush();
    int gone = data.object("VMWARE", "Datastore", "ds-1");
    int space = data.group("VMWARE", "Datastore", "disk", List.of("used"));
    try (SampleData.Samples old = data.samples()) {
      old.add(now.minus(Duration.ofDays(3)), data.set(gone, space, ""), 5).flush();
    }
    pod("pod-1", "capacity", "used_space", "GB", 100, 1);
    pod("pod-2", "disk", "used_latest", "KB", 50, 1 << 20);
    server =
        PeerlensServer.start(
            data.database(), Set.of(Role.API, Role.EVALUATOR), "peerlens.rollup.every=1s");
    viewer = server.admin();
  }

  /** Grows by 1 GB each hour, and says so in its unit. */
  private void pod(String name, String group, String metric, String unit, int used, int perGb) {
    int id = data.object("VMWARE", "StoragePod", name);
    int of = data.group("VMWARE", "StoragePod", group, List.of(metric));
    data.jdbc()
        .sql("update metric_group set units = array[?] where id = ?")
        .params(unit, of)
        .update();
    int set = data.set(id, of, "");
    try (SampleData.Samples rows = data.samples()) {
      for (int hour = 0; hour <= 12; hour++) {
        rows.add(now.minus(Duration.ofHours(hour)), set, (used + 12.0 - hour) * perGb);
      }
      rows.flush();
    }
  }

  private void relate(int parent, int child) {
    data.jdbc()
        .sql("insert into relation (parent_id, child_id) values (?, ?)")
        .params(parent, child)
        .update();
  }

  @AfterAll
  void stop() {
    server.close();
    data.close();
  }

  private JsonNode ask(String panel, String rest) {
    Answer answer = viewer.post("/panels/query", "{\"panel\": %s%s}".formatted(panel, rest));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private JsonNode ask(String panel) {
    return ask(panel, ", \"time\": {\"last\": \"1h\"}");
  }

  private static String quoted(String text) {
    return tools.jackson.databind.json.JsonMapper.shared().writeValueAsString(text);
  }

  private static List<String> names(JsonNode answer) {
    return answer
        .get("rows")
        .valueStream()
        .map(row -> row.get("object").get("name").stringValue())
        .toList();
  }

  private static List<JsonNode> cells(JsonNode answer, int column) {
    return answer.get("rows").valueStream().map(row -> row.get("cells").get(column)).toList();
  }

  // ---------------------------------------------------------------------------------------- units

  @Test
  void keysOfOneColumnWithOtherUnitsAreShownInOne() {
    String metric = "\"metric\": {\"any\": [\"capacity|used_space\", \"disk|used_latest\"]}";
    String columns =
        """
        {"name": "used", %1$s, "transform": "last", "sparkline": true},
        {"name": "tb", %1$s, "transform": "max", "unit": "TB"},
        {"name": "growth", %1$s, "transform": "trend", "unit": "GB"},
        {"name": "values", %1$s, "transform": "count"}
        """
            .formatted(metric);
    JsonNode answer =
        ask(
            """
            {"type": "table", "kind": "VMWARE/StoragePod", "columns": [%s], "window": "13h"}
            """
                .formatted(columns));
    assertThat(names(answer)).containsExactly("pod-1", "pod-2");
    assertThat(answer.get("columns").valueStream().map(one -> one.path("unit").asString("")))
        .containsExactly("GB", "TB", "GB/d", "");
    assertThat(cells(answer, 0).stream().map(JsonNode::asDouble)).containsExactly(112.0, 62.0);
    assertThat(cells(answer, 1).stream().map(JsonNode::asDouble))
        .containsExactly(112 / 1024.0, 62 / 1024.0);
    assertThat(cells(answer, 2).stream().map(JsonNode::asDouble))
        .allSatisfy(growth -> assertThat(growth).isCloseTo(24, within(0.1)));
    assertThat(cells(answer, 3).stream().map(JsonNode::asInt)).containsExactly(13, 13);
    assertThat(
            answer
                .get("rows")
                .get(1)
                .get("sparklines")
                .get(0)
                .get("values")
                .valueStream()
                .filter(JsonNode::isNumber)
                .map(JsonNode::asDouble))
        .isNotEmpty()
        .allMatch(value -> value >= 50 && value <= 62);
  }

  // -------------------------------------------------------------------------------------- objects

  @Test
  void objectsAreSelectedBelowAVariableByTagsAndConditions() {
    JsonNode answer =
        ask(
            """
            {"type": "table", "kind": "VMWARE/VirtualMachine", "subject": "$cluster",
             "select": {"scope": {"tags": ["env=$env"]}, "where": [[{"property": "config|hardware|num_Cpu", "op": ">=", "value": 2}]]},
             "columns": [{"name": "name", "attribute": "name"}, {"name": "cpus", "property": "config|hardware|num_Cpu"}]}
            """,
            ", \"variables\": {\"cluster\": \"%s\", \"env\": \"test\"}".formatted(CLUSTER_A));

    assertThat(names(answer)).containsExactly("vm-01", "vm-02", "vm-05");
    assertThat(cells(answer, 1)).extracting(JsonNode::doubleValue).containsExactly(2.0, 3.0, 2.0);
    assertThat(answer.get("columns").get(1).get("type").stringValue()).isEqualTo("number");
  }

  @Test
  void relationsAreFollowedAlongSeveralPaths() {
    JsonNode answer =
        ask(
            """
            {"type": "table", "kind": ["VMWARE/ClusterComputeResource", "VMWARE/HostSystem"], "subject": {"name": "vm-00", "kind": "VMWARE/VirtualMachine"},
             "select": {"paths": [["parents"], ["parents", "parents"]]},
             "columns": [{"name": "below", "related": {"path": [{"to": "descendants", "kind": "VMWARE/VirtualMachine"}]}},
                         {"name": "hosts", "related": {"path": ["children"], "show": "names"}}]}
            """);

    assertThat(names(answer)).containsExactly("cluster-a", "esx-a-1");
    assertThat(cells(answer, 0)).extracting(JsonNode::doubleValue).containsExactly(6.0, 3.0);
    assertThat(cells(answer, 1).getFirst().stringValue()).isEqualTo("esx-a-1, esx-a-2");
  }

  @Test
  void identifiersTellObjectsOfOneNameApart() {
    data.sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, first_seen, properties)
        select gen_random_uuid(), 'VMWARE', 'Folder', 'vc-1/group-' || n, 'twins', now(), jsonb_build_object('place', 'p' || n)
        from generate_series(1, 2) n;
        update inventory_version set version = version + 1
        """);
    String panel =
        """
        {"type": "properties", "subject": {"name": "twins", "kind": "VMWARE/Folder"%s}}
        """;
    assertThat(ask(panel.formatted("")).get("empty").get("reason").stringValue())
        .isEqualTo("no-match");
    for (String identifiers : List.of("\"VMEntityObjectID\": \"group-2\"", "\"place\": \"p2\"")) {
      JsonNode found = ask(panel.formatted(", \"identifiers\": {" + identifiers + "}"));
      assertThat(found.get("properties").get(0).get("value").stringValue()).isEqualTo("p2");
    }
  }

  @Test
  void metricConditionsAndInstancesMakeRows() {
    JsonNode answer =
        ask(
            """
            {"type": "table", "kind": "VMWARE/VirtualMachine",
             "select": {"where": [[{"metric": {"any": ["cpu|readyPct"]}, "transform": "max", "op": ">", "value": 5}]]},
             "columns": [{"name": "net", "metric": {"any": ["net|usage_average"], "instance": "each"}, "transform": "avg"},
                         {"name": "all", "metric": {"any": ["net|usage_average"], "instance": "sum"}, "transform": "avg"},
                         {"name": "ready", "metric": {"any": ["cpu|never", "cpu|readyPct"]}, "colour": {"bounds": [2, 5, 10]}}]}
            """);

    assertThat(names(answer)).containsExactly("vm-04", "vm-04");
    assertThat(answer.get("rows").get(1).get("instance").stringValue()).isEqualTo("vmnic1");
    assertThat(cells(answer, 0)).extracting(JsonNode::doubleValue).containsExactly(400.0, 40.0);
    assertThat(cells(answer, 1)).extracting(JsonNode::doubleValue).containsExactly(440.0, 440.0);
    assertThat(answer.get("rows").get(0).get("states").get(2).stringValue()).isEqualTo("critical");
    assertThat(answer.get("columns").get(2).get("key").stringValue()).isEqualTo("cpu|readyPct");
  }

  // --------------------------------------------------------------------------------------- values

  /** The same figures as the query of series gives for one step of the window. */
  @Test
  void cellsAreTheFiguresOfSeries() {
    Random random = new Random(11);
    Map<String, String> transforms =
        Map.of(
            "avg",
            "avg",
            "min",
            "min",
            "max",
            "max",
            "sum",
            "sum",
            "last",
            "last",
            "count",
            "count",
            "{\"percentile\": 95}",
            "percentile",
            "{\"percentile\": 50}",
            "percentile");
    for (Map.Entry<String, String> one : transforms.entrySet()) {
      int minutes = 5 * (1 + random.nextInt(60));
      Instant to =
          now.minus(Duration.ofMinutes(random.nextInt(30))).truncatedTo(ChronoUnit.MINUTES);
      Instant from = to.minus(Duration.ofMinutes(minutes));
      JsonNode panel =
          ask(
              """
              {"type": "table", "kind": "VMWARE/VirtualMachine",
               "columns": [{"name": "v", "metric": {"any": ["cpu|usage_average"]}, "transform": %s}]}
              """
                  .formatted(
                      one.getKey().startsWith("{") ? one.getKey() : "\"" + one.getKey() + "\""),
              ", \"time\": {\"from\": \"%s\", \"to\": \"%s\"}".formatted(from, to));
      assertThat(panel.get("rows").size()).isEqualTo(12);
      for (JsonNode row : panel.get("rows")) {
        List<Double> values = new ArrayList<>();
        Answer series =
            viewer.post(
                "/series/query",
                """
                {"objects": ["%s"], "metrics": ["cpu|usage_average"], "from": "%s", "to": "%s", "step": "1m", "aggregation": "last"}
                """
                    .formatted(row.get("object").get("id").stringValue(), from, to));
        for (JsonNode line : series.json().get("series")) {
          line.get("values")
              .valueStream()
              .filter(v -> !v.isNull())
              .forEach(v -> values.add(v.doubleValue()));
        }
        JsonNode cell = row.get("cells").get(0);
        if (values.isEmpty()) {
          assertThat(cell.isNull()).isTrue();
          continue;
        }
        List<Double> sorted = values.stream().sorted().toList();
        double expected =
            switch (one.getValue()) {
              case "avg" -> values.stream().mapToDouble(v -> v).average().orElseThrow();
              case "min" -> sorted.getFirst();
              case "max" -> sorted.getLast();
              case "sum" -> values.stream().mapToDouble(v -> v).sum();
              case "last" -> values.getLast();
              case "count" -> values.size();
              default -> {
                double percent = one.getKey().contains("95") ? 0.95 : 0.5;
                yield sorted.get((int) Math.ceil(percent * sorted.size()) - 1);
              }
            };
        assertThat(cell.doubleValue())
            .as("%s of %s over %d minutes", one.getKey(), row.get("object"), minutes)
            .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
      }
    }
  }

  @Test
  void aPercentileIsThatOfAVariable() {
    String panel =
        """
        {"type": "table", "kind": "VMWARE/VirtualMachine",
         "select": {"where": [[{"metric": {"any": ["cpu|usage_average"]}, "transform": {"percentile": %1$s}, "op": ">", "value": 20}]]},
         "columns": [{"name": "v", "title": "p$p", "metric": {"any": ["cpu|usage_average"]}, "transform": {"percentile": %1$s}}]}
        """;
    String time =
        ", \"time\": {\"from\": \"%s\", \"to\": \"%s\"}".formatted(now.minusSeconds(7200), now);
    for (String percent : List.of("5", "50", "99.9")) {
      JsonNode answer =
          ask(
              panel.formatted("\"$p\""),
              time + ", \"variables\": {\"p\": \"%s\"}".formatted(percent));
      JsonNode expected = ask(panel.formatted(percent), time);
      assertThat(answer.get("rows")).isEqualTo(expected.get("rows"));
      assertThat(answer.get("rows").size()).isBetween(5, 10);
      assertThat(answer.get("columns").get(0).get("title").stringValue()).isEqualTo("p" + percent);
    }
    assertThat(ask(panel.formatted("\"$p\"")).get("empty").get("variable").stringValue())
        .isEqualTo("p");
    for (String bad : List.of("most", "0", "100", "NaN", "-5")) {
      Answer answer =
          viewer.post(
              "/panels/query",
              "{\"panel\": %s, \"variables\": {\"p\": \"%s\"}}"
                  .formatted(panel.formatted("\"$p\""), bad));
      assertThat(answer.status()).as(bad).isEqualTo(400);
      assertThat(answer.json().get("errors").get(0).get("field").stringValue())
          .isEqualTo("variables.p");
      assertThat(answer.json().get("hint").stringValue())
          .isEqualTo("Give a number between 0 and 100, such as 95.");
    }
  }

  @Test
  void expressionsTotalsAndUnitsAreComputed() {
    JsonNode answer =
        ask(
            """
            {"type": "table", "kind": "VMWARE/HostSystem", "sort": [{"column": "name", "order": "desc"}],
             "columns": [{"name": "name", "attribute": "name"},
                         {"name": "least", "metric": {"any": ["cpu|usage_average"]}, "transform": "min", "total": "sum", "hidden": false},
                         {"name": "most", "metric": {"any": ["cpu|usage_average"]}, "transform": "max", "hidden": true},
                         {"name": "span", "expression": "most - least", "total": "max"}]}
            """);

    assertThat(names(answer)).containsExactly("esx-b-2", "esx-b-1", "esx-a-2", "esx-a-1");
    assertThat(answer.get("columns").valueStream().map(c -> c.get("name").stringValue()))
        .containsExactly("name", "least", "span");
    assertThat(cells(answer, 2)).allSatisfy(cell -> assertThat(cell.doubleValue()).isEqualTo(6));
    assertThat(answer.get("totals").toString()).isEqualTo("[null,60.0,6.0]");
  }

  @Test
  void theTopIsRankedAndSaysWhatIsLeftOut() {
    JsonNode answer =
        ask(
            """
            {"type": "top", "kind": "VMWARE/VirtualMachine", "limit": 3,
             "columns": [{"name": "cpu", "metric": {"any": ["cpu|usage_average"]}, "transform": "avg", "sparkline": true}]}
            """);

    assertThat(names(answer)).containsExactly("vm-10", "vm-09", "vm-08");
    assertThat(answer.get("notes").toString()).contains("3 of 11 rows", "11 of 12 report");
    assertThat(answer.get("objects").toString())
        .isEqualTo("{\"matched\":12,\"reporting\":11,\"shown\":3}");
    assertThat(answer.get("rows").get(0).get("sparklines").get(0).get("values").size())
        .isBetween(10, 61);
  }

  @Test
  void aScoreHasItsPlaceAmongThePeers() {
    JsonNode answer =
        ask(
            """
            {"type": "scoreboard", "subject": {"name": "esx-b-2", "kind": "VMWARE/HostSystem"}, "kind": "VMWARE/HostSystem",
             "columns": [{"name": "cpu", "metric": {"any": ["cpu|usage_average"]}, "transform": "avg"}]}
            """);

    JsonNode place = answer.get("rows").get(0).get("places").get(0);
    assertThat(place.get("peers").intValue()).isEqualTo(4);
    assertThat(place.get("rank").intValue()).isLessThanOrEqualTo(2);
    assertThat(place.get("values").size()).isEqualTo(4);
  }

  @Test
  void aDistributionCountsValuesAndBounds() {
    JsonNode words =
        ask(
            """
            {"type": "distribution", "kind": "VMWARE/VirtualMachine", "columns": [
              {"name": "os", "property": "summary|guest|fullName", "colour": {"values": {"*2012*": "warning"}}}]}
            """);
    assertThat(
            words
                .get("buckets")
                .valueStream()
                .map(
                    bucket ->
                        bucket.get("label").stringValue()
                            + " "
                            + bucket.get("count")
                            + " "
                            + bucket.get("state").asString("")))
        .containsExactly("Linux 6 normal", "Windows 2012 6 warning");

    JsonNode numbers =
        ask(
            """
            {"type": "distribution", "kind": "VMWARE/VirtualMachine", "buckets": {"of": "cpus", "bounds": [2, 4]},
             "columns": [{"name": "cpus", "property": "config|hardware|num_Cpu"}]}
            """);
    assertThat(
            numbers
                .get("buckets")
                .valueStream()
                .map(bucket -> bucket.get("label").stringValue() + " " + bucket.get("count")))
        .containsExactly("below 2 3", "2 to 4 6", "4 and more 3");
    String table =
        """
        {"type": "table", "kind": "VMWARE/VirtualMachine", "select": {"slices": ["$part", "$other"]},
         "columns": [{"name": "cpus", "property": "config|hardware|num_Cpu"}]}
        """;
    for (JsonNode answer : List.of(words, numbers)) {
      for (JsonNode bucket : answer.get("buckets")) {
        String slice = quoted(bucket.get("slice").stringValue());
        JsonNode rows = ask(table, ", \"variables\": {\"part\": %s}".formatted(slice));
        assertThat(rows.get("rows").size())
            .as(bucket.toString())
            .isEqualTo(bucket.get("count").intValue());
      }
    }
    assertThat(ask(table).get("rows").size()).isEqualTo(12);
  }

  @Test
  void aHeatMapHasGroupsAndMoments() {
    JsonNode answer =
        ask(
            """
            {"type": "heatmap", "slider": true, "kind": "VMWARE/VirtualMachine", "subject": "$cluster", "size": "cpus", "colourBy": "ready",
             "groupBy": {"ancestor": "VMWARE/HostSystem"},
             "columns": [{"name": "cpus", "property": "config|hardware|num_Cpu"},
                         {"name": "ready", "metric": {"any": ["cpu|readyPct"]}, "colour": {"bounds": [2, 5, 10]}}]}
            """,
            ", \"variables\": {\"cluster\": \"%s\"}".formatted(CLUSTER_A));

    assertThat(answer.get("groups").valueStream().map(group -> group.get("name").stringValue()))
        .containsExactly("esx-a-1", "esx-a-2");
    assertThat(answer.get("groups").get(1).get("worst").stringValue()).isEqualTo("critical");
    JsonNode moments = answer.get("moments");
    assertThat(moments.get("over").valueStream().mapToInt(JsonNode::intValue).max()).hasValue(1);
    assertThat(moments.get("values").get(0).get("values").size()).isEqualTo(6);
  }

  @Test
  void aChartIsTheQueryOfSeries() {
    JsonNode answer =
        ask(
            """
            {"type": "chart", "kind": "VMWARE/HostSystem", "subject": "$cluster",
             "columns": [{"name": "cpu", "metric": {"any": ["cpu|never", "cpu|usage_average"]}, "transform": "max"}]}
            """,
            ", \"variables\": {\"cluster\": \"%s\"}, \"time\": {\"from\": \"%s\", \"to\": \"%s\"}, \"compareWith\": \"1h\""
                .formatted(
                    CLUSTER_A, now.minus(Duration.ofHours(2)), now.minus(Duration.ofHours(1))));

    assertThat(answer.get("series").size()).isEqualTo(2);
    JsonNode first = answer.get("series").get(0);
    Answer series =
        viewer.post(
            "/series/query",
            """
            {"objects": ["%s"], "metrics": ["cpu|usage_average"], "from": "%s", "to": "%s", "step": "%ds", "aggregation": "max"}
            """
                .formatted(
                    first.get("object").get("id").stringValue(),
                    now.minus(Duration.ofHours(2)),
                    now.minus(Duration.ofHours(1)),
                    answer.get("stepMillis").longValue() / 1000));
    assertThat(first.get("values")).isEqualTo(series.json().get("series").get(0).get("values"));
    assertThat(first.get("compared").size()).isEqualTo(first.get("values").size());
    assertThat(answer.get("asOf").isNull()).isFalse();
  }

  @Test
  void aTimelineJoinsEqualStates() {
    JsonNode answer =
        ask(
            """
            {"type": "timeline", "kind": "VMWARE/VirtualMachine", "subject": {"name": "vm-04", "kind": "VMWARE/VirtualMachine"},
             "columns": [{"name": "ready", "metric": {"any": ["cpu|readyPct"]}, "colour": {"bounds": [2, 5, 10]}}]}
            """);

    JsonNode segments = answer.get("lanes").get(0).get("segments");
    assertThat(segments.size()).isEqualTo(1);
    assertThat(segments.get(0).get("state").stringValue()).isEqualTo("critical");
    assertThat(segments.get(0).get("value").doubleValue()).isEqualTo(12);
  }

  @Test
  void propertiesTreesAndTextsAreShown() {
    JsonNode properties =
        ask(
            """
            {"type": "properties", "subject": {"name": "vm-03", "kind": "VMWARE/VirtualMachine"}, "properties": ["summary|*", "config|hardware|num_Cpu"]}
            """);
    assertThat(properties.get("properties").valueStream().map(p -> p.get("value").stringValue()))
        .containsExactly("Linux", "4");

    JsonNode tree =
        ask(
            """
            {"type": "relations", "subject": {"name": "esx-a-1", "kind": "VMWARE/HostSystem"}}
            """);
    assertThat(
            tree.get("tree")
                .valueStream()
                .map(
                    node -> node.get("level") + " " + node.get("object").get("name").stringValue()))
        .containsExactly("0 esx-a-1", "-1 cluster-a", "1 vm-00", "1 vm-01", "1 vm-02");

    JsonNode text =
        ask(
            "{\"type\": \"text\", \"markdown\": \"About $env, $other\"}",
            ", \"variables\": {\"env\": \"prod\"}");
    assertThat(text.get("markdown").stringValue()).isEqualTo("About prod, $other");
  }

  // ------------------------------------------------------------------------------------ the past

  @Test
  void aPastMomentHasTheValuesAndPropertiesOfThatTime() {
    data.sql(
        """
        insert into object_change (time, object_id, kind, key, old_value, new_value)
        select now() - interval '1 hour', id, 'property', 'config|hardware|num_Cpu', '8', properties ->> 'config|hardware|num_Cpu'
        from object where name = 'vm-06'
        """);
    String panel =
        """
        {"type": "table", "kind": "VMWARE/VirtualMachine", "select": {"scope": {"name": "vm-06"}},
         "columns": [{"name": "cpus", "property": "config|hardware|num_Cpu"}, {"name": "cpu", "metric": {"any": ["cpu|usage_average"]}}]}
        """;
    Instant then = now.minus(Duration.ofHours(2));
    JsonNode past = ask(panel, ", \"asOf\": \"%s\"".formatted(then));
    assertThat(cells(past, 0).getFirst().doubleValue()).isEqualTo(8);
    assertThat(cells(ask(panel), 0).getFirst().doubleValue()).isEqualTo(3);
    assertThat(past.get("newest").longValue()).isLessThan(then.toEpochMilli());
    Answer series =
        viewer.post(
            "/series/query",
            """
            {"objects": ["%s"], "metrics": ["cpu|usage_average"], "from": "%s", "to": "%s", "step": "1m", "aggregation": "last"}
            """
                .formatted(
                    SampleData.uuid("VirtualMachine", "vm-06"),
                    then.minus(Duration.ofMinutes(1)),
                    then));
    assertThat(cells(past, 1).getFirst())
        .isEqualTo(series.json().get("series").get(0).get("values").get(0));
  }

  @Test
  void screensThatAskTheSameShareAnAnswer() {
    String panel =
        """
        {"type": "top", "kind": "VMWARE/VirtualMachine", "columns": [{"name": "cpu", "metric": {"any": ["cpu|usage_average"]}, "transform": "avg"}]}
        """;
    Set<Long> moments =
        java.util.stream.IntStream.range(0, 20)
            .parallel()
            .mapToObj(
                screen ->
                    ask(panel, ", \"time\": {\"last\": \"3h\"}, \"maxAge\": \"60s\"")
                        .get("to")
                        .longValue())
            .collect(java.util.stream.Collectors.toSet());
    assertThat(moments).hasSize(1);
    JsonNode anew = ask(panel, ", \"time\": {\"last\": \"3h\"}");
    assertThat(moments).doesNotContain(anew.get("to").longValue());
    JsonNode other = ask(panel, ", \"time\": {\"last\": \"2h\"}, \"maxAge\": \"60s\"");
    assertThat(moments).doesNotContain(other.get("to").longValue());
  }

  // ------------------------------------------------------------------------------- empty, mistakes

  @Test
  void anEmptyPanelSaysWhy() {
    assertThat(
            reason(
                "{\"type\": \"table\", \"kind\": \"VMWARE/VirtualMachine\", \"subject\": \"$cluster\", %s}"))
        .isEqualTo("choose: This panel shows what belongs to $cluster, and nothing is chosen yet.");
    assertThat(reason("{\"type\": \"table\", \"kind\": \"VMWARE/ResourcePool\", %s}"))
        .isEqualTo(
            "no-kind: Nothing here is of the kind VMWARE/ResourcePool; a vCenter collector has them.");
    assertThat(
            reason(
                "{\"type\": \"table\", \"kind\": \"VMWARE/VirtualMachine\", \"select\": {\"scope\": {\"tags\": [\"env=nowhere\"]}}, %s}"))
        .isEqualTo("no-match: Of 12 VirtualMachine objects none meets the tag env=nowhere.");
    assertThat(
            reason(
                "{\"type\": \"table\", \"kind\": \"VMWARE/VirtualMachine\", \"select\": {\"where\": [[{\"metric\": {\"any\": [\"cpu|usage_average\"]}, \"op\": \">\", \"value\": 5000}]]}, %s}"))
        .isEqualTo("no-match: Of 12 objects none has cpu|usage_average > 5000.");
    assertThat(
            reason(
                "{\"type\": \"table\", \"kind\": \"VMWARE/VirtualMachine\", \"columns\": [{\"name\": \"v\", \"metric\": {\"any\": [\"diskspace|snapshot|snapshotAge\"]}}]}"))
        .isEqualTo(
            "never-reported: diskspace|snapshot|snapshotAge was never reported by any of 12 VirtualMachine objects. It would come from a vCenter collector.");
    assertThat(
            reason(
                "{\"type\": \"table\", \"kind\": \"VMWARE/Datastore\", \"columns\": [{\"name\": \"v\", \"metric\": {\"any\": [\"disk|used\"]}}]}"))
        .isEqualTo(
            "stopped: disk|used was reported before, but by none of 1 Datastore objects in this time.");
    assertThat(reason("{\"type\": \"table\", \"view\": {\"name\": \"Of somebody else\"}}"))
        .startsWith("not-allowed: There is no view \"Of somebody else\"");
  }

  private String reason(String panel) {
    JsonNode empty =
        ask(panel.formatted("\"columns\": [{\"name\": \"n\", \"attribute\": \"name\"}]"))
            .get("empty");
    assertThat(empty).as(panel).isNotNull();
    return empty.get("reason").stringValue() + ": " + empty.get("text").stringValue();
  }

  @Test
  void aMistakeIsToldWithItsPlace() {
    Answer answer =
        viewer.post(
            "/panels/query",
            """
            {"panel": {"type": "table", "kind": "VirtualMachine", "columns": [{"name": "v", "metric": {"any": []}}, {"name": "w", "transform": "avg"}]}}
            """);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("errors").valueStream().map(e -> e.get("field").stringValue()))
        .containsExactly(
            "panel.kind",
            "panel.columns[0].metric",
            "panel.columns[1].transform",
            "panel.columns[1]");
  }
}
