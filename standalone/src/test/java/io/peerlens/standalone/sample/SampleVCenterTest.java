package io.peerlens.standalone.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.event.decode.Event;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.event.decode.EventGuards;
import io.peerlens.event.decode.EventReader;
import io.peerlens.event.mapping.EventRules;
import io.peerlens.event.mapping.Happening;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import io.peerlens.standalone.sample.Script.Change;
import io.peerlens.standalone.sample.Script.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the vCenter of the sample tells, held against its load and against who reads it. */
class SampleVCenterTest {

  /** A Saturday, 02:00 UTC. */
  private static final long FIRST_START = 1_795_226_400;

  private static final long DAY = 86_400;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Inventory inventory = new Inventory(42);
  private final Script script = new Script(inventory, 42, FIRST_START);
  private final Physics physics = new Physics(inventory, script, 42);
  private final SampleVCenter vcenter =
      new SampleVCenter(inventory, script, FIRST_START, FIRST_START - 3 * 3_600);

  /** Records by kind and id. */
  private Map<String, JsonNode> configuration(long time) {
    Map<String, JsonNode> records = new LinkedHashMap<>();
    vcenter.tellEverything(
        time,
        (key, record) -> {
          JsonNode json = JSON.readTree(record);
          records.put(id(json), json);
        });
    return records;
  }

  private static String id(JsonNode record) {
    return record.path("objectKind").asString() + " " + record.path("id").asString();
  }

  private static JsonNode of(Map<String, JsonNode> records, String kind, String moid) {
    return Objects.requireNonNull(records.get(kind + " " + Inventory.VCENTER + "/" + moid), moid);
  }

  private List<byte[]> events(long from, long to) {
    List<byte[]> events = new ArrayList<>();
    vcenter.tellEvents(from, to, (key, event) -> events.add(event), (key, sample) -> {});
    return events;
  }

