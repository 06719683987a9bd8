package io.peerlens.ingest.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.SetKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mapping files: what is shipped, what overrides it, and what is said about a mistake. */
class MappingsTest {

  private static final String HEAD = "collector: x\nadapterKind: X\n";
  private static final Path DOCS = Path.of("..", "docs");

  @TempDir Path directory;

  private void write(String file, String yaml) throws IOException {
    Files.writeString(directory.resolve(file), yaml);
  }

  @Test
  void aFileOfTheDirectoryIsTriedFirstAndOneOfAShippedNameReplacesIt() throws IOException {
    write(
        "own.yml",
        HEAD + "rules:\n  - {measurement: cpu, objectKind: Box, id: '{host}', name: '{host}'}\n");
    write("telegraf-host.yaml", HEAD + "rules: []\n");
    write(".hidden.yaml", "broken: [");
    write("notes.txt", "broken: [");
    Mappings mappings = Mappings.load(directory);
    assertThat(mappings.map("cpu", Map.of("host", "a")).key().object())
        .isEqualTo(new ObjectKey("X", "Box", "a"));
    assertThat(mappings.map("mem", Map.of("host", "a")).key().object())
        .isEqualTo(new ObjectKey("Telegraf", "Host", "a"));
    assertThat(mappings.sources())
        .extracting(s -> s.file() + (s.shipped() ? "" : " (own)"))
        .containsExactly(
            "own.yml (own)",
            "peerlens-vcenter.yaml",
            "esxtop.yaml",
            "telegraf-vsphere.yaml",
            "telegraf-host.yaml (own)",
            "telegraf-other.yaml",
            "otel-vcenter.yaml",
            "otel-hostmetrics.yaml",
            "otel-other.yaml");
    assertThat(mappings.uses().getFirst().series()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "collector: x\\nadapterKind: X\\nrules: []\\nunit: {}! a.yaml, line 4, column 1: unknown key 'unit'; did you mean units? known here: [adapterKind, aggregates, collector, otlp, rules, units, unitsOf]",
        "collector: x\\nadapterKind: X\\nrules:\\n  - measurment: m\\n    id: a\\n! a.yaml, line 4, column 5: unknown key 'rules[0].measurment'; did you mean measurement? known here: [children, counters, fields, group, id, ignore, instance, locator, measurement, name, objectKind, otherTags, parents, properties]",
        "collector: x\\nadapterKind: X\\nrules:\\n  - fields:\\n      state: {propery: state}! a.yaml, line 5, column 15: unknown key 'rules[0].fields.state.propery'; did you mean property? known here: [multiply, property]",
        "collector: x\\nadapterKind: X! a.yaml, line 2, column 15: key 'rules' is missing",
        "collector: x\\nadapterKind: X\\nrules: 5! a.yaml, line 3, column 8: 'rules' is of the wrong shape: see docs/mappings.md",
        "collector: x\\nadapterKind:\\nrules: []! a.yaml, line 2, column 1: 'adapterKind' has no value",
      })
  void anErrorInAFileIsReportedWithItsPosition(String yaml, String message) throws IOException {
    write("a.yaml", yaml.replace("\\n", "\n"));
    assertThatThrownBy(() -> Mappings.load(directory))
        .isInstanceOf(Mappings.MappingException.class)
        .satisfies(
            e ->
                assertThat(String.valueOf(e.getMessage()).replaceAll("column \\d+", "column N"))
                    .isEqualTo(message.replaceAll("column \\d+", "column N")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "measurement: 'a{group}{group}'|rule for a{group}{group}: measurement 'a{group}{group}': it can have only one {group}",
        "id: 'x{host'|rule for m: id: 'x{host': the brace at character 2 is not closed",
        "id: 'x{}'|rule for m: id: 'x{}': the braces at character 2 name no tag"
      })
  void errorsInARuleAreNamed(String change) throws IOException {
    String[] parts = change.split("\\|", 2);
    String rule = "  - measurement: m\n    objectKind: K\n    id: '{host}'\n    name: n\n";
    String key = parts[0].substring(0, parts[0].indexOf(':'));
    write(
        "a.yaml",
        HEAD + "rules:\n" + rule.replaceAll(key + ": .*", Matcher.quoteReplacement(parts[0])));
    assertThatThrownBy(() -> Mappings.load(directory)).hasMessage("a.yaml, " + parts[1]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "peerlens-vcenter.yaml",
        "esxtop.yaml",
        "telegraf-vsphere.yaml",
        "telegraf-host.yaml",
        "telegraf-other.yaml",
        "otel-vcenter.yaml",
        "otel-hostmetrics.yaml",
        "otel-other.yaml"
      })
  void shippedFilesSatisfyTheSchema(String file) throws IOException {
    String yaml;
    try (InputStream in = MappingsTest.class.getResourceAsStream("/mappings/" + file)) {
      assertThat(in).isNotNull();
      yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(errors("mapping.schema.json", yaml, InputFormat.YAML)).isEmpty();
    assertThat(errors("mapping.schema.json", yaml + "\nsurplus: 1\n", InputFormat.YAML))
        .isNotEmpty();
  }

  @Test
  void theSampleSchemaTakesWhatTheDecoderTakes() throws IOException {
    String sample =
        "{\"adapterKind\":\"A\",\"objectKind\":\"K\",\"id\":\"i\",\"time\":1,\"metrics\":{\"a|b\":1,\"c\":true},\"parents\":[{\"objectKind\":\"P\",\"id\":\"p\"}]}";
    assertThat(errors("sample.schema.json", sample, InputFormat.JSON)).isEmpty();
    assertThat(errors("sample.schema.json", "[" + sample + "]", InputFormat.JSON)).isEmpty();
    assertThat(errors("sample.schema.json", sample.replace("\"id\":\"i\",", ""), InputFormat.JSON))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"name\":\"n\"",
        "\"locator\":\"l\"",
        "\"properties\":{\"p\":\"v\",\"gone\":null}",
        "\"tags\":{\"t\":null}",
        "\"parents\":[{\"objectKind\":\"P\",\"id\":null}]",
        "\"children\":[{\"objectKind\":\"C\",\"id\":\"c\"},{\"objectKind\":\"D\",\"id\":null}]",
        "\"gone\":true",
      })
  void theSampleSchemaTakesRecordsWithoutMetrics(String member) throws IOException {
    String id = "\"adapterKind\":\"A\",\"objectKind\":\"K\",\"id\":\"i\"";
    assertThat(errors("sample.schema.json", "{" + id + "," + member + "}", InputFormat.JSON))
        .isEmpty();
    assertThat(errors("sample.schema.json", "{" + id + "}", InputFormat.JSON)).isNotEmpty();
  }

  private static java.util.List<?> errors(String schema, String text, InputFormat format)
      throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(DOCS.resolve(schema)), InputFormat.JSON)
        .validate(text, format);
  }

  @Test
  void theExampleOfTheDocumentationWorks() throws IOException {
    String doc = Files.readString(DOCS.resolve("mappings.md"));
    Matcher yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(doc);
    assertThat(yaml.find()).isTrue();
    assertThat(errors("mapping.schema.json", yaml.group(1), InputFormat.YAML)).isEmpty();
    write("shop.yaml", yaml.group(1));
    MappedSeries series =
        Mappings.load(directory)
            .map("myapp", Map.of("host", "web1", "pool", "checkout", "worker", "w3"));
    assertThat(series.key().object()).isEqualTo(new ObjectKey("Shop", "Pool", "checkout"));
    assertThat(series.key().group() + ":" + series.key().instance()).isEqualTo("pool:w3");
    assertThat(series.attributes().properties()).isEqualTo(Map.of("runsOn", "web1"));
    FieldUses fields = Objects.requireNonNull(series.fields());
    assertThat(fields.number("requests"))
        .isEqualTo(new FieldUse.Counter("requests", "requests_rate", "requests"));
    assertThat(fields.text("state")).isEqualTo(new FieldUse.Property("state", 1));
  }

  @Test
  void theExampleOfPointsInTheDocumentationWorks() throws IOException {
    String doc = Files.readString(DOCS.resolve("mappings.md"));
    Matcher yaml =
        Pattern.compile("```yaml\n(collector: our racks\n.*?)```", Pattern.DOTALL).matcher(doc);
    assertThat(yaml.find()).isTrue();
    assertThat(errors("mapping.schema.json", yaml.group(1), InputFormat.YAML)).isEmpty();
    write("racks.yaml", yaml.group(1));
    Mappings mappings = Mappings.load(directory);
    Map<String, String> rack = Map.of("rack.id", "r7", "row", "b", "owner", "net");
    String scope = "example.org/rackreceiver";

    OtlpPoint power =
        mappings.mapOtlp(scope, rack, "rack.power", "W", Map.of("kind", "real", "rack.feed", "1"));
    assertThat(power.object()).isEqualTo(new ObjectKey("Racks", "Rack", "main/r7"));
    assertThat(power.attributes())
        .isEqualTo(
            new ObjectAttributes(
                "main/r7", "r7", Map.of("position", "b-r7"), Map.of("owner", "net"), Set.of()));
    assertThat(power.outputs())
        .containsExactly(
            new OtlpPoint.Output(
                "power", "1", "real", "kW", 0.001, OtlpPoint.Role.VALUE, null, List.of()),
            new OtlpPoint.Output(
                "power", "", "real", "kW", 0.001, OtlpPoint.Role.SUM, null, List.of()));
    // One that stands for all feeds, and one whose attribute nothing names.
    assertThat(
            mappings
                .mapOtlp(
                    scope,
                    rack,
                    "rack.power",
                    "VA",
                    Map.of("kind", "max", "feed", "all", "phase", "3"))
                .outputs())
        .containsExactly(
            new OtlpPoint.Output(
                "power", "phase=3", "max", "VA", 1, OtlpPoint.Role.VALUE, null, List.of()));
    assertThat(
            mappings
                .mapOtlp(scope, rack, "rack.slots", "{slot}", Map.of("state", "used"))
                .outputs())
        .containsExactly(
            new OtlpPoint.Output(
                "slots",
                "",
                "used",
                "slot",
                1,
                OtlpPoint.Role.VALUE,
                null,
                List.of(new OtlpPoint.Derived("used_percent", "used", List.of("total")))),
            new OtlpPoint.Output(
                "slots", "", "total", "slot", 1, OtlpPoint.Role.SUM, null, List.of()));
    assertThat(mappings.mapOtlp(scope, rack, "rack.debug.x", "", Map.of()).outputs()).isEmpty();
    assertThat(mappings.mapOtlp(scope, rack, "rack.door.open", "1", Map.of("side", "b")).outputs())
        .containsExactly(
            new OtlpPoint.Output(
                "rack.door", "side=b", "open", "1", 1, OtlpPoint.Role.VALUE, null, List.of()));
    assertThat(mappings.mapOtlp("else", rack, "rack.power", "", Map.of()).object())
        .isEqualTo(new ObjectKey("OpenTelemetry", "Scope", "else"));
    power.met();
    assertThat(mappings.uses())
        .contains(new Mappings.Use("racks.yaml", "*/rackreceiver", "Rack", 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "metrics: [{name: m}]! a.yaml, otlp: metric 'm': key, addTo or drop is missing",
        "metrics: [{name: m, key: k}]! a.yaml, otlp: metric 'm': the key 'k' has no '|' between group and metric",
        "derived: [{key: a|b, percentOf: a|c}]! a.yaml, otlp: derived 'a|b': expected percentOf with total, or complementOf",
        "derived: [{key: a|b, complementOf: c|d}]! a.yaml, otlp: derived 'a|b': 'c|d' is of another group",
      })
  void errorsInWhatIsSaidOfPointsAreNamed(String part, String message) throws IOException {
    write("a.yaml", HEAD + "rules: []\notlp:\n  objects: []\n  " + part + "\n");
    assertThatThrownBy(() -> Mappings.load(directory)).hasMessage(message);
  }

  @Test
  void eachNetworkCardHasPropertiesForItsAddresses() {
    MappedSeries series =
        Mappings.load(null)
            .map(
                "vsphere_vm_net",
                Map.of(
                    "vcenter",
                    "vc",
                    "moid",
                    "vm-1",
                    "vmname",
                    "web1",
                    "interface",
                    "4001",
                    "ipv4",
                    "10.1.2.3,10.1.2.4"));
    assertThat(series.attributes().properties())
        .isEqualTo(
            Map.of("summary|parentVcenter", "vc", "net:4001|ip_address", "10.1.2.3,10.1.2.4"));
    assertThat(series.attributes().tags()).isEmpty();
  }

  @Test
  void anInstanceOfADatastoreIsKnownByItsDeviceAndSaysItsName() {
    Mappings mappings = Mappings.load(null);
    Map<String, String> common =
        Map.of("vcenter", "vc", "moid", "vm-1", "vmname", "web1", "esxhostname", "esx1");
    for (String kind : List.of("vm", "host")) {
      Map<String, String> tags = new HashMap<>(common);
      tags.put("lun", "naa.6000c1");
      tags.put("dsname", "san01");
      MappedSeries series = mappings.map("vsphere_" + kind + "_datastore", tags);
      assertThat(series.key().instance()).isEqualTo("naa.6000c1");
      assertThat(series.attributes().properties())
          .containsEntry("datastore:naa.6000c1|name", "san01");
      tags.put("lun", "instance-total");
      tags.put("dsname", "instance-total");
      assertThat(
              mappings
                  .map("vsphere_" + kind + "_datastore", tags)
                  .attributes()
                  .properties()
                  .keySet())
          .noneMatch(key -> key.startsWith("datastore"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "vsphere_vm_cpu, usage_average, %",
    "vsphere_vm_cpu, usagemhz_average, MHz",
    "vsphere_vm_cpu, demand_average, MHz",
    "vsphere_vm_cpu, readiness_average, %",
    "vsphere_vm_cpu, ready_summation, ms",
    "vsphere_host_cpu, coreUtilization_average, %",
    "vsphere_vm_mem, usage_average, %",
    "vsphere_vm_mem, active_average, KB",
    "vsphere_host_mem, activewrite_average, KB",
    "vsphere_host_mem, totalCapacity_average, MB",
    "vsphere_host_mem, reservedCapacity_average, MB",
    "vsphere_host_mem, vmfs_pbc_sizeMax_latest, MB",
    "vsphere_host_mem, vmfs_pbc_workingSet_latest, TB",
    "vsphere_host_mem, vmfs_pbc_overhead_latest, KB",
    "vsphere_vm_net, usage_average, KB/s",
    "vsphere_vm_net, bytesRx_average, KB/s",
    "vsphere_vm_net, pnicBytesTx_average, KB/s",
    "vsphere_vm_net, packetsRx_summation, packets",
    "vsphere_resourcepool_net, throughput_contention_summation, packets",
    "vsphere_cluster_net, throughput_usage_average, KB/s",
    "vsphere_host_disk, usage_average, KB/s",
    "vsphere_host_disk, maxTotalLatency_latest, ms",
    "vsphere_vm_virtualDisk, read_average, KB/s",
    "vsphere_datastore_disk, capacity_latest, KB",
    "vsphere_datastore_disk, capacity_contention_average, %",
    "vsphere_datastore_datastore, throughput_usage_average, KB/s",
    "vsphere_cluster_disk, throughput_contention_average, ms",
    "vsphere_cluster_cpu, capacity_usage_average, MHz",
    "vsphere_cluster_cpu, corecount_usage_average, cores",
    "vsphere_cluster_vmop, numVMotion_latest, operations",
    "vsphere_vm_sys, uptime_latest, s",
    "vsphere_vsan_performance_clusterdomclient, iops_read, /s",
    "vsphere_vsan_performance_clusterdomclient, throughput_write, B/s",
    "vsphere_vsan_performance_clusterdomclient, latency_avg_read, us",
    "vsphere_vsan_performance_diskgroup, latency_sched, us",
    "vsphere_vsan_performance_virtualdisk, niops_delayed, /s",
  })
  void metricsOfVsphereHaveTheUnitsOfItsCounters(String measurement, String field, String unit) {
    assertThat(unit(measurement, field)).isEqualTo(unit);
  }

  @Test
  void everyFieldOfTheVsphereCapturesHasAUnit() throws IOException {
    TreeSet<String> without = new TreeSet<>();
    int fields = 0;
    try (InputStream in = MappingsTest.class.getResourceAsStream("/captures/vsphere-fields.txt")) {
      assertThat(in).isNotNull();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        String[] parts = line.split(" ");
        fields++;
        if (unit(parts[0], parts[1]) == null) {
          without.add(line);
        }
      }
    }
    assertThat(without).isEmpty();
    assertThat(fields).isGreaterThan(100);
  }

  @ParameterizedTest
  @CsvSource({
    "vcenter_vm_cpu, VirtualMachine, cpu",
    "vcenter_host_mem, HostSystem, mem",
    "vcenter_cluster_vmop, ClusterComputeResource, vmop",
    "vcenter_pool_cpu, ResourcePool, cpu",
    "vcenter_datastore_disk, Datastore, disk",
    "vcenter_datacenter_vmop, Datacenter, vmop",
    "vcenter_storagepod_disk, StoragePod, disk",
  })
  void linesOfOurOwnCollectorTellIdGroupAndInstanceAlone(
      String measurement, String kind, String group) {
    MappedSeries series =
        Mappings.shipped()
            .map(
                measurement,
                Map.of("vcenter", "vc", "moid", "m-1", "instance", "scsi0:0", "host", "c1"));
    assertThat(series.key())
        .isEqualTo(new SetKey(new ObjectKey("VMWARE", kind, "vc/m-1"), group, "scsi0:0"));
    assertThat(series.attributes()).isEqualTo(ObjectAttributes.NONE);
    assertThat(
            Mappings.shipped()
                .map(measurement, Map.of("vcenter", "vc", "moid", "m-1"))
                .key()
                .instance())
        .isEmpty();
  }

  @Test
  void bothCollectorsOfAVcenterMakeTheSameSeries() {
    Map<String, String> telegraf =
        Map.of("vcenter", "vc", "moid", "m-1", "vmname", "web1", "esxhostname", "esx1");
    Map<String, String> ours = Map.of("vcenter", "vc", "moid", "m-1");
    for (String tag :
        List.of(
            "cpu cpu 0",
            "net interface 4000",
            "virtualDisk disk scsi0:0",
            "disk disk naa.1",
            "datastore lun 5f-1",
            "power - -")) {
      String[] parts = tag.split(" ");
      Map<String, String> theirs = new HashMap<>(telegraf);
      Map<String, String> mine = new HashMap<>(ours);
      theirs.put(parts[1], parts[2]);
      mine.put(parts[1].equals("-") ? "-" : "instance", parts[2]);
      assertThat(Mappings.shipped().map("vcenter_vm_" + parts[0], mine).key())
          .isEqualTo(Mappings.shipped().map("vsphere_vm_" + parts[0], theirs).key());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "vcenter_vm_cpu, usage_average, %",
    "vcenter_vm_mem, active_average, KB",
    "vcenter_host_net, usage_average, KB/s",
    "vcenter_datastore_disk, used_latest, KB",
  })
  void metricsOfOurOwnCollectorHaveTheUnitsOfTheOtherFile(
      String measurement, String field, String unit) {
    assertThat(unit(measurement, field)).isEqualTo(unit);
  }

  @Test
  void unitsOfAnotherFileFollowThatFile() throws IOException {
    write("telegraf-vsphere.yaml", HEAD + "rules: []\nunits: {usage_average: percent, other: o}\n");
    write(
        "own.yaml",
        HEAD
            + "rules:\n  - {measurement: m, objectKind: K, id: '{host}'}\n"
            + "units: {other: mine}\nunitsOf: telegraf-vsphere.yaml\n");
    Mappings mappings = Mappings.load(directory);
    FieldUses fields = Objects.requireNonNull(mappings.map("m", Map.of("host", "a")).fields());
    assertThat(fields.number("usage_average"))
        .isEqualTo(new FieldUse.Value("usage_average", "percent"));
    assertThat(fields.number("other")).isEqualTo(new FieldUse.Value("other", "mine"));

    write("own.yaml", HEAD + "rules: []\nunitsOf: vsphere.yaml\n");
    assertThatThrownBy(() -> Mappings.load(directory))
        .isInstanceOf(Mappings.MappingException.class)
        .hasMessageStartingWith("own.yaml: unitsOf names the file 'vsphere.yaml', which is not");
  }

  private static @Nullable String unit(String measurement, String field) {
    FieldUses fields =
        Mappings.shipped()
            .map(
                measurement,
                Map.of(
                    "vcenter",
                    "v",
                    "moid",
                    "m",
                    "vmname",
                    "n",
                    "esxhostname",
                    "n",
                    "source",
                    "n",
                    "dcname",
                    "n",
                    "clustername",
                    "n",
                    "rpname",
                    "n"))
            .fields();
    return fields != null && fields.number(field) instanceof FieldUse.Value value
        ? value.unit()
        : null;
  }
}
