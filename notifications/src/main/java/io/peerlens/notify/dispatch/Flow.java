package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.dispatch.Decision.InGroup;
import io.peerlens.notify.dispatch.Decision.Outcome;
import io.peerlens.notify.render.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * State machine of the notifications of one alert for one target. It looks at nothing but its
 * arguments.
 *
 * <p>Four things hold whatever happens: a target hears of an alert first by NEW; there is never a
 * second NEW without CANCEL between; a CANCEL follows every NEW that has left, and nothing keeps it
 * back; what was over before its NEW had left is not told at all. (A rule that does not want events
 * of a kind is not told them.)
 */
public final class Flow {

  private final Damping damping;
  private final Duration look;

  /**
   * A flow.
   *
   * @param look what is kept back without a known end is looked at again after this
   */
  public Flow(Damping damping, Duration look) {
    this.damping = damping;
    this.look = look;
  }

  /**
   * Damping of alerts that flap.
   *
   * @param openings so many openings within the window make an alert flap
   * @param lasting a flapping alert is sent when it has lasted for this
   */
  public record Damping(int openings, Duration window, Duration lasting) {}

  /** Decides. */
  public Decision next(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    return switch (before.phase()) {
      case NONE, OVER -> unknown(before, arrival, facts, now);
      case DELAYED, HELD -> waiting(before, arrival, facts, now);
      case GROUPED -> grouped(before, arrival, facts);
      case TOLD -> told(before, arrival, facts, now);
    };
  }

  private Decision unknown(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    return switch (arrival.kind()) {
      case CANCEL -> Decision.of(before, Outcome.NEVER_OPENED, "it was never sent");
      case LOOK -> Decision.of(before, Outcome.NOTHING, "nothing is due");
      case NEW, UPDATE ->
          facts.isAbout()
              ? begin(before, arrival, facts, now)
              : Decision.of(before, Outcome.NOTHING, facts.about());
    };
  }

  private Decision begin(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    boolean flaps = recent(before, now).size() >= damping.openings();
    Duration wait = flaps ? longer(facts.delay(), damping.lasting()) : facts.delay();
    Instant until = facts.openSince().plus(wait);
    if (now.isBefore(until)) {
      NotificationState delayed = before.waiting(Phase.DELAYED, until);
      return flaps
          ? Decision.of(
              delayed,
              Outcome.DAMPED,
              "it comes and goes (%d times within %s), so it has to last until %s"
                  .formatted(recent(before, now).size(), words(damping.window()), until))
          : Decision.of(
              delayed,
              Outcome.DELAYED,
              "the rule waits %s, until %s".formatted(words(wait), until));
    }
    return open(before, arrival, facts, now);
  }

  private Decision open(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    if (!facts.muted().isEmpty()) {
      return Decision.of(
          before.waiting(Phase.HELD, lookAgain(facts, now)), Outcome.HELD, facts.mutedWords());
    }
    if (facts.isGrouped()) {
      return Decision.group(before.grouped(), InGroup.JOINS, "it is sent together with others");
    }
    List<Instant> openings = new ArrayList<>(recent(before, now));
    openings.add(now);
    NotificationState opened = before.opened(resend(facts.resend(), 0, now), now, openings);
    if (!facts.wantsNew()) {
      return arrival.kind() == Arrival.Kind.UPDATE && facts.wants()
          ? Decision.tell(opened, EventType.UPDATE, arrival.change(), "the rule wants no NEW")
          : Decision.of(opened, Outcome.NOTHING, "the rule wants no NEW");
    }
    String change = arrival.kind() == Arrival.Kind.LOOK ? "opened" : arrival.change();
    return Decision.tell(opened, EventType.NEW, change, "sent as NEW");
  }

  private Decision waiting(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    boolean delayed = before.phase() == Phase.DELAYED;
    if (arrival.kind() == Arrival.Kind.CANCEL) {
      return Decision.of(
          before.over(),
          Outcome.NEVER_OPENED,
          delayed ? "canceled before the delay was over" : "canceled while it was held");
    }
    if (!facts.isAbout()) {
      return Decision.of(before.over(), Outcome.NOTHING, facts.about());
    }
    Instant due = before.due();
    if (delayed && due != null && now.isBefore(due)) {
      return Decision.of(before, Outcome.DELAYED, "the rule waits until " + due);
    }
    return open(before, arrival, facts, now);
  }