  private static Schema schema(String file) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(Path.of("..", "docs", file)), InputFormat.JSON);
  }

  @Test
  void everyRecordOfTheConfigurationSatisfiesTheSchema() throws IOException {
    Schema schema = schema("sample.schema.json");
    List<byte[]> records = new ArrayList<>();
    vcenter.tellEverything(FIRST_START - 7_200, (key, record) -> records.add(record));
    for (long time = FIRST_START - 7_180; time <= FIRST_START; time += 20) {
      vcenter.tellChanges(time, (key, record) -> records.add(record));
    }
    vcenter.tellEvents(
        FIRST_START - 7_200, FIRST_START, (key, event) -> {}, (key, sample) -> records.add(sample));
    assertThat(records).hasSizeGreaterThan(360);
    for (byte[] record : records) {
      assertThat(schema.validate(new String(record, UTF_8), InputFormat.JSON))
          .as(new String(record, UTF_8))
          .isEmpty();
    }
  }

  @Test
  void everyEventSatisfiesTheSchemaAndIsAChangeToTheRulesOfTheService() throws IOException {
    Schema schema = schema("events.schema.json");
    List<byte[]> events = events(script.beginning(), FIRST_START);
    assertThat(events).hasSizeBetween(500, 3_000);
    List<Event> read = new ArrayList<>();
    List<DeadLetter> rejected = new ArrayList<>();
    EventDecoder decoder =
        new EventDecoder(
            () -> new EventGuards(Duration.ofMinutes(10), Duration.ofDays(400), 1 << 20),
            () -> Instant.ofEpochSecond(FIRST_START));
    for (byte[] event : events) {
      assertThat(schema.validate(new String(event, UTF_8), InputFormat.JSON)).isEmpty();
      decoder.decode(
          new ConsumerRecord<>("peerlens.events", 0, 0, new byte[0], event),
          new EventReader() {
            @Override
            public void take(Event event) {
              read.add(event);
            }

            @Override
            public void reject(DeadLetter letter) {
              rejected.add(letter);
            }
          });
    }
    assertThat(rejected).isEmpty();
    EventRules rules = EventRules.shipped();
    Map<String, Integer> titles = new TreeMap<>();
    for (Event event : read) {
      assertThat(rules.read(event)).isInstanceOf(Happening.Change.class);
      titles.merge(((Happening.Change) rules.read(event)).title(), 1, Integer::sum);
    }
    assertThat(titles)
        .containsKeys(
            "annotation: \"Load balancer weight 100\" -> \"Load balancer weight 300\"",
            "cpuAllocation.limit: 33280 -> -1",
            "hardware.device(2000).storageIOAllocation.limit: -1 -> 100",
            "Create snapshot",
            "Power off");
    assertThat(titles.keySet()).anyMatch(title -> title.startsWith("vMotion by DRS from "));
    assertThat(titles.keySet()).anyMatch(title -> title.startsWith("vMotion from "));
  }

  @Test
  void theRecordsAreOfTheObjectsThatTheLinesOfTelegrafTellOf() {
    Map<String, JsonNode> records = configuration(FIRST_START);
    Mappings mappings = Mappings.shipped();
    Set<String> ofLines = new TreeSet<>();
    new Telegraf(inventory, script, FIRST_START)
        .write(
            physics.at(FIRST_START - 2 * DAY),
            true,
            true,
            true,
            (key, buffer) -> {
              for (String line : new String(buffer.all(), UTF_8).split("\n")) {
                String[] series = line.split("(?<!\\\\) ", 2)[0].split("(?<!\\\\),");
                Map<String, String> tags = new HashMap<>();
                for (int i = 1; i < series.length; i++) {
                  String[] tag = series[i].split("(?<!\\\\)=", 2);
                  tags.put(tag[0], tag[1].replaceAll("\\\\(.)", "$1"));
                }
                var mapped = mappings.map(series[0], tags);
                var object = mapped.key().object();
                JsonNode record = records.get(object.objectKind() + " " + object.externalId());
                assertThat(record).as(line).isNotNull();
                ofLines.add(object.objectKind() + " " + object.externalId());
                JsonNode told = Objects.requireNonNull(record);
                assertThat(told.path("adapterKind").asString()).isEqualTo(object.adapterKind());
                assertThat(told.path("name").asString()).isEqualTo(mapped.attributes().name());
                assertThat(told.path("locator").asString())
                    .isEqualTo(mapped.attributes().locator());
                mapped
                    .attributes()
                    .properties()
                    .forEach(
                        (property, text) -> {
                          JsonNode other = told.path("properties").path(property);
                          if (!other.isMissingNode() && !property.contains("parentHost")) {
                            assertThat(other.asString()).as(property).isEqualTo(text);
                          }
                        });
                mapped
                    .attributes()
                    .tags()
                    .forEach(
                        (tag, text) -> {
                          if (told.path("tags").has(tag)) {
                            assertThat(told.path("tags").path(tag).asString()).isEqualTo(text);
                          }
                        });
              }
            });
    Set<String> kinds =
        Set.of(
            "VirtualMachine",
            "HostSystem",
            "ClusterComputeResource",
            "Datastore",
            "Datacenter",
            "ResourcePool");
    Set<String> others =
        records.keySet().stream()
            .filter(key -> kinds.contains(key.substring(0, key.indexOf(' '))))
            .filter(key -> !ofLines.contains(key))
            .collect(Collectors.toSet());
    assertThat(others).hasSize(inventory.clusters.size()).allMatch(key -> key.contains("resgroup"));
  }

  @Test
  void theConfigurationOfMachinesAndHostsIsThatOfTheLoad() {
    Map<String, JsonNode> records = configuration(FIRST_START);
    for (Vm vm : inventory.vms) {
      JsonNode record = of(records, "VirtualMachine", vm.moid());
      assertThat(record.path("metrics").path("config|hardware|num_Cpu").asInt())
          .isEqualTo(vm.tier().cpus());
      assertThat(record.path("properties").path("config|hardware|memoryKB").asString())
          .isEqualTo(Long.toString(vm.memoryKb()));
      assertThat(record.path("properties").path("config|uuid").asString()).isEqualTo(vm.uuid());
      assertThat(record.path("tags").path("app").asString()).isEqualTo(vm.tier().app());
    }
    for (Host host : inventory.hosts) {
      JsonNode record = of(records, "HostSystem", host.moid());
      assertThat(record.path("metrics").path("cpu|capacity_provisioned").asDouble())
          .isCloseTo(Physics.HOST_MHZ, within(1e-6));
      assertThat(record.path("metrics").path("mem|host_provisioned").asDouble())
          .isCloseTo(Physics.HOST_MEMORY_KB, within(1e-6));
      assertThat(record.path("properties").path("hardware|numa|nodes").asString()).isEqualTo("2");
    }
    JsonNode vcenterRecord =
        Objects.requireNonNull(records.get("VMwareAdapter Instance " + Inventory.VCENTER));
    assertThat(vcenterRecord.path("metrics").path("summary|total_number_vms").asInt())
        .isEqualTo(300);
    assertThat(vcenterRecord.path("metrics").path("summary|number_running_vms").asInt())
        .as("one is off")
        .isEqualTo(299);
  }

  @Test
  void theSpaceOfADatastoreIsWhatTheLinesSayAndWhatItsMachinesWrote() {
    Map<String, JsonNode> records = configuration(FIRST_START);
    Space space = new Space(inventory, FIRST_START);
    for (Datastore datastore : inventory.datastores) {
      JsonNode record = of(records, "Datastore", datastore.moid());
      double usedKb = record.path("metrics").path("diskspace|disktotal").asDouble() * 1024 * 1024;
      assertThat(usedKb).isCloseTo(space.usedKb(datastore, FIRST_START), within(2.0));
      double machines = 0;
      for (Vm vm : inventory.vms) {
        if (vm.datastore().equals(datastore)) {
          JsonNode of = of(records, "VirtualMachine", vm.moid()).path("metrics");
          double used = of.path("diskspace|used").asDouble();
          assertThat(used)
              .isPositive()
              .isLessThanOrEqualTo(of.path("config|hardware|disk_Space").asDouble());
          machines += used * 1024 * 1024;
        }
      }
      assertThat(machines / usedKb).isBetween(0.9, 1.0);
    }
  }

  @Test
  void someThingsDifferFromTheirPeersAllTheTime() {
    Map<String, JsonNode> records = configuration(FIRST_START - DAY);
    assertThat(whoHas(records, "HostSystem", "config|ntp|server", "time.old.example"))
        .containsExactly("east-general-esx04");
    assertThat(
            whoHas(
                records,
                "HostSystem",
                "config|storageDevice|multipathInfo|multipathPolicy",
                "VMW_PSP_FIXED"))
        .containsExactly("east-general-esx04");
    assertThat(whoHas(records, "VirtualMachine", "diskspace|snapshot|snapshotAge", "40"))
        .containsExactly(script.withOldSnapshot().name());
    assertThat(whoHas(records, "VirtualMachine", "config|hardware|numCoresPerSocket", "16"))
        .containsExactly("batch-worker-05");
    assertThat(
            of(records, "VirtualMachine", script.withOldSnapshot().moid())
                .path("metrics")
                .path("summary|snapshot_space_used")
                .asDouble())
        .isGreaterThan(50);
  }

  private static List<String> whoHas(
      Map<String, JsonNode> records, String kind, String property, String value) {
    return records.values().stream()
        .filter(record -> record.path("objectKind").asString().equals(kind))
        .filter(record -> record.path("properties").path(property).asString("").equals(value))
        .map(record -> record.path("name").asString())
        .toList();
  }

  /** Faults that nobody caused. */
  private static final Set<Kind> UNCHANGED =
      Set.of(
          Kind.FULL_BUFFER,
          Kind.DROPPED_PACKETS,
          Kind.SLOW_DISK,
          Kind.DATASTORE_HOG,
          Kind.GUEST_ONLY);

  @Test
  void everyFaultHasItsCauseJustBefore() {
    for (Script.Event fault : script.until(FIRST_START + 6 * DAY)) {
      long from = fault.from();
      assertThat(fault.changedAt()).isBetween(from - 120, from);
      if (UNCHANGED.contains(fault.kind())) {
        continue;
      }
      if (fault.kind() == Kind.POLICY_LIMIT) {
        Vm limited = fault.vms().getFirst();
        assertThat(new Settings(inventory, script, from - 60).of(limited).policyLimit())
            .isEqualTo(600);
        assertThat(new Settings(inventory, script, from).of(limited).policyLimit()).isEqualTo(40);
        continue;
      }
      if (fault.kind() == Kind.SHORT_QUEUE) {
        assertThat(new Settings(inventory, script, from - 60).queueDepth(fault.host()))
            .isEqualTo(64);
        assertThat(new Settings(inventory, script, from).queueDepth(fault.host())).isEqualTo(8);
        continue;
      }
      List<Change> causes =
          script.changes(from - 120, from + 1).stream()
              .filter(change -> fault.vms().contains(change.vm()))
              .filter(change -> !change.by().isEmpty())
              .toList();
      assertThat(causes.stream().map(cause -> cause.vm().name()).toList())
          .as(fault.kind().name())
          .hasSize(fault.vms().size());
      assertThat(causes.getFirst().time()).isEqualTo(fault.changedAt());
    }
  }

  @Test
  void changesAreToldOnceHoweverTimeIsCut() {
    long from = FIRST_START - 2 * DAY;
    long to = FIRST_START + DAY;
    List<Change> whole = script.changes(from, to);
    List<Change> parts = new ArrayList<>();
    for (long at = from; at < to; at += 20) {
      parts.addAll(script.changes(at, at + 20));
    }
    assertThat(parts).isEqualTo(whole);
    assertThat(whole).hasSizeGreaterThan(60);
    List<String> ids =
        events(from, to).stream().map(it -> JSON.readTree(it).path("id").asString()).toList();
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void aMachineIsWhereItsMovesSay() {
    long from = FIRST_START - DAY;
    Host[] hosts = script.placement(from);
    for (Change change : script.changes(from + 1, FIRST_START + DAY)) {
      if (change instanceof Change.Move move) {
        assertThat(move.from().name()).isEqualTo(hosts[move.vm().index()].name());
        hosts[move.vm().index()] = move.to();
      }
    }
    assertThat(names(hosts)).isEqualTo(names(script.placement(FIRST_START + DAY)));
  }

  private static List<String> names(Host[] hosts) {
    return Arrays.stream(hosts).map(Host::name).toList();
  }

  @Test
  void onlyWhatChangedIsSentAfterTheBeginning() {
    long begin = FIRST_START - 56 * 60;
    configuration(begin);
    List<String> changed = new ArrayList<>();
    for (long time = begin + 20; time <= FIRST_START - 54 * 60; time += 20) {
      vcenter.tellChanges(
          time, (key, record) -> changed.add(key + " " + JSON.readTree(record).path("properties")));
    }
    Vm overloaded =
        script.at(FIRST_START).stream()
            .filter(event -> event.kind() == Kind.OVERLOADED_PEER)
            .findFirst()
            .orElseThrow()
            .vms()
            .getFirst();
    assertThat(changed)
        .containsExactly(overloaded.moid() + " {\"sys|notes\":\"Load balancer weight 300\"}");
  }

  @Test
  void everythingTogetherIsSmall() {
    long[] bytes = {0};
    vcenter.tellEverything(FIRST_START, (key, record) -> bytes[0] += record.length);
    assertThat(bytes[0]).isBetween(500_000L, 2_500_000L);
  }

  @Test
  void aLimitedDiskDoesNoMoreThanItsLimitAndWaits() {
    Script.Event fault = fault(Kind.LIMITED_DISK);
    Vm limited = fault.vms().getFirst();
    int v = limited.index();
    for (long time = fault.from(); time < fault.to(); time += 600) {
      Moment m = physics.at(time);
      assertThat(Physics.counted(limited, m.readKbs[v], m.writeKbs[v]))
          .isLessThanOrEqualTo(Settings.IOPS_LIMIT + 1e-6);
      assertThat(m.latencyMs[v] * 1.6).isGreaterThan(20);
    }
    Moment before = physics.at(fault.from() - 20);
    assertThat(Physics.counted(limited, before.readKbs[v], before.writeKbs[v]))
        .isGreaterThan(Settings.IOPS_LIMIT);
    assertThat(before.latencyMs[v] * 1.6).isLessThan(15);
  }

  @Test
  void theStoragePolicyOfADiskInVsanNamesItsLimit() {
    Script.Event fault = fault(Kind.POLICY_LIMIT);
    Vm limited = fault.vms().getFirst();
    JsonNode before =
        of(configuration(fault.from() - 120), "VirtualMachine", limited.moid()).path("properties");
    assertThat(before.path("virtualDisk:scsi0:0|storagePolicy").asString()).isEqualTo("gold-600");
    assertThat(before.path("virtualDisk:scsi0:0|backingObjectId").asString())
        .isEqualTo(Vsan.objectId(limited));
    List<JsonNode> changed = new ArrayList<>();
    vcenter.tellChanges(fault.from(), (key, record) -> changed.add(JSON.readTree(record)));
    assertThat(changed.stream().map(it -> it.path("properties").toString()))
        .contains("{\"virtualDisk:scsi0:0|storagePolicy\":\"silver-40\"}");
  }

  @Test
  void aHostWithShortQueuesLetsItsBusyMachinesWait() {
    Script.Event fault = fault(Kind.SHORT_QUEUE);
    int h = fault.host().index();
    assertThat(physics.at(fault.from() - 20).hostQueueMs[h]).isZero();
    for (long time = fault.from(); time < fault.to(); time += 600) {
      Moment m = physics.at(time);
      assertThat(m.hostQueueMs[h] * 1.6).isGreaterThan(18);
      for (Host other : inventory.hosts) {
        assertThat(other.equals(fault.host()) ? 0 : m.hostQueueMs[other.index()]).isZero();
      }
    }
  }

  @Test
  void batchWorkersKeepToTheirLimitUntilItIsTakenAway() {
    for (Script.Event fault : script.until(FIRST_START + 5 * DAY)) {
      if (fault.kind() != Kind.NOISY_NEIGHBOUR) {
        continue;
      }
      Moment m = physics.at(fault.from() + 600);
      for (Vm vm : inventory.vms) {
        if (Settings.isLimited(vm)) {
          boolean unlimited = fault.vms().contains(vm);
          assertThat(m.demandMhz[vm.index()] > Settings.cpuLimit(vm) + 1e-6).isEqualTo(unlimited);
        }
      }
    }
  }

  private Script.Event fault(Kind kind) {
    return script.until(FIRST_START).stream()
        .filter(event -> event.kind() == kind)
        .findFirst()
        .orElseThrow();
  }
}
