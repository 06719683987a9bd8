package io.peerlens.notify.dispatch;

import io.peerlens.notify.delivery.TargetSubject;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Notification states of targets, alerts and groups: the stored ones, or those of a simulation. */
interface NotificationStates {

  List<StateRow> states(Collection<UUID> alerts);

  /** Alerts of a group: those that are open first, then those whose end was not told yet. */
  List<StateRow> members(UUID group);

  /** Keeps those that have changed. */
  void put(Collection<StateRow> states, Instant now);

  List<GroupRow> groupsDue(Instant now, int limit);

  /** Null = there is none yet. */
  @Nullable GroupRow group(UUID target, UUID rule, String key);

  @Nullable GroupRow group(UUID id);

  /** Keeps groups; those that are over go. */
  void putGroups(Collection<GroupRow> groups);

  /** What receivers call subjects. */
  Map<TargetSubject, Map<String, String>> externalIds(Collection<UUID> subjects);
}
