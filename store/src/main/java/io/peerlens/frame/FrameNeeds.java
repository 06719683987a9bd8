package io.peerlens.frame;

import io.peerlens.frame.Frames.Known;
import io.peerlens.frame.MetricSets.Group;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Needs of a frame: the sets and positions of one metric group that inputs read. */
final class FrameNeeds {
  final Group group;
  final TreeSet<Integer> positions = new TreeSet<>();
  @Nullable Set<String> instances = new HashSet<>(); // null = all
  boolean fresh;
  boolean flows; // whether metrics that are made of flows are among them

  private FrameNeeds(Group group) {
    this.group = group;
  }

  int[] positionArray() {
    return positions.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The needs of inputs, one for each group. */
  static List<FrameNeeds> of(Set<Input> inputs, Known known) {
    Map<Integer, FrameNeeds> needs = new HashMap<>();
    for (Input input : inputs) {
      for (ObjectKind kind : kinds(input.kind(), known.inventory().graph())) {
        for (Keyed keyed : Keyed.find(kind, input.key(), input.attribute(), known)) {
          Group group = keyed.group();
          if (group == null) {
            continue;
          }
          FrameNeeds need = needs.computeIfAbsent(group.id(), id -> new FrameNeeds(group));
          need.positions.add(keyed.position());
          need.fresh |= input.fresh();
          need.flows |= isFlow(keyed, group);
          Set<String> instances = need.instances;
          if (keyed.instance() == null) {
            need.instances = null;
          } else if (instances != null) {
            instances.add(keyed.instance());
          }
        }
      }
    }
    return List.copyOf(needs.values());
  }

  private static boolean isFlow(Keyed keyed, Group group) {
    return group.name().equals(FlowPart.GROUP)
        && FlowMetric.names().contains(keyed.metric())
        && (keyed.instance() == null || FlowPart.isFlow(keyed.instance()));
  }

  private static List<ObjectKind> kinds(ObjectKind kind, ObjectGraph graph) {
    return kind.isEvery()
        ? graph.kinds().stream()
            .filter(one -> one.adapterKind().equals(kind.adapterKind()))
            .toList()
        : List.of(kind);
  }
}
