package io.peerlens.planning.sizing;

import static io.peerlens.planning.sizing.Found.known;

import io.peerlens.api.model.ClusterSupply;
import io.peerlens.api.model.ClusterSupplyState;
import io.peerlens.api.model.ClusterVms;
import io.peerlens.api.model.RightSizingCluster;
import io.peerlens.planning.sizing.ClusterQueries.Named;
import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Forecast.Trend;
import io.peerlens.sizing.Reclaimable;
import io.peerlens.sizing.VmsRemaining;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Clusters as the contract writes them. */
final class ClusterAnswers {

  private ClusterAnswers() {}

  static RightSizingCluster answer(Named of) {
    ClusterState state = of.state();
    VmsRemaining remaining = state.remaining();
    List<ClusterSupplyState> supplies = new ArrayList<>();
    for (Supply supply : Supply.values()) {
      supplies.add(supply(state, supply, remaining));
    }
    Reclaimable back = state.reclaimable();
    return new RightSizingCluster(
        of.object(),
        state.hosts().size(),
        state.hostFailures(),
        state.vms().size(),
        supplies,
        remaining == null
            ? null
            : new ClusterVms(
                remaining.value(),
                remaining.typical(),
                remaining.most(),
                named(remaining.endsFirst()),
                remaining.endsFirstShare()),
        state.reason(),
        (double) back.idleVcpus(),
        back.idleMemoryGb(),
        back.idleDiskGb(),
        back.poweredOffDiskGb(),
        back.snapshotDiskGb());
  }

  private static ClusterSupply named(Supply supply) {
    return ClusterSupply.fromValue(supply.name().toLowerCase(Locale.ROOT));
  }

  private static ClusterSupplyState supply(
      ClusterState state, Supply supply, @Nullable VmsRemaining remaining) {
    Trend trend = state.trends().get(supply);
    return new ClusterSupplyState(
        named(supply),
        switch (supply) {
          case CPU -> ClusterSupplyState.UnitEnum.MHZ;
          case MEMORY, DISK -> ClusterSupplyState.UnitEnum.GB;
          case IOPS -> ClusterSupplyState.UnitEnum.IOPS;
        },
        known(state.cluster().usable(supply)),
        known(state.used().of(supply)),
        known(state.cluster().remaining(state.used())[supply.ordinal()]),
        remaining == null ? null : remaining.alone().get(supply),
        trend == null ? null : Double.valueOf(trend.perDayLeast() > 0 ? trend.perDay() : 0));
  }
}
