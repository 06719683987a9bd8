package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.EventType;
import io.peerlens.notify.context.NotificationContext;
import io.peerlens.notify.flow.Arrival;
import io.peerlens.notify.flow.Decision;
import io.peerlens.notify.flow.Facts;
import io.peerlens.notify.flow.Flow;
import io.peerlens.notify.flow.MuteReason;
import io.peerlens.notify.match.Match;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.rule.NotificationRule;
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
    State state = route.state;
    NotificationRule rule = route.rule;
    Match match = route.match;
    boolean wasTaken = state.isTaken();
    Facts facts =
        rule == null || match == null
            ? withoutRule(batch, route)
            : facts(batch, route, rule, match, muted);
    Decision decision = flow.next(state.standing, route.item.arrival, facts, batch.now);
    if (!wasTaken && rule != null) {
      state.teller = Teller.of(rule);
    }
    state.standing = decision.after();
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
        wantsNew ? opening(batch, route) : Facts.Opening.LEFT);
  }

  private static boolean wants(Set<String> events, EventType type) {
    return events.isEmpty() || events.contains(type.name());
  }

  private static Facts.Opening opening(Batch batch, Route route) {
    return Facts.Opening.valueOf(batch.opening(route.target.id(), route.item.alert).name());
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
