package io.peerlens.notify.channel;

import java.time.Duration;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A target as channels need it, made of its stored definition.
 *
 * @param id of the definition
 * @param name for people
 * @param settings how to reach it
 * @param limits how much it takes
 */
public record TargetInForce(UUID id, String name, TargetSettings settings, Limits limits) {

  /**
   * Reads a target's definition as the API writes it.
   *
   * @throws TargetException naming the first field that makes no sense
   */
  public static TargetInForce read(UUID id, JsonNode definition) {
    return TargetReader.read(id, definition);
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
