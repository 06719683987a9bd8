package io.peerlens.outliers;

import static io.peerlens.outliers.Worlds.DAY;
import static io.peerlens.outliers.Worlds.alike;
import static io.peerlens.outliers.Worlds.end;
import static io.peerlens.outliers.Worlds.ids;
import static io.peerlens.outliers.Worlds.learnt;
import static io.peerlens.outliers.Worlds.settings;
import static io.peerlens.outliers.Worlds.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerGroupTest {

  private static final int KNOWN = 2 * DAY;

  /** Runs the rest of the rows and collects what happened to events. */
  static List<Change> run(PeerGroup group, double[][] values, int from, int to) {
    List<Change> changes = new ArrayList<>();
    for (int b = from; b < to; b++) {
      changes.addAll(group.judge(end(b), new double[][] {values[b]}).changes());
    }
    return changes;
  }

  static List<Change> run(double[][] values) {
    return run(learnt(settings(), values, KNOWN), values, KNOWN, values.length);
  }

  static void add(double[][] values, int member, int from, int to, double what) {
    for (int b = from; b < to; b++) {
      values[b][member] += what;
    }
  }

  private static List<Change.Kind> kinds(List<Change> changes) {
    return changes.stream().map(Change::kind).filter(k -> k != Change.Kind.UPDATED).toList();
  }

  @Test
  void aQuietGroupRaisesNothing() {
    assertThat(run(values(1, KNOWN + DAY, 12))).isEmpty();
  }

  @Test
  void aMemberThatRisesIsFoundInTheThirdBucketAloneAndReturns() {
    double[][] values = values(2, KNOWN + 100, 12);
    add(values, 4, KNOWN + 10, KNOWN + 40, 15);

    List<Change> changes = run(values);

    assertThat(kinds(changes)).containsExactly(Change.Kind.OPENED, Change.Kind.CLOSED);
    Event opened = changes.getFirst().event();
    assertThat(opened.member()).isEqualTo(ids(12)[4]);
    assertThat(opened.high()).isTrue();
    assertThat(opened.since()).isEqualTo(end(KNOWN + 10));
    assertThat(opened.openedAt()).isLessThanOrEqualTo(end(KNOWN + 13));
    assertThat(opened.evidence()).isEqualTo(Evidence.LEVEL);
    Event closed = changes.getLast().event();
    assertThat(closed.status()).isEqualTo(Event.Status.CLOSED);
    assertThat(closed.closedAt()).isBetween(end(KNOWN + 45), end(KNOWN + 60));
    assertThat(closed.peakScore()).isGreaterThan(opened.score() / 2).isPositive();
  }

  @Test
  void twoBucketsFarOutOpenAtOnce() {
    double[][] values = values(3, KNOWN + 12, 12);
    add(values, 0, KNOWN, KNOWN + 12, 40);

    Event event = run(values).getFirst().event();

    assertThat(event.openedAt()).isEqualTo(end(KNOWN + 1));
    assertThat(event.violations()).isEqualTo(2);
  }

  @Test
  void aSpikeOfOneBucketRaisesNothing() {
    double[][] values = values(4, KNOWN + 50, 12);
    add(values, 0, KNOWN + 5, KNOWN + 6, 60);

    assertThat(run(values)).isEmpty();
  }

  @Test
  void aMemberThatIsAlwaysHigherIsNotAnOutlierOnceThatIsKnown() {
    double[][] values = values(5, KNOWN + DAY, 12);
    for (double[] row : values) {
      row[3] += 5;
    }

    assertThat(run(values)).isEmpty();
  }

  @Test
  void aPermanentOffsetIsAnOutlierAmongInterchangeableMembers() {
    double[][] values = values(5, KNOWN + DAY, 12);
    for (double[] row : values) {
      row[3] += 60;
    }
    Settings level = settings().withMethod(new Method.Peers(true));
    PeerGroup group = new PeerGroup(level, ids(12));
    run(group, values, 0, KNOWN);

    assertThat(group.open()).extracting(Event::member).containsExactly(ids(12)[3]);
  }

  @Test
  void aMemberThatIsWrongFromItsStartStaysWrong() {
    double[][] values = values(6, 4 * DAY, 12);
    for (double[] row : values) {
      row[3] += 60;
    }
    PeerGroup group = new PeerGroup(settings(), ids(12));
    run(group, values, 0, values.length);

    assertThat(group.open()).extracting(Event::member).containsExactly(ids(12)[3]);
  }

  @Test
  void aFaultOfDaysIsNotLearnedAway() {
    double[][] values = values(7, KNOWN + 5 * DAY, 12);
    add(values, 4, KNOWN, values.length, 20);

    List<Change> changes = run(values);

    assertThat(kinds(changes)).containsExactly(Change.Kind.OPENED);
    assertThat(changes.getLast().event().lastBucket()).isEqualTo(end(values.length - 1));
  }

  @Test
  void aShiftOfTheWholeGroupRaisesNothing() {
    double[][] values = values(8, KNOWN + DAY, 12);
    for (int i = 0; i < 12; i++) {
      add(values, i, KNOWN + 20, values.length, 30);
    }

    assertThat(run(values)).isEmpty();
  }

  @Test
  void whenMoreThanHalfTheMembersAreOutTheGroupHasTheEvent() {
    double[][] values = values(9, KNOWN + 24, 20);
    Settings wide = settings().withMethod(new Method.Mad(15, 5, 24));
    for (int i = 0; i < 11; i++) {
      add(values, i, KNOWN + 20, values.length, 400 + 40 * i);
    }
    PeerGroup group = learnt(wide, values, KNOWN);

    List<Change> changes = run(group, values, KNOWN, values.length);

    assertThat(changes).extracting(c -> c.event().member()).containsOnly(Event.GROUP);
    assertThat(kinds(changes)).containsExactly(Change.Kind.OPENED);
  }

  @Test
  void twoBandsMakeTheGroupSplitWithoutAnOutlier() {
    double[][] values = values(10, KNOWN + 60, 12);
    for (int i = 0; i < 6; i++) {
      add(values, i, KNOWN + 20, values.length, 50);
    }
    PeerGroup group = learnt(settings(), values, KNOWN);

    List<Change> changes = run(group, values, KNOWN, values.length - 1);
    Judgement last =
        group.judge(end(values.length - 1), new double[][] {values[values.length - 1]});

    assertThat(changes).isEmpty();
    assertThat(last.state(0)).isEqualTo(GroupState.SPLIT);
    assertThat(last.lowerBand(0)).isEqualTo(6);
    assertThat(last.upperBand(0)).isEqualTo(6);
    assertThat(last.reason(0, 0)).isEqualTo(Judgement.Reason.SPLIT);
    assertThat(last.score(0)).isNaN();
  }

  @Test
  void ofThreeMembersTheOneUnlikeTwoThatAgreeIsAnOutlier() {
    double[][] values = values(11, KNOWN + 30, 3);
    add(values, 1, KNOWN + 10, values.length, 40);

    assertThat(run(values))
        .isNotEmpty()
        .allSatisfy(c -> assertThat(c.event().member()).isEqualTo(ids(3)[1]));
  }

  @Test
  void ofThreeMembersThatAllDifferNoneIsAnOutlier() {
    double[][] values = values(12, KNOWN + 30, 3);
    add(values, 1, KNOWN + 10, values.length, 40);
    add(values, 2, KNOWN + 10, values.length, 80);
    PeerGroup group = learnt(settings(), values, KNOWN);

    List<Change> changes = run(group, values, KNOWN, values.length - 1);
    Judgement last =
        group.judge(end(values.length - 1), new double[][] {values[values.length - 1]});

    assertThat(changes).isEmpty();
    assertThat(last.state()).isEqualTo(GroupState.NO_MAJORITY);
    assertThat(last.reason(0, 1)).isEqualTo(Judgement.Reason.NO_MAJORITY);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void onlyTheTwoMembersThatLeaveASmallGroupAreOutliers(int members) {
    double[][] values = values(31, KNOWN + 3 * DAY, members);
    add(values, 0, KNOWN + 10, values.length, 40);
    add(values, 2, KNOWN + 10, values.length, 40);
    PeerGroup group = learnt(settings(), values, KNOWN);

    List<Change> changes = run(group, values, KNOWN, values.length);

    // Nor does it wear off in three days.
    assertThat(kinds(changes)).containsExactly(Change.Kind.OPENED, Change.Kind.OPENED);
    assertThat(changes)
        .extracting(c -> c.event().member())
        .containsOnly(ids(members)[0], ids(members)[2]);
    assertThat(group.open()).hasSize(2).allMatch(Event::high);
  }

  @Test
  void whereThreeOftenJumpTogetherTheOneThatStaysBehindIsTheOddOne() {
    double[][] values = values(32, KNOWN + 30, 3);
    for (int b = 0; b < values.length; b++) {
      for (int i = 0; i < 3; i++) {
        values[b][i] += b / 3 % 2 == 0 ? 0 : 40;
      }
    }
    for (int b = KNOWN; b < values.length; b++) {
      values[b][1] -= b / 3 % 2 == 0 ? 0 : 40;
    }

    List<Change> changes = run(values);
    assertThat(changes).allSatisfy(c -> assertThat(c.event().member()).isEqualTo(ids(3)[1]));
    assertThat(changes.getFirst().event().high()).isFalse();
  }

  @Test
  void aMemberThatIsKnownForBurstsHasToBeFartherOut() {
    // Three buckets of 25 each three hours, so in one bucket of twelve.
    double[][] values = values(33, 6 * DAY, 12);
    for (int b = DAY; b < values.length; b++) {
      values[b][4] += b % 36 < 3 ? 25 : 0;
    }
    add(values, 5, 6 * DAY - 6, 6 * DAY, 25);
    add(values, 4, 6 * DAY - 6, 6 * DAY, values[6 * DAY - 6][4] > 80 ? 0 : 25);

    List<Change> early = run(learnt(settings(), values, DAY), values, DAY, DAY + 3);
    PeerGroup group = learnt(settings(), values, 6 * DAY - 6);
    List<Change> late = run(group, values, 6 * DAY - 6, 6 * DAY);

    assertThat(early).extracting(c -> c.event().member()).contains(ids(12)[4]);
    assertThat(late).extracting(c -> c.event().member()).containsOnly(ids(12)[5]);
  }

  @Test
  void membersThatWereAlwaysZeroAreNotSilentBecauseOthersNoLongerAre() {
    double[][] values = values(34, KNOWN + 20, 12);
    for (int b = 0; b < values.length; b++) {
      for (int i = 0; i < 12; i++) {
        values[b][i] = i < 6 && (b < KNOWN || i < 4) ? 0 : values[b][i] / 100 + 0.1;
      }
    }

    // At most a third of the others is 0 now, but four of them always were.
    assertThat(run(values)).allSatisfy(c -> assertThat(c.event().high()).isTrue());
  }

  @Test
  void twoMembersAreTooFew() {
    double[][] values = values(13, 20, 2);
    PeerGroup group = learnt(settings(), values, 19);

    Judgement last = group.judge(end(19), new double[][] {values[19]});

    assertThat(last.state()).isEqualTo(GroupState.TOO_FEW);
    assertThat(last.judged()).isZero();
    assertThat(last.reason(0, 0)).isEqualTo(Judgement.Reason.TOO_FEW);
  }

  @Test
  void missingValuesNeitherOpenNorCloseAndAreUnknownAfterHalfAnHour() {
    double[][] values = values(14, KNOWN + 60, 12);
    add(values, 4, KNOWN, KNOWN + 10, 20);
    for (int b = KNOWN + 10; b < KNOWN + 40; b++) {
      values[b][4] = Double.NaN;
    }
    PeerGroup group = learnt(settings(), values, KNOWN);

    List<Change> open = run(group, values, KNOWN, KNOWN + 15);
    assertThat(kinds(open)).containsExactly(Change.Kind.OPENED);
    List<Change> gone = run(group, values, KNOWN + 15, KNOWN + 40);
    assertThat(kinds(gone)).containsExactly(Change.Kind.UNKNOWN);
    assertThat(gone.getFirst().event().lastBucket()).isEqualTo(end(KNOWN + 9));
    List<Change> back = run(group, values, KNOWN + 40, KNOWN + 60);
    assertThat(back.getFirst().kind()).isEqualTo(Change.Kind.UPDATED);
    assertThat(kinds(back)).containsExactly(Change.Kind.CLOSED);
  }

  @Test
  void aMemberThatFlapsIsOneEventWithACount() {
    double[][] values = values(15, KNOWN + 80, 12);
    for (int k = 0; k < 3; k++) {
      add(values, 4, KNOWN + 16 * k, KNOWN + 16 * k + 8, 30);
    }

    List<Change> changes = run(values);

    assertThat(kinds(changes))
        .containsExactly(
            Change.Kind.OPENED,
            Change.Kind.CLOSED,
            Change.Kind.REOPENED,
            Change.Kind.CLOSED,
            Change.Kind.REOPENED,
            Change.Kind.CLOSED);
    assertThat(changes.getLast().event().flaps()).isEqualTo(2);
    assertThat(changes.getLast().event().since()).isEqualTo(end(KNOWN));
  }

  @Test
  void deviationsBelowTheMinimumCountForNothing() {
    double[][] values = values(16, KNOWN + 60, 12);
    add(values, 4, KNOWN, values.length, 20);
    Settings high =
        Settings.peers(Worlds.BUCKET, List.of(new Settings.Metric(Transform.LINEAR, 25, 1)));

    assertThat(run(learnt(high, values, KNOWN), values, KNOWN, values.length)).isEmpty();
  }

  @Test
  void onlyTheSideThatCountsRaisesEvents() {
    double[][] values = values(17, KNOWN + 60, 12);
    add(values, 4, KNOWN, values.length, -20);
    PeerGroup group = learnt(settings().withSide(Side.HIGH), values, KNOWN);

    assertThat(run(group, values, KNOWN, values.length - 1)).isEmpty();
    Judgement last =
        group.judge(end(values.length - 1), new double[][] {values[values.length - 1]});
    assertThat(last.score(4)).isZero();
    assertThat(last.score(0, 4)).isLessThan(-4.5);
  }

  @Test
  void anExpectedMemberRaisesNothingUntilItsTimeIsOver() {
    double[][] values = values(18, KNOWN + 60, 12);
    add(values, 4, KNOWN, values.length, 60);
    PeerGroup group = learnt(settings(), values, KNOWN);
    List<Change> before = run(group, values, KNOWN, KNOWN + 5);
    assertThat(kinds(before)).containsExactly(Change.Kind.OPENED);

    group.expected(new int[] {ids(12)[4], 9999}, new long[] {end(KNOWN + 15), 0});
    List<Change> during = run(group, values, KNOWN + 5, KNOWN + 14);
    List<Change> after = run(group, values, KNOWN + 14, KNOWN + 30);

    assertThat(kinds(during)).containsExactly(Change.Kind.CLOSED);
    assertThat(kinds(after)).containsExactly(Change.Kind.OPENED);
  }

  @Test
  void behaviourOfAnExpectedMemberIsLearned() {
    double[][] values = values(19, KNOWN + 9 * DAY, 12);
    add(values, 4, KNOWN, values.length, 20);
    PeerGroup group = learnt(settings(), values, KNOWN);
    group.expected(new int[] {ids(12)[4]}, new long[] {end(KNOWN + 8 * DAY)});

    assertThat(run(group, values, KNOWN, values.length)).isEmpty();
  }

  @Test
  void aMemberThatLeavesClosesItsEvent() {
    double[][] values = values(20, KNOWN + 10, 12);
    add(values, 4, KNOWN, values.length, 30);
    PeerGroup group = learnt(settings(), values, KNOWN + 10);
    assertThat(group.open()).hasSize(1);

    int[] rest = Arrays.stream(ids(12)).filter(id -> id != ids(12)[4]).toArray();
    List<Change> changes = group.members(rest);

    assertThat(kinds(changes)).containsExactly(Change.Kind.CLOSED);
    assertThat(group.open()).isEmpty();
    assertThat(group.ids()).isEqualTo(rest);
  }

  @Test
  void aMemberThatStaysKeepsWhatIsKnownOfIt() {
    double[][] values = values(21, KNOWN + 50, 12);
    PeerGroup alone = learnt(settings(), values, KNOWN);
    PeerGroup joined = learnt(settings(), values, KNOWN);
    int[] more = Arrays.copyOf(ids(12), 13);
    more[12] = 1;
    joined.members(more);

    double[] row = new double[13];
    row[0] = Double.NaN;
    System.arraycopy(values[KNOWN], 0, row, 1, 12);
    Judgement with = joined.judge(end(KNOWN), new double[][] {row});
    Judgement without = alone.judge(end(KNOWN), new double[][] {values[KNOWN]});

    for (int i = 0; i < 12; i++) {
      assertThat(with.score(i + 1)).isEqualTo(without.score(i));
    }
    assertThat(with.reason(0, 0)).isEqualTo(Judgement.Reason.NO_DATA);
  }

  @Test
  void aMemberThatFallsSilentIsFoundEvenWhereItIsHardlyLower() {
    double[][] values = values(22, KNOWN + 40, 12);
    for (double[] row : values) {
      for (int i = 0; i < 12; i++) {
        row[i] = row[i] / 100 + 0.1;
      }
    }
    for (int b = KNOWN + 5; b < values.length; b++) {
      values[b][4] = 0;
    }

    Event event = run(values).getFirst().event();

    assertThat(event.member()).isEqualTo(ids(12)[4]);
    assertThat(event.evidence()).isEqualTo(Evidence.SILENT);
    assertThat(event.high()).isFalse();
  }

  @Test
  void aValueThatStandsStillIsFound() {
    double[][] values = values(23, KNOWN + 120, 12);
    for (int b = KNOWN + 60; b < values.length; b++) {
      values[b][4] = values[KNOWN + 60][4];
    }
    PeerGroup group = learnt(settings(), values, KNOWN);
    List<Change> changes = run(group, values, KNOWN, KNOWN + 75);

    assertThat(changes.getFirst().event().member()).isEqualTo(ids(12)[4]);
    assertThat(changes.getFirst().event().evidence()).isEqualTo(Evidence.STUCK);
  }

  @Test
  void twoMetricsThatAreBothOutWeighMoreThanOne() {
    Settings two =
        Settings.peers(
            Worlds.BUCKET,
            List.of(
                Settings.Metric.of(Transform.LINEAR, 1), Settings.Metric.of(Transform.LINEAR, 1)));
    double[][] first = values(24, KNOWN + 1, 12);
    double[][] second = values(25, KNOWN + 1, 12);
    PeerGroup group = new PeerGroup(two, ids(12));
    for (int b = 0; b < KNOWN; b++) {
      group.judge(end(b), new double[][] {first[b], second[b]});
    }
    first[KNOWN][4] += 6;
    second[KNOWN][4] += 7;
    Judgement j = group.judge(end(KNOWN), new double[][] {first[KNOWN], second[KNOWN]});

    double z1 = j.score(0, 4);
    double z2 = j.score(1, 4);
    double most = Math.max(z1, z2);
    double least = Math.min(z1, z2);
    assertThat(least).isGreaterThan(2);
    assertThat(j.score(4)).isCloseTo(Math.hypot(most, least - 2), within(1e-5));
    assertThat(j.metrics(4)).isEqualTo(3);
  }

  @Test
  void theRangeOfAMemberIsWhereItsScoreReachesTheThreshold() {
    double[][] values = values(26, KNOWN + 1, 12);
    values[KNOWN][4] += 12;
    PeerGroup group = learnt(settings(), values, KNOWN);
    Judgement j = group.judge(end(KNOWN), new double[][] {values[KNOWN]});

    double at = j.upper(0, 4, j.score(0, 4));
    assertThat(at).isCloseTo(j.value(0, 4), within(1e-9));
    assertThat(j.deviation(0, 4)).isCloseTo(12, within(3.0));
    assertThat(j.lower(0, 4.5)).isLessThan(j.centre(0));
    assertThat(j.upper(0, 4.5)).isGreaterThan(j.centre(0));
  }

  @Test
  void bucketsOutOfOrderAndWrongShapesAreRefused() {
    PeerGroup group = new PeerGroup(settings(), ids(3));
    group.judge(end(1), new double[][] {{1, 2, 3}});

    assertThatThrownBy(() -> group.judge(end(1), new double[][] {{1, 2, 3}}))
        .hasMessageContaining("in order");
    assertThatThrownBy(() -> group.judge(end(2), new double[][] {{1, 2}}))
        .hasMessageContaining("2 values given for 3 members");
    assertThatThrownBy(() -> new PeerGroup(settings(), new int[] {1, 1}))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> PeerGroup.restore(settings(), new byte[] {99}))
        .hasMessageContaining("version 99");
    byte[] saved = group.save();
    assertThatThrownBy(() -> PeerGroup.restore(settings(), Arrays.copyOf(saved, saved.length - 1)))
        .hasMessageContaining("shorter");
    assertThatThrownBy(() -> PeerGroup.restore(settings(), Arrays.copyOf(saved, saved.length + 1)))
        .hasMessageContaining("longer");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 12, 30})
  void anEventClosesAfterSixCalmBucketsFromTheEndOfItsFault(int lasts) {
    double[][] values = alike(12, 0, KNOWN + 100, 0);
    for (int b = KNOWN + 10; b < KNOWN + 10 + lasts; b++) {
      values[b][4] *= 5;
    }

    Event closed = run(values).getLast().event();

    assertThat(closed.status()).isEqualTo(Event.Status.CLOSED);
    assertThat(closed.closedAt()).isEqualTo(end(KNOWN + 10 + lasts + 5));
  }

  @Test
  void theSameFaultIsFoundAgainTheDayAfter() {
    double[][] values = alike(12, 0, KNOWN + 2 * DAY, 0);
    for (int day = 0; day < 2; day++) {
      for (int b = KNOWN + day * DAY; b < KNOWN + day * DAY + 36; b++) {
        for (int i = 0; i < 3; i++) {
          values[b][i] *= 5;
        }
      }
    }

    assertThat(run(values))
        .filteredOn(c -> c.kind() == Change.Kind.OPENED)
        .extracting(c -> c.event().openedAt() <= end(KNOWN + DAY) ? 1 : 2)
        .containsExactly(1, 1, 1, 2, 2, 2);
  }

  @Test
  void aRegularJobOnAThirdOfTheMembersIsHardlyEverAnOutlier() {
    double[][] values = alike(12, 0, 15 * DAY, 0);
    Random random = new Random(7);
    for (int b = 0; b < values.length - 9; b += 18 + random.nextInt(36)) {
      int first = random.nextInt(12);
      for (int k = 0; k < 9; k++) {
        for (int i = 0; i < 4; i++) {
          values[b + k][(first + i) % 12] += 4;
        }
      }
    }
    PeerGroup group = learnt(settings(), values, 8 * DAY);

    assertThat(kinds(run(group, values, 8 * DAY, 15 * DAY)))
        .filteredOn(Change.Kind.OPENED::equals)
        .as("events of 12 members in a week, each with some 17 jobs")
        .hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void aStateOfTheVersionBeforeIsReadAndContinued() throws IOException {
    byte[] saved;
    try (InputStream in = getClass().getResourceAsStream("group-of-version-2.state")) {
      saved = in.readAllBytes();
    }
    double[][] values = values(2, 600, 12);
    add(values, 4, 586, 592, 15);

    PeerGroup group = PeerGroup.restore(settings(), saved);

    assertThat(group.open()).extracting(Event::member).containsExactly(ids(12)[4]);
    assertThat(kinds(run(group, values, 590, 600))).containsExactly(Change.Kind.CLOSED);
    assertThat(PeerGroup.restore(settings(), group.save()).last()).isEqualTo(end(599));
  }
}
