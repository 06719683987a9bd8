package io.peerlens.notify.pipeline;

import io.peerlens.database.Uuid7;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.QueueStore.Line;
import io.peerlens.notify.flow.Arrival;
import io.peerlens.notify.flow.Decision;
import io.peerlens.notify.flow.Facts;
import io.peerlens.notify.flow.Flow;
import io.peerlens.notify.flow.GroupFlow;
import io.peerlens.notify.flow.GroupFlow.Pace;
import io.peerlens.notify.flow.Hold;
import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.flow.Standing;
import io.peerlens.notify.match.Match;
import io.peerlens.notify.pipeline.InForce.RuleInForce;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.pipeline.InhibitionQueries.OpenAlert;
import io.peerlens.notify.rule.NotificationRule;
import io.peerlens.notify.rule.NotificationRule.Grouping;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Goes through the rules with one item after the other, and says who is told what. */
final class FlowStage {

  /** What is told in place of single alerts while they come too fast. */
  static final String DIGEST = "digest";

  private static final Pace DIGEST_PACE =
      new Pace(Duration.ofSeconds(30), Duration.ofMinutes(1), null);

  /** An incident is over when none of its alerts was open for this long; so is its group. */
  private static final Duration INCIDENT_LINGER = Duration.ofMinutes(10);

  private static final String OF_INCIDENT = "incident=";
  private static final String OF_ALERT = "alert=";

  /** What waits for a target that is disabled is looked at again after this. */
  private static final Duration DISABLED = Duration.ofMinutes(1);

  private static final List<String> CRITICALITIES =
      List.of("INFORMATION", "WARNING", "IMMEDIATE", "CRITICAL");

  private final Flow flow;
  private final GroupFlow groupFlow;
  private final Standings standings;
  private final ContextStage contexts;
  private final RenderStage render;

  FlowStage(
      Flow flow,
      GroupFlow groupFlow,
      Standings standings,
      ContextStage contexts,
      RenderStage render) {
    this.flow = flow;
    this.groupFlow = groupFlow;
    this.standings = standings;
    this.contexts = contexts;
    this.render = render;
  }

  /** Decides on one item, for every rule and target. */
  void decide(Batch batch, Item item) {
    ObjectNode context = item.context;
    if (context != null) {
      decide(batch, item, context);
    }
    settle(batch, item);
  }

  /** What was due is not due any more, whatever became of it. */
  void settle(Batch batch, Item item) {
    if (item.target != null) {
      settle(batch, item.alert, item.target);
    }
  }

  /** What nobody has decided on, since its rule or target is gone, is not due for ever. */
  private static void settle(Batch batch, UUID alert, UUID target) {
    State state = batch.state(target, alert);
    Instant due = state == null ? null : state.standing.due();
    if (state == null || due == null || due.isAfter(batch.now)) {
      return;
    }
    Phase phase = state.standing.phase();
    if (!batch.inForce.targets().containsKey(target)) {
      state.standing = state.standing.dueAt(batch.now.plus(DISABLED));
    } else if (phase == Phase.DELAYED || phase == Phase.HELD) {
      state.standing = Standing.NONE;
    } else {
      state.standing = state.standing.dueAt(null);
    }
    state.changed = true;
  }

  private void decide(Batch batch, Item item, ObjectNode context) {
    Set<UUID> told = new HashSet<>(); // targets that a rule has taken
    boolean stopped = false;
    for (RuleInForce one : batch.inForce.rules()) {
      NotificationRule rule = one.rule();
      boolean owns = owns(batch, item, rule.id());
      if ((stopped || item.isDue()) && !owns) {
        continue;
      }
      Match match = one.matcher().match(context, batch.scopes);
      Trace trace = trace(batch, item, rule, match, owns);
      trace.history = item.history;
      if (match.isAbout() || owns) {
        for (UUID id : rule.targets()) {
          if (item.target == null || item.target.equals(id)) {
            target(batch, item, context, rule, match, id, told, trace);
          }
        }
        stopped |= !rule.goesOn();
      }
      if (!item.isDue() || !trace.targets.isEmpty()) {
        batch.traces.add(trace);
      }
    }
    withoutRule(batch, item, context, told);
  }

