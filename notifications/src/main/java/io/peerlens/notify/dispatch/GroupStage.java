package io.peerlens.notify.dispatch;

import io.peerlens.database.Uuid7;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRule.Grouping;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.dispatch.GroupFlow.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Group: in which group of a target an alert is sent together with others. Groups whose time has
 * come are flushed by {@link GroupFlush}.
 */
final class GroupStage {

  /** Key of the group that takes the place of single alerts while they come too fast. */
  static final String DIGEST = "digest";

  private static final Pace DIGEST_PACE =
      new Pace(Duration.ofSeconds(30), Duration.ofMinutes(1), null);

  /** An incident is over when none of its alerts was open for this long; so is its group. */
  private static final Duration INCIDENT_LINGER = Duration.ofMinutes(10);

  private static final String OF_INCIDENT = "incident=";
  private static final String OF_ALERT = "alert=";

  private final GroupFlow flow;
  private final NotificationStates stateStore;

  GroupStage(GroupFlow flow, NotificationStates stateStore) {
    this.flow = flow;
    this.stateStore = stateStore;
  }

  /** Puts an alert into its group, or notes there that it has changed or left. */
  void assign(Batch batch, Route route, Decision.InGroup what) {
    StateRow state = route.state;
    GroupRow group;
    if (what == Decision.InGroup.JOINS) {
      Grouping by = route.rule == null ? null : route.rule.group();
      group =
          groupFor(batch, route.target, state.sendingRule, by == null ? DIGEST : key(route, by));
      state.group = group.id;
    } else {
      UUID id = state.group;
      group = id == null ? null : known(batch, id);
    }
    if (group == null) {
      state.group = null;
      return;
    }
    group.current = flow.member(group.current, what, pace(route.rule, group), batch.now);
    if (what == Decision.InGroup.LEAVES && !group.current.told()) {
      state.group = null; // nobody has heard of it
    }
  }

  /**
   * Moves an alert that has come into an incident: it is notified with that. A target that was
   * notified of it alone before hears of the incident as news of that; an alert that was notified
   * with another incident stays there.
   */
  void regroup(Batch batch, Route route) {
    StateRow state = route.state;
    NotificationRule rule = route.rule;
    if (rule == null
        || state.current.phase() != Phase.GROUPED
        || route.item.arrival.kind() == Arrival.Kind.CANCEL
        || !state.sendingRule.rule().equals(rule.id())) {
      return;
    }
    Grouping by = rule.group();
    UUID id = state.group;
    GroupRow group = id == null ? null : known(batch, id);
    if (by == null || !by.isByIncident() || group == null || group.key.equals(DIGEST)) {
      return;
    }
    String key = key(route, by);
    if (key.equals(group.key)) {
      return;
    }
    if (!group.current.told()) {
      Instant due = group.current.due();
      group.current =
          flow.member(group.current, Decision.InGroup.LEAVES, pace(rule, group), batch.now);
      GroupRow next = groupFor(batch, route.target, state.sendingRule, key);
      boolean first = next.current.open() == 0 && !next.current.told();
      next.current = flow.member(next.current, Decision.InGroup.JOINS, pace(rule, next), batch.now);
      if (first) {
        next.current = next.current.dueAt(due);
      }
      state.group = next.id;
      state.changed = true;
    } else if (isOfIncident(key)
        && !isOfIncident(group.key)
        && stored(batch, route.target, state.sendingRule, key) == null) {
      group.key = key;
      group.current =
          flow.member(group.current, Decision.InGroup.CHANGES, pace(rule, group), batch.now);
    }
  }

  /** Pace of a group; one whose rule is gone goes as a digest. */
  static Pace pace(@Nullable NotificationRule rule, GroupRow group) {
    Grouping by = rule == null ? null : rule.group();
    return by == null || group.key.equals(DIGEST)
        ? DIGEST_PACE
        : new Pace(
            by.hold(),
            by.interval(),
            isOfIncident(group.key) ? INCIDENT_LINGER : Duration.ZERO,
            rule == null ? null : rule.resend());
  }

  /** Whether a group is an incident. */
  static boolean isOfIncident(String key) {
    return key.startsWith(OF_INCIDENT) || key.contains(", " + OF_INCIDENT);
  }

  /** Whether a group is an alert that is in no incident. */
  static boolean isAlone(String key) {
    return key.startsWith(OF_ALERT) || key.contains(", " + OF_ALERT);
  }

  private static String key(Route route, Grouping by) {
    List<String> parts = new ArrayList<>();
    for (String path : by.by()) {
      if (path.equals(Grouping.INCIDENT)) {
        String name = route.context.incident();
        parts.add(name.isEmpty() ? OF_ALERT + route.item.alert : OF_INCIDENT + name);
        continue;
      }
      JsonNode value = ContextPath.read(route.context.tree(), path);
      parts.add(path + "=" + (value.isMissingNode() ? "" : value.asString("")));
    }
    return parts.isEmpty() ? "all" : String.join(", ", parts);
  }

  private GroupRow groupFor(Batch batch, Target target, SendingRule sendingRule, String key) {
    GroupRow group = stored(batch, target, sendingRule, key);
    if (group == null) {
      group = new GroupRow(Uuid7.at(batch.now), target.id(), sendingRule, key, batch.now);
      batch.groups.put(group.id, group);
    }
    return group;
  }

  /** The group of a key, of this batch or stored; null = there is none. */
  private @Nullable GroupRow stored(
      Batch batch, Target target, SendingRule sendingRule, String key) {
    for (GroupRow group : batch.groups.values()) {
      if (!group.isOver
          && group.target.equals(target.id())
          && group.sendingRule.rule().equals(sendingRule.rule())
          && group.key.equals(key)) {
        return group;
      }
    }
    GroupRow stored = stateStore.group(target.id(), sendingRule.rule(), key);
    if (stored == null || batch.groups.containsKey(stored.id)) {
      return null; // it is over, or has another key meanwhile
    }
    batch.groups.put(stored.id, stored);
    return stored;
  }

  private @Nullable GroupRow known(Batch batch, UUID id) {
    GroupRow group = batch.groups.get(id);
    if (group == null) {
      group = stateStore.group(id);
      if (group != null) {
        batch.groups.put(id, group);
      }
    }
    return group;
  }
}
