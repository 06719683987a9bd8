package io.peerlens.slow.api;

import java.util.List;
import java.util.Map;
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

  String property(int object, String key) {
    return properties.getOrDefault(object, Map.of()).getOrDefault(key, "");
  }
}
