package io.peerlens.outliers;

import static io.peerlens.outliers.PeerGroupTest.add;
import static io.peerlens.outliers.PeerGroupTest.run;
import static io.peerlens.outliers.Worlds.DAY;
import static io.peerlens.outliers.Worlds.alike;
import static io.peerlens.outliers.Worlds.end;
import static io.peerlens.outliers.Worlds.ids;
import static io.peerlens.outliers.Worlds.learnt;
import static io.peerlens.outliers.Worlds.settings;
import static io.peerlens.outliers.Worlds.values;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several members of a group with the same fault, and all of them. */
class SeveralMembersTest {

  private static final int KNOWN = 2 * DAY;

  @ParameterizedTest(name = "{1} of {0}")
  @CsvSource({
    "12, 1", "12, 2", "12, 3", "12, 4", "12, 5", "6, 1", "6, 2", "7, 3", "10, 3", "20, 7", "20, 9",
    "36, 10", "36, 14", "36, 17", "100, 49", "200, 99"
  })
  void membersWithTheSameFaultDoNotHideOneAnother(int members, int wrong) {
    int known = 84;
    double[][] values = alike(members, wrong, known + 12, known);
    Settings settings =
        Settings.peers(Worlds.BUCKET, List.of(Settings.Metric.of(Transform.LINEAR, 1)));
    PeerGroup group = learnt(settings, values, known);

    List<Change> opened = new ArrayList<>();
    for (int b = known; b < values.length; b++) {
      Judgement j = group.judge(end(b), new double[][] {values[b]});
      j.changes().stream().filter(c -> c.kind() == Change.Kind.OPENED).forEach(opened::add);
      for (int i = 0; i < members; i++) {
        assertThat(j.upper(0, i, Settings.MEDIUM)).as("end of the range").isBetween(8.0, 25.0);
        assertThat(j.lower(0, i, Settings.MEDIUM)).as("its begin").isBetween(-10.0, 8.0);
      }
    }

    assertThat(opened)
        .extracting(c -> c.event().member())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ids(members)).limit(wrong).boxed().toList());
    assertThat(opened)
        .allSatisfy(c -> assertThat(c.event().openedAt()).isLessThanOrEqualTo(end(known + 2)));
  }

  @ParameterizedTest(name = "{1} of {0} by {2}")
  @CsvSource({
    "5, 2, 2",
    "6, 2, 1.25",
    "7, 3, 2",
    "12, 2, 1.25",
    "12, 5, 1.5",
    "24, 11, 1.5",
    "50, 24, 1.5",
    "100, 49, 1.5",
    "200, 10, 1.25",
    "200, 99, 1.5",
    "12, 5, -1.5",
    "50, 24, -1.5",
    "200, 99, -1.5"
  })
  void aFaultALittleAboveTheLeastDeviationIsFoundInTheMembersThatHaveIt(
      int members, int wrong, double by) {
    int known = DAY;
    double[][] values = alike(members, 0, known + 36, 0);
    for (int i = 0; i < wrong; i++) {
      add(values, i, known, values.length, by);
    }
    Settings settings =
        Settings.peers(Worlds.BUCKET, List.of(Settings.Metric.of(Transform.LINEAR, 1)));
    PeerGroup group = learnt(settings, values, known);

    List<Integer> found =
        run(group, values, known, values.length).stream()
            .filter(c -> c.kind() == Change.Kind.OPENED)
            .map(c -> c.event().member())
            .toList();

    assertThat(found).isSubsetOf(Arrays.stream(ids(members)).limit(wrong).boxed().toList());
    assertThat(found.size()).isGreaterThanOrEqualTo((int) Math.floor(0.75 * wrong));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 12, 50, 200})
  void aShiftOfAllRaisesNothingHoweverManyTheyAre(int members) {
    double[][] values = values(8, KNOWN + DAY, members);
    for (int i = 0; i < members; i++) {
      add(values, i, KNOWN + 20, KNOWN + 100, 30);
    }

    assertThat(run(values)).isEmpty();
  }

  @Test
  void twoKindsOfMachineStaySplit() {
    double[][] values = alike(12, 5, 3 * DAY, 0);
    PeerGroup group = learnt(settings(), values, DAY);

    assertThat(run(group, values, DAY, values.length - 1)).isEmpty();
    assertThat(group.judge(end(values.length), new double[][] {values[5]}).state())
        .isEqualTo(GroupState.SPLIT);
  }

  @Test
  void halfOfTheMembersAreNoOutliersOfTheRest() {
    int known = 84;
    double[][] values = alike(12, 6, known + 12, known);
    PeerGroup group = learnt(settings(), values, known);

    assertThat(run(group, values, known, values.length)).isEmpty();
    assertThat(group.judge(end(values.length), new double[][] {values[known]}).state())
        .isEqualTo(GroupState.SPLIT);
  }
}
