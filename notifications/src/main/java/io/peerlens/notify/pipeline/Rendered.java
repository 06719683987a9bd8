package io.peerlens.notify.pipeline;

import tools.jackson.databind.JsonNode;

/** What a template made of an alert. */
public sealed interface Rendered {

  /**
   * Something to send.
   *
   * @param message as it is kept
   */
  record Ready(String version, String hash, JsonNode message) implements Rendered {}

  /** A step of the template says that nothing is to be sent. */
  record Dropped(String words) implements Rendered {}

  /** It cannot be made. */
  record Failed(String version, String hash, String words) implements Rendered {}
}
