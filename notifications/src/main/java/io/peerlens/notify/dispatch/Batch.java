package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.InScope;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.delivery.TargetSubject;
import io.peerlens.notify.dispatch.AlertSource.OpenAlert;
import io.peerlens.notify.render.EventType;
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

/** Batch of items that are decided on in one transaction. For one thread. */
final class Batch {

  final Instant now;
  final ActiveConfig active;
  final List<Item> items;
  final List<GroupRow> dueGroups;

  /** Which objects are in which scopes. */
  InScope scopes = (scope, object) -> false;

  private final Map<TargetSubject, StateRow> states = new HashMap<>();
  private final Map<UUID, Set<StateRow>> statesOf = new HashMap<>();
  Map<TargetSubject, Fate> openings = new HashMap<>();
  Map<TargetSubject, Map<String, String>> externalIds = new HashMap<>();
  Map<UUID, List<OpenAlert>> above = new HashMap<>();
  Map<UUID, Integer> recent = new HashMap<>();

  final Map<UUID, GroupRow> groups = new LinkedHashMap<>();
  final List<Draft> drafts = new ArrayList<>();
  final List<Drop> drops = new ArrayList<>();
  final List<Trace> traces = new ArrayList<>();

  Batch(Instant now, ActiveConfig active, List<Item> items, List<GroupRow> dueGroups) {
    this.now = now;
    this.active = active;
    this.items = items;
    this.dueGroups = dueGroups;
    dueGroups.forEach(group -> groups.put(group.id, group));
  }

  /** How things stand between a target and an alert; null = nothing is known. */
  @Nullable StateRow state(UUID target, UUID alert) {
    return states.get(new TargetSubject(target, alert));
  }

  /** How things stand between an alert and the targets that know of it. */
  List<StateRow> states(UUID alert) {
    return List.copyOf(statesOf.getOrDefault(alert, Set.of()));
  }

  Collection<StateRow> states() {
    return states.values();
  }

  void put(StateRow state) {
    states.put(new TargetSubject(state.target, state.alert), state);
    statesOf.computeIfAbsent(state.alert, alert -> new LinkedHashSet<>()).add(state);
  }

  int size() {
    return items.size() + dueGroups.size();
  }

  /** What became of the newest NEW about a subject; what nobody remembers has left. */
  Fate opening(UUID target, UUID subject) {
    return openings.getOrDefault(new TargetSubject(target, subject), Fate.LEFT);
  }

  /** Adds a delivery; what it makes useless is dropped. */
  void add(Draft draft) {
    TargetSubject line = new TargetSubject(draft.target(), draft.subject());
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
