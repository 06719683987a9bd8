package io.peerlens.alert;

import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.maintenance.Maintenance;
import io.peerlens.threshold.Severity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State machine of alerts, from one tick to the next. It looks at nothing but its arguments, so a
 * process that takes over a shard goes on exactly where the last one was.
 *
 * <p>A tick goes through the findings of every definition that is due, then through the alerts that
 * did not fire, then settles what has nothing to do with findings: definitions that are gone,
 * objects that are gone or were removed, maintenance that begins or ends, suspensions whose time
 * has come.
 *
 * <p>An alert that fires again soon after its end is the same alert, unless somebody canceled it.
 * When it has opened often enough within that time it flaps: it stays open, and nobody is notified
 * of its coming and going, until it was quiet for as long.
 */
final class AlertStateMachine {

  /** An alert that opens so often within the flap window flaps. */
  static final int FLAPPING_OPENINGS = 3;

  private final Duration flapWindow;

  /**
   * A state machine.
   *
   * @param flapWindow for how long a canceled alert may open again
   */
  AlertStateMachine(Duration flapWindow) {
    this.flapWindow = flapWindow;
  }

  /** What a tick changes. */
  Transitions next(TickInput present, Collection<Outcome> outcomes, Instant tick) {
    return new Step(present, tick).run(outcomes);
  }

  /** Whether a canceled alert can be forgotten, since it cannot open again. */
  boolean isOver(AlertState alert, Instant tick) {
    return alert.canceledAt() != null
        && (alert.cancelReason() == CancelReason.BY_HAND
            || alert.canceledAt().plus(flapWindow).isBefore(tick));
  }

