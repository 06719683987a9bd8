package io.peerlens.notify.pipeline;

import tools.jackson.databind.node.ObjectNode;

/** Makes messages by templates. */
public interface Renderer {

  /**
   * Makes a message.
   *
   * @param template its id
   * @param context of one receiver
   */
  Rendered render(String template, ObjectNode context);

  /** Whether a template says what the receiver calls the alert, which its answer to NEW tells. */
  boolean needsExternalIds(String template);
}
