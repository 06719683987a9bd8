package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.channel.ActiveTarget;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Targets of the API as records; {@link ActiveTarget} reads what channels need. */
final class NotificationTargetReader {

  private static final Duration SHORTEST_HEARTBEAT = Duration.ofMinutes(1);

  private NotificationTargetReader() {}

  /**
   * Reads a target whose secrets are names.
   *
   * @param path of the target in the body, with a point at its end, or empty
   */
  static NotificationTarget read(
      UUID id, long version, String path, NotificationTargetEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField(path + "name", "is blank");
    }
    storable(path, "", Definitions.tree(wanted));
    return new NotificationTarget(
        id,
        wanted.getName(),
        !Boolean.FALSE.equals(wanted.getEnabled()),
        ActiveTarget.read(id, path, wanted),
        heartbeat(path + "heartbeat", wanted.getHeartbeat()),
        version);
  }

  private static @Nullable Duration heartbeat(String path, @Nullable String wanted) {
    if (wanted == null) {
      return null;
    }
    Duration every = Durations.parse(wanted);
    if (every.compareTo(SHORTEST_HEARTBEAT) < 0) {
      throw ApiException.invalidField(path, wanted + " is shorter than 1m");
    }
    return every;
  }

  private static void storable(String path, String field, JsonNode node) {
    if (node.isString()) {
      ScopeReader.storable(path + field, node.stringValue());
    }
    node.forEachEntry(
        (name, value) -> storable(path, field.isEmpty() ? name : field + "." + name, value));
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        storable(path, field + "[" + i + "]", node.get(i));
      }
    }
  }
}
