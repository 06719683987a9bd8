package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.delivery.TargetSubject;
import io.peerlens.notify.dispatch.ActiveConfig.ActiveRule;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.dispatch.GroupFlow.GroupDecision;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.threshold.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Flush of groups whose time has come: each is sent as if it was one alert. */
final class GroupFlush {

  /** So many alerts are listed; how many there are is said besides. */
  private static final int MOST_LISTED = 100;

  private static final int MOST_NAMED = 5;

  private static final Duration DISABLED = Duration.ofMinutes(1);

  private final GroupFlow flow;
  private final NotificationStates stateStore;
  private final AlertSource alerts;
  private final RenderStage render;

  GroupFlush(
      GroupFlow flow, NotificationStates stateStore, AlertSource alerts, RenderStage render) {
    this.flow = flow;
    this.stateStore = stateStore;
    this.alerts = alerts;
    this.render = render;
  }

  /** Flushes the groups of a batch; its states are stored already. */
  void run(Batch batch) {
    for (GroupRow group : List.copyOf(batch.groups.values())) {
      Target target = batch.active.targets().get(group.target);
      if (target != null) {
        look(batch, group, target);
      } else {
        group.current = group.current.dueAt(batch.now.plus(DISABLED));
      }
    }
  }

  private void look(Batch batch, GroupRow group, Target target) {
    NotificationRule rule =
        batch.active.rules().stream()
            .map(ActiveRule::rule)
            .filter(one -> one.id().equals(group.sendingRule.rule()))
            .findFirst()
            .orElse(null);
    Fate opening = batch.opening(target.id(), group.id);
    GroupDecision decision =
        flow.look(
            group.current,
            GroupStage.pace(rule, group),
            MuteStage.quietTime(batch, rule),
            opening,
            () -> isNews(batch, group),
            batch.now);
    group.current = decision.after();
    group.isOver = decision.isOver();
    if (decision.dropsWaiting()) {
      batch.drop(new Drop(new TargetSubject(target.id(), group.id), true, decision.words()));
    }
    if (decision.tell() == null) {
      if (group.isOver) {
        leave(stateStore.members(group.id), batch);
      }
      return;
    }
    List<StateRow> members = stateStore.members(group.id);
    List<StateRow> open =
        members.stream().filter(state -> state.current.phase() == Phase.GROUPED).toList();
    ObjectNode context = context(batch, group, members, open.size(), decision.tell().event());
    if (context == null) {
      return;
    }
    List<UUID> alerts = members.stream().map(state -> state.alert).toList();
    Draft draft = render.group(batch, context, target, group, decision.tell(), alerts).draft();
    if (draft != null) {
      batch.add(draft);
      if (GroupStage.isOfIncident(group.key)) {
        Set<String> kinds = new TreeSet<>(known(group));
        kinds.addAll(kinds(context));
        group.kinds = kinds;
      }
      for (StateRow state : members) {
        Trace trace =
            new Trace(
                batch.now,
                state.alert,
                draft.event().name(),
                draft.change(),
                group.sendingRule.rule(),
                group.sendingRule.ruleName(),
                true,
                "one of %d alerts sent together (%s)".formatted(members.size(), group.key),
                List.of());
        trace.targets.add(
            new Trace.OfTarget(target.id(), target.name(), "sent", decision.words(), draft.id()));
        batch.traces.add(trace);
      }
    }
    leave(
        members.stream()
            .filter(state -> group.isOver || state.current.phase() != Phase.GROUPED)
            .toList(),
        batch);
  }

  /**
   * Whether a group has changed in a way that is worth telling: any, but of an incident only that
   * it got worse, or that another kind of object is hit.
   */
  private boolean isNews(Batch batch, GroupRow group) {
    if (!GroupStage.isOfIncident(group.key)) {
      return true;
    }
    List<StateRow> open =
        stateStore.members(group.id).stream()
            .filter(state -> state.current.phase() == Phase.GROUPED)
            .toList();
    ObjectNode context = context(batch, group, open, open.size(), EventType.UPDATE);
    return context != null
        && (Severity.level(context.path("alert").path("criticality").asString(""))
                > Severity.level(group.sent.criticality == null ? "" : group.sent.criticality)
            || !known(group).containsAll(kinds(context)));
  }

  /** Kinds in the last notification; of a group that was one alert before, none is noted. */
  private static Set<String> known(GroupRow group) {
    Set<String> kinds = group.kinds;
    return kinds == null ? Set.of() : kinds;
  }

  private static Set<String> kinds(JsonNode context) {
    Set<String> kinds = new TreeSet<>();
    for (JsonNode one : context.path("group").path("alerts")) {
      kinds.add(one.path("object").path("kind").asString(""));
    }
    return kinds;
  }

  /** Targets were notified of the end of these alerts, or none has to be. */
  private void leave(List<StateRow> states, Batch batch) {
    states.forEach(
        state -> {
          state.group = null;
          state.changed = true;
        });
    stateStore.put(states, batch.now);
  }

