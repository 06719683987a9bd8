package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.dispatch.Decision.InGroup;
import io.peerlens.notify.dispatch.Decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlowTest {

  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final MuteReason SILENCE =
      new MuteReason(MuteReason.Kind.SILENCE, "silenced until 10:00:20", T0.plusSeconds(20));
  private static final MuteReason SUSPENDED =
      new MuteReason(MuteReason.Kind.SUSPENDED, "suspended", null);

  private final Flow flow =
      new Flow(
          new Flow.Damping(3, Duration.ofMinutes(30), Duration.ofMinutes(5)),
          Duration.ofSeconds(30));

  private NotificationState at = NotificationState.NONE;
  private Duration delay = Duration.ZERO;
  private @Nullable Resend resend;
  private List<MuteReason> holds = List.of();
  private boolean isAbout = true;
  private boolean wants = true;
  private boolean wantsNew = true;
  private boolean wantsCancel = true;
  private boolean acknowledged;
  private boolean grouped;
  private Instant openSince = T0;
  private Fate opening = Fate.LEFT;

  @Test
  void anAlertIsSentAsNewThenUpdateThenCancel() {
    assertThat(arrives(0, Arrival.Kind.NEW, "opened")).isEqualTo("NEW opened");
    assertThat(arrives(5, Arrival.Kind.UPDATE, "severity")).isEqualTo("UPDATE severity");
    assertThat(arrives(9, Arrival.Kind.CANCEL, "canceled")).isEqualTo("CANCEL canceled");
    assertThat(at.phase()).isEqualTo(Phase.OVER);
  }

  @Test
  void anUpdateThatMakesARuleMatchIsSentAsNew() {
    isAbout = false;
    assertThat(arrives(0, Arrival.Kind.NEW, "opened")).isEqualTo("NOTHING");
    isAbout = true;
    assertThat(arrives(5, Arrival.Kind.UPDATE, "severity")).isEqualTo("NEW severity");
  }

  @Test
  void aTargetThatGotNewGetsTheRestThoughTheRuleNoLongerMatches() {
    arrives(0, Arrival.Kind.NEW, "opened");
    isAbout = false;
    assertThat(arrives(5, Arrival.Kind.UPDATE, "severity")).isEqualTo("UPDATE severity");
    assertThat(arrives(9, Arrival.Kind.CANCEL, "canceled")).isEqualTo("CANCEL canceled");
  }

  @Test
  void anAlertCanceledWithinTheDelayIsNotSent() {
    delay = Duration.ofSeconds(60);
    assertThat(arrives(0, Arrival.Kind.NEW, "opened")).isEqualTo("DELAYED");
    assertThat(at.due()).isEqualTo(T0.plusSeconds(60));
    assertThat(arrives(30, Arrival.Kind.UPDATE, "severity")).isEqualTo("DELAYED");
    assertThat(arrives(59, Arrival.Kind.CANCEL, "canceled")).isEqualTo("NEVER_OPENED");
    assertThat(words).isEqualTo("canceled before the delay was over");
  }

  @Test
  void theDelayRunsFromTheOpeningOfTheAlert() {
    delay = Duration.ofSeconds(60);
    isAbout = false;
    arrives(0, Arrival.Kind.NEW, "opened");
    isAbout = true;
    assertThat(arrives(40, Arrival.Kind.UPDATE, "severity")).isEqualTo("DELAYED");
    assertThat(at.due()).isEqualTo(T0.plusSeconds(60));
    assertThat(arrives(60, Arrival.Kind.LOOK, "")).isEqualTo("NEW opened");
  }

  @Test
  void aMutedAlertIsSentWhenTheMuteEnds() {
    holds = List.of(SILENCE);
    assertThat(arrives(0, Arrival.Kind.NEW, "opened")).isEqualTo("HELD");
    assertThat(at.due()).isEqualTo(T0.plusSeconds(20));
    assertThat(words).isEqualTo("silenced until 10:00:20");
    holds = List.of(SUSPENDED);
    assertThat(arrives(20, Arrival.Kind.LOOK, "")).isEqualTo("HELD");
    assertThat(at.due()).isEqualTo(T0.plusSeconds(50));
    holds = List.of();
    assertThat(arrives(50, Arrival.Kind.LOOK, "")).isEqualTo("NEW opened");
  }

  @Test
  void anAlertThatEndsWhileMutedIsNeverSent() {
    holds = List.of(SILENCE);
    arrives(0, Arrival.Kind.NEW, "opened");
    assertThat(arrives(10, Arrival.Kind.CANCEL, "canceled")).isEqualTo("NEVER_OPENED");
  }

  @Test
  void aCancelIsSentDespiteSilenceMaintenanceAndMutes() {
    arrives(0, Arrival.Kind.NEW, "opened");
    holds = List.of(SILENCE, SUSPENDED);
    assertThat(arrives(5, Arrival.Kind.UPDATE, "severity")).isEqualTo("HELD");
    assertThat(arrives(6, Arrival.Kind.UPDATE, "members")).isEqualTo("HELD");
    assertThat(arrives(9, Arrival.Kind.CANCEL, "canceled")).isEqualTo("CANCEL canceled");
  }

  @Test
  void mutedUpdatesBecomeOneWhenTheMuteEnds() {
    arrives(0, Arrival.Kind.NEW, "opened");
    holds = List.of(SILENCE);
    arrives(5, Arrival.Kind.UPDATE, "severity");
    arrives(6, Arrival.Kind.UPDATE, "members");
    holds = List.of();
    assertThat(arrives(20, Arrival.Kind.LOOK, "")).isEqualTo("UPDATE members");
    assertThat(at.due()).isNull();
  }

  @Test
  void theSuspensionOfAnAlertIsSentItself() {
    arrives(0, Arrival.Kind.NEW, "opened");
    holds = List.of(SUSPENDED);
    assertThat(arrives(5, Arrival.Kind.UPDATE, "suspended")).isEqualTo("UPDATE suspended");
    assertThat(arrives(6, Arrival.Kind.UPDATE, "severity")).isEqualTo("HELD");
  }

  @Test
  void anOpenAlertIsResentUpToTheMaximum() {
    resend = new Resend(Duration.ofMinutes(10), 2);
    arrives(0, Arrival.Kind.NEW, "opened");
    assertThat(at.due()).isEqualTo(T0.plusSeconds(600));
    assertThat(arrives(600, Arrival.Kind.LOOK, "")).isEqualTo("UPDATE resend");
    assertThat(arrives(900, Arrival.Kind.UPDATE, "severity")).isEqualTo("UPDATE severity");
    assertThat(at.due()).as("ten minutes after it was told last").isEqualTo(T0.plusSeconds(1500));
    assertThat(arrives(1500, Arrival.Kind.LOOK, "")).isEqualTo("UPDATE resend");
    assertThat(at.due()).as("no third time").isNull();
    assertThat(arrives(1600, Arrival.Kind.UPDATE, "severity")).isEqualTo("UPDATE severity");
    assertThat(at.due()).isNull();
  }

  @Test
  void anAcknowledgedAlertIsNotResent() {
    resend = new Resend(Duration.ofMinutes(10), 0);
    arrives(0, Arrival.Kind.NEW, "opened");
    acknowledged = true;
    assertThat(arrives(600, Arrival.Kind.LOOK, "")).isEqualTo("NOTHING");
    acknowledged = false;
    assertThat(arrives(1200, Arrival.Kind.LOOK, "")).isEqualTo("UPDATE resend");
  }

  @Test
  void aFlappingAlertHasToLastBeforeItIsSent() {
    for (int i = 0; i < 3; i++) {
      openSince = T0.plusSeconds(100L * i);
      assertThat(arrives(100 * i, Arrival.Kind.NEW, "reopened")).isEqualTo("NEW reopened");
      assertThat(arrives(100 * i + 50, Arrival.Kind.CANCEL, "canceled"))
          .isEqualTo("CANCEL canceled");
    }
    openSince = T0.plusSeconds(300);
    assertThat(arrives(300, Arrival.Kind.NEW, "reopened")).isEqualTo("DAMPED");
    assertThat(words)
        .isEqualTo(
            "it comes and goes (3 times within 30m), so it has to last until 2026-11-21T10:10:00Z");
    assertThat(arrives(350, Arrival.Kind.CANCEL, "canceled")).isEqualTo("NEVER_OPENED");
    openSince = T0.plusSeconds(400);
    assertThat(arrives(400, Arrival.Kind.NEW, "reopened")).isEqualTo("DAMPED");
    assertThat(arrives(700, Arrival.Kind.LOOK, "")).isEqualTo("NEW opened");
    arrives(750, Arrival.Kind.CANCEL, "canceled");
    openSince = T0.plusSeconds(4000);
    assertThat(arrives(4000, Arrival.Kind.NEW, "reopened"))
        .as("half an hour later that is forgotten")
        .isEqualTo("NEW reopened");
  }

  @Test
  void anAlertThatEndsBeforeItsNewHasLeftIsDropped() {
    arrives(0, Arrival.Kind.NEW, "opened");
    opening = Fate.WAITS;
    assertThat(arrives(5, Arrival.Kind.CANCEL, "canceled")).isEqualTo("NEVER_OPENED dropped");
  }

  @Test
  void aNewThatWasGivenUpIsSentAgainWithTheNextUpdate() {
    arrives(0, Arrival.Kind.NEW, "opened");
    opening = Fate.LOST;
    assertThat(arrives(5, Arrival.Kind.UPDATE, "severity")).isEqualTo("NEW severity");
    assertThat(arrives(6, Arrival.Kind.CANCEL, "canceled")).isEqualTo("NEVER_OPENED dropped");
  }

  @Test
  void onlyTheEventsOfARuleAreSent() {
    wantsNew = false;
    wants = false;
    assertThat(arrives(0, Arrival.Kind.NEW, "opened")).isEqualTo("NOTHING");
    assertThat(arrives(1, Arrival.Kind.UPDATE, "note")).isEqualTo("NOTHING");
    assertThat(arrives(2, Arrival.Kind.CANCEL, "canceled")).isEqualTo("CANCEL canceled");
    at = NotificationState.NONE;
    wantsNew = true;
    wantsCancel = false;
    assertThat(arrives(10, Arrival.Kind.NEW, "opened")).isEqualTo("NEW opened");
    assertThat(arrives(12, Arrival.Kind.CANCEL, "canceled")).isEqualTo("NOTHING");
    assertThat(at.phase()).isEqualTo(Phase.OVER);
  }

  @Test
  void alertsOfAGroupJoinChangeAndLeaveIt() {
    grouped = true;
    arrives(0, Arrival.Kind.NEW, "opened");
    assertThat(inGroup).isEqualTo(InGroup.JOINS);
    arrives(5, Arrival.Kind.UPDATE, "severity");
    assertThat(inGroup).isEqualTo(InGroup.CHANGES);
    arrives(9, Arrival.Kind.CANCEL, "canceled");
    assertThat(inGroup).isEqualTo(InGroup.LEAVES);
    assertThat(at.phase()).isEqualTo(Phase.OVER);
  }

  private String words = "";
  private @Nullable InGroup inGroup;

  private String arrives(int second, Arrival.Kind kind, String change) {
    Facts facts =
        new Facts(
            isAbout,
            "not about it",
            wants,
            wantsNew,
            wantsCancel,
            acknowledged,
            grouped,
            delay,
            resend,
            openSince,
            holds,
            opening);
    Decision decision = flow.next(at, new Arrival(kind, change), facts, T0.plusSeconds(second));
    at = decision.after();
    words = decision.words();
    inGroup = decision.inGroup();
    Decision.Tell tell = decision.tell();
    if (tell != null) {
      assertThat(decision.outcome()).isEqualTo(Outcome.SENT);
      return tell.event() + " " + tell.change();
    }
    return decision.outcome() + (decision.dropsWaiting() ? " dropped" : "");
  }
}
