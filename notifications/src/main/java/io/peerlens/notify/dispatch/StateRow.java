package io.peerlens.notify.dispatch;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Row of {@code notification_state}, in the course of a batch. */
final class StateRow {

  final UUID target;
  final UUID alert;
  SendingRule sendingRule;
  NotificationState current = NotificationState.NONE;
  @Nullable UUID group;
  final LastSent sent = new LastSent();
  boolean changed;

  StateRow(UUID target, UUID alert, SendingRule sendingRule) {
    this.target = target;
    this.alert = alert;
    this.sendingRule = sendingRule;
  }

  /** Whether the rule that told, or will tell, is the only one that may. */
  boolean isTaken() {
    return current.phase() != Phase.NONE && current.phase() != Phase.OVER;
  }
}