  /** Whether a target knows the alert, or is about to, through a rule. */
  private static boolean owns(Batch batch, Item item, UUID rule) {
    return batch.states(item.alert).stream()
        .anyMatch(
            state ->
                state.isTaken()
                    && state.teller.rule().equals(rule)
                    && batch.inForce.targets().containsKey(state.target));
  }

  private static Trace trace(
      Batch batch, Item item, NotificationRule rule, Match match, boolean owns) {
    String words =
        match.matches()
            ? "the rule takes it"
            : owns && !match.isAbout()
                ? "the rule has told of it before; " + match.words()
                : match.words();
    return new Trace(
        batch.now,
        item.alert,
        item.isLook() ? "LOOK" : item.arrival.kind().name(),
        item.arrival.change(),
        rule.id(),
        rule.name(),
        match.matches() || owns,
        words,
        match.checks());
  }

  private void target(
      Batch batch,
      Item item,
      ObjectNode context,
      NotificationRule rule,
      Match match,
      UUID id,
      Set<UUID> told,
      Trace trace) {
    Target target = batch.inForce.targets().get(id);
    if (target == null) {
      trace.targets.add(
          new Trace.OfTarget(id, id.toString(), "nothing", "the target is disabled or gone", null));
      return;
    }
    if (item.foreign && isItself(context, id)) {
      trace.targets.add(
          new Trace.OfTarget(
              id, target.name(), "nothing", "nobody is told of its own failure", null));
      return;
    }
    State known = batch.state(id, item.alert);
    if (told.contains(id)
        || known != null && known.isTaken() && !known.teller.rule().equals(rule.id())) {
      String by = known == null ? "another rule" : known.teller.ruleName();
      trace.targets.add(
          new Trace.OfTarget(id, target.name(), "nothing", "told by the rule " + by, null));
      return;
    }
    Teller teller = Teller.of(rule);
    State state = known == null ? new State(id, item.alert, teller) : known;
    if (state.standing.phase() == Phase.GROUPED
        && item.arrival.kind() != Arrival.Kind.CANCEL
        && state.teller.rule().equals(rule.id())) {
      regroup(batch, item.alert, context, rule, target, state);
    }
    Standing before = state.standing;
    boolean wasTaken = state.isTaken();
    Facts facts = facts(batch, item, context, rule, match, target, state);
    Decision decision = flow.next(before, item.arrival, facts, batch.now);
    if (!wasTaken) {
      state.teller = teller;
    }
    apply(batch, item, context, rule, target, state, decision, trace);
    if (state.isTaken() || wasTaken) {
      told.add(id);
    }
  }

  /** A notice about a target goes to other targets. */
  private static boolean isItself(JsonNode context, UUID target) {
    JsonNode object = context.path("object");
    return object.path("kind").asString("").equals("NotificationTarget")
        && object.path("id").asString("").equals(target.toString());
  }

  private void apply(
      Batch batch,
      Item item,
      ObjectNode context,
      @Nullable NotificationRule rule,
      Target target,
      State state,
      Decision decision,
      @Nullable Trace trace) {
    Standing before = state.standing;
    state.standing = decision.after();
    String words = decision.words();
    String outcome = Trace.OfTarget.of(target.id(), "", decision.outcome(), "", null).outcome();
    UUID delivery = null;
    if (decision.dropsWaiting()) {
      batch.drop(new Drop(new Line(target.id(), item.alert), true, words));
    }
    Decision.Tell tell = decision.tell();
    if (tell != null) {
      RenderStage.Made made = render.one(batch, context, target, state, tell);
      words = made.words() == null ? words : made.words();
      Draft draft = made.draft();
      if (draft != null) {
        batch.add(draft);
        delivery = draft.id();
      } else {
        outcome = "template-dropped";
        if (tell.event().equals("NEW")) {
          state.standing = Standing.NONE; // the target knows nothing of it
        }
      }
    }
    Decision.InGroup inGroup = decision.inGroup();
    if (inGroup != null) {
      group(batch, context, rule, target, state, inGroup);
    }
    state.changed |=
        !state.standing.equals(before) || tell != null || inGroup != null || item.isLook();
    if (state.standing.phase() != Phase.NONE || !before.equals(state.standing)) {
      batch.put(state);
    }
    boolean quietLook =
        item.isLook() && delivery == null && before.phase() == state.standing.phase();
    if (trace != null && !quietLook) {
      trace.targets.add(new Trace.OfTarget(target.id(), target.name(), outcome, words, delivery));
    }
  }

