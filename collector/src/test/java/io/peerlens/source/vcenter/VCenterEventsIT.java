package io.peerlens.source.vcenter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.source.ActiveSource;
import io.peerlens.source.Part;
import io.peerlens.support.Vcsim;
import io.peerlens.vcenter.vim.Certificates;
import io.peerlens.vcenter.vim.EventPosting;
import io.peerlens.vcenter.vim.HostAddresses;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.Trust;
import io.peerlens.vcenter.vim.VimAddress;
import io.peerlens.vcenter.vim.VimClient;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Events, tasks and alarms of govmomi's simulator, told once each. */
@Timeout(120)
class VCenterEventsIT {

  private static final HostAddresses ANYWHERE =
      (host, port) -> List.of(InetAddress.getAllByName(host));
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir private static Path folder;
  private static Vcsim vcsim;
  private static Trust trust;
  private static Told told;
  private static VCenterCollector collector;

  @BeforeAll
  static void start() throws Exception {
    vcsim = Vcsim.startOrSkip(folder, "-host", "2", "-vm", "6");
    trust =
        new Trust.Pinned(
            Certificates.sha256(
                Certificates.shownBy(
                        "127.0.0.1",
                        vcsim.port(),
                        List.of(InetAddress.getLoopbackAddress()),
                        Duration.ofSeconds(5))
                    .getFirst()));
    told = new Told();
    collector = collector(told, EnumSet.of(Part.EVENTS, Part.ALARMS));
    await().atMost(SOON).until(() -> told.last(Part.EVENTS).isPresent());
    await().atMost(SOON).until(() -> told.last(Part.ALARMS).isPresent());
  }

  private static VCenterCollector collector(Told into, EnumSet<Part> parts) {
    return new VCenterCollector(
        new ActiveSource(
            UUID.randomUUID(),
            "vc",
            vcsim.address(),
            Vcsim.USERNAME,
            () -> Vcsim.PASSWORD,
            io.peerlens.source.Trust.Authorities.OF_THE_SYSTEM,
            parts,
            Map.of(),
            1),
        ANYWHERE,
        trust,
        into,
        into,
        vcenter -> Map.of(),
        InstantSource.system());
  }

  @AfterAll
  static void stop() {
    if (collector != null) {
      collector.close();
    }
    if (vcsim != null) {
      vcsim.close();
    }
  }

  private static String moref(String name) {
    String found = vcsim.govc("find", "-i", "/", "-name", name).strip();
    return found.substring(found.indexOf(':') + 1);
  }

  private static boolean isOf(JsonNode event, String vm) {
    return event.at("/data/vm/vm/value").asString("").equals(vm);
  }

  @Test
  void eventsOfTheDayBeforeTheFirstLookAreTold() {
    // The simulator makes its machines at its start, before anybody looked.
    assertThat(told.events("VmCreatedEvent")).hasSizeGreaterThanOrEqualTo(12);
    assertThat(told.events("VmPoweredOnEvent")).isNotEmpty();
  }

  @Test
  void aPowerChangeIsToldWithWhoDidIt() {
    String vm = moref("DC0_H0_VM0");
    vcsim.govc("vm.power", "-off", "DC0_H0_VM0");
    await()
        .atMost(SOON)
        .until(() -> told.events("VmPoweredOffEvent").stream().anyMatch(e -> isOf(e, vm)));
    JsonNode event =
        told.events("VmPoweredOffEvent").stream()
            .filter(e -> isOf(e, vm))
            .findFirst()
            .orElseThrow();
    assertThat(event.path("specversion").stringValue()).isEqualTo("1.0");
    assertThat(event.path("source").stringValue()).isEqualTo("127.0.0.1:" + vcsim.port());
    assertThat(event.at("/data/userName").stringValue()).isEqualTo(Vcsim.USERNAME);
    assertThat(event.at("/data/vm/name").stringValue()).isEqualTo("DC0_H0_VM0");
    assertThat(event.at("/data/vm/vm/type").stringValue()).isEqualTo("VirtualMachine");
    assertThat(event.at("/data/host/host/value").stringValue()).startsWith("host-");
    assertThat(event.at("/data/key").isNumber()).isTrue();
    assertThat(event.at("/data/fullFormattedMessage").stringValue()).contains("DC0_H0_VM0");
    assertThat(Instant.parse(event.path("time").stringValue()))
        .isEqualTo(Instant.parse(event.at("/data/createdTime").stringValue()));
  }

