package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.dispatch.Decision.InGroup;
import io.peerlens.notify.dispatch.GroupFlow.GroupDecision;
import io.peerlens.notify.dispatch.GroupFlow.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupFlowTest {

  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  private final GroupFlow flow =
      new GroupFlow(
          new Flow(
              new Flow.Damping(3, Duration.ofMinutes(30), Duration.ofMinutes(5)),
              Duration.ofSeconds(30)));
  private boolean isNews = true;
  private Pace pace = new Pace(Duration.ofSeconds(30), Duration.ofMinutes(5), null);

  private GroupState at = GroupState.EMPTY;
  private Fate opening = Fate.LEFT;
  private boolean isOver;

  @Test
  void aGroupIsSentAfterItsWaitThenAtItsIntervalThenAtOnceAtItsEnd() {
    member(0, InGroup.JOINS);
    member(10, InGroup.JOINS);
    assertThat(at.due()).isEqualTo(T0.plusSeconds(30));
    assertThat(look(29)).isEqualTo("nothing");
    assertThat(look(30)).isEqualTo("NEW");
    assertThat(at.due()).isNull();
    member(40, InGroup.JOINS);
    member(50, InGroup.LEAVES);
    assertThat(at.due()).isEqualTo(T0.plusSeconds(330));
    assertThat(look(330)).isEqualTo("UPDATE");
    member(340, InGroup.LEAVES);
    assertThat(at.due()).isEqualTo(T0.plusSeconds(630));
    member(350, InGroup.LEAVES);
    assertThat(at.due()).isEqualTo(T0.plusSeconds(350));
    assertThat(look(350)).isEqualTo("CANCEL");
    assertThat(isOver).isTrue();
  }

  @Test
  void aGroupThatEndsWithinItsWaitIsNotSent() {
    member(0, InGroup.JOINS);
    member(10, InGroup.LEAVES);
    assertThat(look(10)).isEqualTo("nothing");
    assertThat(isOver).isTrue();
  }

  @Test
  void aGroupThatIsOverBeforeItsNewHasLeftIsDropped() {
    member(0, InGroup.JOINS);
    look(30);
    opening = Fate.WAITS;
    member(40, InGroup.LEAVES);
    assertThat(look(40)).isEqualTo("dropped");
    assertThat(isOver).isTrue();
  }

  @Test
  void aGroupThatChangesAfterItsIntervalIsSentAtOnce() {
    member(0, InGroup.JOINS);
    look(30);
    member(1000, InGroup.CHANGES);
    assertThat(at.due()).isEqualTo(T0.plusSeconds(1000));
    assertThat(look(1000)).isEqualTo("UPDATE");
  }

  @Test
  void anIncidentIsSentAgainOnlyWhenItGetsWorseAndEndsWhenItStaysQuiet() {
    pace = new Pace(Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(10), null);
    member(0, InGroup.JOINS);
    assertThat(look(30)).isEqualTo("NEW");
    isNews = false;
    member(60, InGroup.JOINS);
    assertThat(look(400)).isEqualTo("nothing");
    assertThat(at.due()).as("until something happens").isNull();
    isNews = true;
    member(500, InGroup.CHANGES);
    assertThat(look(500)).isEqualTo("UPDATE");
    member(600, InGroup.LEAVES);
    member(600, InGroup.LEAVES);
    assertThat(look(1100)).as("others may come").isEqualTo("nothing");
    member(1150, InGroup.JOINS);
    member(1160, InGroup.LEAVES);
    assertThat(look(1700)).isEqualTo("nothing");
    assertThat(look(1760)).isEqualTo("CANCEL");
  }

  private void member(int second, InGroup what) {
    at = flow.member(at, what, pace, T0.plusSeconds(second));
  }

  private String look(int second) {
    GroupDecision decision =
        flow.look(at, pace, List.of(), opening, () -> isNews, T0.plusSeconds(second));
    at = decision.after();
    isOver = decision.isOver();
    return decision.tell() != null
        ? decision.tell().event().name()
        : decision.dropsWaiting() ? "dropped" : "nothing";
  }
}
