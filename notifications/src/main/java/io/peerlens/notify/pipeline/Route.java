package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.NotificationContext;
import io.peerlens.notify.flow.Standing;
import io.peerlens.notify.match.Match;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.rule.NotificationRule;
import org.jspecify.annotations.Nullable;

/** Route of an item to one target, through the rule that takes it. For one thread. */
final class Route {

  final Item item;
  final NotificationContext context;

  /** Null = the rule by which the target was told is gone, or names other targets now. */
  final @Nullable NotificationRule rule;

  /** Null = there is no rule. */
  final @Nullable Match match;

  final Target target;
  final State state;
  final Trace trace;

  /** How things stood before it was decided on. */
  final Standing before;

  Route(
      Item item,
      NotificationContext context,
      @Nullable NotificationRule rule,
      @Nullable Match match,
      Target target,
      State state,
      Trace trace) {
    this.item = item;
    this.context = context;
    this.rule = rule;
    this.match = match;
    this.target = target;
    this.state = state;
    this.trace = trace;
    this.before = state.standing;
  }
}
