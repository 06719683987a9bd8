package io.peerlens.notify.channel;

import java.time.Instant;
import java.util.UUID;

/**
 * Attempt at a delivery.
 *
 * @param deliveryId the same for all attempts and replays; receivers know duplicates by it ({@code
 *     webhook-id}, {@code Idempotency-Key})
 * @param alertId what the message is about; mails about the same alert form a thread
 * @param sequence counts the messages about this alert to this target, from 1
 * @param number counts the attempts at this delivery, from 1
 * @param at now; what is signed says this time
 */
public record Attempt(UUID deliveryId, UUID alertId, int sequence, int number, Instant at) {

  public Attempt {
    if (sequence < 1 || number < 1) {
      throw new IllegalArgumentException("Sequence and number start at 1");
    }
  }
}
