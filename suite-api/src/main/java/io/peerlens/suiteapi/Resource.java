package io.peerlens.suiteapi;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A resource: an object of the inventory.
 *
 * @param id within the database
 * @param properties by name, in the order of the names
 * @param lastSeen null = it never had values
 * @param silent whether it has missed several of its intervals
 */
record Resource(
    int id,
    UUID uuid,
    String adapterKind,
    String objectKind,
    String externalId,
    String name,
    Map<String, String> properties,
    Map<String, String> tags,
    Instant firstSeen,
    @Nullable Instant lastSeen,
    boolean silent,
    boolean removed) {

  /** Names of properties that keep the identifiers of a resource that was created here. */
  static final String IDENTIFIER = "Resource Identifier|";

  private static final String VMWARE = "VMWARE";

  /** Whether data come. */
  String status() {
    if (lastSeen == null) {
      return "NONE";
    }
    return silent || removed ? "NO_DATA_RECEIVING" : "DATA_RECEIVING";
  }

  /** The part of the external id before the first slash: the vCenter, where there is one. */
  String source() {
    int slash = externalId.indexOf('/');
    return slash < 0 ? externalId : externalId.substring(0, slash);
  }

  /** Identifiers by name: those that it was created with, else what its external id says. */
  Map<String, String> identifiers() {
    Map<String, String> all = new LinkedHashMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(IDENTIFIER)) {
            all.put(key.substring(IDENTIFIER.length()), value);
          }
        });
    if (!all.isEmpty()) {
      return all;
    }
    int slash = externalId.lastIndexOf('/');
    if (!adapterKind.equals(VMWARE) || slash < 0) {
      all.put("id", externalId);
      return all;
    }
    all.put("VMEntityName", name);
    all.put("VMEntityObjectID", externalId.substring(slash + 1));
    all.put("VMEntityVCID", source());
    String instance =
        properties.getOrDefault("config|instanceUuid", properties.get("summary|UUID"));
    if (instance != null) {
      all.put("VMEntityInstanceUUID", instance);
    }
    return all;
  }

  /** Whether an identifier tells resources of a kind apart. */
  static boolean isUnique(String identifier) {
    return !identifier.equals("VMEntityName") && !identifier.equals("VMEntityInstanceUUID");
  }
}
