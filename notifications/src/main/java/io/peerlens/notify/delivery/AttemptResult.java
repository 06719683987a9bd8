package io.peerlens.notify.delivery;

import io.peerlens.notify.channel.Exchange;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of an attempt to deliver a notification.
 *
 * @param status of the delivery now
 * @param due next attempt
 * @param reached whether the receiver may have got it
 * @param exchange null = nothing was tried
 * @param externalIds what the receiver calls it
 */
record AttemptResult(
    String status,
    @Nullable String reason,
    Instant due,
    boolean reached,
    @Nullable Exchange exchange,
    Map<String, String> externalIds) {

  boolean isOver() {
    return !status.equals("retry");
  }
}
