package io.peerlens.alert;

import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.maintenance.Maintenance;
import io.peerlens.threshold.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Runs the state machine tick by tick on one definition, as a shard does on many. */
final class Life {

  static final UUID DEFINITION = UUID.fromString("6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01");
  static final Duration FLAP_WINDOW = Duration.ofMinutes(30);
  static final Instant BEGIN = Instant.parse("2026-11-20T14:00:00Z");

  final AlertStateMachine machine = new AlertStateMachine(FLAP_WINDOW);
  final Map<AlertKey, AlertState> alerts = new HashMap<>();
  final Map<AlertKey, Pending> pending = new HashMap<>();
  final Map<UUID, Instant> suspended = new HashMap<>();
  final Set<UUID> unwanted = new HashSet<>();
  final Set<Integer> gone = new HashSet<>();
  final Set<Integer> removed = new HashSet<>();
  @Nullable Maintenance maintenance;
  @Nullable CancelReason retired;
  int waitCycles = 1;
  int cancelCycles = 1;
  Instant tick = BEGIN;

  /** Findings of the next tick, a minute later. */
  Transitions tick(Map<Integer, Finding> fires, Verdict others) {
    tick = tick.plusSeconds(60);
    return at(tick, fires, others);
  }

  Transitions at(Instant tick, Map<Integer, Finding> fires, Verdict others) {
    return at(tick, fires, object -> others);
  }

  Transitions at(Instant tick, Map<Integer, Finding> fires, IntFunction<Verdict> others) {
    return run(tick, List.of(new Outcome(DEFINITION, waitCycles, cancelCycles, fires, others)));
  }

  /** A tick at which the definition is not due. */
  Transitions notDue() {
    tick = tick.plusSeconds(5);
    return run(tick, List.of());
  }

  private Transitions run(Instant tick, List<Outcome> outcomes) {
    TickInput present =
        new TickInput(
            alerts,
            pending,
            definition -> retired,
            suspended,
            unwanted,
            object -> maintenance,
            object ->
                removed.contains(object)
                    ? CancelReason.OBJECT_REMOVED
                    : gone.contains(object) ? CancelReason.OBJECT_GONE : null);
    Transitions found = machine.next(present, outcomes, tick);
    found.alerts().forEach(transition -> apply(transition));
    found.forgotten().forEach(pending::remove);
    found.pending().forEach(one -> pending.put(one.key(), one));
    alerts.values().removeIf(alert -> machine.isOver(alert, tick));
    return found;
  }

  private void apply(Transition transition) {
    alerts.put(transition.after().key(), transition.after());
    if (transition.events().contains(Event.RESUMED)) {
      suspended.remove(transition.after().id());
    }
  }

  /** The events of a tick on object 1, in order. */
  List<Event> fires(Severity severity) {
    return events(tick(Map.of(1, finding(severity, 1)), Verdict.CLEAR));
  }

  List<Event> clear() {
    return events(tick(Map.of(), Verdict.CLEAR));
  }

  List<Event> unknown() {
    return events(tick(Map.of(), Verdict.UNKNOWN));
  }

  AlertState alert() {
    return Objects.requireNonNull(alerts.get(new AlertKey(DEFINITION, 1)));
  }

  static List<Event> events(Transitions transitions) {
    List<Event> events = new ArrayList<>();
    transitions.alerts().forEach(transition -> events.addAll(transition.events()));
    return events;
  }

  static Finding finding(Severity severity, int object, String... instances) {
    List<Member> members = new ArrayList<>();
    for (String instance : instances.length == 0 ? new String[] {""} : instances) {
      members.add(member(severity, object, instance, false));
    }
    return Finding.of(severity, members, BEGIN);
  }

  static Finding unknownFinding(Severity severity, int object) {
    return Finding.of(severity, List.of(member(severity, object, "", true)), BEGIN);
  }

  static Finding silence(Severity severity, int object, Instant lastSample) {
    return Finding.of(
        severity, List.of(member(severity, object, "", "no-data", lastSample, false)), BEGIN);
  }

  private static Member member(Severity severity, int object, String instance, boolean unknown) {
    return member(severity, object, instance, "gt", BEGIN, unknown);
  }

  static Member member(
      Severity severity,
      int object,
      String instance,
      String operator,
      Instant since,
      boolean unknown) {
    return new Member(
        DEFINITION,
        "CPU is high",
        object,
        instance,
        "cpu|usage_average",
        "%",
        severity,
        97,
        null,
        operator,
        90,
        Double.NaN,
        since,
        3,
        3,
        unknown);
  }
}
