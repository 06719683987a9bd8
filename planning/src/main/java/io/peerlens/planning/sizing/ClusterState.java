package io.peerlens.planning.sizing;

import io.peerlens.sizing.Amounts;
import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Cluster;
import io.peerlens.sizing.Forecast.Trend;
import io.peerlens.sizing.Reclaimable;
import io.peerlens.sizing.VmsRemaining;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Capacity and load of a cluster, as an evaluation found them and scenarios start from.
 *
 * @param shared capacity that its hosts share
 * @param hostFailures hosts that may fail without harm
 * @param used load when the cluster is busy
 * @param trends load and growth of the supplies that are known
 * @param vms machines that run, each with what it adds to the load
 * @param remaining null = not known
 * @param reason of the remaining machines, or why they are not known
 * @param reclaimable what its machines could give back
 */
record ClusterState(
    List<Part> hosts,
    Amounts shared,
    int hostFailures,
    Amounts used,
    Map<Supply, Trend> trends,
    List<Part> vms,
    @Nullable VmsRemaining remaining,
    String reason,
    Reclaimable reclaimable) {

  /** A host with what it brings, or a machine with what it adds to the load. */
  record Part(UUID object, Amounts amounts) {}

  /** The cluster as the rules know it. */
  Cluster cluster() {
    return new Cluster(
        hosts.stream().map(Part::amounts).toList(), shared, hostFailures, Amounts.NONE);
  }
}
