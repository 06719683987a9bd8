package io.peerlens.notify.dispatch;

import io.peerlens.notify.render.NotificationContext;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Item of a batch: one thing to decide on. */
final class Item {

  final UUID alert;

  /** A look at an alert that is over becomes its end. */
  Arrival arrival;

  /** When it happened. */
  final Instant at;

  /** Row of the alert's history; 0 = none. */
  final long history;

  /** Whether it comes from a relay or is a notice. */
  final boolean foreign;

  /** The one target that it is about; null = all. */
  final @Nullable UUID target;

  /** Null = the alert is gone. */
  @Nullable NotificationContext context;

  Item(
      UUID alert,
      Arrival arrival,
      Instant at,
      long history,
      boolean foreign,
      @Nullable UUID target,
      @Nullable NotificationContext context) {
    this.alert = alert;
    this.arrival = arrival;
    this.at = at;
    this.history = history;
    this.foreign = foreign;
    this.target = target;
    this.context = context;
  }

  /** Whether it is here because its time has come, not because something happened. */
  boolean isDue() {
    return target != null;
  }

  boolean isLook() {
    return arrival.kind() == Arrival.Kind.LOOK;
  }
}