  @Test
  void aReconfigurationNamesWhatWasChanged() {
    String vm = moref("DC0_H0_VM1");
    vcsim.govc("vm.change", "-vm", "DC0_H0_VM1", "-c", "8", "-m", "4096");
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(told.events("VmReconfiguredEvent"))
                    .filteredOn(e -> isOf(e, vm))
                    .anySatisfy(
                        e -> {
                          assertThat(e.at("/data/configSpec/numCPUs").asString()).isEqualTo("8");
                          assertThat(e.at("/data/configSpec/memoryMB").asString())
                              .isEqualTo("4096");
                        }));
  }

  @Test
  void aTaskIsToldAtItsEndAndItsDurationIsAMetric() {
    String source = moref("DC0_H0_VM2");
    vcsim.govc(
        "vm.clone", "-vm", "DC0_H0_VM2", "-on=false", "-host", "/DC0/host/DC0_H0/DC0_H0", "copy");
    await()
        .atMost(SOON)
        .until(
            () ->
                told.events("TaskInfo").stream()
                    .anyMatch(
                        t ->
                            t.at("/data/descriptionId")
                                    .asString("")
                                    .equals("VirtualMachine.cloneVm")
                                && t.at("/data/entity/value").asString("").equals(source)));
    JsonNode task =
        told.events("TaskInfo").stream()
            .filter(t -> t.at("/data/descriptionId").asString("").equals("VirtualMachine.cloneVm"))
            .findFirst()
            .orElseThrow();
    assertThat(task.at("/data/state").stringValue()).isEqualTo("success");
    assertThat(task.at("/data/reason/userName").stringValue())
        .as("the simulator does not say who asked for it")
        .isEqualTo("vcsim");
    assertThat(task.at("/data/result").isMissingNode()).isTrue();
    String id = "127.0.0.1:" + vcsim.port() + "/" + source;
    assertThat(told.object(id).orElseThrow().metrics())
        .hasEntrySatisfying(
            "task:CloneVm|duration", seconds -> assertThat(seconds).isBetween(0.0, 30.0));
    // What ends its object is told of the vCenter.
    vcsim.govc("vm.destroy", "copy");
    await()
        .atMost(SOON)
        .until(
            () ->
                told.object("127.0.0.1:" + vcsim.port())
                    .filter(o -> o.metrics().containsKey("task:Destroy|duration"))
                    .isPresent());
  }

  @Test
  void anAlarmIsRaisedAcknowledgedAndEnds() throws Exception {
    Moref vm = new Moref("VirtualMachine", moref("DC0_H0_VM3"));
    try (VimClient client = VimClient.connect(VimAddress.of(vcsim.address()), ANYWHERE, trust)) {
      client.login(Vcsim.USERNAME, Vcsim.PASSWORD);
      EventPosting.post(client, "vcsim.vm.failure", vm, "DC0_H0_VM3");
      JsonNode raised = alarm(vm, "yellow", false);
      assertThat(raised.at("/data/entityName").stringValue()).isEqualTo("DC0_H0_VM3");
      assertThat(raised.at("/data/alarmName").stringValue()).isNotBlank();
      vcsim.govc("alarms", "-ack", "/DC0/vm/DC0_H0_VM3");
      alarm(vm, "yellow", true);
      EventPosting.post(client, "vcsim.vm.fatal", vm, "DC0_H0_VM3");
      await()
          .atMost(SOON)
          .until(
              () ->
                  told.events("AlarmState").stream()
                      .anyMatch(
                          e ->
                              e.at("/data/entity/value").asString("").equals(vm.value())
                                  && e.at("/data/overallStatus").asString("").equals("red")));
      EventPosting.post(client, "vcsim.vm.success", vm, "DC0_H0_VM3");
      await()
          .atMost(SOON)
          .until(
              () ->
                  told.events("AlarmState").stream()
                      .anyMatch(
                          e ->
                              e.at("/data/entity/value").asString("").equals(vm.value())
                                  && e.at("/data/overallStatus").asString("").equals("green")));
    }
  }

  private static JsonNode alarm(Moref vm, String status, boolean acknowledged) {
    return await()
        .alias(status + " " + acknowledged)
        .atMost(SOON)
        .until(
            () ->
                told.events("AlarmState").stream()
                    .filter(
                        e ->
                            e.at("/data/entity/value").asString("").equals(vm.value())
                                && e.at("/data/overallStatus").asString("").equals(status)
                                && e.at("/data/acknowledged").asBoolean() == acknowledged)
                    .findFirst(),
            java.util.Optional::isPresent)
        .orElseThrow();
  }

  @Test
  void whatWasToldIsNotToldAgainByTheNextCollectorAndWhatHappenedBetweenIs() throws Exception {
    Told into = new Told();
    VCenterCollector first = collector(into, EnumSet.of(Part.EVENTS, Part.ALARMS));
    Moref vm = new Moref("VirtualMachine", moref("DC0_H0_VM4"));
    try (VimClient client = VimClient.connect(VimAddress.of(vcsim.address()), ANYWHERE, trust)) {
      client.login(Vcsim.USERNAME, Vcsim.PASSWORD);
      EventPosting.post(client, "vcsim.vm.fatal", vm, "DC0_H0_VM4");
      await()
          .atMost(SOON)
          .until(() -> into.events("AlarmState").stream().anyMatch(e -> isAbout(e, vm)));
      first.close();
      EventPosting.post(client, "vcsim.vm.success", vm, "DC0_H0_VM4");
      vcsim.govc("vm.power", "-off", "DC0_H0_VM4");
    }
    try (VCenterCollector second = collector(into, EnumSet.of(Part.EVENTS, Part.ALARMS))) {
      await()
          .atMost(SOON)
          .until(
              () ->
                  into.events("AlarmState").stream()
                      .anyMatch(
                          e ->
                              isAbout(e, vm)
                                  && e.at("/data/overallStatus").asString("").equals("green")));
      await()
          .atMost(SOON)
          .until(
              () -> into.events("VmPoweredOffEvent").stream().anyMatch(e -> isOf(e, vm.value())));
    }
    // Each has an id of its own: the overlap tells some twice, and who reads knows them by it.
    assertThat(
            into.events().stream()
                .map(e -> e.path("type").stringValue() + e.path("id").stringValue())
                .distinct()
                .count())
        .isGreaterThan(20);
  }

  private static boolean isAbout(JsonNode event, Moref object) {
    return event.at("/data/entity/value").asString("").equals(object.value());
  }

  @Test
  void theSessionsOfTheCollectorItselfAreNotTold() {
    assertThat(told.events("UserLoginSessionEvent"))
        .noneMatch(e -> e.at("/data/userName").asString("").equals(Vcsim.USERNAME));
  }
}
