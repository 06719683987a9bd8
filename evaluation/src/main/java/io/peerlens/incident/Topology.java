package io.peerlens.incident;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Topology of objects, as far as alerts need it. Not for use by several threads.
 *
 * <p>A machine depends on what is above it (its host, the cluster) and on what it stores its data
 * on, which vRealize Operations, and Peerlens with it, keeps as a child of the machine.
 */
final class Topology {

  /** A chain of containers is not longer than this. */
  private static final int DEEPEST = 6;

  static final String DATASTORE = "Datastore";

  /** Objects whose own metrics are sums or means over what lies in them. */
  private static final Set<String> CONTAINERS =
      Set.of("ClusterComputeResource", "Datacenter", "VMwareAdapter Instance", "ResourcePool");

  /**
   * What objects are sorted into by people, or connected to: having it in common says nothing of
   * where a fault is, as all machines of a datacentre may have it.
   */
  private static final Set<String> SORTED_BY =
      Set.of(
          "ResourcePool",
          "Folder",
          "Network",
          "OpaqueNetwork",
          "DistributedVirtualPortgroup",
          "VmwareDistributedVirtualSwitch");

  private final Map<Integer, String> kinds = new HashMap<>();
  private final Map<Integer, List<Integer>> parents = new HashMap<>();
  private final Map<Integer, List<Integer>> stores = new HashMap<>();
  private final Map<Integer, Map<Integer, Integer>> depends = new HashMap<>();

  /** Adds an object. */
  Topology object(int id, String kind) {
    kinds.put(id, kind);
    return this;
  }

  /** Adds a relation; both objects have been added. */
  Topology relation(int parent, int child) {
    if (DATASTORE.equals(kinds.get(child))) {
      stores.computeIfAbsent(parent, id -> new ArrayList<>()).add(child);
    } else {
      parents.computeIfAbsent(child, id -> new ArrayList<>()).add(parent);
    }
    depends.clear();
    return this;
  }

  /** The kind of an object; empty = not known. */
  String kind(int object) {
    return kinds.getOrDefault(object, "");
  }

  /** Whether metrics of the object are sums or means over what lies in it. */
  boolean isContainer(int object) {
    return CONTAINERS.contains(kind(object));
  }

  /** Whether a fault that several objects have in common may be of this object that holds them. */
  boolean isPlace(int object) {
    return !DATASTORE.equals(kind(object)) && !SORTED_BY.contains(kind(object));
  }

  /**
   * What an object depends on, with how many steps away it is: what is above it, and its
   * datastores.
   */
  Map<Integer, Integer> dependsOn(int object) {
    return depends.computeIfAbsent(object, this::search);
  }

  private Map<Integer, Integer> search(int object) {
    Map<Integer, Integer> found = new LinkedHashMap<>();
    for (int store : stores.getOrDefault(object, List.of())) {
      found.put(store, 1);
    }
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(object));
    for (int depth = 1; depth <= DEEPEST && !open.isEmpty(); depth++) {
      for (int n = open.size(); n > 0; n--) {
        for (int parent : parents.getOrDefault(open.removeFirst(), List.of())) {
          if (parent != object && found.putIfAbsent(parent, depth) == null) {
            open.addLast(parent);
          }
        }
      }
    }
    return found;
  }

  /** Whether an object is above another, at any distance. */
  boolean isAbove(int object, int below) {
    return !DATASTORE.equals(kind(object)) && dependsOn(below).containsKey(object);
  }

  /** The nearest host above an object; null = none. */
  @org.jspecify.annotations.Nullable
  Integer host(int object) {
    return dependsOn(object).entrySet().stream()
        .filter(one -> kind(one.getKey()).equals("HostSystem"))
        .min(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }
}
