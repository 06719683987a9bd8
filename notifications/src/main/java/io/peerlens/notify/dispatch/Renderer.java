package io.peerlens.notify.dispatch;

import tools.jackson.databind.node.ObjectNode;

/** Renderer of messages by templates. */
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