  private Facts facts(
      Batch batch,
      Item item,
      ObjectNode context,
      NotificationRule rule,
      Match match,
      Target target,
      State state) {
    JsonNode alert = context.path("alert");
    Set<String> events = rule.criteria().events();
    long start = alert.path("startTime").asLong(item.at.toEpochMilli());
    Instant openSince =
        item.arrival.kind() == Arrival.Kind.NEW ? item.at : Instant.ofEpochMilli(start);
    Facts.Opening opening =
        switch (batch.opening(target.id(), item.alert)) {
          case LEFT -> Facts.Opening.LEFT;
          case WAITS -> Facts.Opening.WAITS;
          case LOST -> Facts.Opening.LOST;
        };
    boolean wantsNew = events.isEmpty() || events.contains("NEW");
    return new Facts(
        match.isAbout(),
        match.words(),
        match.wantsEvent(),
        wantsNew,
        events.isEmpty() || events.contains("CANCEL"),
        alert.path("controlState").asString("").equals("ASSIGNED"),
        rule.group() != null || isStorm(batch, target),
        rule.delay(),
        rule.resend(),
        openSince,
        holds(batch, item, context, rule, target, state),
        wantsNew ? opening : Facts.Opening.LEFT);
  }

  private static boolean isStorm(Batch batch, Target target) {
    Integer digestAfter = target.digestAfter();
    return digestAfter != null && batch.recent.getOrDefault(target.id(), 0) >= digestAfter;
  }

  private List<Hold> holds(
      Batch batch,
      Item item,
      ObjectNode context,
      NotificationRule rule,
      Target target,
      State state) {
    List<Hold> holds = new ArrayList<>();
    String control = context.path("alert").path("controlState").asString("");
    if (control.equals("SUSPENDED")) {
      holds.add(new Hold(Hold.Kind.SUSPENDED, "the alert is suspended", null));
    } else if (control.equals("SUPPRESSED")) {
      holds.add(new Hold(Hold.Kind.MAINTENANCE, "its object is in maintenance", null));
    }
    Hold silence = batch.inForce.silences().holding(context, batch.scopes, batch.now);
    if (silence != null) {
      holds.add(silence);
    }
    String quiet = rule.windows().quietAt(batch.now);
    if (quiet != null) {
      holds.add(new Hold(Hold.Kind.QUIET_TIME, "the rule is " + quiet, null));
    }
    Grouping by = rule.group();
    // An incident says itself what its cause speaks for.
    if (state.standing.phase() != Phase.TOLD && (by == null || !by.isByIncident())) {
      Hold inhibited = inhibited(batch, item, context, target);
      if (inhibited != null) {
        holds.add(inhibited);
      }
    }
    return holds;
  }

  /** An alert above of the same impact, at least as severe, that the target was told of. */
  private @Nullable Hold inhibited(Batch batch, Item item, ObjectNode context, Target target) {
    JsonNode alert = context.path("alert");
    int severity = CRITICALITIES.indexOf(alert.path("criticality").asString("")) + 1;
    for (UUID above : contexts.speaking(context)) {
      for (OpenAlert open : batch.above.getOrDefault(above, List.of())) {
        State of = batch.state(target.id(), open.id());
        boolean known =
            of != null
                && (of.standing.phase() == Phase.TOLD || of.standing.phase() == Phase.GROUPED);
        if (known
            && !open.id().equals(item.alert)
            && open.impact().equals(alert.path("impact").asString(""))
            && open.severity() >= severity) {
          return new Hold(
              Hold.Kind.INHIBITED,
              "alert #%d (%s on %s) speaks for it"
                  .formatted(open.number(), open.name(), open.objectName()),
              null);
        }
      }
    }
    return null;
  }

