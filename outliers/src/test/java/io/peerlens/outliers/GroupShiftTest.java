package io.peerlens.outliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.outliers.GroupShift.Rule;
import io.peerlens.outliers.GroupShift.Usual;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupShiftTest {

  private static final Rule MEDIUM = new Rule(2, 0);

  /** 20 to 45 in spreads of 3: what is accepted ends at 51, and 2 more are needed. */
  private static final Usual USUAL = new Usual(20, 45, 3);

  private static Settings settings(double... minDeviations) {
    List<Settings.Metric> metrics = new ArrayList<>();
    for (double one : minDeviations) {
      metrics.add(Settings.Metric.of(Transform.LINEAR, one));
    }
    return Settings.peers(Worlds.BUCKET, metrics);
  }

  private static List<Change> run(GroupShift shift, int from, Usual usual, double... medians) {
    List<Change> changes = new ArrayList<>();
    for (int b = 0; b < medians.length; b++) {
      changes.addAll(shift.judge(Worlds.end(from + b), new double[] {medians[b]}, List.of(usual)));
    }
    return changes;
  }

  @Test
  void aMedianOutOfItsBandIsOneEventWithThePersistenceOfMembers() {
    GroupShift shift = new GroupShift(settings(2), MEDIUM);
    assertThat(run(shift, 0, USUAL, 30, 44, 54, 30, 54)).isEmpty();
    List<Change> changes = run(shift, 5, USUAL, 54);
    assertThat(changes).hasSize(1);
    Event event = changes.getFirst().event();
    assertThat(changes.getFirst().kind()).isEqualTo(Change.Kind.OPENED);
    assertThat(event.member()).isEqualTo(Event.SHIFT);
    assertThat(event.evidence()).isEqualTo(Evidence.UNUSUAL);
    assertThat(event.high()).isTrue();
    assertThat(event.since()).isEqualTo(Worlds.end(2));
    assertThat(event.score()).isEqualTo(3);
    assertThat(event.metrics()).isEqualTo(1);
    assertThat(shift.open()).isEqualTo(event);
    List<Change> after = run(shift, 6, USUAL, 40, 40, 40, 40, 40, 40);
    assertThat(after.getLast().kind()).isEqualTo(Change.Kind.CLOSED);
    assertThat(shift.open()).isNull();
  }

  @Test
  void beyondTheBandByLessThanADeviationIsNothing() {
    assertThat(run(new GroupShift(settings(2), MEDIUM), 0, USUAL, 52, 52, 52, 52)).isEmpty();
    assertThat(run(new GroupShift(settings(0), MEDIUM), 0, USUAL, 52, 52, 52, 52)).isNotEmpty();
    Rule relative = new Rule(2, 0.1);
    assertThat(run(new GroupShift(settings(0), relative), 0, USUAL, 56, 56, 56, 56)).isEmpty();
    assertThat(run(new GroupShift(settings(0), relative), 0, USUAL, 57, 57, 57, 57)).isNotEmpty();
  }

  @Test
  void onlyTheSideOfTheGroupCounts() {
    Settings high = settings(2).withSide(Side.HIGH);
    assertThat(run(new GroupShift(high, MEDIUM), 0, USUAL, 1, 1, 1, 1)).isEmpty();
    List<Change> low = run(new GroupShift(settings(2), MEDIUM), 0, USUAL, 1, 1, 1, 1);
    assertThat(low).isNotEmpty();
    assertThat(low.getFirst().event().high()).isFalse();
    assertThat(low.getFirst().event().score()).isNegative();
  }

  @Test
  void thereIsNoEventBeforeABandIsLearned() {
    GroupShift shift = new GroupShift(settings(2), MEDIUM);
    assertThat(run(shift, 0, Usual.UNKNOWN, 90, 90, 90, 90)).isEmpty();
    assertThat(run(shift, 4, USUAL, 90, 90))
        .extracting(Change::kind)
        .containsExactly(Change.Kind.OPENED);
    assertThat(run(shift, 6, USUAL, Double.NaN, Double.NaN)).isEmpty();
    assertThat(run(shift, 8, USUAL, Double.NaN, Double.NaN, Double.NaN, Double.NaN))
        .extracting(Change::kind)
        .containsExactly(Change.Kind.UNKNOWN);
  }

  @Test
  void anExactBandHasOnlyTheDeviationAsMargin() {
    Usual constant = new Usual(5, 5, 0);
    assertThat(run(new GroupShift(settings(2), MEDIUM), 0, constant, 5, 6.5, 6.5, 6.5, 6.5))
        .isEmpty();
    assertThat(run(new GroupShift(settings(2), MEDIUM), 0, constant, 5, 8, 8, 8)).isNotEmpty();
  }

  @Test
  void theMetricThatCountsIsNamedNotOneThatIsMerelyFar() {
    GroupShift shift = new GroupShift(settings(100, 2), MEDIUM);
    Change opened = null;
    for (int b = 0; b < 3; b++) {
      for (Change change :
          shift.judge(Worlds.end(b), new double[] {90, 60}, List.of(USUAL, USUAL))) {
        opened = change;
      }
    }
    assertThat(opened).isNotNull();
    assertThat(opened.event().metrics()).isEqualTo(2);
  }

  @Test
  void aStateRestoredAtAnyBucketContinuesIdentically() {
    double[] medians = {30, 60, 30, 60, 61, 62, 40, 40, 58, 40, 40, 40, 40, 40, 40, 70, 70, 70};
    List<Change> whole = run(new GroupShift(settings(2), MEDIUM), 0, USUAL, medians);
    assertThat(whole).extracting(Change::kind).contains(Change.Kind.OPENED, Change.Kind.CLOSED);
    GroupShift shift = new GroupShift(settings(2), MEDIUM);
    List<Change> parts = new ArrayList<>();
    for (int b = 0; b < medians.length; b++) {
      shift = GroupShift.restore(settings(2), MEDIUM, shift.save());
      parts.addAll(run(shift, b, USUAL, medians[b]));
    }
    assertThat(parts).isEqualTo(whole);
    byte[] damaged = {1, 2};
    assertThatThrownBy(() -> GroupShift.restore(settings(2), MEDIUM, damaged))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
