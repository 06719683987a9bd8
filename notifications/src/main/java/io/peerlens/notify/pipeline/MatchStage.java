package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.NotificationContext;
import io.peerlens.notify.flow.Arrival;
import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.flow.Standing;
import io.peerlens.notify.match.Match;
import io.peerlens.notify.pipeline.InForce.RuleInForce;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.rule.NotificationRule;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Match: which rules take an item, in their order, and for which targets. A target hears of an
 * alert through one rule only, the first that takes it.
 */
final class MatchStage {

  /** What waits for a target that is disabled is looked at again after this. */
  private static final Duration DISABLED = Duration.ofMinutes(1);

  /**
   * Finds the routes of an item, one after the other: which rule is the next depends on what became
   * of the route before.
   *
   * @param next takes a route to its end
   */
  void run(Batch batch, Item item, Consumer<Route> next) {
    NotificationContext context = item.context;
    if (context != null) {
      Set<UUID> told = new HashSet<>(); // targets that a rule has taken
      rules(batch, item, context, told, next);
      withoutRule(batch, item, context, told, next);
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

  private static void rules(
      Batch batch, Item item, NotificationContext context, Set<UUID> told, Consumer<Route> next) {
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
            Route route = route(batch, item, context, rule, match, id, told, trace);
            if (route != null) {
              boolean wasTaken = route.state.isTaken();
              next.accept(route);
              if (route.state.isTaken() || wasTaken) {
                told.add(id);
              }
            }
          }
        }
        stopped |= !rule.goesOn();
      }
      if (!item.isDue() || !trace.targets.isEmpty()) {
        batch.traces.add(trace);
      }
    }
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

  /** Null = the rule does not tell this target; the trace says why. */
  private static @Nullable Route route(
      Batch batch,
      Item item,
      NotificationContext context,
      NotificationRule rule,
      Match match,
      UUID id,
      Set<UUID> told,
      Trace trace) {
    Target target = batch.inForce.targets().get(id);
    if (target == null) {
      trace.nothing(id, id.toString(), "the target is disabled or gone");
      return null;
    }
    if (item.foreign && isItself(context, id)) {
      trace.nothing(id, target.name(), "nobody is told of its own failure");
      return null;
    }
    State known = batch.state(id, item.alert);
    if (told.contains(id)
        || known != null && known.isTaken() && !known.teller.rule().equals(rule.id())) {
      String by = known == null ? "another rule" : known.teller.ruleName();
      trace.nothing(id, target.name(), "told by the rule " + by);
      return null;
    }
    State state = known == null ? new State(id, item.alert, Teller.of(rule)) : known;
    return new Route(item, context, rule, match, target, state, trace);
  }

  /** A notice about a target goes to other targets. */
  private static boolean isItself(NotificationContext context, UUID target) {
    return context.objectKind().objectKind().equals("NotificationTarget")
        && target.equals(context.objectId());
  }

  /** Who was told by a rule that is gone, or by one that names other targets now, hears the end. */
  private static void withoutRule(
      Batch batch, Item item, NotificationContext context, Set<UUID> told, Consumer<Route> next) {
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
      next.accept(new Route(item, context, null, null, target, state, trace));
      batch.traces.add(trace);
    }
  }
}
