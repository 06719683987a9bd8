package io.peerlens.notify.dispatch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Trace of what a rule made of an event, in the course of a batch. */
final class Trace {

  final Instant at;
  final UUID alert;
  final String event;
  final String change;
  final UUID rule;
  final String ruleName;
  final boolean matched;
  final String words;
  final List<Match.Check> checks;
  final List<OfTarget> targets = new ArrayList<>();

  /** Row of the alert's history that it is about; 0 = none. */
  long history;

  /** Outcome for one target; as the column {@code targets} has it. */
  record OfTarget(UUID id, String name, String outcome, String words, @Nullable UUID delivery) {}

  /** An outcome as the column has it. */
  static String label(Enum<?> outcome) {
    return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Notes that a target is not notified, and why. */
  void nothing(UUID target, String name, String why) {
    targets.add(new OfTarget(target, name, "nothing", why, null));
  }

  Trace(
      Instant at,
      UUID alert,
      String event,
      String change,
      UUID rule,
      String ruleName,
      boolean matched,
      String words,
      List<Match.Check> checks) {
    this.at = at;
    this.alert = alert;
    this.event = event;
    this.change = change;
    this.rule = rule;
    this.ruleName = ruleName;
    this.matched = matched;
    this.words = words;
    this.checks = checks;
  }
}
