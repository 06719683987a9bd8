package io.peerlens.alert;

import static io.peerlens.threshold.Severity.CRITICAL;
import static io.peerlens.threshold.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.maintenance.Maintenance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AlertStateMachineTest {

  private static final Maintenance PATCHES = new Maintenance(UUID.randomUUID(), "Patch night");

  private final Life life = new Life();

  @Test
  void anAlertIsNewAtItsOpeningTickAndActiveFromTheNextOne() {
    assertThat(life.fires(WARNING)).containsExactly(Event.OPENED);
    assertThat(life.alert().status()).isEqualTo(AlertStatus.NEW);
    assertThat(life.alert().openedAt()).isEqualTo(life.tick);
    assertThat(life.alert().since()).isEqualTo(Life.BEGIN);

    assertThat(life.fires(WARNING)).isEmpty();
    assertThat(life.alert().status()).isEqualTo(AlertStatus.ACTIVE);
  }

  @Test
  void anUnchangedAlertIsNotWrittenAgain() {
    life.fires(WARNING);
    life.fires(WARNING);

    assertThat(life.tick(Map.of(1, Life.finding(WARNING, 1)), Verdict.CLEAR).alerts()).isEmpty();
  }

  @Test
  void aChangeOfSeverityUpdatesTheAlertOnce() {
    life.fires(WARNING);
    assertThat(life.fires(CRITICAL)).containsExactly(Event.SEVERITY);
    assertThat(life.alert().status()).isEqualTo(AlertStatus.UPDATED);
    assertThat(life.alert().severity()).isEqualTo(CRITICAL);

    assertThat(life.fires(CRITICAL)).isEmpty();
    assertThat(life.alert().status()).isEqualTo(AlertStatus.ACTIVE);
  }

  @Test
  void aChangeOfMembersUpdatesTheAlert() {
    life.fires(WARNING);
    Map<Integer, Finding> two = Map.of(1, Life.finding(WARNING, 1, "", "vmnic0"));

    Transitions changed = life.tick(two, Verdict.CLEAR);

    assertThat(Life.events(changed)).containsExactly(Event.MEMBERS);
    assertThat(changed.alerts().getFirst().finding()).isEqualTo(two.get(1));
    assertThat(Life.events(life.tick(two, Verdict.CLEAR))).isEmpty();
  }

  @Test
  void aLateSampleMovesTheStartOfMissingDataWithoutANotification() {
    Instant first = Life.BEGIN.minusSeconds(3600);
    Instant late = Life.BEGIN.minusSeconds(600);
    life.tick(Map.of(1, Life.silence(WARNING, 1, first)), Verdict.CLEAR);
    life.tick(Map.of(1, Life.silence(WARNING, 1, first)), Verdict.CLEAR);

    Transitions moved = life.tick(Map.of(1, Life.silence(WARNING, 1, late)), Verdict.CLEAR);

    assertThat(Life.events(moved)).isEmpty();
    assertThat(moved.alerts()).hasSize(1);
    assertThat(moved.alerts().getFirst().finding()).isNotNull();
    assertThat(life.alert().since()).isEqualTo(late);
    Map<Integer, Finding> earlier = Map.of(1, Life.silence(WARNING, 1, first));
    assertThat(life.tick(earlier, Verdict.CLEAR).alerts()).isEmpty();
    assertThat(life.alert().since()).isEqualTo(late);
  }

  @Test
  void theStartOfAThresholdAlertStaysWhenASymptomRestarts() {
    life.fires(WARNING);
    Instant later = Life.BEGIN.plusSeconds(60);
    Finding anew =
        Finding.of(WARNING, List.of(Life.member(WARNING, 1, "", "gt", later, false)), later);

    life.tick(Map.of(1, anew), Verdict.CLEAR);

    assertThat(life.alert().since()).isEqualTo(Life.BEGIN);
  }

  @Test
  void aClearAlertIsCanceled() {
    life.fires(WARNING);

    assertThat(life.clear()).containsExactly(Event.CANCELED);
    assertThat(life.alert().status()).isEqualTo(AlertStatus.CANCELED);
    assertThat(life.alert().canceledAt()).isEqualTo(life.tick);
    assertThat(life.alert().cancelReason()).isEqualTo(CancelReason.CLEARED);
  }

  @Test
  void anAlertOpensOnlyAfterItsWaitCycles() {
    life.waitCycles = 3;

    assertThat(life.fires(WARNING)).isEmpty();
    assertThat(life.fires(WARNING)).isEmpty();
    assertThat(life.fires(WARNING)).containsExactly(Event.OPENED);
    assertThat(life.pending).isEmpty();
  }

  @Test
  void aClearTickRestartsTheWaitAndAnUnknownOneDoesNot() {
    life.waitCycles = 2;

    life.fires(WARNING);
    life.clear();
    assertThat(life.fires(WARNING)).isEmpty();
    life.unknown();
    assertThat(life.fires(WARNING)).containsExactly(Event.OPENED);
  }

  @Test
  void anAlertIsCanceledOnlyAfterItsCancelCycles() {
    life.cancelCycles = 2;
    life.fires(WARNING);

    assertThat(life.clear()).isEmpty();
    life.fires(WARNING);
    assertThat(life.clear()).isEmpty();
    assertThat(life.clear()).containsExactly(Event.CANCELED);
  }

  @Test
  void noDataNeitherOpensNorCancels() {
    assertThat(life.unknown()).isEmpty();
    assertThat(Life.events(life.tick(Map.of(1, Life.unknownFinding(WARNING, 1)), Verdict.CLEAR)))
        .isEmpty();
    life.fires(WARNING);

    assertThat(life.unknown()).isEmpty();
    assertThat(life.alert().unknown()).isTrue();
    assertThat(life.alert().isOpen()).isTrue();

    life.fires(WARNING);
    assertThat(life.alert().unknown()).isFalse();
  }

  @Test
  void firingAgainWithinTheFlapWindowReopensTheAlert() {
    life.fires(WARNING);
    UUID id = life.alert().id();
    life.clear();

    assertThat(life.fires(CRITICAL)).containsExactly(Event.REOPENED);
    assertThat(life.alert().id()).isEqualTo(id);
    assertThat(life.alert().flaps()).isEqualTo(1);
    assertThat(life.alert().canceledAt()).isNull();
    assertThat(life.alert().severity()).isEqualTo(CRITICAL);
  }

  @Test
  void firingAgainAfterTheFlapWindowOpensAnotherAlert() {
    life.fires(WARNING);
    UUID id = life.alert().id();
    life.clear();
    life.tick = life.tick.plus(Life.FLAP_WINDOW);

    assertThat(life.fires(WARNING)).containsExactly(Event.OPENED);
    assertThat(life.alert().id()).isNotEqualTo(id);
  }

  @Test
  void anAlertFlapsFromItsThirdOpeningUntilItIsQuietForTheWindow() {
    life.fires(WARNING);
    life.clear();
    life.fires(WARNING);
    life.clear();
    assertThat(life.fires(WARNING)).containsExactly(Event.REOPENED, Event.FLAPPING);
    for (int i = 0; i < 10; i++) {
      assertThat(life.clear()).isEmpty();
      assertThat(life.fires(WARNING)).isEmpty();
    }
    assertThat(life.alert().flapping()).isTrue();
    assertThat(life.alert().status()).isEqualTo(AlertStatus.ACTIVE);

    assertThat(life.clear()).isEmpty();
    life.tick = life.tick.plus(Life.FLAP_WINDOW).minusSeconds(120);
    assertThat(life.clear()).isEmpty();
    assertThat(life.clear()).containsExactly(Event.CANCELED);
    assertThat(life.alert().flapping()).isFalse();
  }

  @Test
  void anAlertThatRarelyOpensDoesNotFlap() {
    for (int i = 0; i < 5; i++) {
      life.fires(WARNING);
      life.tick = life.tick.plus(Life.FLAP_WINDOW.dividedBy(2));
      life.clear();
    }

    assertThat(life.alert().flaps()).isEqualTo(4);
    assertThat(life.alert().flapping()).isFalse();
  }

  @Test
  void anAlertIsSuppressedDuringMaintenanceAndOpenAfterwards() {
    life.maintenance = PATCHES;
    assertThat(life.fires(WARNING)).containsExactly(Event.OPENED, Event.SUPPRESSED);
    assertThat(life.alert().maintenance()).isEqualTo(PATCHES);
    assertThat(life.fires(WARNING)).isEmpty();

    life.maintenance = null;
    assertThat(life.fires(WARNING)).containsExactly(Event.UNSUPPRESSED);
    assertThat(life.alert().maintenance()).isNull();
  }

  @Test
  void maintenanceIsAppliedThoughTheDefinitionIsNotDue() {
    life.fires(WARNING);
    life.maintenance = PATCHES;

    assertThat(Life.events(life.notDue())).containsExactly(Event.SUPPRESSED);
    assertThat(life.notDue().alerts()).isEmpty();
    assertThat(life.fires(WARNING)).isEmpty();
    assertThat(life.alert().status()).isEqualTo(AlertStatus.ACTIVE);
  }

  @Test
  void anAlertIsCanceledDuringMaintenanceToo() {
    life.maintenance = PATCHES;
    life.fires(WARNING);

    assertThat(life.clear()).containsExactly(Event.CANCELED);
  }

  @Test
  void aSuspensionEndsWhenItsTimeHasCome() {
    life.fires(WARNING);
    life.suspended.put(life.alert().id(), life.tick.plusSeconds(90));

    assertThat(life.fires(WARNING)).isEmpty();
    assertThat(life.fires(WARNING)).containsExactly(Event.RESUMED);
    assertThat(life.fires(WARNING)).isEmpty();
  }

  @Test
  void anAlertIsCanceledWithTheReasonWhenItsDefinitionNoLongerRaisesAlerts() {
    life.fires(WARNING);
    life.retired = CancelReason.DEFINITION_DISABLED;

    assertThat(Life.events(life.notDue())).containsExactly(Event.CANCELED);
    assertThat(life.alert().cancelReason()).isEqualTo(CancelReason.DEFINITION_DISABLED);
  }

  @Test
  void theWaitOfADeletedDefinitionIsForgotten() {
    life.waitCycles = 3;
    life.fires(WARNING);
    life.retired = CancelReason.DEFINITION_DELETED;
    life.notDue();

    assertThat(life.pending).isEmpty();
  }

  @Test
  void anAlertIsCanceledWhenItsObjectLeavesTheScope() {
    life.fires(WARNING);

    assertThat(Life.events(life.tick(Map.of(), Verdict.OUT_OF_SCOPE)))
        .containsExactly(Event.CANCELED);
    assertThat(life.alert().cancelReason()).isEqualTo(CancelReason.OUT_OF_SCOPE);
  }

  @Test
  void anAlertOfAGoneObjectIsCanceledAndDoesNotReopen() {
    life.fires(WARNING);
    life.gone.add(1);

    assertThat(life.fires(WARNING)).containsExactly(Event.CANCELED);
    assertThat(life.alert().cancelReason()).isEqualTo(CancelReason.OBJECT_GONE);
    assertThat(life.fires(WARNING)).isEmpty();
  }

  @Test
  void anAlertOfARemovedObjectIsCanceledOnceAndOpensAgainOnlyWhenItReturns() {
    life.tick(Map.of(1, Life.finding(WARNING, 1), 2, Life.finding(WARNING, 2)), Verdict.CLEAR);
    life.removed.add(1);

    Transitions removed = life.tick(Map.of(2, Life.finding(WARNING, 2)), Verdict.OUT_OF_SCOPE);
    assertThat(removed.alerts())
        .filteredOn(one -> one.events().contains(Event.CANCELED))
        .singleElement()
        .satisfies(one -> assertThat(one.after().key().objectId()).isEqualTo(1));
    assertThat(life.alert().cancelReason()).isEqualTo(CancelReason.OBJECT_REMOVED);
    assertThat(life.alerts.get(new AlertKey(Life.DEFINITION, 2)).isOpen()).isTrue();
    assertThat(Life.events(life.notDue())).isEmpty();
    assertThat(life.fires(WARNING)).as("a late finding").doesNotContain(Event.REOPENED);

    life.removed.clear();
    assertThat(life.fires(WARNING)).contains(Event.REOPENED);
  }

  @Test
  void anAlertOfARemovedObjectIsCanceledAlsoWhenItsRuleIsNotDue() {
    life.fires(WARNING);
    life.removed.add(1);

    assertThat(Life.events(life.notDue())).containsExactly(Event.CANCELED);
    assertThat(life.alert().cancelReason()).isEqualTo(CancelReason.OBJECT_REMOVED);
  }

  @Test
  void anAlertThatSomebodyCancelsEndsAtTheNextTickAndAnotherOpensWhileItsConditionHolds() {
    life.fires(WARNING);
    UUID first = life.alert().id();
    life.unwanted.add(first);

    Transitions canceled = life.notDue();
    assertThat(Life.events(canceled)).containsExactly(Event.CANCELED);
    assertThat(canceled.alerts().getFirst().after().cancelReason()).isEqualTo(CancelReason.BY_HAND);

    assertThat(life.fires(WARNING)).containsExactly(Event.OPENED);
    assertThat(life.alert().id()).isNotEqualTo(first);
    assertThat(life.alert().flaps()).isZero();
  }

  @Test
  void anAlertThatSomebodyCancelsEndsAtATickThatFindsItStillThereToo() {
    life.waitCycles = 2;
    life.fires(WARNING);
    life.fires(WARNING);
    life.unwanted.add(life.alert().id());

    assertThat(life.fires(CRITICAL)).containsExactly(Event.CANCELED);
    assertThat(life.fires(CRITICAL)).as("it waits again").isEmpty();
    assertThat(life.fires(CRITICAL)).containsExactly(Event.OPENED);
  }

  @Test
  void aTickThatIsRepeatedCountsOnce() {
    life.cancelCycles = 2;
    life.fires(WARNING);
    Instant tick = life.tick.plusSeconds(60);

    life.at(tick, Map.of(), Verdict.CLEAR);
    Transitions again = life.at(tick, Map.of(), Verdict.CLEAR);

    assertThat(again.alerts()).isEmpty();
    assertThat(life.alert().quiet()).isEqualTo(1);
  }

  @Test
  void aRetriedTickFindsTheSameAlert() {
    Life other = new Life();
    life.fires(WARNING);
    other.fires(WARNING);

    assertThat(other.alert()).isEqualTo(life.alert());
  }

  @Test
  void eachObjectHasAnAlertOfItsOwn() {
    Transitions opened =
        life.tick(Map.of(1, Life.finding(WARNING, 1), 2, Life.finding(CRITICAL, 2)), Verdict.CLEAR);

    assertThat(opened.alerts()).hasSize(2);
    assertThat(opened.alerts().stream().map(t -> t.after().id()).distinct()).hasSize(2);
    assertThat(Life.events(life.tick(Map.of(2, Life.finding(CRITICAL, 2)), Verdict.CLEAR)))
        .isEqualTo(List.of(Event.CANCELED));
  }
}
