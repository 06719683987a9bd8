package io.peerlens.vcenter.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.vcenter.inventory.UnreferencedDisks.Disk;
import io.peerlens.vcenter.vim.DatastoreFile;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UnreferencedDisksTest {

  private static final Instant NOW = Instant.parse("2026-11-28T08:00:00Z");
  private static final Instant OLD = Instant.parse("2026-03-01T08:00:00Z");
  private static final long GB = 1L << 30;

  private static DatastoreFile file(String folder, String name, long bytes) {
    return new DatastoreFile("[ds1] " + folder, name, bytes, OLD);
  }

  private static DiskOwners owners(String... disks) {
    return new DiskOwners(Set.of(disks), Set.of(), Set.of(), 0);
  }

  private static UnreferencedDisks of(DiskOwners owners, DatastoreFile... files) {
    UnreferencedDisks.Listing listing = new UnreferencedDisks.Listing();
    List.of(files).forEach(listing::add);
    return listing.without(owners, NOW);
  }

  @Test
  void aDiskIsAllItsFilesAndOneThatIsReferredToIsInUse() {
    UnreferencedDisks it =
        of(
            owners("web1/web1"),
            file("web1", "web1.vmdk", 500),
            file("web1", "web1-flat.vmdk", 40 * GB),
            file("web1", "web1-000002-sesparse.vmdk", 5 * GB),
            file("web1", "web1_1.vmdk", 500),
            file("web1", "web1_1-flat.vmdk", 100 * GB),
            new DatastoreFile("[ds1] web1/", "web1_1-ctk.vmdk", 1000, OLD.plus(Duration.ofDays(1))),
            file("web1", "web1.vmx", 3000));
    assertThat(it.disks())
        .containsExactly(
            new Disk("web1/web1_1", 3, 100 * GB + 1500, OLD.plus(Duration.ofDays(1)), ""));
    assertThat(it.count()).isEqualTo(1);
    assertThat(it.bytes()).isEqualTo(100 * GB + 1500);
  }

  @Test
  void aMachineThatIsNotRegisteredIsNamed() {
    UnreferencedDisks it =
        of(
            owners(),
            file("gone", "gone.vmx", 3000),
            file("gone", "gone.vmdk", 500),
            file("gone", "gone-flat.vmdk", 2 * GB));
    assertThat(it.disks()).containsExactly(new Disk("gone/gone", 2, 2 * GB + 500, OLD, "gone.vmx"));
  }

  @Test
  void whatIsNobodysByDesignIsLeftOut() {
    assertThat(
            of(
                    owners(),
                    file("contentlib-6d1b/3fe2", "image.vmdk", GB),
                    file("web1", "hbrdisk.RDID-8f.vmdk", GB),
                    file("fcd", "pvc-1.vmdk", GB),
                    file("appvolumes/packages", "office.vmdk", GB),
                    file(".snapshot/nightly.0/web1", "web1-flat.vmdk", GB),
                    file("web2", "web2-ctk.vmdk", GB),
                    file("web2", "vmware.log", GB))
                .disks())
        .isEmpty();
  }

  @Test
  void theSizeOfADiskWithoutExtentsIsNotKnown() {
    assertThat(of(owners(), file("5a3c", "web.vmdk", 600)).disks())
        .containsExactly(new Disk("5a3c/web", 1, -1, OLD, ""));
  }

  @Test
  void pathsOfAllKindsAreTheSame() {
    assertThat(
            of(
                    owners("web1/web1", "top"),
                    new DatastoreFile("[ds1]/web1", "web1.vmdk", 2 * GB, OLD),
                    new DatastoreFile("[ds1] ./web1", "web1-flat.vmdk", 2 * GB, OLD),
                    new DatastoreFile("[ds1]", "top.vmdk", 2 * GB, OLD))
                .disks())
        .isEmpty();
  }

  @Test
  void nothingIsSaidWithoutAllMachines() {
    UnreferencedDisks it =
        of(new DiskOwners(Set.of(), Set.of(), Set.of(), 2), file("a", "a.vmdk", 2 * GB));
    assertThat(it.listedAt()).isNull();
    assertThat(it.trouble()).startsWith("2 machines do not say which disks they have");
  }

  @Test
  void theFolderOfAMachineThatCannotBeReadIsItsOwn() {
    UnreferencedDisks it =
        of(
            new DiskOwners(Set.of(), Set.of(), Set.of("lost"), 0),
            file("lost", "lost.vmdk", 2 * GB),
            file("other", "other.vmdk", 2 * GB));
    assertThat(it.disks()).extracting(Disk::path).containsExactly("other/other");
  }

  @Test
  void nothingIsSaidWhenPathsDoNotMatch() {
    Set<String> disks = Set.of("uuid-1/a", "uuid-2/b");
    UnreferencedDisks it =
        of(
            new DiskOwners(disks, disks, Set.of(), 0),
            file("a", "a.vmdk", 2 * GB),
            file("b", "b.vmdk", 2 * GB));
    assertThat(it.listedAt()).isNull();
    assertThat(it.trouble()).contains("Of 2 disks that machines have here only 0");
  }

  @Test
  void afterTroubleTheDisksBeforeStayWithTheirTime() {
    UnreferencedDisks before = of(owners(), file("a", "a.vmdk", 2 * GB));
    UnreferencedDisks it = UnreferencedDisks.failed("No.").or(before);
    Map<String, String> properties = new TreeMap<>();
    Map<String, Double> metrics = new HashMap<>();
    it.tell(properties, metrics, new Units(), NOW.plus(Duration.ofHours(30)));
    assertThat(properties)
        .containsExactly(
            Map.entry("unreferencedDisk:a/a|files", "files=1 bytes=2147483648 modified=" + OLD),
            Map.entry("unreferencedDisks|notListed", "No."));
    assertThat(metrics)
        .containsEntry("unreferencedDisks|listed_age", 30.0)
        .containsEntry("unreferencedDisks|diskspace", 2.0);
  }

  @Test
  void theLargestAreToldAndAllAreCounted() {
    UnreferencedDisks it =
        of(
            owners(),
            IntStream.range(0, 300)
                .mapToObj(i -> file("d" + i, "d-flat.vmdk", (2 + i) * GB))
                .toArray(DatastoreFile[]::new));
    assertThat(it.disks()).hasSize(200);
    assertThat(it.disks().getFirst().path()).isEqualTo("d299/d");
    assertThat(it.count()).isEqualTo(300);
    Map<String, Double> metrics = new HashMap<>();
    it.tell(new TreeMap<>(), metrics, new Units(), NOW);
    assertThat(metrics).containsEntry("unreferencedDisks|not_told", 100.0);
  }

  @Test
  @Timeout(10)
  void hostileNamesEndSoon() {
    String ends = "-000001".repeat(3000);
    assertThat(of(owners(), file("a", ends + ".vmd", GB), file("b".repeat(500), "b.vmdk", GB)))
        .extracting(UnreferencedDisks::count, it -> it.disks().size())
        .containsExactly(1, 0);
    assertThat(DiskFiles.of("x/" + ends + "-flat.vmdk").disk()).startsWith("x/-000001");
  }
}
