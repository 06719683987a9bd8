package io.peerlens.notify.dispatch;

import tools.jackson.databind.JsonNode;

/** Result of rendering a template for an alert. */
public sealed interface Rendered {

  /**
   * Rendered message that is ready to be sent.
   *
   * @param message as it is kept
   */
  record Ready(String version, String hash, JsonNode message) implements Rendered {}

  /** A step of the template says that nothing is to be sent. */
  record Dropped(String words) implements Rendered {}

  /** Failure of rendering. */
  record Failed(String version, String hash, String words) implements Rendered {}
}
