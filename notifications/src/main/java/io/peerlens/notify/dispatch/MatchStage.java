package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.dispatch.ActiveConfig.ActiveRule;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.render.NotificationContext;
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
    StateRow state = batch.state(target, alert);
    Instant due = state == null ? null : state.current.due();
    if (state == null || due == null || due.isAfter(batch.now)) {
      return;
    }
    Phase phase = state.current.phase();
    if (!batch.active.targets().containsKey(target)) {
      state.current = state.current.dueAt(batch.now.plus(DISABLED));
    } else if (phase == Phase.DELAYED || phase == Phase.HELD) {
      state.current = NotificationState.NONE;
    } else {
      state.current = state.current.dueAt(null);
    }
    state.changed = true;
  }

  private static void rules(
      Batch batch, Item item, NotificationContext context, Set<UUID> told, Consumer<Route> next) {
    boolean stopped = false;
    for (ActiveRule one : batch.active.rules()) {
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
        stopped |= !rule.continues();
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
                    && state.sendingRule.rule().equals(rule)
                    && batch.active.targets().containsKey(state.target));
  }

  private static Trace trace(
      Batch batch, Item item, NotificationRule rule, Match match, boolean owns) {
    String words =
        match.matches()
            ? "the rule takes it"
            : owns && !match.isAbout()
                ? "the rule has sent it before; " + match.words()
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
    Target target = batch.active.targets().get(id);
    if (target == null) {
      trace.nothing(id, id.toString(), "the target is disabled or gone");
      return null;
    }
    if (item.foreign && isItself(context, id)) {
      trace.nothing(id, target.name(), "a target is not notified of its own failure");
      return null;
    }
    StateRow known = batch.state(id, item.alert);
    if (told.contains(id)
        || known != null && known.isTaken() && !known.sendingRule.rule().equals(rule.id())) {
      String by = known == null ? "another rule" : known.sendingRule.ruleName();
      trace.nothing(id, target.name(), "sent by the rule " + by);
      return null;
    }
    StateRow state = known == null ? new StateRow(id, item.alert, SendingRule.of(rule)) : known;
    return new Route(item, context, rule, match, target, state, trace);
  }

  /** A notice about a target goes to other targets. */
  private static boolean isItself(NotificationContext context, UUID target) {
    return context.objectKind().objectKind().equals("NotificationTarget")
        && target.equals(context.objectId());
  }

  /**
   * A target that was notified by a rule that is gone, or that names other targets now, hears the
   * end.
   */
  private static void withoutRule(
      Batch batch, Item item, NotificationContext context, Set<UUID> told, Consumer<Route> next) {
    if (item.arrival.kind() != Arrival.Kind.CANCEL) {
      return;
    }
    for (StateRow state : batch.states(item.alert)) {
      Target target = batch.active.targets().get(state.target);
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
              state.sendingRule.rule(),
              state.sendingRule.ruleName(),
              true,
              "the rule is gone or names other targets now; a target that got the alert gets its end",
              List.of());
      next.accept(new Route(item, context, null, null, target, state, trace));
      batch.traces.add(trace);
    }
  }
}
