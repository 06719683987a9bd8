package io.peerlens.dashboard;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Super metrics that keys of columns name: {@code Super metric:NAME}, {@code Super metric:sm_UUID},
 * and {@code Super Metric|sm_UUID} as vRealize Operations writes it.
 */
final class SuperMetricKeys {

  private static final String PREFIX = "super metric";
  private static final String ID = "sm_";

  private final Map<UUID, String> stored;
  private final Map<String, UUID> byName = new HashMap<>();
  private final JsonNode inFile;

  /**
   * @param stored names of those that are stored
   * @param inFile those of a file by id; null = it has none
   */
  SuperMetricKeys(Map<UUID, String> stored, @Nullable JsonNode inFile) {
    this.stored = stored;
    stored.forEach((id, name) -> byName.put(name, id));
    this.inFile = inFile == null ? Json.MAPPER.createObjectNode() : inFile;
  }

  /**
   * A super metric.
   *
   * @param id null = it is not stored
   * @param name as the key names it
   * @param inFile whether it is in the file
   */
  record Found(@Nullable UUID id, String name, boolean inFile) {}

  static boolean isOne(String key) {
    return key.length() > PREFIX.length()
        && key.toLowerCase(Locale.ROOT).startsWith(PREFIX)
        && (key.charAt(PREFIX.length()) == ':' || key.charAt(PREFIX.length()) == '|');
  }

  /**
   * @param key one of which {@link #isOne} holds
   */
  Found find(String key) {
    String name = key.substring(PREFIX.length() + 1);
    UUID id = name.startsWith(ID) ? id(name.substring(ID.length())) : null;
    if (id != null) {
      return new Found(stored.containsKey(id) ? id : null, name, inFile.has(id.toString()));
    }
    boolean named =
        inFile.valueStream().anyMatch(one -> one.path("name").asString("").equals(name));
    return new Found(byName.get(name), name, named);
  }

  static @Nullable UUID id(String text) {
    if (text.length() != 36) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
