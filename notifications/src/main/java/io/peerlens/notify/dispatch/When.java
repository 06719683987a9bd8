package io.peerlens.notify.dispatch;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compiled condition on the context. */
@FunctionalInterface
public interface When {

  /**
   * Why a context does not meet it; null = it does.
   *
   * @param context the canonical context of an event
   */
  @Nullable String refusal(JsonNode context);
}
