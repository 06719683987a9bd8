package io.peerlens.notify.pipeline;

import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.flow.Standing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@code notification_state}, in the course of a batch. */
final class State {

  final UUID target;
  final UUID alert;
  Teller teller;
  Standing standing = Standing.NONE;
  @Nullable UUID group;
  int sequence;
  int notified;
  @Nullable String criticality;
  @Nullable String info;
  boolean changed;

  State(UUID target, UUID alert, Teller teller) {
    this.target = target;
    this.alert = alert;
    this.teller = teller;
  }

  /** Whether the rule that told, or will tell, is the only one that may. */
  boolean isTaken() {
    return standing.phase() != Phase.NONE && standing.phase() != Phase.OVER;
  }
}
