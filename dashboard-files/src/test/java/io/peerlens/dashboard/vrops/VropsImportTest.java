package io.peerlens.dashboard.vrops;

import static io.peerlens.dashboard.vrops.Exports.bytes;
import static io.peerlens.dashboard.vrops.Exports.column;
import static io.peerlens.dashboard.vrops.Exports.dashboard;
import static io.peerlens.dashboard.vrops.Exports.drives;
import static io.peerlens.dashboard.vrops.Exports.interval;
import static io.peerlens.dashboard.vrops.Exports.list;
import static io.peerlens.dashboard.vrops.Exports.view;
import static io.peerlens.dashboard.vrops.Exports.widget;
import static io.peerlens.dashboard.vrops.Exports.zip;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import io.peerlens.dashboard.vrops.ImportReport.Settle;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class VropsImportTest {

  private static final String CPU =
      """
      {"metric": {"mode": "resourceKind", "resourceKindMetrics": [
        {"metricKey": "cpu|usage_average", "metricName": "CPU|Usage", "label": "", "resourceKindId": "resourceKind:id:0_::_",
         "colorMethod": 0, "yellowBound": 70, "orangeBound": 80, "redBound": 90, "metricUnitId": "percent", "unit": "%",
         "isStringMetric": false}]},
       "selfProvider": {"selfProvider": SELF}, "relationshipMode": {"relationshipMode": 0}, "resource": RESOURCE,
       "depth": 1}
      """;

  private final FakeInstallation here = FakeInstallation.withVCenter();

  private VropsImport read(byte[] file) {
    VropsImport read = VropsImport.read("export.zip", file, here, Map.of());
    assertThat(BundleSchema.errors(read.bundle())).isEmpty();
    return read;
  }

  private static JsonNode only(VropsImport read) {
    assertThat(read.bundle().path("dashboards")).hasSize(1);
    return read.bundle().path("dashboards").get(0);
  }

  private static JsonNode panel(VropsImport read, String name) {
    JsonNode panel = only(read).path("panels").path(name);
    assertThat(panel.isObject()).as("%s in %s", name, only(read).path("panels")).isTrue();
    return panel;
  }

  private static Item item(VropsImport read, String name) {
    return find(read.report().items(), name);
  }

  private static Item find(List<Item> items, String name) {
    return Objects.requireNonNull(findOrNull(items, name), name);
  }

  private static @org.jspecify.annotations.Nullable Item findOrNull(List<Item> items, String name) {
    for (Item each : items) {
      Item found = each.name().equals(name) ? each : findOrNull(each.items(), name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static String cpu(boolean self, String resource) {
    return CPU.replace("SELF", Boolean.toString(self)).replace("RESOURCE", resource);
  }

  // --- views ---

  @Test
  void aColumnOfAViewKeepsItsTransformWindowUnitAndBounds() {
    VropsImport read =
        read(
            bytes(
                view(
                    Exports.CLUSTERS,
                    "Machines",
                    "VirtualMachine",
                    interval("DAYS", 30)
                        + list(
                            column(
                                    "cpu|readyPct",
                                    "PERCENTILE",
                                    "percentile",
                                    "95",
                                    "displayName",
                                    "CPU ready",
                                    "preferredUnitId",
                                    "percent",
                                    "yellowBound",
                                    "2.5",
                                    "orangeBound",
                                    "5",
                                    "redBound",
                                    "10",
                                    "ascendingRange",
                                    "false",
                                    "isProperty",
                                    "false")
                                + column(
                                    "summary|guest|fullName",
                                    "CURRENT",
                                    "isProperty",
                                    "true",
                                    "isStringAttribute",
                                    "true",
                                    "displayName",
                                    "Guest",
                                    "redBound",
                                    "Windows 2012",
                                    "ascendingRange",
                                    "true")
                                + column(
                                    "mem|usage_average",
                                    "MAX",
                                    "displayName",
                                    "Free",
                                    "redBound",
                                    "10",
                                    "ascendingRange",
                                    "true",
                                    "isProperty",
                                    "false")),
                    "<Presentation type=\"list\"/>")));
    JsonNode view = read.bundle().path("views").get(0);
    assertThat(view.path("id").asString()).isEqualTo(Exports.CLUSTERS);
    assertThat(view.path("window").asString()).isEqualTo("30d");
    assertThat(view.path("kind").asString()).isEqualTo("VMWARE/VirtualMachine");
    JsonNode ready = view.path("columns").get(0);
    assertThat(ready.path("name").asString()).isEqualTo("cpuReady");
    assertThat(ready.path("metric").path("any").get(0).asString()).isEqualTo("cpu|readyPct");
    assertThat(ready.path("transform").path("percentile").asInt()).isEqualTo(95);
    assertThat(ready.path("unit").asString()).isEqualTo("%");
    assertThat(ready.path("colour").toString()).isEqualTo("{\"bounds\":[2.5,5,10]}");
    JsonNode guest = view.path("columns").get(1);
    assertThat(guest.path("property").asString()).isEqualTo("summary|guest|fullName");
    assertThat(guest.path("colour").toString())
        .isEqualTo("{\"values\":{\"Windows 2012\":\"critical\"}}");
    JsonNode free = view.path("columns").get(2);
    assertThat(free.path("colour").toString())
        .isEqualTo("{\"bounds\":[null,null,10],\"above\":false}");
  }

  @Test
  void aFilterOfAViewBecomesAlternativesOfConditions() {
    String filter =
        "[[{&quot;condition&quot;:&quot;NOT_CONTAINS&quot;,&quot;transform&quot;:&quot;CURRENT&quot;,&quot;metricKey&quot;:&quot;config|name&quot;,&quot;metricValue&quot;:{&quot;isStringMetric&quot;:true,&quot;value&quot;:&quot;vCLS&quot;},&quot;filterType&quot;:&quot;properties&quot;}],"
            + "[{&quot;condition&quot;:&quot;GREATER_THAN&quot;,&quot;transform&quot;:&quot;MAX&quot;,&quot;metricKey&quot;:&quot;mem|usage_average&quot;,&quot;metricValue&quot;:{&quot;isStringMetric&quot;:false,&quot;value&quot;:90},&quot;filterType&quot;:&quot;metrics&quot;}]]";
    String xml =
        view(
                Exports.CLUSTERS,
                "Machines",
                "VirtualMachine",
                list(column("cpu|readyPct", "LAST")),
                "<Presentation type=\"list\"/>")
            .replace("type=\"descendant\"", "type=\"descendant\" filter=\"" + filter + "\"");
    JsonNode where = read(bytes(xml)).bundle().path("views").get(0).path("select").path("where");
    assertThat(where.toString())
        .isEqualTo(
            "[[{\"property\":\"config|name\",\"op\":\"notContains\",\"value\":\"vCLS\"}],"
                + "[{\"metric\":{\"any\":[\"mem|usage_average\"]},\"transform\":\"max\",\"op\":\">\",\"value\":90}]]");
  }

  @Test
  void anInstancedGroupGivesARowForEachInstance() {
    VropsImport read =
        read(
            bytes(
                view(
                    Exports.CLUSTERS,
                    "File systems",
                    "VirtualMachine",
                    list(
                        column(
                                "Instance Name",
                                "",
                                "isInstancedGroup",
                                "true",
                                "instanceGroupName",
                                "GROUP_guestfilesystem",
                                "displayName",
                                "Drive")
                            + column(
                                "guestfilesystem:/|percentage", "CURRENT", "isProperty", "false")
                            + column(
                                "virtualDisk:Aggregate of all instances|totalLatency",
                                "MAX",
                                "isProperty",
                                "false")),
                    "<Presentation type=\"list\"/>")));
    JsonNode columns = read.bundle().path("views").get(0).path("columns");
    assertThat(columns).hasSize(2);
    assertThat(columns.get(0).path("metric").toString())
        .isEqualTo("{\"any\":[\"guestfilesystem|percentage\"],\"instance\":\"each\"}");
    assertThat(columns.get(1).path("metric").toString())
        .isEqualTo("{\"any\":[\"virtualDisk|totalLatency\"]}");
    assertThat(item(read, "Drive").status()).isEqualTo(ImportStatus.CARRIED);
  }

  @Test
  void anExpressionReadsHiddenColumnsOfTheSameMetric() {
    VropsImport read =
        read(
            bytes(
                view(
                    Exports.CLUSTERS,
                    "Growth",
                    "VirtualMachine",
                    list(
                        column(
                            "mem|usage_average",
                            "TRANSFORM_EXPRESSION",
                            "transformExpression",
                            "(last - first) * 100",
                            "displayName",
                            "Growth",
                            "isProperty",
                            "false")),
                    "<Presentation type=\"list\"/>")));
    JsonNode columns = read.bundle().path("views").get(0).path("columns");
    assertThat(columns).hasSize(3);
    assertThat(columns.get(0).path("transform").asString()).isEqualTo("last");
    assertThat(columns.get(0).path("hidden").booleanValue()).isTrue();
    assertThat(columns.get(2).path("expression").asString())
        .isEqualTo("(growthLast - growthFirst) * 100");
  }

  @Test
  void aDonutWithFixedRangesHasBoundsAndTheColoursOfTheRanges() {
    String buckets =
        "<Control id=\"b\" type=\"buckets-control\" visible=\"false\"><Property name=\"isDynamic\""
            + " value=\"false\"/><Property name=\"bucketInfos\"><List>"
            + range(0, 5, "8ABF5B")
            + range(5, 6, "EACC58")
            + range(6, 7, "EB953F")
            + range(7, 100, "ED665A")
            + "</List></Property></Control>";
    VropsImport read =
        read(
            bytes(
                view(
                    Exports.CLUSTERS,
                    "Overcommit",
                    "HostSystem",
                    list(column("cpu|usage_average", "CURRENT", "displayName", "Ratio")) + buckets,
                    "<Presentation type=\"donut-chart\"/>")));
    JsonNode view = read.bundle().path("views").get(0);
    assertThat(view.path("show").asString()).isEqualTo("donut");
    assertThat(view.path("buckets").toString())
        .isEqualTo("{\"of\":\"ratio\",\"by\":\"bounds\",\"bounds\":[0,5,6,7,100]}");
    assertThat(view.path("columns").get(0).path("colour").toString())
        .isEqualTo("{\"bounds\":[5,6,7]}");
  }

  private static String range(int from, int to, String colour) {
    return "<Item><Value><Property name=\"startValue\" value=\""
        + from
        + "\"/><Property name=\"endValue\" value=\""
        + to
        + "\"/><Property name=\"bucketColor\" value=\""
        + colour
        + "\"/></Value></Item>";
  }

  @Test
  void aTitleIsTakenFromTheTranslationsBesideTheView() {
    String xml =
        view(
                Exports.CLUSTERS,
                "",
                "HostSystem",
                list(column("cpu|usage_average", "CURRENT")),
                "<Presentation type=\"list\"/>")
            .replace("<Title>", "<Title localizationKey=\"title\">");
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("content.xml", bytes(xml));
    entries.put(
        "resources/content_de.properties", bytes("view." + Exports.CLUSTERS + ".title=Rechner\n"));
    entries.put(
        "resources/content.properties", bytes("view." + Exports.CLUSTERS + ".title=All hosts\n"));
    assertThat(read(zip(entries)).bundle().path("views").get(0).path("name").asString())
        .isEqualTo("All hosts");
  }

  // --- dashboards ---

  @Test
  void aRowOfAListDrivesPanelsThroughAVariable() {
    VropsImport read =
        read(
            dashboard(
                widget(
                        "Clusters",
                        "ResourceList",
                        1,
                        1,
                        12,
                        4,
                        """
                        {"selfProvider": {"selfProvider": true}, "selectFirstRow": {"selectFirstRow": true},
                         "tagFilter": {"value": {"kind": ["resourceKind:id:0_::_"]}}, "additionalColumns": [
                           {"metricKey": "summary|total_number_vms", "boxLabel": "VMs", "resourceKindId": "resourceKind:id:0_::_"}]}
                        """)
                    + ","
                    + widget("CPU", "Scoreboard", 1, 5, 12, 4, cpu(false, "[]")),
                drives("Clusters", "CPU")));
    JsonNode dashboard = only(read);
    assertThat(dashboard.path("id").asString()).isEqualTo("6ae321a8-87c0-4bd8-b20b-4828bd4d9bae");
    assertThat(dashboard.path("name").asString()).isEqualTo("Clusters");
    assertThat(dashboard.path("folder").asString()).isEqualTo("Capacity");
    assertThat(dashboard.path("time").path("last").asString()).isEqualTo("7d");
    assertThat(dashboard.path("variables").toString())
        .isEqualTo(
            "[{\"name\":\"cluster\",\"title\":\"Clusters\",\"type\":\"object\",\"kind\":\"VMWARE/ClusterComputeResource\",\"default\":{\"first\":{}}}]");
    assertThat(panel(read, "clusters").path("sets").path("cluster").asString()).isEqualTo("object");
    assertThat(panel(read, "cpu").path("subject").asString()).isEqualTo("$cluster");
    assertThat(panel(read, "cpu").path("columns").get(0).path("colour").toString())
        .isEqualTo("{\"bounds\":[70,80,90]}");
    assertThat(item(read, "Clusters").items().getFirst().text())
        .contains("a row sets $cluster, read by 1 panel");
    assertThat(panel(read, "cpu").path("x-vrops").path("type").asString()).isEqualTo("Scoreboard");
  }

  @Test
  void theLastOfSeveralDriversWinsBecauseAllSetOneVariable() {
    VropsImport read =
        read(
            dashboard(
                widget(
                        "A",
                        "ResourceList",
                        1,
                        1,
                        6,
                        4,
                        "{\"selfProvider\": true, \"tagFilter\": {\"value\": {\"kind\": [\"resourceKind:id:0_::_\"]}}}")
                    + ","
                    + widget(
                        "B",
                        "ResourceList",
                        7,
                        1,
                        6,
                        4,
                        "{\"selfProvider\": true, \"tagFilter\": {\"value\": {\"kind\": [\"resourceKind:id:3_::_\"]}}}")
                    + ","
                    + widget("Both", "Scoreboard", 1, 5, 6, 4, cpu(false, "[]"))
                    + ","
                    + widget("One", "Scoreboard", 7, 5, 6, 4, cpu(false, "[]")),
                drives("A", "Both") + "," + drives("B", "Both") + "," + drives("A", "One")));
    String both = panel(read, "both").path("subject").asString().substring(1);
    String one = panel(read, "one").path("subject").asString().substring(1);
    assertThat(both).isNotEqualTo(one);
    assertThat(panel(read, "a").path("sets").has(both)).isTrue();
    assertThat(panel(read, "a").path("sets").has(one)).isTrue();
    assertThat(panel(read, "b").path("sets").has(both)).isTrue();
    assertThat(panel(read, "b").path("sets").has(one)).isFalse();
  }

  @Test
  void anObjectThatIsNotHereBecomesAVariableUntilSomebodyChooses() {
    here.names.put("VMWARE/ClusterComputeResource", List.of("prod-cl-07", "lab"));
    byte[] file =
        dashboard(
            widget(
                "CPU",
                "MetricChart",
                1,
                1,
                6,
                4,
                cpu(true, "[{\"id\": \"resource:id:1_::_\", \"name\": \"prod-cl-01\"}]")),
            "");
    VropsImport read = read(file);
    assertThat(panel(read, "cpu").path("subject").asString()).isEqualTo("$cluster");
    assertThat(item(read, "CPU").status()).isEqualTo(ImportStatus.CHOOSE);
    assertThat(item(read, "CPU").text()).startsWith("prod-cl-01 is not here; becomes $cluster");
    Settle settle = read.report().settle().getFirst();
    assertThat(settle.id()).isEqualTo("object:VMWARE/ClusterComputeResource/prod-cl-01");
    assertThat(Objects.requireNonNull(settle.proposal()).value()).isEqualTo("prod-cl-07");
    assertThat(settle.choices()).containsExactly("prod-cl-07", "lab", "ask");
    assertThat(read.report().figures().totals()).containsEntry(ImportStatus.CHOOSE, 1);

    VropsImport chosen = VropsImport.read("x", file, here, Map.of(settle.id(), "prod-cl-07"));
    assertThat(panel(chosen, "cpu").path("subject").toString())
        .isEqualTo("{\"name\":\"prod-cl-07\",\"kind\":\"VMWARE/ClusterComputeResource\"}");
    assertThat(chosen.report().settle()).isEmpty();

    here.names.put("VMWARE/ClusterComputeResource", List.of("prod-cl-01"));
    VropsImport found = read(file);
    assertThat(panel(found, "cpu").path("subject").path("name").asString()).isEqualTo("prod-cl-01");
    assertThat(item(found, "CPU").status()).isEqualTo(ImportStatus.CARRIED);
  }

  @Test
  void theWorldBecomesEverything() {
    VropsImport read =
        read(
            dashboard(
                widget(
                    "CPU",
                    "MetricChart",
                    1,
                    1,
                    6,
                    4,
                    cpu(true, "[{\"id\": \"resource:id:0_::_\", \"name\": \"vSphere World\"}]")),
                ""));
    assertThat(panel(read, "cpu").has("subject")).isFalse();
    assertThat(panel(read, "cpu").has("select")).isFalse();
    assertThat(panel(read, "cpu").path("limit").asInt()).isEqualTo(10);
    assertThat(item(read, "CPU").status()).isEqualTo(ImportStatus.CARRIED);
  }

  @Test
  void aGroupThatIsNotHereIsMissingAndNamed() {
    byte[] file =
        dashboard(
            widget(
                "CPU",
                "Scoreboard",
                1,
                1,
                6,
                4,
                cpu(true, "[{\"id\": \"resource:id:2_::_\", \"name\": \"Tier 1 VMs\"}]")),
            "");
    VropsImport read = read(file);
    assertThat(panel(read, "cpu").path("select").path("from").path("group").asString())
        .isEqualTo("Tier 1 VMs");
    assertThat(item(read, "CPU").status()).isEqualTo(ImportStatus.MISSING);
    assertThat(read.bundle().path("needs").path("groups").get(0).path("name").asString())
        .isEqualTo("Tier 1 VMs");
    here.groups = List.of("Tier 1 VMs");
    assertThat(item(read(file), "CPU").status()).isEqualTo(ImportStatus.CARRIED);
  }

  @Test
  void panelsThatLieOnEachOtherMoveDown() {
    VropsImport read =
        read(
            dashboard(
                widget("A", "TextDisplay", 1, 3, 8, 4, "{\"editorData\": \"a\"}")
                    + ","
                    + widget("B", "TextDisplay", 6, 4, 7, 2, "{\"editorData\": \"b\"}")
                    + ","
                    + widget("C", "TextDisplay", 40, 0, 90, -3, "{\"editorData\": \"c\"}"),
                ""));
    assertThat(only(read).path("layout").get(0).path("items").toString())
        .isEqualTo(
            "[{\"panel\":\"c\",\"x\":12,\"y\":1,\"w\":1,\"h\":1},{\"panel\":\"a\",\"x\":1,\"y\":3,\"w\":8,\"h\":4},{\"panel\":\"b\",\"x\":6,\"y\":7,\"w\":7,\"h\":2}]");
    assertThat(item(read, "Clusters").text()).endsWith("1 panel lay on others and moved down");
  }

  @Test
  void aHeatMapWithSeveralConfigurationsBecomesSeveralPanels() {
    String config =
        """
        {"name": "%s", "resourceKind": "resourceKind:id:1_::_", "colorBy": {"metricKey": "cpu|readyPct", "value": "CPU|Ready"},
         "sizeBy": {"metricKey": "config|hardware|memoryKB", "value": "Memory"}, "solidColoring": true,
         "groupBy": {"typeId": "resourceKind:id:3_::_", "type": "resourceKind"},
         "color": {"minValue": 0, "maxValue": 20, "thresholds": {"values": [0, 25, 50], "colors": ["#74B43B", "#ECC33E", "#DE3F30"]}}}
        """;
    VropsImport read =
        read(
            dashboard(
                widget(
                    "Ready",
                    "Heatmap",
                    1,
                    1,
                    12,
                    8,
                    "{\"selfProvider\": true, \"configs\": ["
                        + config.formatted("now")
                        + ","
                        + config.formatted("again")
                        + "]}"),
                ""));
    JsonNode heat = panel(read, "ready");
    assertThat(heat.path("groupBy").path("ancestor").asString()).isEqualTo("VMWARE/HostSystem");
    assertThat(heat.path("columns").get(0).path("colour").toString())
        .isEqualTo("{\"bounds\":[5,null,10]}");
    assertThat(heat.path("colourBy").asString()).isEqualTo("ready");
    assertThat(heat.path("size").asString()).isEqualTo("memory");
    assertThat(panel(read, "again").path("type").asString()).isEqualTo("heatmap");
    assertThat(only(read).path("layout").get(1).path("section").asString())
        .isEqualTo("Other configurations");
  }

  @Test
  void aTopListKeepsItsOrderLengthAndPercentile() {
    VropsImport read =
        read(
            dashboard(
                widget(
                    "Top",
                    "ParetoAnalysis",
                    1,
                    1,
                    6,
                    6,
                    """
                    {"mode": "all", "selfProvider": {"selfProvider": true}, "barsCount": 15, "topOption": "metricsLowestUtilization",
                     "resourceKind": [{"id": "resourceKind:id:1_::_"}], "metric": {"metricKey": "mem|usage_average", "name": "Memory|Usage (%)"},
                     "metricUnit": {"metricUnitId": "percent", "metricUnitName": "%"}, "relationshipMode": {"relationshipMode": [-1, 0]}, "depth": 10,
                     "yellowBound": 30, "orangeBound": 20, "redBound": 10, "roundDecimals": 1}
                    """),
                ""));
    JsonNode top = panel(read, "top");
    assertThat(top.path("limit").asInt()).isEqualTo(15);
    assertThat(top.path("sort").toString()).isEqualTo("[{\"column\":\"usage\",\"order\":\"asc\"}]");
    assertThat(top.path("columns").get(0).path("colour").toString())
        .isEqualTo("{\"bounds\":[30,20,10],\"above\":false}");
    assertThat(top.path("columns").get(0).path("decimals").asInt()).isEqualTo(1);
  }

  @Test
  void aViewOfAnotherFileIsMissingUntilItIsHere() {
    byte[] file =
        dashboard(
            widget(
                "List",
                "View",
                1,
                1,
                6,
                6,
                "{\"selfProvider\": {\"selfProvider\": true}, \"viewDefinitionId\": \""
                    + Exports.CLUSTERS
                    + "\"}"),
            "");
    VropsImport read = read(file);
    assertThat(item(read, "List").status()).isEqualTo(ImportStatus.MISSING);
    assertThat(panel(read, "list").path("view").asString()).isEqualTo(Exports.CLUSTERS);
    here.views.put(Exports.CLUSTERS, "All clusters");
    VropsImport again = read(file);
    assertThat(item(again, "List").status()).isEqualTo(ImportStatus.CARRIED);
    assertThat(panel(again, "list").path("view").path("name").asString()).isEqualTo("All clusters");
  }

  @Test
  void widgetsOfUnknownTypesSayThatTheyAreNotTakenOver() {
    VropsImport read =
        read(
            dashboard(
                widget("New", "HologramDisplay", 1, 1, 6, 6, "{}")
                    + ","
                    + widget("Logs", "LogAnalysis", 7, 1, 6, 6, "{}"),
                ""));
    assertThat(item(read, "New").status()).isEqualTo(ImportStatus.CANNOT);
    assertThat(item(read, "Logs").text()).isEqualTo("logs are not read here");
    assertThat(panel(read, "new").path("markdown").asString()).contains("HologramDisplay");
    assertThat(panel(read, "new").path("x-vrops").path("type").asString())
        .isEqualTo("HologramDisplay");
  }

  // --- figures ---

  @Test
  void aColumnThatTwoCollectorsWouldBringCountsOnce() {
    VropsImport read =
        VropsImport.read(
            "x",
            bytes(
                view(
                    Exports.CLUSTERS,
                    "Hosts",
                    "HostSystem",
                    list(
                        column("cpu|usage_average", "CURRENT", "displayName", "Both")
                            + column(
                                "hardware|vendorModel", "CURRENT", "displayName", "vCenter alone")
                            + column("no|such_key", "CURRENT", "displayName", "Nobody")
                            + column("mem|usage_average", "CURRENT", "displayName", "Here")),
                    "<Presentation type=\"list\"/>")),
            new FakeInstallation().reports("VMWARE/HostSystem", "mem|usage_average", 12),
            Map.of());
    ImportReport.Figures figures = read.report().figures();
    assertThat(figures.columns()).isEqualTo(4);
    assertThat(figures.now()).isEqualTo(1);
    assertThat(figures.percent()).isEqualTo(25);
    assertThat(figures.all()).isEqualTo(3);
    assertThat(figures.gains())
        .extracting(ImportReport.Gain::collector, ImportReport.Gain::columns)
        .contains(
            org.assertj.core.groups.Tuple.tuple("vcenter", 2),
            org.assertj.core.groups.Tuple.tuple("telegraf-vsphere", 1));
    assertThat(item(read, "Both").text())
        .startsWith("`cpu|usage_average`; from the vCenter collector or Telegraf's vSphere input");
    assertThat(item(read, "Here").reporting()).isEqualTo(12);
    assertThat(item(read, "Nobody").status()).isEqualTo(ImportStatus.WAITS);
    assertThat(read.bundle().path("needs").path("collectors").toString()).contains("vcenter");
  }

  @Test
  void aSuperMetricIsInTheFileOrHereOrMissing() {
    String inFile = "80792f0c-2cac-4efa-92c8-fba3ef50019f";
    String nowhere = "11111111-2cac-4efa-92c8-fba3ef50019f";
    String known = "22222222-2cac-4efa-92c8-fba3ef50019f";
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(
        "supermetric.json",
        bytes(
            "{\""
                + inFile
                + "\": {\"name\": \"Disk used\", \"formula\": \"1\", \"resourceKinds\": []}}"));
    entries.put(
        "content.xml",
        bytes(
            view(
                Exports.CLUSTERS,
                "Hosts",
                "HostSystem",
                list(
                    column("Super Metric|sm_" + inFile, "CURRENT", "displayName", "In file")
                        + column("Super Metric|sm_" + nowhere, "CURRENT", "displayName", "Nowhere")
                        + column("Super Metric|sm_" + known, "CURRENT", "displayName", "Known")),
                "<Presentation type=\"list\"/>")));
    here.superMetrics.put(known, "Overcommit");
    here.reports("VMWARE/HostSystem", "Super Metric|sm_" + known, 3);
    VropsImport read = read(zip(entries));
    assertThat(item(read, "In file").status()).isEqualTo(ImportStatus.WAITS);
    assertThat(item(read, "In file").text())
        .contains("super metric \"Disk used\"; comes with the file");
    assertThat(item(read, "Nowhere").status()).isEqualTo(ImportStatus.MISSING);
    assertThat(item(read, "Known").status()).isEqualTo(ImportStatus.CARRIED);
    assertThat(read.bundle().path("superMetrics").path(inFile).path("formula").asString())
        .isEqualTo("1");
    assertThat(read.bundle().path("needs").path("superMetrics").get(0).path("id").asString())
        .isEqualTo(nowhere);
    assertThat(read.bundle().path("views").get(0).path("columns").get(0).path("metric").toString())
        .isEqualTo("{\"any\":[\"Super metric:sm_" + inFile + "\"]}");

    VropsImport chosen =
        VropsImport.read("x", zip(entries), here, Map.of("superMetric:" + nowhere, "Overcommit"));
    assertThat(item(chosen, "Nowhere").status()).isEqualTo(ImportStatus.CARRIED);
  }

  // --- reports ---

  private static byte[] report(String title, String subject, String... pages) {
    StringBuilder sections = new StringBuilder();
    for (String page : pages) {
      String[] both = page.split(":");
      sections.append(
          "<Section><ContentType>%s</ContentType><ContentKey>%s</ContentKey></Section>"
              .formatted(both[0], both[1]));
    }
    return bytes(
        "<Content><Reports><ReportDef id=\"a1279837-d3bb-4a4f-afbf-ad823599c8a6\"><Title>%s</Title>%s<Sections>%s</Sections></ReportDef></Reports></Content>"
            .formatted(title, subject, sections));
  }

  private static byte[] machines() {
    return bytes(
        view(
            Exports.CLUSTERS,
            "Machines",
            "VirtualMachine",
            list(column("cpu|usage_average", "CURRENT")),
            ""));
  }

  @Test
  void aReportOfViewsBecomesADashboardThatShowsThemInTheirOrder() {
    byte[] report =
        report(
            "CPU/Memory, monthly",
            "<SubjectType adapterKind=\"VMWARE\" resourceKind=\"VirtualMachine\" filter=\"[[]]\" type=\"self\"/>",
            "CoverPage:COVER_PAGE",
            "TableOfContents:TABLE_OF_CONTENTS",
            "View:" + Exports.CLUSTERS,
            "View:33929b89-0000-40e2-aa4b-be152d20f0eb");
    VropsImport read =
        read(
            zip(
                Map.of(
                    "views.xml", machines(),
                    "a/report.xml", report,
                    "b/the same report.xml", report)));
    JsonNode dashboard = only(read);
    assertThat(dashboard.path("name").asString()).isEqualTo("CPU-Memory, monthly");
    assertThat(dashboard.path("folder").asString()).isEqualTo("Reports");
    assertThat(panel(read, "machines").path("view").asString()).isEqualTo(Exports.CLUSTERS);
    assertThat(panel(read, "machines").has("subject")).isFalse();
    assertThat(dashboard.path("layout").get(0).path("items").toString())
        .isEqualTo(
            "[{\"panel\":\"machines\",\"x\":1,\"y\":1,\"w\":12,\"h\":8},{\"panel\":\"view\",\"x\":1,\"y\":9,\"w\":12,\"h\":8}]");
    assertThat(dashboard.path("x-vrops").path("xml").asString()).contains("COVER_PAGE");
    Item item = item(read, "CPU-Memory, monthly");
    assertThat(item.level()).isEqualTo(Level.DASHBOARD);
    assertThat(item.text()).contains("was a report", "without the filter of the report");
    assertThat(item(read, "View").status()).isEqualTo(ImportStatus.MISSING);
    assertThat(read.report().settle()).hasSize(1);
  }

  @Test
  void aReportOfDashboardsAndViewsHasASectionForEach() {
    byte[] clusters =
        dashboard(
            widget(
                    "a",
                    "ResourceList",
                    1,
                    1,
                    6,
                    6,
                    "{\"resourceKind\": [{\"id\": \"resourceKind:id:0_::_\"}]}")
                + ","
                + widget("b", "Scoreboard", 7, 1, 6, 6, cpu(false, "[]")),
            Exports.drives("a", "b"));
    VropsImport read =
        read(
            zip(
                Map.of(
                    "dashboard.json", clusters,
                    "content.xml",
                        report(
                            "Monthly",
                            "",
                            "View:" + Exports.CLUSTERS,
                            "Dashboard:6ae321a8-87c0-4bd8-b20b-4828bd4d9bae"),
                    "views.xml", machines())));
    assertThat(read.bundle().path("dashboards")).hasSize(2);
    JsonNode dashboard = read.bundle().path("dashboards").get(1);
    assertThat(dashboard.path("name").asString()).isEqualTo("Monthly");
    assertThat(dashboard.path("layout").findValuesAsString("section"))
        .containsExactly("Machines", "Clusters");
    JsonNode driven = dashboard.path("panels").path("b");
    assertThat(driven.path("subject"))
        .isEqualTo(
            read.bundle().path("dashboards").get(0).path("panels").path("b").path("subject"));
    assertThat(driven.path("subject").asString()).startsWith("$");
    assertThat(dashboard.path("panels").path("a").path("sets").isObject()).isTrue();
  }

  @Test
  void aReportOfOneDashboardNeedsNoOther() {
    byte[] clusters =
        dashboard(widget("a", "TextDisplay", 1, 1, 6, 6, "{\"editorData\": \"x\"}"), "");
    String page = "Dashboard:6ae321a8-87c0-4bd8-b20b-4828bd4d9bae";
    VropsImport read =
        read(zip(Map.of("d.json", clusters, "content.xml", report("Monthly", "", page))));
    assertThat(only(read).path("name").asString()).isEqualTo("Clusters");
    Item item = item(read, "Monthly");
    assertThat(item.level()).isEqualTo(Level.REPORT);
    assertThat(item.status()).isEqualTo(ImportStatus.CARRIED);
    assertThat(item.text()).contains("\"Clusters\"");
    assertThat(read.bundle().path("x-vrops").path("reports")).hasSize(1);

    Item alone = item(read(report("Monthly", "", page)), "Monthly");
    assertThat(alone.status()).isEqualTo(ImportStatus.MISSING);
    assertThat(item(read(report("Monthly", "")), "Monthly").text()).contains("neither a view");
  }

  // --- containers ---

  @Test
  void dashboardsAreFoundInAnyNestingUnderAnyName() {
    byte[] inner =
        dashboard(widget("T", "TextDisplay", 1, 1, 6, 6, "{\"editorData\": \"<b>x</b>\"}"), "");
    byte[] nested =
        zip(
            Map.of(
                "dashboards/33929b89", zip(Map.of("dashboard/dashboard.json", inner)),
                "read me.txt", bytes("nothing")));
    VropsImport read = read(zip(Map.of("folder.zip/pack.pak", nested)));
    assertThat(panel(read, "t").path("markdown").asString()).isEqualTo("**x**");
  }

  @Test
  void aDashboardInUtf16WithAByteOrderMarkIsRead() {
    byte[] file =
        ("\ufeff"
                + new String(
                    dashboard(
                        widget("T", "TextDisplay", 1, 1, 6, 6, "{\"editorData\": \"x\"}"), ""),
                    StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_16LE);
    assertThat(panel(read(file), "t").path("type").asString()).isEqualTo("text");
  }

  @Test
  void aMemberThatStandsTwiceHoldsItsLastValue() {
    byte[] file =
        bytes(
            "{\"dashboards\": [{\"name\": \"first\", \"name\": \"second\", \"widgets\": []}]} trailing");
    assertThat(only(read(file)).path("name").asString()).isEqualTo("second");
  }

  @Test
  void twoFilesOfADashboardGiveTheOneThatWasSavedLast() {
    String body =
        "{\"dashboards\": [{\"id\": \"6ae321a8-87c0-4bd8-b20b-4828bd4d9bae\", \"name\": \"%s\", \"lastUpdateTime\": %d, \"widgets\": [{\"type\": \"TextDisplay\", \"title\": \"%s\", \"config\": {}}]}]}";
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("a.json", bytes(body.formatted("old", 5, "a")));
    entries.put("b.json", bytes(body.formatted("new", 9, "b")));
    assertThat(only(read(zip(entries))).path("name").asString()).isEqualTo("new");
  }

  @Test
  void aFileWithoutAnyExportSaysWhatToTake() {
    VropsImport read = read(zip(Map.of("a.txt", bytes("hello"))));
    assertThat(read.report().items()).hasSize(1);
    assertThat(read.report().items().getFirst().level()).isEqualTo(Level.FILE);
    assertThat(read.report().items().getFirst().text()).contains("Export");
  }
}