  /** One context for all: the worst open alert stands for them, under the name of the group. */
  private @Nullable ObjectNode context(
      Batch batch, GroupRow group, List<StateRow> members, int open, EventType event) {
    List<ObjectNode> contextsOf = contexts(batch, members, event);
    ObjectNode worst = null;
    int most = -1;
    long first = Long.MAX_VALUE;
    List<String> names = new ArrayList<>();
    for (ObjectNode one : contextsOf) {
      int severity = Severity.level(one.path("alert").path("criticality").asString(""));
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
    boolean ofIncident = GroupStage.isOfIncident(group.key);
    ObjectNode leading = ofIncident ? cause(contextsOf, worst) : worst;
    ObjectNode context = leading.deepCopy();
    ObjectNode alert = (ObjectNode) context.path("alert");
    alert.put("id", group.id.toString());
    if (!GroupStage.isAlone(group.key)) {
      alert.putNull("number");
    }
    if (ofIncident) {
      incident(context, alert, Severity.values()[Math.max(1, most) - 1].name());
      alert.put("info", listed(leading, contextsOf, members.size()));
    } else if (members.size() > 1) {
      alert.put("name", members.size() + " alerts");
      alert.remove("title");
      if (members.size() > names.size()) {
        names.add("and " + (members.size() - names.size()) + " more");
      }
      alert.put("info", String.join("; ", names));
      alert.put("explanation", "Alerts sent together by " + group.key + ".");
    }
    alert.put("status", event == EventType.CANCEL ? "CANCELED" : "ACTIVE");
    alert.put("startTime", first);
    alert.put("updateTime", batch.now.toEpochMilli());
    if (event == EventType.CANCEL) {
      alert.put("cancelTime", batch.now.toEpochMilli());
    } else {
      alert.putNull("cancelTime");
    }
    ObjectNode of = context.putObject("group");
    of.put("key", group.key);
    of.put("size", event == EventType.CANCEL ? members.size() : size);
    ArrayNode alerts = of.putArray("alerts");
    for (ObjectNode one : contextsOf) {
      ObjectNode listed = alerts.addObject();
      listed.set("alert", one.path("alert"));
      JsonNode object = one.path("object");
      listed.set("object", object.isObject() ? object : JsonNodeFactory.instance.nullNode());
    }
    return context;
  }

  /** The alert that explains the others, where it is among them; else the worst. */
  private static ObjectNode cause(List<ObjectNode> contexts, ObjectNode worst) {
    return contexts.stream()
        .filter(
            one ->
                one.path("alert")
                    .path("id")
                    .asString("")
                    .equals(one.path("incident").path("cause").path("alertId").asString("none")))
        .findFirst()
        .orElse(worst);
  }

  /** An incident is sent under its own name. */
  private static void incident(ObjectNode context, ObjectNode alert, String worst) {
    JsonNode incident = context.path("incident");
    String title = incident.path("title").asString(alert.path("name").asString(""));
    alert.put("name", title);
    alert.put("title", title);
    alert.put("criticality", worst);
    alert.put("explanation", incident.path("sentence").asString(""));
    alert.set("url", incident.path("url"));
    alert.set("owner", incident.path("owner"));
  }

  /** "Host is short of memory on esx-1; VM waits for CPU on web-1, web-2": the cause first. */
  private static String listed(ObjectNode first, List<ObjectNode> contexts, int size) {
    Map<String, List<String>> byRule = new LinkedHashMap<>();
    List<ObjectNode> causeFirst = new ArrayList<>(contexts);
    causeFirst.sort(Comparator.comparing(one -> one != first));
    for (ObjectNode one : causeFirst) {
      byRule
          .computeIfAbsent(one.path("alert").path("name").asString(""), rule -> new ArrayList<>())
          .add(one.path("object").path("name").asString("no object"));
    }
    StringJoiner list = new StringJoiner("; ");
    byRule.forEach(
        (rule, objects) ->
            list.add(
                rule
                    + " on "
                    + String.join(", ", objects.subList(0, Math.min(MOST_NAMED, objects.size())))
                    + (objects.size() > MOST_NAMED
                        ? " and %d more".formatted(objects.size() - MOST_NAMED)
                        : "")));
    if (size > contexts.size()) {
      list.add("and %d more alerts".formatted(size - contexts.size()));
    }
    return list.toString();
  }

  private List<ObjectNode> contexts(Batch batch, List<StateRow> members, EventType event) {
    List<StateRow> listed = members.stream().limit(MOST_LISTED).toList();
    List<UUID> ids = listed.stream().map(state -> state.alert).toList();
    Map<UUID, AlertSource.Present> foreign = alerts.present(ids);
    List<Moment> moments =
        listed.stream()
            .filter(state -> !foreign.containsKey(state.alert))
            .map(
                state ->
                    Moment.now(
                        state.alert,
                        event == EventType.CANCEL || state.current.phase() != Phase.GROUPED
                            ? EventType.CANCEL
                            : EventType.UPDATE,
                        "members"))
            .toList();
    List<ObjectNode> found = new ArrayList<>();
    for (NotificationContext one : alerts.contexts(moments, batch.active.wanted(), batch.now)) {
      if (one != null) {
        found.add(one.tree());
      }
    }
    foreign.values().forEach(present -> found.add(present.context().tree()));
    return found;
  }
}
