package io.peerlens.outlier.group;

import io.peerlens.definition.StoredRule;
import io.peerlens.flow.FlowDemand;
import io.peerlens.frame.Frames;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Flow metrics that groups need: those compared in single services need metrics of these, of their
 * members.
 */
public final class GroupFlowDemand implements FlowDemand {

  private final OutlierGroupStore groups;
  private final Frames frames;
  private final ScopeFlags scopes;

  public GroupFlowDemand(OutlierGroupStore groups, Frames frames, ScopeFlags scopes) {
    this.groups = groups;
    this.frames = frames;
    this.scopes = scopes;
  }

  @Override
  public Map<FlowPart, int[]> parts() {
    List<OutlierGroup> asking =
        groups.byId().values().stream()
            .map(StoredRule::rule)
            .filter(group -> group.enabled() && !parts(group).isEmpty())
            .sorted(Comparator.comparing(OutlierGroup::id))
            .toList();
    Map<FlowPart, int[]> parts = new LinkedHashMap<>();
    if (asking.isEmpty()) {
      return parts;
    }
    ObjectGraph graph = frames.objects();
    for (OutlierGroup group : asking) {
      int[] members = members(group, graph);
      for (FlowPart part : parts(group)) {
        parts.merge(part, members, GroupFlowDemand::union);
      }
    }
    return parts;
  }

  private static Set<FlowPart> parts(OutlierGroup group) {
    Set<FlowPart> parts = new LinkedHashSet<>();
    for (OutlierGroup.Metric metric : group.metrics()) {
      if (metric.flow() != null && metric.flow().part().isOnDemand()) {
        parts.add(metric.flow().part());
      }
    }
    return parts;
  }

  private int[] members(OutlierGroup group, ObjectGraph graph) {
    boolean[] flags = scopes.flags(group.scope(), group.kind(), graph);
    int[] members =
        IntStream.range(0, graph.count(group.kind()))
            .filter(number -> flags == null || flags[number])
            .map(number -> graph.id(group.kind(), number))
            .toArray();
    return members.length <= OutlierGroup.MOST_MEMBERS ? members : new int[0];
  }

  private static int[] union(int[] some, int[] others) {
    return IntStream.concat(Arrays.stream(some), Arrays.stream(others)).distinct().toArray();
  }
}
