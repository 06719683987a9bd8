package io.peerlens.standalone.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.View;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What dashboards of packs read, held against what the sample reports. */
class SampleDashboardsTest {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A Saturday, 02:00 UTC. */
  private static final long FIRST_START = 1_795_226_400;

  /** The cards of the sample lose nothing. */
  private static final Set<String> NEVER_THERE = Set.of("net|droppedRx_summation");

  private static final Map<String, String> KINDS =
      Map.of(
          "vm", "VirtualMachine",
          "host", "HostSystem",
          "cluster", "ClusterComputeResource",
          "vsan", "ClusterComputeResource",
          "datastore", "Datastore",
          "resourcepool", "ResourcePool",
          "datacenter", "Datacenter");

  private final Map<String, Set<String>> metrics = new TreeMap<>();
  private final Map<String, Set<String>> properties = new TreeMap<>();

  SampleDashboardsTest() {
    Inventory inventory = new Inventory(42);
    Script script = new Script(inventory, 42, FIRST_START);
    new Telegraf(inventory, script, FIRST_START)
        .write(
            new Physics(inventory, script, 42).at(FIRST_START + 300),
            true,
            true,
            true,
            (key, buffer) -> text(buffer).lines().forEach(this::line));
    new SampleVCenter(inventory, script, FIRST_START, FIRST_START - 3 * 3_600)
        .tellEverything(FIRST_START, (key, record) -> record(JSON.readTree(record)));
  }

  private static String text(LineBuffer buffer) {
    return new String(buffer.all(), UTF_8);
  }

  /** The mapping of Telegraf calls groups and metrics as its measurements and fields are called. */
  private void line(String line) {
    String[] measurement = line.split("[ ,]", 2)[0].split("_", 3);
    String kind = Objects.requireNonNull(KINDS.get(measurement[1]), line);
    for (String field : line.replaceFirst("^(?:[^ \\\\]|\\\\.)+ ", "").split(" ")[0].split(",")) {
      metrics
          .computeIfAbsent(kind, any -> new TreeSet<>())
          .add(measurement[2].replace("performance_", "") + "|" + field.split("=")[0]);
    }
    properties
        .computeIfAbsent(kind, any -> new TreeSet<>())
        .addAll(Set.of("summary|parentHost", "summary|parentCluster", "summary|guest|hostName"));
  }

  private void record(JsonNode record) {
    String kind = record.path("objectKind").asString();
    metrics
        .computeIfAbsent(kind, any -> new TreeSet<>())
        .addAll(record.path("metrics").propertyNames());
    properties
        .computeIfAbsent(kind, any -> new TreeSet<>())
        .addAll(record.path("properties").propertyNames());
  }

  private static Bundle bundle(String pack) throws IOException {
    try (InputStream in =
        SampleDashboardsTest.class.getResourceAsStream("/dashboard-packs/" + pack + ".json")) {
      BundleReader.Result<Bundle> result =
          BundleReader.bundle(JSON.readTree(Objects.requireNonNull(in)));
      assertThat(result.mistakes()).isEmpty();
      return Objects.requireNonNull(result.value());
    }
  }

  @Test
  void theSampleReportsKeysOfAllItsKinds() {
    assertThat(metrics.get("VirtualMachine")).contains("cpu|usage_average", "mem|usage_average");
    assertThat(metrics.keySet()).containsAll(KINDS.values());
  }

  @ParameterizedTest
  @ValueSource(strings = {"vsphere", "vsan", "network", "outliers", "ingest"})
  void everyColumnOfAPackHasDataOfTheSample(String pack) throws IOException {
    Bundle bundle = bundle(pack);
    Map<String, View> views = new HashMap<>();
    List<String> missing = new ArrayList<>();
    for (Bundle.Item<View> one : bundle.views()) {
      views.put(one.read().name(), one.read());
      question(one.read().name(), one.read().question(), missing);
    }
    int panels = 0;
    for (Bundle.Item<Dashboard> one : bundle.dashboards()) {
      for (Map.Entry<String, Panel> panel : one.read().panels().entrySet()) {
        panels++;
        Panel.ViewRef view = panel.getValue().view();
        assertThat(view == null || views.containsKey(view.name())).isTrue();
        question(one.read().name() + ", " + panel.getKey(), panel.getValue().question(), missing);
      }
    }
    assertThat(panels).isPositive();
    assertThat(missing).isEmpty();
  }

  private void question(String place, Question question, List<String> missing) {
    for (Column column : question.columns()) {
      List<String> keys =
          switch (column.what()) {
            case Column.OfMetric metric -> metric.metric().any();
            case Column.Property property -> List.of(property.key());
            default -> List.of();
          };
      Map<String, Set<String>> there =
          column.what() instanceof Column.Property ? properties : metrics;
      if (!keys.isEmpty()
          && keys.stream().noneMatch(key -> NEVER_THERE.contains(key))
          && question.kinds().stream()
              .map(ObjectKind::objectKind)
              .noneMatch(
                  kind -> keys.stream().anyMatch(there.getOrDefault(kind, Set.of())::contains))) {
        missing.add(place + ", " + column.name() + ": " + keys);
      }
    }
  }
}
