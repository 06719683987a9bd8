package io.peerlens.notify.pipeline;

import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.pipeline.StandingStore.Pair;
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

/** How things stand in the course of a simulation. For one thread. */
final class PastStandings implements Standings {

  private static final Comparator<State> DUE =
      Comparator.comparing((State state) -> Objects.requireNonNull(state.standing.due()))
          .thenComparing(state -> state.alert)
          .thenComparing(state -> state.target);

  private final Map<UUID, Set<State>> ofAlert = new HashMap<>();
  private final Map<UUID, GroupState> groups = new LinkedHashMap<>();

  @Override
  public List<State> states(Collection<UUID> alerts) {
    List<State> states = new ArrayList<>();
    alerts.forEach(alert -> states.addAll(ofAlert.getOrDefault(alert, Set.of())));
    return states;
  }

  private Stream<State> all() {
    return ofAlert.values().stream().flatMap(Collection::stream);
  }

  @Override
  public List<State> members(UUID group) {
    return all()
        .filter(state -> group.equals(state.group))
        .sorted(
            Comparator.comparing((State state) -> state.standing.phase() != Phase.GROUPED)
                .thenComparing(state -> state.alert))
        .toList();
  }

  @Override
  public void put(Collection<State> states, Instant now) {
    states.forEach(
        state -> ofAlert.computeIfAbsent(state.alert, alert -> new LinkedHashSet<>()).add(state));
  }

  /** What is to be looked at by a moment, the first first. */
  List<State> due(Instant now) {
    return all()
        .filter(state -> state.standing.due() != null && !state.standing.due().isAfter(now))
        .sorted(DUE)
        .toList();
  }

  /** When the next thing is to be looked at; null = nothing is. */
  @Nullable Instant next() {
    return Stream.concat(
            all().map(state -> state.standing.due()),
            groups.values().stream().map(group -> group.standing.due()))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  @Override
  public List<GroupState> groupsDue(Instant now, int limit) {
    return groups.values().stream()
        .filter(group -> group.standing.due() != null && !group.standing.due().isAfter(now))
        .limit(limit)
        .toList();
  }

  @Override
  public @Nullable GroupState group(UUID target, UUID rule, String key) {
    return groups.values().stream()
        .filter(
            group ->
                group.target.equals(target)
                    && group.teller.rule().equals(rule)
                    && group.key.equals(key))
        .findFirst()
        .orElse(null);
  }

  @Override
  public @Nullable GroupState group(UUID id) {
    return groups.get(id);
  }

  @Override
  public void putGroups(Collection<GroupState> given) {
    for (GroupState group : given) {
      if (group.isOver) {
        groups.remove(group.id);
      } else {
        groups.put(group.id, group);
      }
    }
  }

  /** Nobody has answered. */
  @Override
  public Map<Pair, Map<String, String>> externalIds(Collection<UUID> subjects) {
    return Map.of();
  }
}
