package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.render.NotificationContext;
import org.jspecify.annotations.Nullable;

/** Route of an item to one target, through the rule that takes it. For one thread. */
final class Route {

  final Item item;
  final NotificationContext context;

  /** Null = the rule by which the target was notified is gone, or names other targets now. */
  final @Nullable NotificationRule rule;

  /** Null = there is no rule. */
  final @Nullable Match match;

  final Target target;
  final StateRow state;
  final Trace trace;

  /** How things stood before it was decided on. */
  final NotificationState before;

  Route(
      Item item,
      NotificationContext context,
      @Nullable NotificationRule rule,
      @Nullable Match match,
      Target target,
      StateRow state,
      Trace trace) {
    this.item = item;
    this.context = context;
    this.rule = rule;
    this.match = match;
    this.target = target;
    this.state = state;
    this.trace = trace;
    this.before = state.current;
  }
}
