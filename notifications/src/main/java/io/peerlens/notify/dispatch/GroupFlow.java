package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.dispatch.Decision.InGroup;
import io.peerlens.notify.render.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State machine of the notifications of a group of alerts for one target. A group is sent as one
 * alert would be: NEW some time after its first alert, UPDATE not more often than its interval,
 * CANCEL as soon as none of its alerts is open.
 */
public final class GroupFlow {

  private final Flow flow;

  /** Groups that go by the times of a flow. */
  public GroupFlow(Flow flow) {
    this.flow = flow;
  }

  /**
   * Pace of a group's notifications.
   *
   * @param hold from its first alert
   * @param interval at least so long between notifications
   * @param linger how long a group that was sent waits for others when none of its alerts is open
   */
  public record Pace(Duration hold, Duration interval, Duration linger, @Nullable Resend resend) {

    /** A pace at which the end is sent at once. */
    public Pace(Duration hold, Duration interval, @Nullable Resend resend) {
      this(hold, interval, Duration.ZERO, resend);
    }
  }

  /**
   * Decision on a group.
   *
   * @param tell the notification to send; null = none
   * @param isOver whether the group is no more
   * @param dropsWaiting whether what waits to be sent about it is dropped
   */
  public record GroupDecision(
      GroupState after,
      Decision.@Nullable Tell tell,
      boolean isOver,
      boolean dropsWaiting,
      String words) {}

  /** An alert of the group does something. */
  public GroupState member(GroupState before, InGroup what, Pace pace, Instant now) {
    int open =
        switch (what) {
          case JOINS -> before.open() + 1;
          case LEAVES -> before.open() - 1;
          case CHANGES -> before.open();
        };
    Instant due = before.due();
    Instant next;
    if (open == 0) {
      next = before.told() ? now.plus(pace.linger()) : now;
    } else if (!before.told()) {
      next = due == null ? now.plus(pace.hold()) : due;
    } else {
      Instant last = before.lastTold();
      Instant earliest = last == null ? now : last.plus(pace.interval());
      Instant soon = earliest.isBefore(now) ? now : earliest;
      next = due == null || soon.isBefore(due) || !before.changed() ? soon : due;
    }
    return new GroupState(before.told(), next, before.lastTold(), true, before.resends(), open);
  }

  /**
   * Time to look at a group.
   *
   * @param opening what became of the notification that told of the group first
   * @param isNews whether what has changed since the last notification is worth another; asked only
   *     where that decides
   */
  public GroupDecision look(
      GroupState before,
      Pace pace,
      List<MuteReason> holds,
      Fate opening,
      BooleanSupplier isNews,
      Instant now) {
    Instant due = before.due();
    if (due == null || now.isBefore(due)) {
      return nothing(before, "nothing is due");
    }
    if (before.open() == 0) {
      return over(before, opening);
    }
    if (!holds.isEmpty()) {
      return nothing(
          before.dueAt(flow.lookAgain(holds.getFirst().until(), now)),
          holds.stream().map(MuteReason::words).reduce((a, b) -> a + "; " + b).orElse(""));
    }
    if (!before.told() || opening == Fate.LOST) {
      return tell(before, EventType.NEW, "opened", 0, pace, now, "sent as NEW, together");
    }
    if (before.changed() && !isNews.getAsBoolean()) {
      Resend again = pace.resend();
      Instant next =
          again == null || again.max() > 0 && before.resends() >= again.max()
              ? null
              : now.plus(again.every());
      return nothing(
          new GroupState(true, next, before.lastTold(), false, before.resends(), before.open()),
          "no severity rose, and no other kind of object was hit");
    }
    if (before.changed()) {
      return tell(
          before,
          EventType.UPDATE,
          "members",
          before.resends(),
          pace,
          now,
          "alerts came, changed or ended");
    }
    Resend resend = pace.resend();
    if (resend == null || resend.max() > 0 && before.resends() >= resend.max()) {
      return nothing(before.dueAt(null), "it was sent as often as the rule allows");
    }
    return tell(
        before,
        EventType.UPDATE,
        "resend",
        before.resends() + 1,
        pace,
        now,
        "the rule tells it again every " + Flow.words(resend.every()));
  }

  private static GroupDecision over(GroupState before, Fate opening) {
    if (!before.told()) {
      return new GroupDecision(before, null, true, false, "all of it ended before it was sent");
    }
    return opening == Fate.LEFT
        ? new GroupDecision(
            before,
            new Decision.Tell(EventType.CANCEL, "canceled"),
            true,
            false,
            "none of its alerts is open any more")
        : new GroupDecision(before, null, true, true, "over before its NEW was sent");
  }

  private static GroupDecision nothing(GroupState after, String words) {
    return new GroupDecision(after, null, false, false, words);
  }

  private static GroupDecision tell(
      GroupState before,
      EventType event,
      String change,
      int resends,
      Pace pace,
      Instant now,
      String words) {
    Resend resend = pace.resend();
    Instant next =
        resend == null || resend.max() > 0 && resends >= resend.max()
            ? null
            : now.plus(resend.every());
    return new GroupDecision(
        new GroupState(true, next, now, false, resends, before.open()),
        new Decision.Tell(event, change),
        false,
        false,
        words);
  }
}
