package io.peerlens.flow.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class TalkerRankingTest {

  private static final int MINUTES = RandomTraffic.MINUTES;
  private static final int FIRST = RandomTraffic.FIRST;
  private static final int ALL = 1_000_000;

  /** A dimension with a direction and a type of traffic. */
  private record View(
      TalkerDimension dimension, TalkerDirection direction, @Nullable TrafficType type) {

    static List<View> all() {
      List<View> views = new ArrayList<>();
      for (TalkerDimension dimension : TalkerDimension.values()) {
        for (TalkerDirection direction : TalkerDirection.values()) {
          if (dimension.ofEnds() || direction == TalkerDirection.BOTH) {
            views.add(new View(dimension, direction, null));
            for (TrafficType type : TrafficType.values()) {
              views.add(new View(dimension, direction, type));
            }
          }
        }
      }
      return views;
    }

    TalkerRanking of(TalkerSums sums, int most) {
      return sums.ranking(dimension, direction, type, most);
    }
  }

  /** What talkers have, from the records, with maps. Key -1 = no talker. */
  private static final class Plain {
    final Map<Long, Map<TalkerMeasure, Long>> sums = new TreeMap<>();
    private final Map<Long, Map<Integer, Long>> byMinute = new HashMap<>();
    private final Map<Integer, Long> totalByMinute = new HashMap<>();

    void add(MinuteRows rows, View view, FlowEnds ends) {
      MinuteRows sorted = rows.sorted(MINUTES);
      boolean[] counts = new boolean[sorted.size()];
      Deduplication.mark(sorted, MINUTES, counts);
      for (int row = 0; row < sorted.size(); row++) {
        TrafficType type =
            TrafficType.of(ends.internal(sorted.src(row)), ends.internal(sorted.dst(row)));
        if (counts[row] && (view.type == null || view.type == type)) {
          for (long key : keys(sorted, row, view, ends)) {
            add(sorted, row, key);
          }
        }
      }
    }

    private static Set<Long> keys(MinuteRows rows, int row, View view, FlowEnds ends) {
      Set<Long> keys = new LinkedHashSet<>();
      switch (view.dimension) {
        case PORT -> keys.add(rows.protocol(row) * 65_536L + rows.port(row));
        case PROTOCOL -> keys.add((long) rows.protocol(row));
        case PAIR -> keys.add(rows.src(row) * (1L << 32) + rows.dst(row));
        default -> {
          long sender = ends.talker(view.dimension, rows.src(row));
          long receiver = ends.talker(view.dimension, rows.dst(row));
          if (view.direction != TalkerDirection.RECEIVED) {
            keys.add(sender);
          }
          if (view.direction != TalkerDirection.SENT) {
            keys.add(receiver);
          }
          if (keys.size() > 1) {
            keys.remove(-1L); // it counts for the end that has a talker
          }
        }
      }
      return keys;
    }

    private void add(MinuteRows rows, int row, long key) {
      Map<TalkerMeasure, Long> to =
          sums.computeIfAbsent(key, any -> new EnumMap<>(TalkerMeasure.class));
      to.merge(TalkerMeasure.BYTES, rows.bytes(row), Long::sum);
      to.merge(TalkerMeasure.PACKETS, rows.packets(row), Long::sum);
      to.merge(TalkerMeasure.FLOWS, (long) rows.flows(row), Long::sum);
      to.merge(TalkerMeasure.SESSIONS, (long) rows.sessions(row), Long::sum);
      to.merge(TalkerMeasure.RESETS, (long) rows.resets(row), Long::sum);
      to.merge(TalkerMeasure.DROPS, rows.drops(row), Long::sum);
      long ofMinute =
          byMinute
              .computeIfAbsent(key, any -> new HashMap<>())
              .merge(rows.minute(row), rows.bytes(row), Long::sum);
      to.merge(TalkerMeasure.PEAK, ofMinute, Math::max);
      totalByMinute.merge(rows.minute(row), rows.bytes(row), Long::sum);
    }

    long value(long key, TalkerMeasure measure) {
      return sums.getOrDefault(key, Map.of()).getOrDefault(measure, 0L);
    }

    long total(TalkerMeasure measure) {
      if (measure == TalkerMeasure.PEAK) {
        return totalByMinute.values().stream().mapToLong(v -> v).max().orElse(0);
      }
      return sums.keySet().stream().mapToLong(key -> value(key, measure)).sum();
    }

    /** Talkers that have any of a measure, most first. */
    List<Long> first(TalkerMeasure measure, int limit) {
      return sums.keySet().stream()
          .filter(key -> key != -1 && value(key, measure) > 0)
          .sorted(Comparator.<Long>comparingLong(key -> -value(key, measure)))
          .limit(limit)
          .toList();
    }
  }

  private static TalkerSums sums(MinuteRows rows, int first, FlowEnds ends) {
    TalkerSums talkers = new TalkerSums(MINUTES, ends);
    new FlowRollup(3, ends).bucket(rows, first, MINUTES, true, talkers);
    return talkers;
  }

  private static List<Long> keys(TalkerRanking ranking, int[] rows) {
    List<Long> keys = new ArrayList<>();
    for (int row : rows) {
      keys.add(ranking.key(row));
    }
    return keys;
  }

  @RepeatedTest(20)
  void theFirstOnesOfABucketAreThoseOfAPlainComputation(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    MinuteRows rows = traffic.rows(traffic.random.nextInt(3_000), FIRST);
    TalkerSums talkers = sums(rows, FIRST, traffic);
    int limit = traffic.random.nextInt(1, 30);
    for (View view : View.all()) {
      Plain plain = new Plain();
      plain.add(rows, view, traffic);
      TalkerRanking ranking = view.of(talkers, limit);
      for (TalkerMeasure measure : TalkerMeasure.values()) {
        TalkerRanking.Top top = ranking.top(measure, limit);
        assertThat(keys(ranking, top.rows()))
            .as("%s by %s", view, measure)
            .isEqualTo(plain.first(measure, limit));
        assertThat(top.isExact()).as("%s by %s is exact", view, measure).isTrue();
        long listed = 0;
        for (int row : top.rows()) {
          assertThat(ranking.value(row, measure)).isEqualTo(plain.value(ranking.key(row), measure));
          listed += ranking.value(row, measure);
        }
        assertThat(ranking.total(measure)).as("%s of all", view).isEqualTo(plain.total(measure));
        assertThat(ranking.unassigned(measure)).isEqualTo(plain.value(-1, measure));
        if (measure != TalkerMeasure.PEAK) {
          assertThat(listed + top.others() + ranking.unassigned(measure))
              .isEqualTo(ranking.total(measure));
        }
      }
    }
  }

  @RepeatedTest(20)
  void pairsInPortionsOfSendersAreTheSame(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    MinuteRows rows = traffic.rows(2_000, FIRST);
    int most = traffic.random.nextInt(1, 100);
    TalkerSums inPortions = new TalkerSums(MINUTES, traffic);
    for (int i = 0; i < 4; i++) {
      int portion = i;
      MinuteRows some = filter(rows, row -> rows.src(row) % 4 == portion);
      new FlowRollup(3, traffic).bucket(some, FIRST, MINUTES, true, inPortions);
      if (i < 3) {
        inPortions.endPortion(most);
      }
    }
    TalkerSums whole = sums(rows, FIRST, traffic);
    for (View view : View.all()) {
      TalkerRanking expected = view.of(whole, most);
      TalkerRanking found = view.of(inPortions, most);
      assertSame(found, expected, view);
    }
  }

  private static MinuteRows filter(MinuteRows rows, IntPredicate which) {
    MinuteRows some = new MinuteRows();
    for (int row = 0; row < rows.size(); row++) {
      if (which.test(row)) {
        RandomTraffic.copy(rows, row, some);
      }
    }
    return some;
  }

  private static void assertSame(TalkerRanking found, TalkerRanking expected, View view) {
    assertThat(found.size()).as("%s", view).isEqualTo(expected.size());
    assertThat(found.talkers()).as("%s", view).isEqualTo(expected.talkers());
    for (TalkerMeasure measure : TalkerMeasure.values()) {
      for (int row = 0; row < found.size(); row++) {
        assertThat(found.key(row)).as("%s", view).isEqualTo(expected.key(row));
        assertThat(found.value(row, measure)).isEqualTo(expected.value(row, measure));
        assertThat(found.missed(row, measure)).isEqualTo(expected.missed(row, measure));
      }
      assertThat(found.bound(measure))
          .as("%s %s", view, measure)
          .isEqualTo(expected.bound(measure));
      assertThat(found.total(measure))
          .as("%s %s", view, measure)
          .isEqualTo(expected.total(measure));
    }
  }

  @RepeatedTest(20)
  void truncatedListsReportTheirPossibleError(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    int most = traffic.random.nextInt(1, 20);
    int limit = traffic.random.nextInt(1, most + 1);
    List<MinuteRows> buckets = new ArrayList<>();
    List<TalkerSums> sums = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      buckets.add(traffic.rows(traffic.random.nextInt(800), FIRST + i * MINUTES));
      sums.add(sums(buckets.get(i), FIRST + i * MINUTES, traffic));
    }
    for (View view : View.all()) {
      Plain plain = new Plain();
      buckets.forEach(rows -> plain.add(rows, view, traffic));
      List<TalkerRanking> cut = sums.stream().map(one -> view.of(one, most)).toList();
      TalkerRanking ranking =
          TalkerRanking.together(
              List.of(
                  TalkerRanking.together(cut.subList(0, 2)).cut(most),
                  TalkerRanking.together(cut.subList(2, 6)).cut(most)));
      for (TalkerMeasure measure : TalkerMeasure.values()) {
        assertThat(ranking.total(measure)).isEqualTo(plain.total(measure));
        for (int row = 0; row < ranking.size(); row++) {
          assertThat(plain.value(ranking.key(row), measure))
              .as("%s, %s of %d", view, measure, ranking.key(row))
              .isBetween(
                  ranking.value(row, measure),
                  ranking.value(row, measure) + ranking.missed(row, measure));
        }
        for (long key : plain.sums.keySet()) {
          if (key != -1 && ranking.find(key) < 0) {
            assertThat(plain.value(key, measure))
                .as("%s, %s of %d that is not listed", view, measure, key)
                .isLessThanOrEqualTo(ranking.bound(measure));
          }
        }
        checkTop(ranking, ranking.top(measure, limit), measure, limit, plain, view);
      }
      TalkerRanking whole =
          TalkerRanking.together(sums.stream().map(one -> view.of(one, ALL)).toList());
      for (TalkerMeasure measure : TalkerMeasure.values()) {
        TalkerRanking.Top top = whole.top(measure, limit);
        assertThat(top.isExact()).isTrue();
        assertThat(keys(whole, top.rows()))
            .as("%s by %s", view, measure)
            .isEqualTo(plain.first(measure, limit));
      }
    }
  }

  private static void checkTop(
      TalkerRanking ranking,
      TalkerRanking.Top top,
      TalkerMeasure measure,
      int limit,
      Plain plain,
      View view) {
    List<Long> keys = keys(ranking, top.rows());
    if (top.isExact()) {
      Set<Long> expected = new LinkedHashSet<>(plain.first(measure, limit));
      // Of equal ones at the end either may be there.
      assertThat(keys.stream().map(key -> plain.value(key, measure)).toList())
          .as("%s by %s", view, measure)
          .isEqualTo(expected.stream().map(key -> plain.value(key, measure)).toList());
    }
    long last = top.rows().length == limit ? ranking.value(top.rows()[limit - 1], measure) : 0;
    for (long key : plain.sums.keySet()) {
      if (key != -1 && !keys.contains(key)) {
        assertThat(plain.value(key, measure) - last)
            .as("%s, %s of %d, which is not among the first", view, measure, key)
            .isLessThanOrEqualTo(top.mayMiss());
      }
    }
  }

  @Test
  void theOrderInWhichTimesArePutTogetherDoesNotMatter() {
    RandomTraffic traffic = new RandomTraffic(7);
    View view = new View(TalkerDimension.PAIR, TalkerDirection.BOTH, null);
    List<TalkerRanking> lists = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int first = FIRST + i * MINUTES;
      lists.add(view.of(sums(traffic.rows(900, first), first, traffic), 20));
    }
    TalkerRanking forth = TalkerRanking.together(lists);
    TalkerRanking back = TalkerRanking.together(lists.reversed());
    TalkerRanking inTwo =
        TalkerRanking.together(
            List.of(
                TalkerRanking.together(lists.subList(0, 3)),
                TalkerRanking.together(lists.subList(3, 5))));
    assertSame(back, forth, view);
    assertSame(inTwo, forth, view);
    assertThat(forth.top(TalkerMeasure.BYTES, 20).isExact()).isFalse();
  }

  @Test
  void thePeakOfAHostIsThatOfItsMinutesNotOfItsKeys() {
    MinuteRows rows = new MinuteRows();
    for (int minute = 0; minute < 3; minute++) {
      int row = rows.append(FIRST + minute, 1, false, 1, 2 + minute, 443, 6, true);
      rows.addTraffic(row, 1_000, 10);
    }
    rows.addTraffic(rows.append(FIRST, 1, false, 1, 9, 443, 6, true), 500, 5);
    TalkerRanking ranking =
        sums(rows, FIRST, new RandomTraffic(1))
            .ranking(TalkerDimension.HOST, TalkerDirection.SENT, null, ALL);
    assertThat(ranking.size()).isEqualTo(1);
    assertThat(ranking.value(0, TalkerMeasure.BYTES)).isEqualTo(3_500);
    assertThat(ranking.value(0, TalkerMeasure.PEAK)).isEqualTo(1_500);
  }

  @Test
  void aPortHasNoDirection() {
    TalkerSums none = new TalkerSums(MINUTES, new RandomTraffic(1));
    assertThatThrownBy(() -> none.ranking(TalkerDimension.PORT, TalkerDirection.SENT, null, 10))
        .hasMessage("PORT is not SENT");
  }

  @Test
  void aStoredListMustBeInOrderAndWhole() {
    long[][] values = new long[TalkerMeasure.COUNT][2];
    long[] sums = new long[TalkerMeasure.COUNT];
    assertThatThrownBy(
            () -> TalkerRanking.of(new long[] {2, 2}, values, values, sums, sums, sums, 2))
        .hasMessage("Talker 2 is out of order");
    assertThatThrownBy(
            () -> TalkerRanking.of(new long[] {1, 2, 3}, values, values, sums, sums, sums, 3))
        .hasMessage("Every measure needs one value for each of the 3 talkers");
  }
}