  /** The id follows from what the alert is about, so a tick that is tried again finds the same. */
  private static UUID id(AlertKey key, Instant tick) {
    String name = key.definition() + " " + key.objectId() + " " + tick;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** One tick. */
  private final class Step {
    private final TickInput present;
    private final Instant tick;
    private final Map<UUID, Map<Integer, AlertState>> byDefinition = new HashMap<>();
    private final Map<UUID, List<Pending>> pendingOf = new HashMap<>();
    private final List<Transition> transitions = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private final List<AlertKey> forgotten = new ArrayList<>();

    Step(TickInput present, Instant tick) {
      this.present = present;
      this.tick = tick;
      present
          .alerts()
          .forEach(
              (key, alert) ->
                  byDefinition
                      .computeIfAbsent(key.definition(), d -> new HashMap<>())
                      .put(key.objectId(), alert));
      present
          .pending()
          .values()
          .forEach(
              one ->
                  pendingOf
                      .computeIfAbsent(one.key().definition(), d -> new ArrayList<>())
                      .add(one));
    }

    Transitions run(Collection<Outcome> outcomes) {
      Set<UUID> due = new HashSet<>();
      for (Outcome outcome : outcomes) {
        due.add(outcome.definition());
        outcome(outcome);
      }
      for (AlertState alert : present.alerts().values()) {
        if (!due.contains(alert.key().definition())) {
          notDue(alert);
        }
      }
      for (Pending one : present.pending().values()) {
        if (!due.contains(one.key().definition())
            && present.retired().apply(one.key().definition()) != null) {
          forgotten.add(one.key());
        }
      }
      return new Transitions(transitions, pending, forgotten);
    }

    private void outcome(Outcome outcome) {
      Map<Integer, AlertState> alerts = byDefinition.getOrDefault(outcome.definition(), Map.of());
      outcome
          .fires()
          .forEach(
              (object, finding) -> {
                AlertState alert = alerts.get(object);
                if (alert != null && alert.isOpen()) {
                  continues(new Draft(alert), finding);
                } else if (!finding.unknown() && present.ended().apply(object) == null) {
                  begins(outcome, new AlertKey(outcome.definition(), object), alert, finding);
                }
              });
      for (AlertState alert : alerts.values()) {
        if (alert.isOpen() && !outcome.fires().containsKey(alert.key().objectId())) {
          doesNotFire(new Draft(alert), outcome);
        }
      }
      for (Pending one : pendingOf.getOrDefault(outcome.definition(), List.of())) {
        int object = one.key().objectId();
        if (!outcome.fires().containsKey(object)
            && tick.isAfter(one.lastTick())
            && outcome.others().apply(object) != Verdict.UNKNOWN) {
          forgotten.add(one.key());
        }
      }
    }

    /**
     * The alert of a definition that is not due; only what has nothing to do with it is settled.
     */
    private void notDue(AlertState alert) {
      if (!alert.isOpen()) {
        return;
      }
      Draft draft = new Draft(alert);
      CancelReason retired = present.retired().apply(alert.key().definition());
      CancelReason ended = ended(alert);
      if (retired != null) {
        draft.cancel(retired);
      } else if (ended != null) {
        draft.cancel(ended);
      } else {
        draft.settle();
      }
      draft.finish(null);
    }

    /** Why an alert ends, whatever was found; null = it does not. */
    private @Nullable CancelReason ended(AlertState alert) {
      CancelReason ended = present.ended().apply(alert.key().objectId());
      return ended == null && present.unwanted().contains(alert.id())
          ? CancelReason.BY_HAND
          : ended;
    }

    private void continues(Draft draft, Finding finding) {
      CancelReason ended = ended(draft.before);
      if (ended != null) {
        draft.cancel(ended);
        draft.finish(null);
        return;
      }
      boolean changed = false;
      if (draft.counts()) {
        draft.nextStatus();
        draft.quiet = 0;
        draft.quietSince = null;
        draft.unknown = finding.unknown();
        changed = draft.take(finding);
      }
      draft.settle();
      draft.finish(changed ? finding : null);
    }

    private void doesNotFire(Draft draft, Outcome outcome) {
      AlertState alert = draft.before;
      CancelReason ended = ended(alert);
      if (ended != null) {
        draft.cancel(ended);
      } else if (draft.counts()) {
        draft.nextStatus();
        switch (outcome.others().apply(alert.key().objectId())) {
          case OUT_OF_SCOPE -> draft.cancel(CancelReason.OUT_OF_SCOPE);
          case UNKNOWN -> draft.unknown = true;
          case CLEAR -> {
            draft.unknown = false;
            draft.isQuiet(outcome.cancelCycles());
          }
        }
      }
      draft.settle();
      draft.finish(null);
    }

    /** A finding without an open alert. */
    private void begins(
        Outcome outcome, AlertKey key, @Nullable AlertState alert, Finding finding) {
      Pending waiting = present.pending().get(key);
      boolean counted = waiting != null && !tick.isAfter(waiting.lastTick());
      if (counted || alert != null && !tick.isAfter(alert.lastTick())) {
        return;
      }
      int cycles = (waiting == null ? 0 : waiting.cycles()) + 1;
      if (cycles < outcome.waitCycles()) {
        pending.add(new Pending(key, cycles, tick));
        return;
      }
      if (waiting != null) {
        forgotten.add(key);
      }
      if (alert != null && !isOver(alert, tick)) {
        Draft draft = new Draft(alert);
        draft.reopen(finding);
        draft.settle();
        draft.finish(finding);
      } else {
        opens(key, finding);
      }
    }

    private void opens(AlertKey key, Finding finding) {
      Maintenance maintenance = present.maintenance().apply(key.objectId());
      AlertState opened =
          new AlertState(
              id(key, tick),
              key,
              AlertStatus.NEW,
              finding.severity(),
              finding.print(),
              finding.since(),
              tick,
              null,
              null,
              false,
              tick,
              0,
              null,
              List.of(tick),
              0,
              false,
              maintenance);
      List<Event> events =
          maintenance == null ? List.of(Event.OPENED) : List.of(Event.OPENED, Event.SUPPRESSED);
      transitions.add(new Transition(null, opened, events, finding));
    }

    /** An alert in the course of a tick. */
    private final class Draft {
      final AlertState before;
      private final List<Event> events = new ArrayList<>();
      private AlertStatus status;
      private Severity severity;
      private long members;
      private Instant since;
      private @Nullable Instant canceledAt;
      private @Nullable CancelReason cancelReason;
      boolean unknown;
      int quiet;
      @Nullable Instant quietSince;
      private List<Instant> openings;
      private int flaps;
      private boolean flapping;
      private @Nullable Maintenance maintenance;

      Draft(AlertState before) {
        this.before = before;
        status = before.status();
        severity = before.severity();
        members = before.members();
        since = before.since();
        canceledAt = before.canceledAt();
        cancelReason = before.cancelReason();
        unknown = before.unknown();
        quiet = before.quiet();
        quietSince = before.quietSince();
        openings = before.openings();
        flaps = before.flaps();
        flapping = before.flapping();
        maintenance = before.maintenance();
      }

      /** Whether this tick is not counted already. */
      boolean counts() {
        return tick.isAfter(before.lastTick());
      }

      void nextStatus() {
        status = AlertStatus.ACTIVE;
      }

      /**
       * Takes a finding over; says whether it differs from the last one. Samples that arrive late
       * show that data has been missing for less long; nobody is notified of that.
       */
      boolean take(Finding finding) {
        long found = finding.print();
        boolean otherSeverity = severity != finding.severity();
        boolean otherMembers = members != found;
        severity = finding.severity();
        members = found;
        if (otherSeverity) {
          events.add(Event.SEVERITY);
        } else if (otherMembers) {
          events.add(Event.MEMBERS);
        }
        if (otherSeverity || otherMembers) {
          status = AlertStatus.UPDATED;
        }
        boolean later = finding.silent() && finding.since().isAfter(since);
        if (later) {
          since = finding.since();
        }
        return otherSeverity || otherMembers || later;
      }

      void isQuiet(int cancelCycles) {
        if (flapping) {
          Instant first = quietSince == null ? tick : quietSince;
          quietSince = first;
          if (!tick.isBefore(first.plus(flapWindow))) {
            cancel(CancelReason.CLEARED);
          }
        } else {
          quiet++;
          if (quiet >= cancelCycles) {
            cancel(CancelReason.CLEARED);
          }
        }
      }

      void cancel(CancelReason reason) {
        status = AlertStatus.CANCELED;
        canceledAt = tick;
        cancelReason = reason;
        quiet = 0;
        quietSince = null;
        flapping = false;
        unknown = false;
        events.add(Event.CANCELED);
      }

      void reopen(Finding finding) {
        status = AlertStatus.UPDATED;
        severity = finding.severity();
        members = finding.print();
        since = finding.since();
        canceledAt = null;
        cancelReason = null;
        flaps++;
        List<Instant> recent = new ArrayList<>(openings);
        recent.removeIf(opening -> opening.plus(flapWindow).isBefore(tick));
        recent.add(tick);
        openings = recent;
        events.add(Event.REOPENED);
        if (recent.size() >= FLAPPING_OPENINGS) {
          flapping = true;
          events.add(Event.FLAPPING);
        }
      }

      /** Maintenance and suspension go by the clock, not by findings. */
      void settle() {
        if (status == AlertStatus.CANCELED) {
          return;
        }
        Maintenance now = present.maintenance().apply(before.key().objectId());
        if (maintenance == null && now != null) {
          events.add(Event.SUPPRESSED);
        } else if (maintenance != null && now == null) {
          events.add(Event.UNSUPPRESSED);
        }
        maintenance = now;
        Instant until = present.suspended().get(before.id());
        if (until != null && !until.isAfter(tick)) {
          events.add(Event.RESUMED);
        }
      }

      /** Notes what has changed, if anything has. */
      void finish(@Nullable Finding finding) {
        // What was only settled is not a tick that was counted.
        Instant lastTick = counts() && !sameLife() ? tick : before.lastTick();
        AlertState after =
            new AlertState(
                before.id(),
                before.key(),
                status,
                severity,
                members,
                since,
                before.openedAt(),
                canceledAt,
                cancelReason,
                unknown,
                lastTick,
                quiet,
                quietSince,
                openings,
                flaps,
                flapping,
                maintenance);
        if (!after.equals(before) || !events.isEmpty()) {
          transitions.add(new Transition(before, after, events, finding));
        }
      }

      private boolean sameLife() {
        return status == before.status()
            && severity == before.severity()
            && members == before.members()
            && since.equals(before.since())
            && unknown == before.unknown()
            && quiet == before.quiet()
            && Objects.equals(quietSince, before.quietSince());
      }
    }
  }
}
