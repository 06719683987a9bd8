package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRule.Grouping;
import io.peerlens.notify.dispatch.AlertSource.OpenAlert;
import io.peerlens.notify.render.NotificationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Mute: the reasons for which a route is kept back now. These are a suspended alert, maintenance, a
 * silence, a quiet time of the rule, and inhibition by an alert above.
 */
final class MuteStage {

  private final ContextStage contexts;

  MuteStage(ContextStage contexts) {
    this.contexts = contexts;
  }

  /** The reasons; empty = nothing mutes it. */
  List<MuteReason> reasons(Batch batch, Route route) {
    NotificationRule rule = route.rule;
    if (rule == null) {
      return List.of(); // the end of an alert that a target was notified of is never muted
    }
    List<MuteReason> reasons = new ArrayList<>();
    String control = route.context.controlState();
    if (control.equals("SUSPENDED")) {
      reasons.add(new MuteReason(MuteReason.Kind.SUSPENDED, "the alert is suspended", null));
    } else if (control.equals("SUPPRESSED")) {
      reasons.add(
          new MuteReason(MuteReason.Kind.MAINTENANCE, "its object is in maintenance", null));
    }
    MuteReason silence = batch.active.silences().holding(route.context, batch.scopes, batch.now);
    if (silence != null) {
      reasons.add(silence);
    }
    reasons.addAll(quietTime(batch, rule));
    Grouping by = rule.group();
    // An incident says itself what its cause inhibits.
    if (route.state.current.phase() != Phase.TOLD && (by == null || !by.isByIncident())) {
      MuteReason inhibited = inhibited(batch, route);
      if (inhibited != null) {
        reasons.add(inhibited);
      }
    }
    return reasons;
  }

  /** The quiet time that a rule has now; empty = none, or the rule is gone. */
  static List<MuteReason> quietTime(Batch batch, @Nullable NotificationRule rule) {
    String quiet = rule == null ? null : rule.windows().quietAt(batch.now);
    return quiet == null
        ? List.of()
        : List.of(new MuteReason(MuteReason.Kind.QUIET_TIME, "the rule is " + quiet, null));
  }

  /** An alert above of the same impact, at least as severe, that the target was notified of. */
  private @Nullable MuteReason inhibited(Batch batch, Route route) {
    NotificationContext context = route.context;
    for (UUID above : contexts.inhibiting(context)) {
      for (OpenAlert open : batch.above.getOrDefault(above, List.of())) {
        StateRow of = batch.state(route.target.id(), open.id());
        boolean known =
            of != null && (of.current.phase() == Phase.TOLD || of.current.phase() == Phase.GROUPED);
        if (known
            && !open.id().equals(route.item.alert)
            && open.impact().equals(context.alert("impact"))
            && open.severity() >= context.severity()) {
          return new MuteReason(
              MuteReason.Kind.INHIBITED,
              "alert #%d (%s on %s) inhibits it"
                  .formatted(open.number(), open.name(), open.objectName()),
              null);
        }
      }
    }
    return null;
  }
}