  private void group(
      Batch batch,
      ObjectNode context,
      @Nullable NotificationRule rule,
      Target target,
      State state,
      Decision.InGroup what) {
    GroupState group;
    if (what == Decision.InGroup.JOINS) {
      Grouping by = rule == null ? null : rule.group();
      group =
          groupFor(
              batch, target, state.teller, by == null ? DIGEST : key(state.alert, context, by));
      state.group = group.id;
    } else {
      UUID id = state.group;
      group = id == null ? null : known(batch, id);
    }
    if (group == null) {
      state.group = null;
      return;
    }
    group.standing = groupFlow.member(group.standing, what, pace(rule, group), batch.now);
    if (what == Decision.InGroup.LEAVES && !group.standing.told()) {
      state.group = null; // nobody has heard of it
    }
  }

  /**
   * An alert that has come into an incident is told with it. Who was told of it alone before hears
   * of the incident as news of that; what was told with another incident stays there.
   */
  private void regroup(
      Batch batch,
      UUID alert,
      ObjectNode context,
      NotificationRule rule,
      Target target,
      State state) {
    Grouping by = rule.group();
    UUID id = state.group;
    GroupState group = id == null ? null : known(batch, id);
    if (by == null || !by.isByIncident() || group == null || group.key.equals(DIGEST)) {
      return;
    }
    String key = key(alert, context, by);
    if (key.equals(group.key)) {
      return;
    }
    if (!group.standing.told()) {
      Instant due = group.standing.due();
      group.standing =
          groupFlow.member(group.standing, Decision.InGroup.LEAVES, pace(rule, group), batch.now);
      GroupState next = groupFor(batch, target, state.teller, key);
      boolean first = next.standing.open() == 0 && !next.standing.told();
      next.standing =
          groupFlow.member(next.standing, Decision.InGroup.JOINS, pace(rule, next), batch.now);
      if (first) {
        next.standing = next.standing.dueAt(due);
      }
      state.group = next.id;
      state.changed = true;
    } else if (isOfIncident(key)
        && !isOfIncident(group.key)
        && stored(batch, target, state.teller, key) == null) {
      group.key = key;
      group.standing =
          groupFlow.member(group.standing, Decision.InGroup.CHANGES, pace(rule, group), batch.now);
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

  private static String key(UUID alert, ObjectNode context, Grouping by) {
    List<String> parts = new ArrayList<>();
    for (String path : by.by()) {
      if (path.equals(Grouping.INCIDENT)) {
        String name = context.path(Grouping.INCIDENT).path("name").asString("");
        parts.add(name.isEmpty() ? OF_ALERT + alert : OF_INCIDENT + name);
        continue;
      }
      JsonNode value = ContextPath.read(context, path);
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

  /** Who was told by a rule that is gone, or by one that names other targets now, hears the end. */
  private void withoutRule(Batch batch, Item item, ObjectNode context, Set<UUID> told) {
    if (item.arrival.kind() != Arrival.Kind.CANCEL) {
      return;
    }
    for (State state : batch.states(item.alert)) {
      Target target = batch.inForce.targets().get(state.target);
      if (target == null
          || !state.isTaken()
          || told.contains(target.id())
          || (item.target != null && !item.target.equals(target.id()))) {
        continue;
      }
      Facts facts =
          new Facts(
              false,
              "the rule is gone",
              true,
              true,
              true,
              false,
              false,
              Duration.ZERO,
              null,
              item.at,
              List.of(),
              Facts.Opening.valueOf(batch.opening(target.id(), item.alert).name()));
      Decision decision = flow.next(state.standing, item.arrival, facts, batch.now);
      Trace trace =
          new Trace(
              batch.now,
              item.alert,
              item.arrival.kind().name(),
              item.arrival.change(),
              state.teller.rule(),
              state.teller.ruleName(),
              true,
              "the rule is gone or names other targets now; who was told hears the end",
              List.of());
      apply(batch, item, context, null, target, state, decision, trace);
      batch.traces.add(trace);
    }
  }
}
