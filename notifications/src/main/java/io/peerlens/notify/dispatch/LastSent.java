package io.peerlens.notify.dispatch;

import org.jspecify.annotations.Nullable;

/** Last notification of a target about an alert or group. For one thread. */
final class LastSent {

  /** Notifications ever, which number them. */
  int sequence;

  /** Notifications since the NEW. */
  int notified;

  @Nullable String criticality;
  @Nullable String info;
}
