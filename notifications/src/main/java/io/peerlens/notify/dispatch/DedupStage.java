package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.NotificationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Dedup: what a target hears now, from what it has heard of the alert before. The rules of that are
 * in {@link Flow}; here is what they depend on.
 */
final class DedupStage {

  private final Flow flow;

  DedupStage(Flow flow) {
    this.flow = flow;
  }

  /** Decides, and notes how things stand then. */
  Decision decide(Batch batch, Route route, List<MuteReason> muted) {
    StateRow state = route.state;
    NotificationRule rule = route.rule;
    Match match = route.match;
    boolean wasTaken = state.isTaken();
    Facts facts =
        rule == null || match == null
            ? withoutRule(batch, route)
            : facts(batch, route, rule, match, muted);
    Decision decision = flow.next(state.current, route.item.arrival, facts, batch.now);
    if (!wasTaken && rule != null) {
      state.sendingRule = SendingRule.of(rule);
    }
    state.current = decision.after();
    return decision;
  }

  private static Facts facts(
      Batch batch, Route route, NotificationRule rule, Match match, List<MuteReason> muted) {
    Item item = route.item;
    NotificationContext context = route.context;
    Set<String> events = rule.criteria().events();
    Instant openSince =
        item.arrival.kind() == Arrival.Kind.NEW
            ? item.at
            : Instant.ofEpochMilli(context.startTime(item.at.toEpochMilli()));
    boolean wantsNew = wants(events, EventType.NEW);
    return new Facts(
        match.isAbout(),
        match.words(),
        match.wantsEvent(),
        wantsNew,
        wants(events, EventType.CANCEL),
        context.controlState().equals("ASSIGNED"),
        rule.group() != null || isStorm(batch, route.target),
        rule.delay(),
        rule.resend(),
        openSince,
        muted,
        wantsNew ? opening(batch, route) : Fate.LEFT);
  }

  private static boolean wants(Set<String> events, EventType type) {
    return events.isEmpty() || events.contains(type.name());
  }

  private static Fate opening(Batch batch, Route route) {
    return batch.opening(route.target.id(), route.item.alert);
  }

  private static boolean isStorm(Batch batch, Target target) {
    Integer digestAfter = target.digestAfter();
    return digestAfter != null && batch.recent.getOrDefault(target.id(), 0) >= digestAfter;
  }

  private static Facts withoutRule(Batch batch, Route route) {
    return new Facts(
        false,
        "the rule is gone",
        true,
        true,
        true,
        false,
        false,
        Duration.ZERO,
        null,
        route.item.at,
        List.of(),
        opening(batch, route));
  }
}
