package io.peerlens.planning.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.peerlens.planning.sizing.DatastoreQueries.Datastore;
import io.peerlens.sizing.OrphanedDisks.Disk;
import io.peerlens.sizing.OrphanedDisks.Unreferenced;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OrphansTest {

  private static final long NOW = 1_790_000_000;

  private static Datastore datastore(int id, String path, String... disks) {
    return new Datastore(
        id,
        path,
        Stream.of(disks)
            .map(disk -> new Unreferenced(disk, 2, 10, NOW - 60 * 86_400L, ""))
            .toList());
  }

  private static List<String> disks(Orphans orphans, int datastore) {
    return orphans.byDatastore().get(datastore).disks().stream().map(Disk::path).toList();
  }

  @Test
  void aDatastoreIsThatOfTheClusterThatAloneUsesIt() {
    Orphans it =
        Orphans.of(
            List.of(
                datastore(1, "ds:///a/", "x/x", "y/y"),
                datastore(2, "ds:///b/", "z/z"),
                datastore(3, "ds:///c/")),
            Set.of(1, 2, 3),
            Map.of(1, Set.of(10), 2, Set.of(10, 11), 3, Set.of(12)),
            NOW);
    assertThat(it.gb()).containsOnly(entry(1, 20.0), entry(2, 10.0), entry(3, 0.0));
    assertThat(it.gbByCluster()).containsOnly(entry(10, 20.0), entry(11, 0.0), entry(12, 0.0));
  }

  @Test
  void aClusterWithADatastoreThatIsNotListedIsNotKnown() {
    Orphans it =
        Orphans.of(
            List.of(datastore(1, "ds:///a/", "x/x"), datastore(2, "ds:///b/", "z/z")),
            Set.of(1),
            Map.of(1, Set.of(10), 2, Set.of(10, 11)),
            NOW);
    assertThat(it.byDatastore()).containsOnlyKeys(1);
    assertThat(it.gb()).containsOnlyKeys(1);
    assertThat(it.ofCluster(10)).isNaN();
    assertThat(it.ofCluster(11)).isNaN();
  }

  @Test
  void aDiskOfTwoVCentersIsOrphanedIfNeitherHasAMachineOfIt() {
    List<Datastore> both =
        List.of(datastore(1, "ds:///a/", "used/there", "x/x"), datastore(2, "ds:///a/", "x/x"));
    Map<Integer, Set<Integer>> clusters = Map.of(1, Set.of(10), 2, Set.of(11));
    Orphans it = Orphans.of(both, Set.of(1, 2), clusters, NOW);
    assertThat(disks(it, 1)).containsExactly("x/x");
    assertThat(it.byDatastore()).containsOnlyKeys(1);
    assertThat(it.gb()).containsOnly(entry(1, 10.0), entry(2, 10.0));
    assertThat(it.gbByCluster()).containsOnly(entry(10, 0.0), entry(11, 0.0));
    assertThat(Orphans.of(both, Set.of(1), clusters, NOW).byDatastore()).isEmpty();
  }

  @Test
  void datastoresWithoutAPathAreNotTheSame() {
    Orphans it =
        Orphans.of(
            List.of(datastore(1, "", "x/x"), datastore(2, "", "y/y")), Set.of(1, 2), Map.of(), NOW);
    assertThat(disks(it, 1)).containsExactly("x/x");
    assertThat(disks(it, 2)).containsExactly("y/y");
  }
}
