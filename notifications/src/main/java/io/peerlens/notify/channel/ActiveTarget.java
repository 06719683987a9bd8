package io.peerlens.notify.channel;

import io.peerlens.api.model.NotificationTargetEdit;
import java.time.Duration;
import java.util.UUID;

/**
 * An active target as channels need it, read from its stored definition.
 *
 * @param id of the definition
 * @param name for people
 * @param settings how to reach it
 * @param limits how much it takes
 */
public record ActiveTarget(UUID id, String name, TargetSettings settings, SendLimits limits) {

  /**
   * Reads a target's definition, in which secrets are names.
   *
   * @param path of the target in the body, with a point at its end, or empty
   * @throws io.peerlens.web.ApiException naming the first field that makes no sense
   */
  public static ActiveTarget read(UUID id, String path, NotificationTargetEdit definition) {
    return TargetReader.read(id, path, definition);
  }

  /** The type of target. */
  public TargetType type() {
    return settings.type();
  }

  /** How long an attempt may take in all. */
  public Duration timeout() {
    return settings.timeout();
  }
}
