package io.peerlens.notify.pipeline;

import io.peerlens.database.Uuid7;
import io.peerlens.notify.flow.Arrival;
import io.peerlens.notify.flow.Decision;
import io.peerlens.notify.flow.GroupFlow;
import io.peerlens.notify.flow.GroupFlow.Pace;
import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.rule.NotificationRule;
import io.peerlens.notify.rule.NotificationRule.Grouping;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Group: in which group of a target an alert is told together with others. Groups whose time has
 * come are flushed by {@link GroupFlush}.
 */
final class GroupStage {

  /** What is told in place of single alerts while they come too fast. */
  static final String DIGEST = "digest";

  private static final Pace DIGEST_PACE =
      new Pace(Duration.ofSeconds(30), Duration.ofMinutes(1), null);

  /** An incident is over when none of its alerts was open for this long; so is its group. */
  private static final Duration INCIDENT_LINGER = Duration.ofMinutes(10);

  private static final String OF_INCIDENT = "incident=";
  private static final String OF_ALERT = "alert=";

  private final GroupFlow flow;
  private final Standings standings;

  GroupStage(GroupFlow flow, Standings standings) {
    this.flow = flow;
    this.standings = standings;
  }

  /** Puts an alert into its group, or notes there that it has changed or left. */
  void assign(Batch batch, Route route, Decision.InGroup what) {
    State state = route.state;
    GroupState group;
    if (what == Decision.InGroup.JOINS) {
      Grouping by = route.rule == null ? null : route.rule.group();
      group = groupFor(batch, route.target, state.teller, by == null ? DIGEST : key(route, by));
      state.group = group.id;
    } else {
      UUID id = state.group;
      group = id == null ? null : known(batch, id);
    }
    if (group == null) {
      state.group = null;
      return;
    }
    group.standing = flow.member(group.standing, what, pace(route.rule, group), batch.now);
    if (what == Decision.InGroup.LEAVES && !group.standing.told()) {
      state.group = null; // nobody has heard of it
    }
  }

  /**
   * Moves an alert that has come into an incident: it is told with that. Who was told of it alone
   * before hears of the incident as news of that; what was told with another incident stays there.
   */
  void regroup(Batch batch, Route route) {
    State state = route.state;
    NotificationRule rule = route.rule;
    if (rule == null
        || state.standing.phase() != Phase.GROUPED
        || route.item.arrival.kind() == Arrival.Kind.CANCEL
        || !state.teller.rule().equals(rule.id())) {
      return;
    }
    Grouping by = rule.group();
    UUID id = state.group;
    GroupState group = id == null ? null : known(batch, id);
    if (by == null || !by.isByIncident() || group == null || group.key.equals(DIGEST)) {
      return;
    }
    String key = key(route, by);
    if (key.equals(group.key)) {
      return;
    }
    if (!group.standing.told()) {
      Instant due = group.standing.due();
      group.standing =
          flow.member(group.standing, Decision.InGroup.LEAVES, pace(rule, group), batch.now);
      GroupState next = groupFor(batch, route.target, state.teller, key);
      boolean first = next.standing.open() == 0 && !next.standing.told();
      next.standing =
          flow.member(next.standing, Decision.InGroup.JOINS, pace(rule, next), batch.now);
      if (first) {
        next.standing = next.standing.dueAt(due);
      }
      state.group = next.id;
      state.changed = true;
    } else if (isOfIncident(key)
        && !isOfIncident(group.key)
        && stored(batch, route.target, state.teller, key) == null) {
      group.key = key;
      group.standing =
          flow.member(group.standing, Decision.InGroup.CHANGES, pace(rule, group), batch.now);
    }
  }

  /** How a group is told; one whose rule is gone as a digest. */
  static Pace pace(@Nullable NotificationRule rule, GroupState group) {
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

  private GroupState groupFor(Batch batch, Target target, Teller teller, String key) {
    GroupState group = stored(batch, target, teller, key);
    if (group == null) {
      group = new GroupState(Uuid7.at(batch.now), target.id(), teller, key, batch.now);
      batch.groups.put(group.id, group);
    }
    return group;
  }

  /** The group of a key, of this batch or stored; null = there is none. */
  private @Nullable GroupState stored(Batch batch, Target target, Teller teller, String key) {
    for (GroupState group : batch.groups.values()) {
      if (!group.isOver
          && group.target.equals(target.id())
          && group.teller.rule().equals(teller.rule())
          && group.key.equals(key)) {
        return group;
      }
    }
    GroupState stored = standings.group(target.id(), teller.rule(), key);
    if (stored == null || batch.groups.containsKey(stored.id)) {
      return null; // it is over, or has another key meanwhile
    }
    batch.groups.put(stored.id, stored);
    return stored;
  }

  private @Nullable GroupState known(Batch batch, UUID id) {
    GroupState group = batch.groups.get(id);
    if (group == null) {
      group = standings.group(id);
      if (group != null) {
        batch.groups.put(id, group);
      }
    }
    return group;
  }
}
