package io.peerlens.notify.pipeline;

import io.peerlens.notify.pipeline.StandingStore.Pair;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How things stand between targets, alerts and groups: stored, or in the course of a simulation.
 */
interface Standings {

  List<State> states(Collection<UUID> alerts);

  /** Alerts of a group: those that are open first, then those whose end was not told yet. */
  List<State> members(UUID group);

  /** Keeps those that have changed. */
  void put(Collection<State> states, Instant now);

  List<GroupState> groupsDue(Instant now, int limit);

  /** Null = there is none yet. */
  @Nullable GroupState group(UUID target, UUID rule, String key);

  @Nullable GroupState group(UUID id);

  /** Keeps groups; those that are over go. */
  void putGroups(Collection<GroupState> groups);

  /** What receivers call subjects. */
  Map<Pair, Map<String, String>> externalIds(Collection<UUID> subjects);
}
