package io.peerlens.planning.sizing;

import io.peerlens.planning.sizing.DatastoreQueries.Datastore;
import io.peerlens.sizing.OrphanedDisks;
import io.peerlens.sizing.OrphanedDisks.Unreferenced;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Orphaned disks of all datastores. A datastore of several vCenters has several objects; a disk of
 * it is orphaned if none of these vCenters has a machine that refers to it.
 *
 * @param byDatastore those that are known, by internal id; a disk that several objects tell of is
 *     that of the first
 * @param gb of the disks of each object whose datastore is known
 * @param gbByCluster of datastores that only hosts of the cluster use; clusters with a datastore
 *     that is not known are left out
 */
record Orphans(
    Map<Integer, OrphanedDisks> byDatastore,
    Map<Integer, Double> gb,
    Map<Integer, Double> gbByCluster) {

  static final ObjectKind DATASTORE = new ObjectKind("VMWARE", "Datastore");

  private static final List<String> AGE = List.of("unreferencedDisks|listed_age");

  /** A collector that is silent for longer tells nothing; it tells every five minutes. */
  private static final int SILENT_HOURS = 24;

  /** Files are listed once a day; an older list is no news. */
  private static final double OLDEST_HOURS = 72;

  /** Finds them as of a moment; the hour that it is in counts. */
  static Orphans find(DatastoreQueries queries, HistoryReader reader, Instant now) {
    Instant to = now.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    List<Datastore> all = queries.all();
    double[][] ages =
        reader
            .columns(
                DATASTORE,
                AGE,
                all.stream().mapToInt(Datastore::id).toArray(),
                to.minus(Duration.ofHours(SILENT_HOURS)),
                SILENT_HOURS)[0];
    Set<Integer> listed = new HashSet<>();
    for (int d = 0; d < all.size(); d++) {
      if (History.last(ages[d]) <= OLDEST_HOURS) {
        listed.add(all.get(d).id());
      }
    }
    return of(all, listed, queries.clusters(), now.getEpochSecond());
  }

  /**
   * Finds them.
   *
   * @param listed whose files were listed lately
   * @param clusters of the hosts that use a datastore; -1 = that of a host in none
   * @param now seconds since 1970
   */
  static Orphans of(
      List<Datastore> all, Set<Integer> listed, Map<Integer, Set<Integer>> clusters, long now) {
    Map<String, List<Datastore>> same = new LinkedHashMap<>();
    for (Datastore one : all) {
      same.computeIfAbsent(
              one.path().isEmpty() ? "id " + one.id() : one.path(), path -> new ArrayList<>())
          .add(one);
    }
    Map<Integer, OrphanedDisks> byDatastore = new HashMap<>();
    Map<Integer, Double> gb = new HashMap<>();
    Map<Integer, Double> gbByCluster = new HashMap<>();
    Set<Integer> notKnown = new HashSet<>();
    for (List<Datastore> group : same.values()) {
      Set<Integer> users = new HashSet<>();
      group.forEach(one -> users.addAll(clusters.getOrDefault(one.id(), Set.of())));
      if (!group.stream().allMatch(one -> listed.contains(one.id()))) {
        notKnown.addAll(users);
        continue;
      }
      OrphanedDisks found = OrphanedDisks.of(inAll(group), now, OrphanedDisks.USUAL_DAYS);
      byDatastore.put(group.getFirst().id(), found);
      group.forEach(one -> gb.put(one.id(), found.gb()));
      users.forEach(
          cluster -> gbByCluster.merge(cluster, users.size() == 1 ? found.gb() : 0, Double::sum));
    }
    gbByCluster.keySet().removeAll(notKnown);
    return new Orphans(byDatastore, gb, gbByCluster);
  }

  private static List<Unreferenced> inAll(List<Datastore> group) {
    List<Unreferenced> disks = new ArrayList<>(group.getFirst().disks());
    for (Datastore other : group.subList(1, group.size())) {
      Set<String> paths =
          other.disks().stream().map(Unreferenced::path).collect(Collectors.toSet());
      disks.removeIf(disk -> !paths.contains(disk.path()));
    }
    return disks;
  }

  /** GB of a cluster; NaN = not known. */
  double ofCluster(int cluster) {
    return gbByCluster.getOrDefault(cluster, Double.NaN);
  }
}
