package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.Moment;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.QueueStore.Line;
import io.peerlens.notify.flow.Facts;
import io.peerlens.notify.flow.GroupFlow;
import io.peerlens.notify.flow.GroupFlow.GroupDecision;
import io.peerlens.notify.flow.Hold;
import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.pipeline.InForce.RuleInForce;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.rule.NotificationRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tells of groups whose time has come, as if each was one alert. */
final class GroupStage {

  /** So many alerts are listed; how many there are is said besides. */
  private static final int MOST_LISTED = 100;

  private static final int MOST_NAMED = 5;

  private static final Duration DISABLED = Duration.ofMinutes(1);

  private static final List<String> CRITICALITIES =
      List.of("INFORMATION", "WARNING", "IMMEDIATE", "CRITICAL");

  private final GroupFlow flow;
  private final Standings standings;
  private final Alerts alerts;
  private final RenderStage render;

  GroupStage(GroupFlow flow, Standings standings, Alerts alerts, RenderStage render) {
    this.flow = flow;
    this.standings = standings;
    this.alerts = alerts;
    this.render = render;
  }

  /** Looks at the groups of a batch; its states are stored already. */
  void tell(Batch batch) {
    for (GroupState group : List.copyOf(batch.groups.values())) {
      Target target = batch.inForce.targets().get(group.target);
      if (target != null) {
        look(batch, group, target);
      } else {
        group.standing = group.standing.dueAt(batch.now.plus(DISABLED));
      }
    }
  }

  private void look(Batch batch, GroupState group, Target target) {
    NotificationRule rule =
        batch.inForce.rules().stream()
            .map(RuleInForce::rule)
            .filter(one -> one.id().equals(group.teller.rule()))
            .findFirst()
            .orElse(null);
    List<Hold> holds = new ArrayList<>();
    String quiet = rule == null ? null : rule.windows().quietAt(batch.now);
    if (quiet != null) {
      holds.add(new Hold(Hold.Kind.QUIET_TIME, "the rule is " + quiet, null));
    }
    Facts.Opening opening = Facts.Opening.valueOf(batch.opening(target.id(), group.id).name());
    GroupDecision decision =
        flow.look(group.standing, FlowStage.pace(rule, group), holds, opening, batch.now);
    group.standing = decision.after();
    group.isOver = decision.isOver();
    if (decision.dropsWaiting()) {
      batch.drop(new Drop(new Line(target.id(), group.id), true, decision.words()));
    }
    if (decision.tell() == null) {
      if (group.isOver) {
        leave(standings.members(group.id), batch);
      }
      return;
    }
    List<State> members = standings.members(group.id);
    List<State> open =
        members.stream().filter(state -> state.standing.phase() == Phase.GROUPED).toList();
    ObjectNode context = context(batch, group, members, open.size(), decision.tell().event());
    if (context == null) {
      return;
    }
    List<UUID> alerts = members.stream().map(state -> state.alert).toList();
    Draft draft = render.group(batch, context, target, group, decision.tell(), alerts).draft();
    if (draft != null) {
      batch.add(draft);
      for (State state : members) {
        Trace trace =
            new Trace(
                batch.now,
                state.alert,
                draft.event(),
                draft.change(),
                group.teller.rule(),
                group.teller.ruleName(),
                true,
                "one of %d alerts told together (%s)".formatted(members.size(), group.key),
                List.of());
        trace.targets.add(
            new Trace.OfTarget(target.id(), target.name(), "sent", decision.words(), draft.id()));
        batch.traces.add(trace);
      }
    }
    leave(
        members.stream()
            .filter(state -> group.isOver || state.standing.phase() != Phase.GROUPED)
            .toList(),
        batch);
  }

  /** The end of these alerts was told, or nobody has to hear of it. */
  private void leave(List<State> states, Batch batch) {
    states.forEach(
        state -> {
          state.group = null;
          state.changed = true;
        });
    standings.put(states, batch.now);
  }

  /** One context for all: the worst open alert stands for them, under the name of the group. */
  private @Nullable ObjectNode context(
      Batch batch, GroupState group, List<State> members, int open, String event) {
    List<ObjectNode> contextsOf = contexts(batch, members, event);
    ObjectNode worst = null;
    int most = -1;
    long first = Long.MAX_VALUE;
    List<String> names = new ArrayList<>();
    for (ObjectNode one : contextsOf) {
      int severity = CRITICALITIES.indexOf(one.path("alert").path("criticality").asString(""));
      if (severity > most) {
        most = severity;
        worst = one;
      }
      first = Math.min(first, one.path("alert").path("startTime").asLong(first));
      if (names.size() < MOST_NAMED) {
        names.add(
            one.path("alert").path("name").asString("")
                + " on "
                + one.path("object").path("name").asString("no object"));
      }
    }
    if (worst == null) {
      return null;
    }
    int size = Math.max(open, 1);
    ObjectNode context = worst.deepCopy();
    ObjectNode alert = (ObjectNode) context.path("alert");
    alert.put("id", group.id.toString());
    alert.putNull("number");
    if (members.size() > 1) {
      alert.put("name", members.size() + " alerts");
      alert.remove("title");
      if (members.size() > names.size()) {
        names.add("and " + (members.size() - names.size()) + " more");
      }
      alert.put("info", String.join("; ", names));
      alert.put("explanation", "Alerts told together by " + group.key + ".");
    }
    alert.put("status", event.equals("CANCEL") ? "CANCELED" : "ACTIVE");
    alert.put("startTime", first);
    alert.put("updateTime", batch.now.toEpochMilli());
    if (event.equals("CANCEL")) {
      alert.put("cancelTime", batch.now.toEpochMilli());
    } else {
      alert.putNull("cancelTime");
    }
    ObjectNode of = context.putObject("group");
    of.put("key", group.key);
    of.put("size", event.equals("CANCEL") ? members.size() : size);
    ArrayNode alerts = of.putArray("alerts");
    for (ObjectNode one : contextsOf) {
      ObjectNode listed = alerts.addObject();
      listed.set("alert", one.path("alert"));
      JsonNode object = one.path("object");
      listed.set("object", object.isObject() ? object : JsonNodeFactory.instance.nullNode());
    }
    return context;
  }

  private List<ObjectNode> contexts(Batch batch, List<State> members, String event) {
    List<State> listed = members.stream().limit(MOST_LISTED).toList();
    List<UUID> ids = listed.stream().map(state -> state.alert).toList();
    Map<UUID, Alerts.Present> foreign = alerts.present(ids);
    List<Moment> moments =
        listed.stream()
            .filter(state -> !foreign.containsKey(state.alert))
            .map(
                state ->
                    Moment.now(
                        state.alert,
                        event.equals("CANCEL") || state.standing.phase() != Phase.GROUPED
                            ? "CANCEL"
                            : "UPDATE",
                        "members"))
            .toList();
    List<ObjectNode> found = new ArrayList<>();
    for (ObjectNode one : alerts.contexts(moments, batch.inForce.wanted(), batch.now)) {
      if (one != null) {
        found.add(one);
      }
    }
    foreign.values().forEach(present -> found.add(present.context()));
    return found;
  }
}
