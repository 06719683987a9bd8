package io.peerlens.standalone.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.outlier.group.ProposedDeviation;
import io.peerlens.outliers.Change;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Transform;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the method finds in the sample datacentre, from its generator, without a database. */
class SampleGroupsTest {

  /** A Saturday, 02:00 UTC. */
  private static final long FIRST_START = 1_795_226_400;

  private static final long BUCKET = 300;
  private static final int DAYS = 3;

  private final Inventory inventory = new Inventory(42);
  private final Script script = new Script(inventory, 42, FIRST_START);
  private final Physics physics = new Physics(inventory, script, 42);

  @Test
  void everyTierThatSharesItsWorkIsAGroup() {
    JsonNode file = JsonMapper.builder().build().readTree(SampleGroups.rulesFile());
    List<String> names = new ArrayList<>();
    file.path("outlierGroups").forEach(group -> names.add(group.path("name").asString()));
    assertThat(names)
        .contains("shop/web", "shop/app", "shop/db", "pay/api", "Hosts of east-general")
        .doesNotContain("desktop/vdi", "ci/agent", "batch/worker")
        .doesNotHaveDuplicates();
    assertThat(file.path("outlierGroups").path(0).path("scope").path("tags").path(0).asString())
        .isEqualTo("app=shop");
  }

  private record Found(String name, Event event) {}

  /** The group as the service would judge it, after the history that the sample brings. */
  private List<Found> found(String app, String tier) {
    List<Vm> members =
        inventory.vms.stream()
            .filter(vm -> vm.tier().app().equals(app) && vm.tier().tier().equals(tier))
            .toList();
    List<Settings.Metric> metrics = new ArrayList<>();
    for (String unit : List.of("percent", "KBps")) {
      double least = ProposedDeviation.of(unit).least();
      metrics.add(new Settings.Metric(Transform.AUTO, least, least));
    }
    PeerGroup group =
        new PeerGroup(
            Settings.peers(BUCKET * 1000, metrics), members.stream().mapToInt(Vm::index).toArray());
    List<Found> found = new ArrayList<>();
    double[][] values = new double[metrics.size()][members.size()];
    for (long begin = FIRST_START - 2 * 86_400;
        begin < FIRST_START + DAYS * 86_400;
        begin += BUCKET) {
      Moment moment = physics.at(begin);
      for (int i = 0; i < members.size(); i++) {
        Vm vm = members.get(i);
        int v = vm.index();
        values[0][i] = moment.usageMhz[v] / vm.capacityMhz() * 100;
        values[1][i] = moment.receivedKbs[v] + moment.sentKbs[v];
      }
      Judgement judgement = group.judge((begin + BUCKET) * 1000, values);
      for (Change change : judgement.changes()) {
        if (change.kind() == Change.Kind.OPENED) {
          int member = change.event().member();
          found.add(
              new Found(
                  member == Event.GROUP ? "the group" : inventory.vms.get(member).name(),
                  change.event()));
        }
      }
    }
    return found;
  }

  @Test
  void theOverloadedWebServerIsFoundWithinFiveBucketsAndAlone() {
    List<Script.Event> planned =
        script.until(FIRST_START + DAYS * 86_400L).stream()
            .filter(event -> event.kind() == Script.Kind.OVERLOADED_PEER)
            .toList();
    List<Found> found = found("shop", "web");
    List<String> told =
        found.stream()
            .map(one -> one.name() + " " + (one.event().openedAt() / 1000 - FIRST_START))
            .toList();
    assertThat(told).as("one event for each time").hasSize(planned.size());
    for (int i = 0; i < planned.size(); i++) {
      Script.Event event = planned.get(i);
      assertThat(found.get(i).name()).isEqualTo(event.vms().getFirst().name());
      assertThat(found.get(i).event().high()).isTrue();
      long took = found.get(i).event().openedAt() / 1000 - event.from();
      assertThat(took / BUCKET).as("buckets until it was found").isBetween(0L, 5L);
    }
  }

  @Test
  void tiersWithoutFaultsHaveHardlyAnyEvents() {
    List<Found> found = new ArrayList<>(found("shop", "app"));
    found.addAll(found("shop", "db"));
    found.addAll(found("pay", "api"));

    // Five days; one of them is a machine beside a noisy neighbour.
    assertThat(found).hasSizeLessThanOrEqualTo(3);
  }
}
