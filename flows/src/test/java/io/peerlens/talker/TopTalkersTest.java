package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.talker.TalkerQueries.Answer;
import io.peerlens.talker.TalkerQueries.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopTalkersTest {

  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

  /** Talkers 1, 2, ... with these bytes, of which half are of the busiest minute. */
  private static TalkerRanking list(long... bytes) {
    int measures = TalkerMeasure.values().length;
    long[] keys = new long[bytes.length];
    long[][] values = new long[measures][bytes.length];
    long[] total = new long[measures];
    for (int i = 0; i < bytes.length; i++) {
      keys[i] = i + 1;
      values[TalkerMeasure.BYTES.ordinal()][i] = bytes[i];
      values[TalkerMeasure.PEAK.ordinal()][i] = bytes[i] / 2;
      total[TalkerMeasure.BYTES.ordinal()] += bytes[i];
    }
    long[] none = new long[measures];
    return TalkerRanking.of(keys, values, values, none, total, none, bytes.length);
  }

  private static Answer answer(TalkerRanking... lists) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < lists.length; i++) {
      parts.add(new Part(START.plusSeconds(i * 300L), 300, lists[i]));
    }
    return new Answer(
        START,
        START.plusSeconds(lists.length * 300L),
        parts,
        TalkerRanking.together(List.of(lists)));
  }

  private static TopTalkers top(
      Answer answer, @Nullable Answer before, TalkerMeasure measure, int limit) {
    return TopTalkers.of(answer, before, null, measure, limit);
  }

  @Test
  void aRowHasItsShareItsRatesAndItsLine() {
    TopTalkers top =
        top(answer(list(600, 300), list(0, 600), list(0, 0)), null, TalkerMeasure.BYTES, 1);
    assertThat(top.total()).isEqualTo(1_500);
    assertThat(top.mayMiss()).isZero();
    assertThat(top.rows()).hasSize(1);
    TopTalkers.Row row = top.rows().getFirst();
    assertThat(row.key()).isEqualTo(2);
    assertThat(row.value()).isEqualTo(900);
    assertThat(row.share()).isCloseTo(0.6, within(1e-12));
    assertThat(row.meanRate()).isEqualTo(900 * 8 / 900.0);
    assertThat(row.peakMinuteRate()).isEqualTo(300 * 8 / 60.0);
    assertThat(row.line()).containsExactly(8, 16, 0);
    assertThat(row.before()).isNull();
    assertThat(top.others().value()).isEqualTo(600);
    assertThat(top.others().talkers()).isEqualTo(1);
    assertThat(top.others().line()).containsExactly(16, 0, 0);
    assertThat(top.totalLine()).containsExactly(24, 16, 0);
  }

  @Test
  void aChangeIsRelativeToTheValueBeforeAndAbsentForANewTalker() {
    TopTalkers top =
        top(answer(list(150, 100, 70)), answer(list(100, 0, 50)), TalkerMeasure.BYTES, 2);
    TopTalkers.Change grown = top.rows().getFirst().before();
    TopTalkers.Change isNew = top.rows().getLast().before();
    TopTalkers.Change others = top.others().before();
    assertThat(grown).isEqualTo(new TopTalkers.Change(100, 0.5));
    assertThat(isNew).isEqualTo(new TopTalkers.Change(0, Double.NaN));
    assertThat(others).isEqualTo(new TopTalkers.Change(50, 0.4));
  }

  @Test
  void noTalkerIsNewWhenTheTimeBeforeIsNotStored() {
    Answer gone = new Answer(START, START, List.of(), TalkerRanking.EMPTY);
    TopTalkers top = top(answer(list(150)), gone, TalkerMeasure.BYTES, 2);
    assertThat(top.rows().getFirst().before()).isNull();
    assertThat(top.others().before()).isNull();
  }

  @Test
  void peaksAreNotAddedUp() {
    TopTalkers top = top(answer(list(600, 300), list(200, 800)), null, TalkerMeasure.PEAK, 1);
    assertThat(top.rows().getFirst().key()).isEqualTo(2);
    assertThat(top.rows().getFirst().value()).isEqualTo(400);
    assertThat(top.rows().getFirst().line()).containsExactly(150 * 8 / 60.0, 400 * 8 / 60.0);
    assertThat(top.others().value()).isZero();
    assertThat(top.others().line()).isEmpty();
  }

  @Test
  void aLongRangeIsDrawnInSixtySteps() {
    TalkerRanking[] lists = new TalkerRanking[144];
    Arrays.fill(lists, list(300));
    TopTalkers top = top(answer(lists), null, TalkerMeasure.BYTES, 1);
    assertThat(top.steps()).hasSizeLessThanOrEqualTo(60).hasSizeGreaterThan(40);
    assertThat(top.rows().getFirst().line()).containsOnly(8);
  }

  @Test
  void withoutTrafficThereAreNoTalkers() {
    TopTalkers top = top(answer(TalkerRanking.EMPTY), null, TalkerMeasure.BYTES, 5);
    assertThat(top.rows()).isEmpty();
    assertThat(top.total()).isZero();
    assertThat(top.totalLine()).containsExactly(0);
  }
}
