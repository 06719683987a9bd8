package io.peerlens.vcenter.vim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Vcsim;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client against govmomi's simulator. */
@Timeout(60)
class VimClientIT {

  private static final HostAddresses ANYWHERE =
      (host, port) -> List.of(InetAddress.getAllByName(host));

  @TempDir private static Path folder;
  private static Vcsim vcsim;

  @BeforeAll
  static void start() {
    vcsim = Vcsim.startOrSkip(folder, "-dc", "2", "-cluster", "2", "-vm", "40", "-pod", "1");
  }

  @AfterAll
  static void stop() {
    if (vcsim != null) {
      vcsim.close();
    }
  }

  private static X509Certificate certificate() throws Exception {
    return Certificates.shownBy(
            "127.0.0.1",
            vcsim.port(),
            List.of(InetAddress.getLoopbackAddress()),
            Duration.ofSeconds(5))
        .getFirst();
  }

  private static VimClient connected() throws Exception {
    return VimClient.connect(
        VimAddress.of(vcsim.address()),
        ANYWHERE,
        new Trust.Pinned(Certificates.sha256(certificate())));
  }

  private static VimClient signedIn() throws Exception {
    VimClient client = connected();
    client.login(Vcsim.USERNAME, Vcsim.PASSWORD);
    return client;
  }

  @Test
  void theContentSaysWhatTheVCenterIs() throws Exception {
    try (VimClient client = connected()) {
      assertThat(client.content().isVCenter()).isTrue();
      assertThat(client.content().product()).startsWith("VMware vCenter Server");
      assertThat(client.content().rootFolder()).isEqualTo(new Moref("Folder", "group-d1"));
    }
  }

  @Test
  void aWrongPasswordIsAFaultOfItsOwnType() throws Exception {
    try (VimClient client = connected()) {
      assertThatThrownBy(() -> client.login(Vcsim.USERNAME, "wrong"))
          .isInstanceOfSatisfying(
              VimException.Fault.class,
              fault -> assertThat(fault.type()).isEqualTo("InvalidLogin"));
    }
  }

  @Test
  void anotherCertificateThanThePinnedOneIsNotTrusted() {
    assertThatThrownBy(
            () ->
                VimClient.connect(
                    VimAddress.of(vcsim.address()), ANYWHERE, new Trust.Pinned("AB".repeat(32))))
        .isInstanceOf(VimException.Untrusted.class)
        .hasMessageContaining("fingerprint");
  }

  @Test
  void aCertificateOfNoKnownAuthorityIsNotTrusted() {
    assertThatThrownBy(
            () ->
                VimClient.connect(
                    VimAddress.of(vcsim.address()), ANYWHERE, new Trust.Authorities("")))
        .isInstanceOf(VimException.Untrusted.class);
  }

  @Test
  void aRefusalOfTheGuardIsPassedOn() {
    assertThatThrownBy(
            () ->
                VimClient.connect(
                    VimAddress.of(vcsim.address()),
                    (host, port) -> {
                      throw new HostAddresses.NotAllowedException("loopback is not allowed");
                    },
                    new Trust.Authorities("")))
        .isInstanceOf(VimException.Refused.class)
        .hasMessage("loopback is not allowed");
  }

  @Test
  void theFirstUpdatesHoldEverythingAndTheNextOnesWhatChanged() throws Exception {
    try (VimClient client = signedIn()) {
      Moref collector = client.createPropertyCollector();
      client.createFilter(
          collector,
          List.of(
              new PropertySpec("VirtualMachine", List.of("name", "config.changeVersion")),
              new PropertySpec("HostSystem", List.of("name")),
              new PropertySpec("Folder", List.of("name"))));
      Map<Moref, Map<String, String>> seen = new HashMap<>();
      String version = "";
      UpdateSet updates;
      do {
        updates = client.waitForUpdates(collector, version, 50, Duration.ofSeconds(5));
        version = updates.version();
        for (ObjectUpdate update : updates.objects()) {
          Map<String, String> values = seen.computeIfAbsent(update.object(), o -> new HashMap<>());
          update.changes().forEach(c -> values.put(c.path(), c.value().text()));
        }
      } while (updates.truncated());
      Set<Moref> machines = new HashSet<>(seen.keySet());
      machines.removeIf(object -> !object.type().equals("VirtualMachine"));
      // 40 in each cluster and on each single host
      assertThat(machines).hasSize(2 * (2 + 1) * 40);
      assertThat(seen.get(client.content().rootFolder())).containsEntry("name", "Datacenters");

      UpdateSet nothing = client.waitForUpdates(collector, version, 50, Duration.ofSeconds(1));
      assertThat(nothing.empty()).isTrue();
      assertThat(nothing.version()).isEqualTo(version);

      vcsim.govc("vm.change", "-vm", "/DC0/vm/DC0_C0_RP0_VM0", "-c", "4");
      List<String> changed = new ArrayList<>();
      while (changed.isEmpty()) {
        updates = client.waitForUpdates(collector, version, 50, Duration.ofSeconds(5));
        version = updates.version();
        updates
            .objects()
            .forEach(o -> o.changes().forEach(c -> changed.add(c.path() + "=" + c.value().text())));
      }
      assertThat(changed).anyMatch(change -> change.startsWith("config.changeVersion="));
    }
  }

