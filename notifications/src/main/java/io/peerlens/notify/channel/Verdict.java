package io.peerlens.notify.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Verdict on an attempt: what it means for its delivery and its target. Reasons are for people,
 * without secrets.
 */
public sealed interface Verdict {

  /** Whether the delivery is over and counts as a success. */
  default boolean delivered() {
    return this instanceof Delivered || this instanceof DeliveredUnconfirmed;
  }

  /** Why, in words; empty for what was delivered. */
  default String reason() {
    return "";
  }

  /** The receiver has said that it took the message. */
  record Delivered() implements Verdict {}

  /** The message has left; by its nature nobody answers it (SNMP traps). */
  record DeliveredUnconfirmed() implements Verdict {}

  /**
   * Failure that may pass: the delivery is tried again.
   *
   * @param after how long the receiver asks to be left alone; null = it does not say
   * @param mayHaveArrived whether, where no answer came, the receiver may have got it all the same;
   *     not so when no connection came about
   */
  record Retry(@Nullable Duration after, @Override String reason, boolean mayHaveArrived)
      implements Verdict {

    /** One that the receiver may have got, unless it has answered. */
    public Retry(@Nullable Duration after, String reason) {
      this(after, reason, true);
    }
  }

  /** This message will never be taken; other messages may be. */
  record Refused(@Override String reason) implements Verdict {}

  /** The receiver is gone for good and wants no more: the target is to be disabled. */
  record Gone(@Override String reason) implements Verdict {}

  /** The receiver does not know us: the target is to be paused until somebody mends it. */
  record Unauthorized(@Override String reason) implements Verdict {}
}
