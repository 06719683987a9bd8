package io.peerlens.notify.pipeline;

import io.peerlens.notify.flow.GroupStanding;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@code notification_group}, in the course of a batch. */
final class GroupState {

  final UUID id;
  final UUID target;
  final Teller teller;
  String key;
  final Instant openedAt;
  GroupStanding standing = GroupStanding.EMPTY;
  int sequence;
  int notified;
  @Nullable String criticality;
  @Nullable String info;

  /** Kinds of objects that were told of, of a group by incident; null = any other group. */
  @Nullable Set<String> kinds;

  boolean isOver;

  GroupState(UUID id, UUID target, Teller teller, String key, Instant openedAt) {
    this.id = id;
    this.target = target;
    this.teller = teller;
    this.key = key;
    this.openedAt = openedAt;
  }
}