  @Test
  void propertiesOfManyObjectsComeInPages() throws Exception {
    try (VimClient client = signedIn()) {
      List<String> names = new ArrayList<>();
      client.retrieveProperties(
          List.of(client.content().rootFolder()),
          List.of(new PropertySpec("Folder", List.of("name", "childEntity"))),
          update -> update.changes().forEach(c -> names.add(c.path())));
      assertThat(names).containsExactlyInAnyOrder("name", "childEntity");
    }
  }

  @Test
  void performanceComesInBlocksOfAnEntity() throws Exception {
    try (VimClient client = signedIn()) {
      List<PerfCounter> counters = client.counters();
      PerfCounter usage =
          counters.stream().filter(c -> c.fullName().equals("cpu.usage.average")).findFirst().get();
      assertThat(usage.unit()).isEqualTo("percent");
      assertThat(client.counters(List.of(usage.id()))).containsExactly(usage);
      Moref vm =
          new Moref(
              "VirtualMachine",
              vcsim
                  .govc("find", "-i", "/DC0/vm")
                  .lines()
                  .filter(line -> line.startsWith("VirtualMachine:"))
                  .findFirst()
                  .get()
                  .substring(15));
      Instant now = client.currentTime();
      List<PerfBlock> blocks = new ArrayList<>();
      client.queryPerformance(
          List.of(
              new PerfQuery(
                  vm,
                  List.of(new PerfQuery.Metric(usage.id(), "")),
                  20,
                  now.minusSeconds(60),
                  now,
                  0)),
          Duration.ofSeconds(20),
          blocks::add);
      assertThat(blocks).hasSize(1);
      assertThat(blocks.getFirst().entity()).isEqualTo(vm);
      assertThat(blocks.getFirst().times().length).isBetween(3, 4);
      assertThat(blocks.getFirst().series()).hasSize(1);
      assertThat(blocks.getFirst().series().getFirst().values())
          .hasSize(blocks.getFirst().times().length);
    }
  }

  @Test
  void tagsAreToldWithTheObjectsThatHaveThem() throws Exception {
    vcsim.govc("tags.category.create", "tier");
    vcsim.govc("tags.create", "-c", "tier", "gold");
    vcsim.govc("tags.attach", "-c", "tier", "gold", "/DC0/vm/DC0_C0_RP0_VM1");
    try (VimClient client = signedIn()) {
      AutomationApi automation = client.automation();
      automation.login(Vcsim.USERNAME, Vcsim.PASSWORD);
      List<String> ids = automation.tagIds();
      assertThat(ids).hasSize(1);
      AutomationApi.Tag tag = automation.tag(ids.getFirst());
      assertThat(tag.name()).isEqualTo("gold");
      assertThat(automation.category(tag.category())).isEqualTo("tier");
      assertThat(automation.attached(ids).get(ids.getFirst()))
          .singleElement()
          .satisfies(object -> assertThat(object.type()).isEqualTo("VirtualMachine"));
      automation.logout();
    }
  }

  @Test
  void settingsAndPrivilegesAreReadWhereTheVCenterSaysThem() throws Exception {
    try (VimClient client = signedIn()) {
      assertThat(client.settings("config.vpxd.stats.maxQueryMetrics")).isNotNull();
      assertThat(client.privileges(client.content().rootFolder(), List.of("System.Read")))
          .containsEntry("System.Read", true);
    }
  }

  @Test
  void anAddressSaysWhatIsWrongWithIt() {
    assertThatThrownBy(() -> VimAddress.of(URI.create("http://vc.example.com")))
        .hasMessageContaining("expected https://HOST");
    assertThatThrownBy(() -> VimAddress.of(URI.create("https://me:pw@vc.example.com/sdk")))
        .hasMessageContaining("members of their own")
        .hasMessageNotContaining("pw");
    assertThat(VimAddress.of(URI.create("https://VC.example.com/sdk")).identity())
        .isEqualTo("vc.example.com");
    assertThat(VimAddress.of(URI.create("https://[::1]:8989")).identity()).isEqualTo("[::1]:8989");
  }
}
