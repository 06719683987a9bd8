package io.peerlens.outliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.outliers.Drift.Change;
import io.peerlens.outliers.Drift.Compared;
import io.peerlens.outliers.Drift.Difference;
import io.peerlens.outliers.Majority.Rule;
import io.peerlens.outliers.Majority.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriftTest {

  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final int[] MEMBERS = IntStream.range(100, 124).toArray();

  @Test
  void oneOf24ThatHasAnotherPolicyDiffers() {
    Majority majority = Majority.of(policies(7), Set.of(), Rule.DEFAULT);
    assertThat(majority)
        .isEqualTo(new Majority(State.DIFFERENT, "round robin", 23, 24, List.of(7)));
  }

  @Test
  void whatIsAcceptedDoesNotDiffer() {
    Majority majority = Majority.of(policies(7), Set.of("fixed"), Rule.DEFAULT);
    assertThat(majority.state()).isEqualTo(State.ALIKE);
    assertThat(majority.differing()).isEmpty();
  }

  @Test
  void namesAndTwoCampsHaveNoMajority() {
    List<String> names = IntStream.range(0, 24).mapToObj(i -> "host-" + i).toList();
    assertThat(Majority.of(names, Set.of(), Rule.DEFAULT).state()).isEqualTo(State.NO_MAJORITY);
    List<String> camps = new ArrayList<>(Collections.nCopies(17, "a"));
    camps.addAll(Collections.nCopies(7, "b"));
    assertThat(Majority.of(camps, Set.of(), Rule.DEFAULT).state()).isEqualTo(State.NO_MAJORITY);
  }

  @Test
  void fourOfFiveAreTheMajorityAndThreeOfFourAreNot() {
    assertThat(Majority.of(List.of("a", "a", "b", "a", "a"), Set.of(), Rule.DEFAULT).differing())
        .containsExactly(2);
    assertThat(Majority.of(List.of("a", "a", "b", "a"), Set.of(), Rule.DEFAULT).state())
        .isEqualTo(State.TOO_FEW);
    assertThat(Majority.of(List.of("a", "a", "b", "a"), Set.of(), new Rule(0.8, 3)).state())
        .isEqualTo(State.NO_MAJORITY);
    assertThat(Majority.of(List.of("a", "a", "b", "a"), Set.of(), new Rule(0.75, 3)).differing())
        .containsExactly(2);
  }

  @Test
  void aMemberWithoutThePropertyIsNotCounted() {
    List<@Nullable String> values = Arrays.asList("a", null, "a", "a", null, "a", "b");
    Majority majority = Majority.of(values, Set.of(), Rule.DEFAULT);
    assertThat(majority).isEqualTo(new Majority(State.DIFFERENT, "a", 4, 5, List.of(6)));
  }

  @Test
  void theOrderOfTheMembersDoesNotMatter() {
    Random random = new Random(5);
    for (int round = 0; round < 500; round++) {
      List<String> values = new ArrayList<>();
      int count = 3 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        values.add(random.nextInt(10) < 8 ? "a" : "b" + random.nextInt(3));
      }
      Majority before = Majority.of(values, Set.of("b0"), Rule.DEFAULT);
      List<String> others = before.differing().stream().map(values::get).sorted().toList();
      Collections.shuffle(values, random);
      Majority after = Majority.of(values, Set.of("b0"), Rule.DEFAULT);
      assertThat(after.state()).isEqualTo(before.state());
      assertThat(after.common()).isEqualTo(before.common());
      assertThat(after.differing().stream().map(values::get).sorted().toList()).isEqualTo(others);
    }
  }

  @Test
  void aRuleThatLeavesNoMinorityIsRefused() {
    assertThatThrownBy(() -> new Rule(0.5, 5)).hasMessageContaining("not above 0.5");
    assertThatThrownBy(() -> new Rule(0.8, 2)).hasMessageContaining("at least 3");
  }

  @Test
  void aDifferenceOpensAnEventWhenItHasLastedAndTheLastOneClosesIt() {
    Drift drift = new Drift(HOUR);
    assertThat(judge(drift, 0, 7)).isEmpty();
    assertThat(judge(drift, 55 * MINUTE, 7)).isEmpty();
    assertThat(drift.open()).isEmpty();
    assertThat(judge(drift, HOUR, 7))
        .containsExactly(
            new Change.Opened(
                107, List.of(new Difference(107, "policy", "fixed", "round robin", 23, 24, 0))));
    assertThat(judge(drift, 2 * HOUR, 7)).isEmpty();
    assertThat(drift.open()).containsOnlyKeys(107);
    assertThat(judge(drift, 3 * HOUR)).containsExactly(new Change.Closed(107));
    assertThat(drift.differences()).isEmpty();
  }

  @Test
  void peersThatAreChangedOneAfterTheOtherRaiseNothing() {
    Drift drift = new Drift(HOUR);
    List<String> versions = new ArrayList<>(Collections.nCopies(24, "8.0.2"));
    for (int i = 0; i < 24; i++) {
      versions.set(i, "8.0.3");
      // Ten minutes each: none of the first ones, nor of the last ones, differs for an hour.
      List<String> values = List.copyOf(versions);
      assertThat(
              drift.judge(
                  i * 10 * MINUTE,
                  MEMBERS,
                  List.of(
                      new Compared(
                          "version", Majority.of(values, Set.of(), Rule.DEFAULT), values))))
          .isEmpty();
    }
    assertThat(drift.differences()).isEmpty();
  }

  @Test
  void anEventHasAllDifferencesOfItsMember() {
    Drift drift = new Drift(0);
    List<String> policies = policies(3);
    List<String> servers = new ArrayList<>(Collections.nCopies(24, "ntp1"));
    servers.set(3, "ntp9");
    List<Compared> compared =
        List.of(
            new Compared("policy", Majority.of(policies, Set.of(), Rule.DEFAULT), policies),
            new Compared("ntp", Majority.of(servers, Set.of(), Rule.DEFAULT), servers));
    assertThat(drift.judge(0, MEMBERS, compared))
        .singleElement()
        .isInstanceOfSatisfying(
            Change.Opened.class,
            opened ->
                assertThat(opened.differences())
                    .extracting(Difference::key)
                    .containsExactly("ntp", "policy"));
    assertThat(drift.judge(MINUTE, MEMBERS, compared.subList(0, 1)))
        .singleElement()
        .isInstanceOfSatisfying(
            Change.Updated.class, updated -> assertThat(updated.differences()).hasSize(1));
  }

  @Test
  void aMemberThatLeavesClosesItsEvent() {
    Drift drift = new Drift(0);
    assertThat(judge(drift, 0, 7)).hasSize(1);
    int[] without = IntStream.of(MEMBERS).filter(member -> member != 107).toArray();
    List<String> values = Collections.nCopies(23, "round robin");
    assertThat(
            drift.judge(
                MINUTE,
                without,
                List.of(
                    new Compared("policy", Majority.of(values, Set.of(), Rule.DEFAULT), values))))
        .containsExactly(new Change.Closed(107));
  }

  /** Restored after any bucket, it says what the one that never stopped says. */
  @Test
  void whoeverTakesOverGoesOnWhereTheLastOneStopped() {
    Random random = new Random(9);
    for (int round = 0; round < 50; round++) {
      Drift always = new Drift(HOUR);
      Drift often = new Drift(HOUR);
      for (int bucket = 0; bucket < 60; bucket++) {
        int[] differ = random.nextInt(4) == 0 ? new int[0] : new int[] {random.nextInt(3)};
        long at = bucket * 20 * MINUTE;
        List<Change> said = judge(always, at, differ);
        often = Drift.restore(HOUR, often.differences(), often.open());
        assertThat(judge(often, at, differ)).isEqualTo(said);
        assertThat(often.open()).isEqualTo(always.open());
        assertThat(often.differences()).isEqualTo(always.differences());
      }
    }
  }

  private static List<Change> judge(Drift drift, long at, int... differing) {
    List<String> values = policies(differing);
    return drift.judge(
        at,
        MEMBERS,
        List.of(new Compared("policy", Majority.of(values, Set.of(), Rule.DEFAULT), values)));
  }

  private static List<String> policies(int... differing) {
    List<String> values = new ArrayList<>(Collections.nCopies(24, "round robin"));
    for (int place : differing) {
      values.set(place, "fixed");
    }
    return values;
  }
}