  private static Decision grouped(NotificationState before, Arrival arrival, Facts facts) {
    return switch (arrival.kind()) {
      case CANCEL ->
          Decision.group(before.over(), InGroup.LEAVES, "its group decides that it is over");
      case NEW, UPDATE ->
          facts.wants()
              ? Decision.group(before, InGroup.CHANGES, "its group decides")
              : Decision.of(before, Outcome.NOTHING, "the rule does not want such updates");
      case LOOK -> Decision.of(before, Outcome.NOTHING, "its group is looked at");
    };
  }

  private Decision told(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    return switch (arrival.kind()) {
      case CANCEL -> cancel(before, arrival, facts);
      case NEW, UPDATE -> update(before, arrival, facts, now);
      case LOOK -> look(before, arrival, facts, now);
    };
  }

  private static Decision cancel(NotificationState before, Arrival arrival, Facts facts) {
    if (facts.opening() != Fate.LEFT) {
      String words =
          facts.opening() == Fate.WAITS
              ? "canceled before its NEW was sent, so both are dropped"
              : "its NEW never arrived, so its end is not sent";
      return new Decision(before.over(), Outcome.NEVER_OPENED, null, null, true, words);
    }
    return facts.wantsCancel()
        ? Decision.tell(before.over(), EventType.CANCEL, arrival.change(), "its opening was sent")
        : Decision.of(before.over(), Outcome.NOTHING, "the rule wants no CANCEL");
  }

  private Decision update(NotificationState before, Arrival arrival, Facts given, Instant now) {
    if (given.opening() == Fate.LOST) {
      return anew(before, arrival, given, now);
    }
    if (!given.wants()) {
      return Decision.of(before, Outcome.NOTHING, "the rule does not want such updates");
    }
    boolean saysSo = arrival.change().equals("suspended") || arrival.change().equals("suppressed");
    Facts facts =
        saysSo ? given.without(MuteReason.Kind.SUSPENDED, MuteReason.Kind.MAINTENANCE) : given;
    if (!facts.muted().isEmpty()) {
      return Decision.of(
          before.keeping(arrival.change(), lookAgain(facts, now)),
          Outcome.HELD,
          facts.mutedWords());
    }
    return Decision.tell(
        before.told(resend(facts.resend(), before.resends(), now), now, before.resends()),
        EventType.UPDATE,
        arrival.change(),
        "sent as an update");
  }

  /** Its NEW was given up, so the target knows nothing of it. */
  private Decision anew(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    return facts.isAbout()
        ? begin(before.over(), arrival, facts, now)
        : Decision.of(
            before.over(), Outcome.NOTHING, "its NEW never arrived, and now: " + facts.about());
  }

  private Decision look(NotificationState before, Arrival arrival, Facts facts, Instant now) {
    Instant due = before.due();
    if (due == null || now.isBefore(due)) {
      return Decision.of(before, Outcome.NOTHING, "nothing is due");
    }
    if (facts.opening() == Fate.LOST) {
      return anew(before, arrival, facts, now);
    }
    if (!facts.muted().isEmpty()) {
      return Decision.of(before.dueAt(lookAgain(facts, now)), Outcome.HELD, facts.mutedWords());
    }
    String kept = before.kept();
    if (kept != null) {
      return Decision.tell(
          before.told(resend(facts.resend(), before.resends(), now), now, before.resends()),
          EventType.UPDATE,
          kept,
          "nothing mutes it any more");
    }
    Resend resend = facts.resend();
    if (resend == null || resend.max() > 0 && before.resends() >= resend.max()) {
      return Decision.of(
          before.dueAt(null), Outcome.NOTHING, "it was sent as often as the rule allows");
    }
    if (facts.acknowledged()) {
      return Decision.of(
          before.dueAt(now.plus(resend.every())),
          Outcome.NOTHING,
          "it is acknowledged, so it is not sent again");
    }
    int times = before.resends() + 1;
    return Decision.tell(
        before.told(resend(resend, times, now), now, times),
        EventType.UPDATE,
        "resend",
        "the rule tells it again every " + words(resend.every()));
  }

  private static @Nullable Instant resend(@Nullable Resend resend, int times, Instant now) {
    return resend == null || resend.max() > 0 && times >= resend.max()
        ? null
        : now.plus(resend.every());
  }

  private Instant lookAgain(Facts facts, Instant now) {
    return lookAgain(facts.mutedUntil(), now);
  }

  /** Soon enough to notice that a silence was lifted, and at once when one ends. */
  Instant lookAgain(@Nullable Instant end, Instant now) {
    Instant latest = now.plus(look);
    return end == null || !end.isAfter(now) || end.isAfter(latest) ? latest : end;
  }

  private List<Instant> recent(NotificationState before, Instant now) {
    Instant from = now.minus(damping.window());
    return before.openings().stream().filter(opening -> opening.isAfter(from)).toList();
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  static String words(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
