package io.peerlens.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import io.peerlens.support.Vcsim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API holds what govc tells of a vCenter: every object, relation, tag and property, by way of
 * the collector, Kafka, ingest and the database. A property that the API has and the table of
 * {@link GovcInventory} does not know is a difference as well.
 */
@Timeout(400)
class VCenterEqualityIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TOPIC = "equality-" + UUID.randomUUID();
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Metrics that are computed from several objects, which other tests hold against examples. */
  private static final Pattern COMPUTED =
      Pattern.compile(
          "summary\\|(total_number|number_(vm_templates|running_vcpus|running_hosts)|cluster_avail"
              + "ability|vm_count_per_host|avg_vm_density|snapshot_space_used).*"
              + "|diskspace\\|(total_.*|diskspace_overcommit_ratio|snapshot)"
              + "|(cpu\\|vcpus_|mem\\|(memory|virtual)_).*"
              + "|(cpu\\|(corecount_provisioned|numpackages)|mem\\|(host|guest)_provisioned)"
              + "|unreferencedDisks.*"
              + "|task.*");

  @TempDir static Path folder;

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient admin;

  /** When the vCenter of a test was changed last. */
  private Instant changed = Instant.EPOCH;

  @BeforeAll
  static void start() {
    TestKafka kafka = TestKafka.shared();
    for (String suffix : List.of("", "-flows", "-events")) {
      kafka.createTopic(TOPIC + suffix, 1);
    }
    data = SampleData.create();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.COLLECTOR, Role.INGEST),
            "peerlens.secrets.key=BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=",
            "peerlens.collector.egress.allow=127.0.0.0/8",
            "peerlens.collector.egress.ports=1024-65535",
            "peerlens.events.topic=" + TOPIC + "-events",
            "peerlens.events.group=" + TOPIC + "-events",
            "peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
            "peerlens.ingest.topic=" + TOPIC,
            "peerlens.ingest.group=" + TOPIC,
            "peerlens.flows.topic=" + TOPIC + "-flows",
            "peerlens.flows.group=" + TOPIC + "-flows");
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (data != null) {
      data.close();
    }
  }

  private static Vcsim datacenter() {
    return Vcsim.startOrSkip(
        folder,
        "-dc",
        "1",
        "-cluster",
        "2",
        "-host",
        "2",
        "-vm",
        "2",
        "-pod",
        "1",
        "-pool",
        "1",
        "-pg",
        "2",
        "-app",
        "1",
        "-nsx",
        "1");
  }

  /** What takes more than a change of one property, and all that stands on a datastore. */
  private static void furnish(Vcsim vcsim) throws Exception {
    String pod = "/DC0/datastore/DC0_POD0";
    vcsim.govc(
        "datastore.create",
        "-type",
        "local",
        "-name",
        "second",
        "-path",
        Files.createTempDirectory(folder, "ds").toString(),
        "/DC0/host/DC0_C0/DC0_C0_H0");
    vcsim.govc("object.mv", "/DC0/datastore/second", pod);
    vcsim.govc(
        "vm.disk.create",
        "-ds",
        "LocalDS_0",
        "-vm",
        "DC0_H0_VM0",
        "-name",
        "DC0_H0_VM0/two",
        "-size",
        "20G",
        "-thick",
        "-eager");
    vcsim.govc("vm.network.add", "-vm", "DC0_H0_VM0", "-net", "VM Network");
    vcsim.govc("tags.category.create", "-m", "tier");
    vcsim.govc("tags.category.create", "backup <&> \"daily\"");
    vcsim.govc("tags.create", "-c", "tier", "gold");
    vcsim.govc("tags.create", "-c", "tier", "Ümlaut & <b>");
    vcsim.govc("tags.create", "-c", "backup <&> \"daily\"", "yes");
    vcsim.govc("fields.add", "owner");
    vcsim.govc("folder.create", "/DC0/vm/inner");
    vcsim.govc("folder.create", "/DC0/vm/inner/most");
    for (String path :
        List.of(
            "/",
            "/DC0",
            "/DC0/vm",
            "/DC0/vm/DC0_H0_VM0",
            "/DC0/host/DC0_C0",
            "/DC0/host/DC0_C0/DC0_C0_H0",
            "/DC0/host/DC0_C0/Resources",
            "/DC0/host/DC0_C0/Resources/DC0_C0_APP0",
            "/DC0/datastore/LocalDS_0",
            pod,
            "/DC0/network/VM Network",
            "/DC0/network/DC0_NSX0",
            "/DC0/network/DVS0",
            "/DC0/network/DC0_DVPG0")) {
      vcsim.govc("tags.attach", "-c", "tier", "gold", path);
    }
    vcsim.govc("tags.attach", "-c", "tier", "Ümlaut & <b>", "/DC0/vm/DC0_H0_VM0");
    vcsim.govc("tags.attach", "-c", "backup <&> \"daily\"", "yes", "/DC0/vm/DC0_H0_VM0");
  }

  /** Changes of which the simulator tells those who wait for them. */
  private static void change(Vcsim vcsim) {
    vcsim.govc("fields.set", "owner", "Ada & <Söhne>", "/DC0/vm/DC0_H0_VM0");
    vcsim.govc(
        "vm.change",
        "-vm",
        "DC0_H0_VM0",
        "-annotation",
        "Of <Ada>\n& \"others\"",
        "-cpu.limit",
        "2000",
        "-mem.reservation",
        "16",
        "-mem.shares",
        "high",
        "-cpu-hot-add-enabled=true");
    vcsim.govc("vm.change", "-vm", "DC0_H0_VM1", "-c", "6", "-m", "3072");
    vcsim.govc("snapshot.create", "-vm", "DC0_H0_VM0", "-d", "why", "first");
    vcsim.govc("snapshot.create", "-vm", "DC0_H0_VM0", "second & <last>");
    vcsim.govc("vm.power", "-off", "DC0_C0_RP1_VM1");
    vcsim.govc("object.mv", "/DC0/vm/DC0_H0_VM1", "/DC0/vm/inner/most");
    vcsim.govc("object.rename", "/DC0/vm/DC0_H0_VM0", "a/b 100% <Ü>");
    vcsim.govc("object.rename", "/DC0/host/DC0_C1", "Cluster & more");
    vcsim.govc("tags.detach", "-c", "tier", "gold", "/DC0/datastore/LocalDS_0");
  }

  /** Changes of which the simulator tells nobody, as a vCenter would; they are seen when read. */
  private static void changeSilently(Vcsim vcsim) {
    vcsim.govc(
        "cluster.change",
        "-drs-enabled",
        "-drs-mode",
        "fullyAutomated",
        "-ha-enabled=true",
        "/DC0/host/DC0_C0");
    vcsim.govc(
        "pool.change",
        "-cpu.limit",
        "3000",
        "-mem.reservation",
        "64",
        "/DC0/host/DC0_C0/Resources/DC0_C0_RP1");
    vcsim.govc("host.option.set", "-host", "DC0_C0_H0", "Disk.MaxLUN", "512");
    vcsim.govc("dvs.portgroup.change", "-vlan", "42", "-nports", "16", "DC0_DVPG0");
    vcsim.govc("vm.markastemplate", "DC0_C0_RP1_VM1");
    vcsim.govc("host.maintenance.enter", "DC0_C1_H1");
  }

  /** Returns the id of the source. */
  private static String collect(Vcsim vcsim) {
    ObjectNode probe = JSON.createObjectNode().put("kind", "vcenter");
    probe.put("address", vcsim.address().toString());
    JsonNode shown = admin.post("/sources/probe", probe.toString()).json();
    ObjectNode edit =
        JSON.createObjectNode()
            .put("name", "vcsim " + vcsim.port())
            .put("kind", "vcenter")
            .put("address", vcsim.address().toString())
            .put("username", Vcsim.USERNAME);
    edit.putObject("password").put("value", Vcsim.PASSWORD);
    edit.putObject("trust").set("sha256", shown.at("/certificate/sha256"));
    edit.putArray("reads").add("configuration");
    Answer made = admin.post("/sources", edit.toString());
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").stringValue();
  }

  /** Differences between what the API has of a vCenter and what govc tells now. */
  private List<String> differences(GovcInventory told, Vcsim vcsim) {
    Map<String, GovcInventory.Thing> expected = told.things();
    Map<String, JsonNode> found = objects("127.0.0.1:" + vcsim.port());
    List<String> differences = new ArrayList<>();
    Map<String, String> externalIds = new HashMap<>();
    found.forEach((id, o) -> externalIds.put(o.path("id").stringValue(), id));
    expected.forEach(
        (id, thing) -> {
          JsonNode object = found.get(id);
          if (object == null) {
            differences.add(thing.kind() + " " + id + " is missing");
            return;
          }
          String at = thing.kind() + " " + thing.name() + " ";
          compare(
              differences,
              at,
              Map.of("name", thing.name(), "kind", thing.kind()),
              Map.of(
                  "name",
                  object.path("name").stringValue(),
                  "kind",
                  object.path("objectKind").stringValue()));
          compare(differences, at, thing.properties(), texts(object.path("properties")));
          compare(differences, at + "tag ", thing.tags(), texts(object.path("tags")));
          String url = "/objects/" + object.path("id").stringValue();
          sets(differences, at + "parents ", thing.parents(), relatives(url + "/parents"));
          sets(differences, at + "children ", thing.children(), relatives(url + "/children"));
          metrics(differences, at, thing.metrics(), url);
        });
    Set<String> more = new TreeSet<>(found.keySet());
    more.removeAll(expected.keySet());
    more.remove("127.0.0.1:" + vcsim.port());
    more.forEach(id -> differences.add(id + " is in the API, and govc does not know it"));
    return differences;
  }

  private static Map<String, JsonNode> objects(String vcenter) {
    Map<String, JsonNode> found = new TreeMap<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("/objects?limit=500&adapterKind=VMWARE" + cursor).json();
      for (JsonNode object : page.path("items")) {
        String id = object.path("externalId").stringValue();
        if (id.equals(vcenter) || id.startsWith(vcenter + "/")) {
          found.put(id, object);
        }
      }
      JsonNode next = page.path("nextCursor");
      cursor = next.isString() ? "&cursor=" + next.stringValue() : "";
    } while (!cursor.isEmpty());
    return found;
  }

  private static Map<String, String> texts(JsonNode members) {
    Map<String, String> texts = new TreeMap<>();
    members
        .properties()
        .forEach(member -> texts.put(member.getKey(), member.getValue().asString()));
    return texts;
  }

  private static Set<String> relatives(String url) {
    Set<String> relatives = new TreeSet<>();
    for (JsonNode relative : admin.get(url + "?limit=500").json().path("items")) {
      relatives.add(
          relative.path("objectKind").stringValue()
              + " "
              + relative.path("externalId").stringValue());
    }
    return relatives;
  }

  private static void compare(
      List<String> differences,
      String at,
      Map<String, String> expected,
      Map<String, String> found) {
    Set<String> keys = new TreeSet<>(expected.keySet());
    keys.addAll(found.keySet());
    for (String key : keys) {
      String is = found.get(key);
      String should = expected.get(key);
      if (is == null || !is.equals(should)) {
        differences.add("%s%s is '%s', and govc says '%s'".formatted(at, key, is, should));
      }
    }
  }

  private static void sets(
      List<String> differences, String at, Set<String> expected, Set<String> found) {
    if (!expected.equals(found)) {
      differences.add("%s are %s, and govc says %s".formatted(at, found, expected));
    }
  }

  private void metrics(
      List<String> differences, String at, Map<String, Double> expected, String url) {
    Map<String, Double> found = new TreeMap<>();
    Set<String> old = new TreeSet<>();
    for (JsonNode metric : admin.get(url + "/metrics?newest=true").json().path("items")) {
      if (metric.path("newestValue").isNumber()) {
        found.put(metric.path("key").stringValue(), metric.path("newestValue").asDouble());
        if (Instant.parse(metric.path("newestTime").stringValue()).isBefore(changed)) {
          old.add(metric.path("key").stringValue());
        }
      }
    }
    expected.forEach(
        (key, should) -> {
          Double is = found.get(key);
          if (is == null || Math.abs(is - should) > 1e-6 * Math.max(1, Math.abs(should))) {
            differences.add("%smetric %s is %s, and govc says %s".formatted(at, key, is, should));
          }
        });
    found.forEach(
        (key, is) -> {
          boolean ended = old.contains(key); // one that is not told any more keeps its last value
          if (!expected.containsKey(key) && !ended && !COMPUTED.matcher(key).matches()) {
            differences.add("%smetric %s is %s, and the table has none".formatted(at, key, is));
          }
        });
  }

  private void awaitEquality(Vcsim vcsim, boolean hasTags) {
    GovcInventory told = new GovcInventory(vcsim, hasTags);
    assertThat(told.size()).as("the table has all types").isEqualTo(GovcInventory.found(vcsim));
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(3))
        .untilAsserted(() -> assertThat(String.join("\n", differences(told, vcsim))).isEmpty());
  }

  @Test
  void theApiHoldsWhatGovcTellsOfADatacenterAndGoesOnDoingSoWhenItChanges() throws Exception {
    try (Vcsim vcsim = datacenter()) {
      furnish(vcsim);
      String source = collect(vcsim);
      awaitEquality(vcsim, true);
      changed = Instant.now();
      change(vcsim);
      awaitEquality(vcsim, true);
      changeSilently(vcsim);
      String url = "/sources/" + source;
      assertThat(admin.post(url + "/pause", "").status()).isEqualTo(200);
      await().atMost(SOON).until(() -> admin.get(url).json().path("node").isNull());
      assertThat(admin.post(url + "/resume", "").status()).isEqualTo(200);
      // everything is read anew
      awaitEquality(vcsim, true);
    }
  }

  @Test
  void theApiHoldsWhatGovcTellsOfARecordedInventory() throws Exception {
    Path recorded = folder.resolve("recorded");
    try (Vcsim vcsim = datacenter()) {
      furnish(vcsim);
      change(vcsim);
      changeSilently(vcsim);
      vcsim.govc("object.save", "-d", recorded.toString());
    }
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-load", recorded.toString())) {
      collect(vcsim);
      awaitEquality(vcsim, true);
    }
  }

  @Test
  void theApiHoldsWhatGovcTellsOfTheRecordedHostOfVmware() {
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-esx", "-vm", "3")) {
      collect(vcsim);
      awaitEquality(vcsim, false);
    }
  }
}
