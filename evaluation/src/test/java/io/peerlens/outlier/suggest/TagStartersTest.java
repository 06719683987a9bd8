package io.peerlens.outlier.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.outlier.suggest.SuggestionQueries.Candidate;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TagStartersTest {

  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");

  private final List<Candidate> objects = new ArrayList<>();

  private void vm(String name, Map<String, String> tags, Map<String, String> properties) {
    int id = objects.size() + 1;
    objects.add(
        new Candidate(
            id, new UUID(0, id), VM, name, new TreeMap<>(tags), new TreeMap<>(properties)));
  }

  private List<String> tags() {
    return TagStarters.of(objects).stream().map(one -> String.join(" ", one.tags())).toList();
  }

  private TagStarters.Found made(String tags) {
    return TagStarters.of(objects).stream()
        .filter(one -> String.join(" ", one.tags()).equals(tags))
        .findFirst()
        .orElseThrow(() -> new AssertionError(tags + " is not among " + tags()));
  }

  /** The tiers of the sample datacentre: application, tier, environment, owner, count, memory. */
  private void sample() {
    String linux = "debian12_64Guest";
    for (String tier :
        List.of(
            "shop web production web 36 8192 " + linux,
            "shop app production web 30 16384 " + linux,
            "shop db production data 6 65536 " + linux,
            "shop cache production web 8 32768 " + linux,
            "pay api production payments 16 8192 " + linux,
            "pay db production data 4 65536 " + linux,
            "search data production search 20 32768 " + linux,
            "search api production search 10 8192 " + linux,
            "dns resolver production network 6 2048 " + linux,
            "mail relay production collaboration 8 4096 " + linux,
            "directory controller production platform 8 8192 windows2022srvNext_64Guest",
            "files server production collaboration 6 16384 windows2022srvNext_64Guest",
            "monitoring collector production platform 4 16384 " + linux,
            "ci agent test platform 40 8192 " + linux,
            "batch worker production data 8 32768 " + linux,
            "desktop vdi desktops workplace 90 8192 windows11_64Guest")) {
      String[] of = tier.split(" ");
      for (int i = 1; i <= Integer.parseInt(of[4]); i++) {
        vm(
            "%s-%s-%02d".formatted(of[0], of[1], i),
            Map.of("app", of[0], "tier", of[1], "env", of[2], "owner", of[3]),
            Map.of("config|hardware|memoryKB", of[5], "config|guestFullName", of[6]));
      }
    }
  }

  @Test
  void inTheSampleTwoTagsTellDatabasesOfApplicationsApart() {
    sample();
    assertThat(objects).hasSize(300);
    for (String pair : List.of("app=shop tier=db", "app=pay tier=db", "app=search tier=api")) {
      assertThat(made(pair).alike()).as(pair).isEqualTo(1);
    }
    assertThat(made("app=shop tier=db").members()).hasSize(6);
    // What one tag says as well is said by one.
    assertThat(tags())
        .contains("tier=web", "app=desktop", "owner=payments")
        .doesNotContain(
            "app=shop tier=web", "app=desktop tier=vdi", "app=ci env=test", "app=pay tier=api");
    assertThat(tags().indexOf("app=shop tier=db"))
        .as("those that are alike come before those that are not")
        .isLessThan(tags().indexOf("app=shop"));
    assertThat(tags().indexOf("tier=web")).isLessThan(tags().indexOf("tier=db"));
  }

  @Test
  void twoTagsThatSayNothingMoreAreNotCombined() {
    Random random = new Random(4);
    for (int i = 0; i < 120; i++) {
      // The site is drawn by lot: it does not part machines of different sorts.
      String app = "app" + i % 4;
      vm(
          "vm-" + i,
          Map.of("app", app, "site", "site" + random.nextInt(3)),
          Map.of("memory", Integer.toString(1024 << i % 4)));
    }
    assertThat(tags()).allSatisfy(tag -> assertThat(tag).doesNotContain(" "));
    assertThat(tags().subList(0, 4)).allSatisfy(tag -> assertThat(tag).startsWith("app="));
  }

  @Test
  void sizeAloneTellsThatTwoTagsArePartOfOneAnother() {
    for (int i = 0; i < 60; i++) {
      int app = i % 2;
      int tier = i / 2 % 3;
      vm(
          "%08x".formatted(i * 2_654_435_761L % 0xffff_ffffL),
          Map.of("app", "a" + app, "tier", "t" + tier),
          Map.of("cpus", Integer.toString(1 << app * 3 + tier)));
    }
    assertThat(TagStarters.of(objects).subList(0, 6))
        .allSatisfy(
            one -> {
              assertThat(one.tags()).hasSize(2);
              assertThat(one.members()).hasSize(10);
            });
  }

  @Test
  void groupsThatAreTooSmallOrTooLargeAreNone() {
    for (int i = 0; i < 250; i++) {
      vm(
          "vm-" + i,
          Map.of("all", "same", "most", i < 210 ? "a" : "b", "id", "n" + i / 2),
          Map.of());
    }
    assertThat(tags()).containsExactly("most=b");
    assertThat(TagStarters.of(List.of())).isEmpty();
  }

  @Test
  void manyTagsOfManyObjectsTakeLittle() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      Map<String, String> tags = new TreeMap<>();
      for (int t = 0; t < 30; t++) {
        tags.put("tag" + t, "v" + random.nextInt(3 + t * 4));
      }
      vm("vm-" + i, tags, Map.of("cpus", Integer.toString(1 + random.nextInt(4))));
    }
    // Time of the processor, as other tests run beside this one.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    assertThat(TagStarters.of(objects)).hasSizeLessThanOrEqualTo(200);
    assertThat((threads.getCurrentThreadCpuTime() - start) / 1_000_000).as("ms").isLessThan(20_000);
  }
}
