package io.peerlens.notify.delivery;

import io.peerlens.notify.channel.ActiveTarget;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Targets and templates as the delivery workers need them. */
public interface Sender {

  /**
   * A target as it is now.
   *
   * @param version moves with every change
   */
  record Known(ActiveTarget active, boolean enabled, String version) {}

  /** Null = there is no such target. */
  @Nullable Known target(UUID id);

  /**
   * A message that is made at the last moment.
   *
   * @param failure why it cannot be made; null = it can
   */
  record Late(@Nullable JsonNode message, String version, String hash, @Nullable String failure) {}

  /** Makes a message of a context. */
  Late render(String template, JsonNode context);
}
