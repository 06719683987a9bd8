package io.peerlens.slow.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a machine is, by ids within the database.
 *
 * @param host null = not known
 * @param cluster null = not known, or its host is in none
 * @param hosts of the cluster, with its own
 * @param machines of the cluster, with itself
 * @param stores its datastores
 * @param properties of the machine and of the hosts
 */
record Place(
    int machine,
    @Nullable Integer host,
    @Nullable Integer cluster,
    List<Integer> hosts,
    List<Integer> machines,
    List<Integer> stores,
    Map<Integer, Map<String, String>> properties) {

  /** The machine, its host and cluster as far as they are known, and its datastores. */
  List<Integer> path() {
    List<Integer> path = new ArrayList<>(List.of(machine));
    Stream.of(Optional.ofNullable(host), Optional.ofNullable(cluster))
        .flatMap(Optional::stream)
        .forEach(path::add);
    path.addAll(stores);
    return path;
  }

  String property(int object, String key) {
    return properties.getOrDefault(object, Map.of()).getOrDefault(key, "");
  }
}
