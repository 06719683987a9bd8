package io.peerlens.alert;

import java.util.List;

/**
 * Changes of all alerts and of those that wait, at a tick.
 *
 * @param alerts at most one for each alert
 * @param pending conditions that hold for longer than before, but not yet for long enough
 * @param forgotten pending ones that hold no more, or have become alerts
 */
record Transitions(List<Transition> alerts, List<Pending> pending, List<AlertKey> forgotten) {

  Transitions {
    alerts = List.copyOf(alerts);
    pending = List.copyOf(pending);
    forgotten = List.copyOf(forgotten);
  }
}
