package io.peerlens.notify.flow;

import io.peerlens.notify.context.EventType;
import io.peerlens.notify.flow.Decision.InGroup;
import io.peerlens.notify.flow.Facts.Opening;
import io.peerlens.notify.rule.NotificationRule.Resend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what a target is told of alerts that are told together. A group is told as one alert would
 * be: NEW some time after its first alert, UPDATE not more often than its interval, CANCEL as soon
 * as none of its alerts is open.
 */
public final class GroupFlow {

  private final Flow flow;

  /** Groups that go by the times of a flow. */
  public GroupFlow(Flow flow) {
    this.flow = flow;
  }

  /**
   * How a group is told.
   *
   * @param hold from its first alert
   * @param interval at least so long between notifications
   * @param linger how long a group that was told waits for others when none of its alerts is open
   */
  public record Pace(Duration hold, Duration interval, Duration linger, @Nullable Resend resend) {

    /** The end is told at once. */
    public Pace(Duration hold, Duration interval, @Nullable Resend resend) {
      this(hold, interval, Duration.ZERO, resend);
    }
  }

  /**
   * What was decided.
   *
   * @param tell what the target is told; null = nothing
   * @param isOver whether the group is no more
   * @param dropsWaiting whether what waits to be sent about it is dropped
   */
  public record GroupDecision(
      GroupStanding after,
      Decision.@Nullable Tell tell,
      boolean isOver,
      boolean dropsWaiting,
      String words) {}

  /** An alert of the group does something. */
  public GroupStanding member(GroupStanding before, InGroup what, Pace pace, Instant now) {
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
    return new GroupStanding(before.told(), next, before.lastTold(), true, before.resends(), open);
  }

  /**
   * Time to look at a group.
   *
   * @param opening what became of the notification that told of the group first
   * @param isNews whether what has changed since it was told is worth telling; asked only where
   *     that decides
   */
  public GroupDecision look(
      GroupStanding before,
      Pace pace,
      List<MuteReason> holds,
      Opening opening,
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
    if (!before.told() || opening == Opening.LOST) {
      return tell(before, EventType.NEW, "opened", 0, pace, now, "told as NEW, together");
    }
    if (before.changed() && !isNews.getAsBoolean()) {
      Resend again = pace.resend();
      Instant next =
          again == null || again.max() > 0 && before.resends() >= again.max()
              ? null
              : now.plus(again.every());
      return nothing(
          new GroupStanding(true, next, before.lastTold(), false, before.resends(), before.open()),
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
      return nothing(before.dueAt(null), "it was told as often as the rule says");
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

  private static GroupDecision over(GroupStanding before, Opening opening) {
    if (!before.told()) {
      return new GroupDecision(before, null, true, false, "all of it was over before it was told");
    }
    return opening == Opening.LEFT
        ? new GroupDecision(
            before,
            new Decision.Tell(EventType.CANCEL, "canceled"),
            true,
            false,
            "none of its alerts is open any more")
        : new GroupDecision(before, null, true, true, "over before its NEW was sent");
  }

  private static GroupDecision nothing(GroupStanding after, String words) {
    return new GroupDecision(after, null, false, false, words);
  }

  private static GroupDecision tell(
      GroupStanding before,
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
        new GroupStanding(true, next, now, false, resends, before.open()),
        new Decision.Tell(event, change),
        false,
        false,
        words);
  }
}
