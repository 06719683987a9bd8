package io.peerlens.notify.dispatch;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Row of {@code notification_group}, in the course of a batch. */
final class GroupRow {

  final UUID id;
  final UUID target;
  final SendingRule sendingRule;
  String key;
  final Instant openedAt;
  GroupState current = GroupState.EMPTY;
  final LastSent sent = new LastSent();

  /** Kinds of objects in the last notification of a group by incident; null = any other group. */
  @Nullable Set<String> kinds;

  boolean isOver;

  GroupRow(UUID id, UUID target, SendingRule sendingRule, String key, Instant openedAt) {
    this.id = id;
    this.target = target;
    this.sendingRule = sendingRule;
    this.key = key;
    this.openedAt = openedAt;
  }
}
