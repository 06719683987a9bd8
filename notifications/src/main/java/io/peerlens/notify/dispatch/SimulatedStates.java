package io.peerlens.notify.dispatch;

import io.peerlens.notify.delivery.TargetSubject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Notification states in the course of a simulation. For one thread. */
final class SimulatedStates implements NotificationStates {

  private static final Comparator<StateRow> DUE =
      Comparator.comparing((StateRow state) -> Objects.requireNonNull(state.current.due()))
          .thenComparing(state -> state.alert)
          .thenComparing(state -> state.target);

  private final Map<UUID, Set<StateRow>> ofAlert = new HashMap<>();
  private final Map<UUID, GroupRow> groups = new LinkedHashMap<>();

  @Override
  public List<StateRow> states(Collection<UUID> alerts) {
    List<StateRow> states = new ArrayList<>();
    alerts.forEach(alert -> states.addAll(ofAlert.getOrDefault(alert, Set.of())));
    return states;
  }

  private Stream<StateRow> all() {
    return ofAlert.values().stream().flatMap(Collection::stream);
  }

  @Override
  public List<StateRow> members(UUID group) {
    return all()
        .filter(state -> group.equals(state.group))
        .sorted(
            Comparator.comparing((StateRow state) -> state.current.phase() != Phase.GROUPED)
                .thenComparing(state -> state.alert))
        .toList();
  }

  @Override
  public void put(Collection<StateRow> states, Instant now) {
    states.forEach(
        state -> ofAlert.computeIfAbsent(state.alert, alert -> new LinkedHashSet<>()).add(state));
  }

  /** What is to be looked at by a moment, the first first. */
  List<StateRow> due(Instant now) {
    return all()
        .filter(state -> state.current.due() != null && !state.current.due().isAfter(now))
        .sorted(DUE)
        .toList();
  }

  /** When the next thing is to be looked at; null = nothing is. */
  @Nullable Instant next() {
    return Stream.concat(
            all().map(state -> state.current.due()),
            groups.values().stream().map(group -> group.current.due()))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  @Override
  public List<GroupRow> groupsDue(Instant now, int limit) {
    return groups.values().stream()
        .filter(group -> group.current.due() != null && !group.current.due().isAfter(now))
        .limit(limit)
        .toList();
  }

  @Override
  public @Nullable GroupRow group(UUID target, UUID rule, String key) {
    return groups.values().stream()
        .filter(
            group ->
                group.target.equals(target)
                    && group.sendingRule.rule().equals(rule)
                    && group.key.equals(key))
        .findFirst()
        .orElse(null);
  }

  @Override
  public @Nullable GroupRow group(UUID id) {
    return groups.get(id);
  }

  @Override
  public void putGroups(Collection<GroupRow> given) {
    for (GroupRow group : given) {
      if (group.isOver) {
        groups.remove(group.id);
      } else {
        groups.put(group.id, group);
      }
    }
  }

  /** Nobody has answered. */
  @Override
  public Map<TargetSubject, Map<String, String>> externalIds(Collection<UUID> subjects) {
    return Map.of();
  }
}
