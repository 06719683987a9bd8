package io.peerlens.slow.api;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Kinds of the path, and how they lie above one another. */
final class Kinds {

  static final ObjectKind MACHINE = new ObjectKind("VMWARE", "VirtualMachine");
  static final ObjectKind HOST = new ObjectKind("VMWARE", "HostSystem");
  static final ObjectKind CLUSTER = new ObjectKind("VMWARE", "ClusterComputeResource");
  static final ObjectKind STORE = new ObjectKind("VMWARE", "Datastore");

  /** So many relations of an object are followed. */
  private static final int MOST = 10_000;

  private Kinds() {}

  static List<Integer> above(ObjectGraph graph, int object, ObjectKind kind) {
    return of(graph, graph.parents(object, MOST), kind);
  }

  static List<Integer> below(ObjectGraph graph, int object, ObjectKind kind) {
    return of(graph, graph.children(object, MOST), kind);
  }

  static List<Integer> below(ObjectGraph graph, Collection<Integer> objects, ObjectKind kind) {
    Set<Integer> found = new LinkedHashSet<>();
    objects.forEach(object -> found.addAll(below(graph, object, kind)));
    return List.copyOf(found);
  }

  private static List<Integer> of(ObjectGraph graph, int[] ids, ObjectKind kind) {
    List<Integer> found = new ArrayList<>();
    for (int id : ids) {
      if (graph.number(kind, id) >= 0) {
        found.add(id);
      }
    }
    return found;
  }

  /** Name of an object of the path; empty = it is none. */
  static String name(ObjectGraph graph, int object) {
    ObjectKind kind = graph.kindOf(object);
    return kind == null ? "" : graph.name(kind, graph.number(kind, object));
  }
}
