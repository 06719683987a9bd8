package io.peerlens.dashboard.vrops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The keys of our collectors, as their documents have them. */
class CollectorKeysTest {

  private static final Path VCENTER = Path.of("../docs/vcenter-keys.md");
  private static final Path ESXTOP = Path.of("../docs/esxtop.md");
  private static final Path LIST =
      Path.of("src/main/resources/io/peerlens/dashboard/vrops/collector-keys.tsv");
  private static final Path MADE = Path.of("target/collector-keys.tsv");

  private static final Set<String> VSAN =
      Set.of("CacheDisk", "CapacityDisk", "VirtualSANDiskGroup");

  /** Groups that docs/telegraf/vsphere.conf asks for; of clusters, pools and datastores all. */
  private static final Map<String, Set<String>> TELEGRAF =
      Map.of(
          "VirtualMachine", Set.of("cpu", "mem", "net", "disk", "virtualDisk", "datastore"),
          "HostSystem", Set.of("cpu", "mem", "net", "disk", "storageAdapter"));

  private static final Set<String> TELEGRAF_KINDS =
      Set.of(
          "VirtualMachine",
          "HostSystem",
          "ClusterComputeResource",
          "ResourcePool",
          "Datastore",
          "Datacenter");

  private static final Pattern LINE =
      Pattern.compile("- `([^`]+)` (metric|property)(?:, ([^:]*))?: (.*)");
  private static final Pattern COUNTER =
      Pattern.compile(
          "`([a-zA-Z]+)\\.[A-Za-z0-9.]+\\.(average|summation|latest|none|maximum|minimum)`.*");
  private static final Pattern ROW = Pattern.compile("\\| `[^`]*` \\| `([^`]+)` \\|.*");

  private final Map<String, TreeSet<String>> types = new TreeMap<>();
  private final Map<String, TreeSet<String>> collectors = new TreeMap<>();

  @Test
  void theListIsWhatTheDocumentsOfTheCollectorsSay() throws IOException {
    vcenter();
    esxtop();
    List<String> lines = new ArrayList<>();
    types.forEach(
        (kindAndKey, of) ->
            lines.add(
                kindAndKey
                    + "\t"
                    + String.join("", of)
                    + "\t"
                    + String.join(",", ordered(collectors.get(kindAndKey)))));
    String made = String.join("\n", lines) + "\n";
    Files.createDirectories(MADE.getParent());
    Files.writeString(MADE, made);

    assertThat(lines).hasSizeGreaterThan(1000);
    assertThat(Files.readString(LIST, StandardCharsets.UTF_8))
        .as(
            "the list is not what docs/vcenter-keys.md and docs/esxtop.md say: cp"
                + " dashboard-files/%s dashboard-files/%s",
            MADE, LIST)
        .isEqualTo(made);
  }

  @Test
  void aKeyOfAHostIsKnownWithItsCollectors() {
    var sent = CollectorKeys.shipped().sent("VMWARE/HostSystem", "cpu|usage_average");
    assertThat(sent).isNotNull();
    assertThat(sent.metric()).isTrue();
    assertThat(sent.collectors()).contains("vcenter", "telegraf-vsphere");
    assertThat(CollectorKeys.shipped().sent("VMWARE/HostSystem", "no|such_key")).isNull();
    assertThat(CollectorKeys.shipped().ofKind("VMWARE/VirtualMachine")).contains("vcenter");
  }

  private static List<String> ordered(Set<String> collectors) {
    return List.of("vcenter", "telegraf-vsphere", "esxtop").stream()
        .filter(collectors::contains)
        .toList();
  }

  private void vcenter() throws IOException {
    String kind = "";
    boolean begun = false;
    for (String line : Files.readAllLines(VCENTER)) {
      begun |= line.equals("## Keys by kind");
      if (!begun) {
        continue;
      }
      if (line.startsWith("### ")) {
        kind = line.substring(4).strip();
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        continue;
      }
      String key = matcher.group(1);
      add(kind, key, matcher.group(2).equals("property") ? "p" : "m", "vcenter");
      Matcher counter = COUNTER.matcher(matcher.group(4));
      if (counter.matches()
          && TELEGRAF_KINDS.contains(kind)
          && (TELEGRAF.get(kind) == null || TELEGRAF.get(kind).contains(counter.group(1)))) {
        add(kind, key, "m", "telegraf-vsphere");
      }
    }
  }

  private void esxtop() throws IOException {
    String kind = "";
    boolean begun = false;
    for (String line : Files.readAllLines(ESXTOP)) {
      if (line.startsWith("## ")) {
        begun = line.equals("## Columns");
      }
      if (line.startsWith("### ")) {
        kind = line.contains("virtual machine") ? "VirtualMachine" : "HostSystem";
      }
      Matcher row = ROW.matcher(line);
      if (begun && !kind.isEmpty() && row.matches() && row.group(1).contains("|")) {
        add(kind, row.group(1).replace("\\|", "|"), "m", "esxtop");
      }
    }
  }

  private void add(String kind, String key, String type, String collector) {
    String adapter = VSAN.contains(kind) ? "VirtualAndPhysicalSANAdapter" : "VMWARE";
    String id = adapter + "/" + kind + "\t" + key;
    types.computeIfAbsent(id, k -> new TreeSet<>()).add(type);
    collectors.computeIfAbsent(id, k -> new TreeSet<>()).add(collector);
  }
}
