package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.EventType;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.delivery.QueueStore.Line;
import io.peerlens.notify.match.InScope;
import io.peerlens.notify.pipeline.AlertSource.OpenAlert;
import io.peerlens.notify.pipeline.StandingStore.Pair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is worked on in one transaction. For one thread. */
final class Batch {

  final Instant now;
  final InForce inForce;
  final List<Item> items;
  final List<GroupState> dueGroups;

  /** Which objects are in which scopes. */
  InScope scopes = (scope, object) -> false;

  private final Map<Pair, State> states = new HashMap<>();
  private final Map<UUID, Set<State>> statesOf = new HashMap<>();
  Map<Line, Fate> openings = new HashMap<>();
  Map<Pair, Map<String, String>> externalIds = new HashMap<>();
  Map<UUID, List<OpenAlert>> above = new HashMap<>();
  Map<UUID, Integer> recent = new HashMap<>();

  final Map<UUID, GroupState> groups = new LinkedHashMap<>();
  final List<Draft> drafts = new ArrayList<>();
  final List<Drop> drops = new ArrayList<>();
  final List<Trace> traces = new ArrayList<>();

  Batch(Instant now, InForce inForce, List<Item> items, List<GroupState> dueGroups) {
    this.now = now;
    this.inForce = inForce;
    this.items = items;
    this.dueGroups = dueGroups;
    dueGroups.forEach(group -> groups.put(group.id, group));
  }

  /** How things stand between a target and an alert; null = nothing is known. */
  @Nullable State state(UUID target, UUID alert) {
    return states.get(new Pair(target, alert));
  }

  /** How things stand between an alert and the targets that know of it. */
  List<State> states(UUID alert) {
    return List.copyOf(statesOf.getOrDefault(alert, Set.of()));
  }

  Collection<State> states() {
    return states.values();
  }

  void put(State state) {
    states.put(new Pair(state.target, state.alert), state);
    statesOf.computeIfAbsent(state.alert, alert -> new LinkedHashSet<>()).add(state);
  }

  int size() {
    return items.size() + dueGroups.size();
  }

  /** What became of the newest NEW about a subject; what nobody remembers has left. */
  Fate opening(UUID target, UUID subject) {
    return openings.getOrDefault(new Line(target, subject), Fate.LEFT);
  }

  /** Adds a delivery; what it makes useless is dropped. */
  void add(Draft draft) {
    Line line = new Line(draft.target(), draft.subject());
    if (draft.event() == EventType.NEW) {
      openings.put(line, draft.failure() == null ? Fate.WAITS : Fate.LOST);
      recent.merge(draft.target(), 1, Integer::sum);
    } else {
      drop(new Drop(line, false, "followed by a later " + draft.event()));
    }
    drafts.add(draft);
  }

  /** Drops what waits. */
  void drop(Drop drop) {
    int newest = 0;
    for (int i = 0; i < drafts.size(); i++) {
      if (isOf(drafts.get(i), drop) && drafts.get(i).event() == EventType.NEW) {
        newest = i;
      }
    }
    List<Draft> of = List.copyOf(drafts.subList(newest, drafts.size()));
    drafts.removeIf(
        draft ->
            isOf(draft, drop)
                && draft.failure() == null
                && (draft.event() == EventType.UPDATE || drop.all() && of.contains(draft)));
    drops.add(drop);
  }

  private static boolean isOf(Draft draft, Drop drop) {
    return draft.target().equals(drop.line().target())
        && draft.subject().equals(drop.line().subject());
  }
}
