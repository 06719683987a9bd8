package io.peerlens.event.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.event.EventCaptures;
import io.peerlens.event.decode.Event;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.event.decode.EventGuards;
import io.peerlens.event.decode.EventReader;
import io.peerlens.event.mapping.Happening.Alarm;
import io.peerlens.event.mapping.Happening.Change;
import io.peerlens.event.mapping.Happening.Nothing;
import io.peerlens.event.mapping.Happening.Subject;
import io.peerlens.impact.ToldChangeStore.Teller;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.notify.relay.VCenterAlarm.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRulesTest {

  private static final Instant NOW = Instant.parse("2026-11-22T21:00:00Z");

  private final EventRules shipped = EventRules.shipped();

  private static List<Happening> read(EventRules rules, byte[]... values) {
    List<Happening> read = new ArrayList<>();
    EventDecoder decoder = new EventDecoder(() -> EventGuards.DEFAULT, InstantSource.fixed(NOW));
    for (byte[] value : values) {
      decoder.decode(
          new ConsumerRecord<>("peerlens.events", 0, 0, null, value),
          new EventReader() {
            @Override
            public void take(Event event) {
              read.add(rules.read(event));
            }

            @Override
            public void reject(DeadLetter letter) {
              throw new AssertionError(letter.detail());
            }
          });
    }
    return read;
  }

  private Change change(String json) {
    return (Change) read(shipped, json.getBytes(UTF_8)).getFirst();
  }

  private static String event(String name, String members) {
    return """
        {"_typeName":"%s","key":7,"chainId":5,"createdTime":"2026-11-22T20:00:00Z","userName":"CORP\\\\ada",
         "vm":{"name":"web1","vm":{"type":"VirtualMachine","value":"vm-1"}},
         "host":{"name":"esx-2","host":{"type":"HostSystem","value":"host-2"}},
         "ds":{"name":"ssd-1","datastore":{"type":"Datastore","value":"datastore-1"}},
         "fullFormattedMessage":"What the vCenter says"%s}"""
        .formatted(name, members.isEmpty() ? "" : "," + members);
  }

  @Test
  void aSignInOfSomebodyWhoChangesSomethingIsAChangeAndAnyOtherIsNot() {
    String signIn =
        """
        {"_typeName":"%s","key":"7/vm-1","chainId":7,"createdTime":"2026-11-22T20:00:00Z","userName":"CORP\\\\ada",
         "ipAddress":"192.0.2.7","entity":{"type":"VirtualMachine","value":"vm-1"}}""";
    Change change = change(signIn.formatted("SignInOfChanger"));
    assertThat(change.title()).isEqualTo("CORP\\ada signed in from 192.0.2.7");
    assertThat(change.sort()).isEqualTo("sign-in");
    assertThat(change.key()).isEqualTo("7/vm-1/1795377600");
    assertThat(change.author()).isEqualTo("CORP\\ada");
    assertThat(change.subject()).isEqualTo(new Subject("VirtualMachine", "vm-1"));
    assertThat(read(shipped, signIn.formatted("UserLoginSessionEvent").getBytes(UTF_8)))
        .containsExactly(Nothing.IT);
    assertThat(shipped.isOfChange("UserLoginSessionEvent")).isFalse();
  }

  @Test
  void aVMotionSaysFromWhereToWhere() {
    Change change =
        change(
            event(
                "VmMigratedEvent",
                "\"sourceHost\":{\"name\":\"esx-1\"},\"sourceDatastore\":{\"name\":\"ssd-1\"}"));
    assertThat(change.title()).isEqualTo("vMotion from esx-1 to esx-2");
    assertThat(change.sort()).isEqualTo("migration");
    assertThat(change.subject()).isEqualTo(new Subject("VirtualMachine", "vm-1"));
    assertThat(change.author()).isEqualTo("CORP\\ada");
    assertThat(change.key()).isEqualTo("7/1795377600");
    assertThat(change.chain()).isEqualTo(5);
    assertThat(change.time()).isEqualTo("2026-11-22T20:00:00Z");
    assertThat(change.note()).isEqualTo("What the vCenter says");
    assertThat(change.tells()).containsExactly("placement/HostSystem/esx-2");
  }

  @Test
  void aKeyThatARestoredVCenterGivesAgainIsAnotherEvent() {
    String before = event("VmPoweredOnEvent", "");
    String again = before.replace("20:00:00Z", "20:00:07Z");
    String precise = before.replace("20:00:00Z", "20:00:00.652Z");
    assertThat(change(again).key()).isNotEqualTo(change(before).key());
    assertThat(change(precise).key()).isEqualTo(change(before).key());
  }

  @Test
  void aMoveOfStorageIsOneOfStorageAndADrsMoveIsOneOfDrs() {
    assertThat(
            change(
                    event(
                        "VmRelocatedEvent",
                        "\"sourceHost\":{\"name\":\"esx-2\"},\"sourceDatastore\":{\"name\":\"hdd-9\"}"))
                .title())
        .isEqualTo("Storage vMotion from hdd-9 to ssd-1");
    assertThat(
            change(
                    event(
                        "VmMigratedEvent",
                        "\"sourceHost\":{\"name\":\"esx-1\"},\"sourceDatastore\":{\"name\":\"hdd-9\"}"))
                .title())
        .isEqualTo("vMotion from esx-1 to esx-2, storage from hdd-9 to ssd-1");
    assertThat(change(event("DrsVmMigratedEvent", "\"sourceHost\":{\"name\":\"esx-1\"}")).title())
        .isEqualTo("vMotion by DRS from esx-1 to esx-2");
    assertThat(change(event("VmMigratedEvent", "")).title()).isEqualTo("vMotion to esx-2");
  }

  @Test
  void aReconfigurationSaysWhatChangedWithOldAndNew() {
    assertThat(
            change(
                    event(
                        "VmReconfiguredEvent",
                        "\"configChanges\":{\"modified\":\"config.hardware.numCPU: 2 -> 4; \\n\\nconfig.changeVersion: \\\"a\\\" -> \\\"b\\\"; \\nconfig.cpuAllocation.limit: -1 -> 500; \\n\","
                            + "\"added\":\"config.hardware.device(2001): (key = 2001, capacityInKB = 1048576);\\n\",\"deleted\":\"\"},"
                            + "\"configSpec\":{\"numCPUs\":4}"))
                .title())
        .isEqualTo(
            "hardware.numCPU: 2 -> 4, cpuAllocation.limit: -1 -> 500, added hardware.device(2001)");
    assertThat(
            change(
                    event(
                        "VmReconfiguredEvent",
                        "\"configSpec\":{\"_typeName\":\"VirtualMachineConfigSpec\",\"changeVersion\":\"x\",\"numCPUs\":4,\"memoryMB\":8192,"
                            + "\"cpuAllocation\":{\"limit\":500},\"extraConfig\":[{\"key\":\"a\",\"value\":\"b\"}],"
                            + "\"deviceChange\":[{\"operation\":\"add\",\"device\":{\"_typeName\":\"VirtualDisk\",\"key\":-1}}]}"))
                .title())
        .isEqualTo("numCPUs: 4, memoryMB: 8192, cpuAllocation.limit: 500, a: b, add VirtualDisk");
    assertThat(change(event("VmReconfiguredEvent", "")).title()).isEqualTo("What the vCenter says");
    Change large =
        change(
            event(
                "VmReconfiguredEvent",
                "\"configChanges\":{\"modified\":\"config.annotation: \\\"\\\" -> \\\""
                    + "x".repeat(500)
                    + "\\\"\"}"));
    assertThat(large.title()).hasSize(200).startsWith("annotation: ").endsWith("...");
    assertThat(large.note()).contains("x".repeat(500));
  }

  @Test
  void theObjectIsTheOneThatChanged() {
    assertThat(change(event("EnteredMaintenanceModeEvent", "")).subject())
        .isEqualTo(new Subject("HostSystem", "host-2"));
    assertThat(
            change(
                    event(
                        "DrsDisabledEvent",
                        "\"computeResource\":{\"name\":\"c\",\"computeResource\":{\"type\":\"ClusterComputeResource\",\"value\":\"domain-c1\"}}"))
                .subject())
        .isEqualTo(new Subject("ClusterComputeResource", "domain-c1"));
    assertThat(change(event("VmRenamedEvent", "\"oldName\":\"a\",\"newName\":\"b\"")).tells())
        .containsExactly("name//b");
  }

  private static String task(String state, String more) {
    return """
        {"_typeName":"TaskInfo","key":"task-9","descriptionId":"VirtualMachine.createSnapshot","name":"CreateSnapshot_Task",
         "entity":{"type":"VirtualMachine","value":"vm-1"},"entityName":"web1","state":"%s","eventChainId":77,
         "reason":{"_typeName":"TaskReasonUser","userName":"CORP\\\\ada"},"queueTime":"2026-11-22T19:59:59Z"%s}"""
        .formatted(state, more);
  }

  @Test
  void aTaskIsToldWhenItStartsAndWhenItEnds() {
    String started = ",\"startTime\":\"2026-11-22T20:00:00Z\"";
    String done = started + ",\"completeTime\":\"2026-11-22T20:03:00Z\"";
    assertThat(read(shipped, task("queued", "").getBytes(UTF_8))).containsExactly(Nothing.IT);
    Change running = change(task("running", started));
    assertThat(running.title()).isEqualTo("Create snapshot, running");
    assertThat(running.until()).isNull();
    Change success = change(task("success", done));
    assertThat(success.title()).isEqualTo("Create snapshot");
    assertThat(success.teller()).isEqualTo(Teller.TASK);
    assertThat(success.key()).isEqualTo("task-9/1795377599").isEqualTo(running.key());
    assertThat(success.chain()).isEqualTo(77);
    assertThat(success.time()).isEqualTo("2026-11-22T20:00:00Z");
    assertThat(success.until()).isEqualTo("2026-11-22T20:03:00Z");
    assertThat(success.author()).isEqualTo("CORP\\ada");
    Change failed =
        change(task("error", done + ",\"error\":{\"localizedMessage\":\"No space left\"}"));
    assertThat(failed.title()).isEqualTo("Create snapshot failed: No space left");
    assertThat(failed.teller()).isEqualTo(Teller.FAILED);
  }

  @Test
  void anEventOfATaskTellsOfTheTask() {
    Change change =
        change(
            event(
                "TaskEvent",
                "\"info\":" + task("queued", "").replace("\"_typeName\":\"TaskInfo\",", "")));
    assertThat(change.title()).isEqualTo("Create snapshot");
    assertThat(change.key()).isEqualTo("task-9/1795377599");
    assertThat(change.chain()).isEqualTo(5);
    assertThat(change.time()).isEqualTo("2026-11-22T20:00:00Z");
  }

  @Test
  void anAlarmIsReadFromEventsAndFromItsState() {
    Alarm event =
        (Alarm)
            read(
                    shipped,
                    """
                    {"_typeName":"AlarmStatusChangedEvent","key":8,"createdTime":"2026-11-22T20:00:00Z","from":"green","to":"red",
                     "alarm":{"name":"Host memory","alarm":{"type":"Alarm","value":"alarm-4"}},
                     "entity":{"name":"esx-2","entity":{"type":"HostSystem","value":"host-2"}}}"""
                        .getBytes(UTF_8))
                .getFirst();
    Alarm state =
        (Alarm)
            read(
                    shipped,
                    """
                    {"specversion":"1.0","type":"com.vmware.vsphere.AlarmState.v0","source":"vc1","id":"host-2/alarm-4/1",
                     "data":{"entity":{"type":"HostSystem","value":"host-2"},"entityName":"esx-2","alarm":{"type":"Alarm","value":"alarm-4"},
                             "alarmName":"Host memory","overallStatus":"red","time":"2026-11-22T20:00:00Z","acknowledged":false}}"""
                        .getBytes(UTF_8))
                .getFirst();
    assertThat(event).isEqualTo(state);
    assertThat(state.status()).isEqualTo(Status.RED);
    assertThat(state.subject()).isEqualTo(new Subject("HostSystem", "host-2"));
  }

  @Test
  void theCapturesHaveTheseChanges() {
    byte[][] lines =
        EventCaptures.lines("cloudevents-vi.jsonl.gz").stream()
            .map(line -> line.getBytes(UTF_8))
            .toArray(byte[][]::new);
    assertThat(sorts(read(shipped, lines)))
        .isEqualTo(
            Map.of(
                "power",
                27L,
                "lifecycle",
                25L,
                "network",
                20L,
                "migration",
                2L,
                "configuration",
                1L,
                "dropped",
                109L));
    byte[][] go =
        EventCaptures.lines("cloudevents-go.jsonl.gz").stream()
            .map(line -> line.getBytes(UTF_8))
            .toArray(byte[][]::new);
    Map<String, Long> plain = sorts(read(shipped, go));
    assertThat(plain.remove("dropped")).isEqualTo(110);
    assertThat(plain)
        .isEqualTo(
            Map.of(
                "power",
                27L,
                "lifecycle",
                25L,
                "network",
                20L,
                "migration",
                2L,
                "configuration",
                1L));
    assertThat(sorts(read(shipped, EventCaptures.read("govc-tasks.json"))))
        .isEqualTo(
            Map.of(
                "power",
                21L,
                "migration",
                2L,
                "configuration",
                1L,
                "snapshot",
                3L,
                "host",
                2L,
                "lifecycle",
                2L,
                "dropped",
                19L));
    assertThat(sorts(read(shipped, EventCaptures.read("govc-events-objects.json"))))
        .isEqualTo(
            Map.of(
                "power",
                4L,
                "lifecycle",
                2L,
                "migration",
                2L,
                "configuration",
                1L,
                "dropped",
                10L));
    assertThat(
            read(shipped, lines).stream()
                .filter(Change.class::isInstance)
                .map(Change.class::cast)
                .filter(change -> change.sort().equals("configuration"))
                .map(Change::title))
        .containsExactly("numCPUs: 4, memoryMB: 8192");
  }

  private static Map<String, Long> sorts(List<Happening> read) {
    Map<String, Long> sorts = new TreeMap<>();
    for (Happening one : read) {
      sorts.merge(one instanceof Change change ? change.sort() : "dropped", 1L, Long::sum);
    }
    return sorts;
  }

  @Test
  void filesOfOnesOwnComeFirstAndMayReplaceTheShippedOne(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("mine.yaml"),
        """
        about: ours
        rules:
          - {events: [VmPoweredOnEvent], drop: true}
          - {events: ["Nsx*Event"], sort: network, title: ["{class} by {user}: {note|nothing}"]}
        """);
    EventRules rules = EventRules.load(folder);
    assertThat(
            read(
                rules,
                event("VmPoweredOnEvent", "").getBytes(UTF_8),
                event("NsxRuleEvent", "").getBytes(UTF_8),
                event("VmPoweredOffEvent", "").getBytes(UTF_8)))
        .extracting(one -> one instanceof Change change ? change.title() : "dropped")
        .containsExactly("dropped", "NsxRuleEvent by CORP\\ada: nothing", "What the vCenter says");
    Files.writeString(folder.resolve(EventRules.SHIPPED), "about: nothing\nrules: []\n");
    assertThat(read(EventRules.load(folder), event("VmPoweredOffEvent", "").getBytes(UTF_8)))
        .containsExactly(Nothing.IT);
  }

  @Test
  void aMistakeInAFileIsNamedWithItsPlace(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, "about: ours\nrules:\n  - {event: [A], sort: x}\n");
    assertThatThrownBy(() -> EventRules.load(folder))
        .hasMessageContaining("mine.yaml, line 3")
        .hasMessageContaining("event");
    Files.writeString(file, "about: ours\nrules:\n  - {events: [A]}\n");
    assertThatThrownBy(() -> EventRules.load(folder))
        .hasMessage("mine.yaml, rule 1: give sort, a word of at most 60 characters, or drop: true");
    Files.writeString(
        file, "about: ours\nrules:\n  - {events: [A], sort: s, title: [\"to {host\"]}\n");
    assertThatThrownBy(() -> EventRules.load(folder)).hasMessageContaining("brace at character 4");
  }
}
