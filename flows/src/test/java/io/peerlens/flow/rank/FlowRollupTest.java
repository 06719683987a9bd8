package io.peerlens.flow.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.ingest.flow.TalkerMeasure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FlowRollupTest {

  private static final int MINUTES = RandomTraffic.MINUTES;
  private static final int FIRST = RandomTraffic.FIRST;

  private record Key(int src, int dst, int port, int protocol, boolean towards) {}

  /** Sums by measure, and bytes by minute. */
  private static final class Plain {
    final Map<TalkerMeasure, Long> sums = new EnumMap<>(TalkerMeasure.class);
    final Map<Integer, Long> byMinute = new TreeMap<>();
    long keys = 1;

    void add(MinuteRows rows, int row) {
      sums.merge(TalkerMeasure.BYTES, rows.bytes(row), Long::sum);
      sums.merge(TalkerMeasure.PACKETS, rows.packets(row), Long::sum);
      sums.merge(TalkerMeasure.DROPS, rows.drops(row), Long::sum);
      sums.merge(TalkerMeasure.FLOWS, (long) rows.flows(row), Long::sum);
      sums.merge(TalkerMeasure.SESSIONS, (long) rows.sessions(row), Long::sum);
      sums.merge(TalkerMeasure.RESETS, (long) rows.resets(row), Long::sum);
      byMinute.merge(rows.minute(row), rows.bytes(row), Long::sum);
    }

    void add(Plain other) {
      other.sums.forEach((measure, value) -> sums.merge(measure, value, Long::sum));
      other.byMinute.forEach((minute, value) -> byMinute.merge(minute, value, Long::sum));
      keys += other.keys;
    }

    long get(TalkerMeasure measure) {
      return measure == TalkerMeasure.PEAK
          ? byMinute.values().stream().mapToLong(v -> v).max().orElse(0)
          : sums.getOrDefault(measure, 0L);
    }

    String text() {
      return keys + " " + List.of(TalkerMeasure.values()).stream().map(this::get).toList();
    }
  }

  private static Map<Key, Plain> byKey(MinuteRows partial) {
    MinuteRows rows = partial.sorted(MINUTES);
    boolean[] counts = new boolean[rows.size()];
    Deduplication.mark(rows, MINUTES, counts);
    Map<Key, Plain> byKey = new LinkedHashMap<>();
    for (int row = 0; row < rows.size(); row++) {
      Key key =
          new Key(
              rows.src(row),
              rows.dst(row),
              rows.port(row),
              rows.protocol(row),
              rows.towardsService(row));
      Plain plain = byKey.computeIfAbsent(key, any -> new Plain());
      if (counts[row]) {
        plain.add(rows, row);
      }
    }
    return byKey;
  }

  /** The same with maps and a sort of each sender's keys. */
  private static Map<Key, String> plainly(MinuteRows partial, int keep, FlowEnds ends) {
    Map<Key, Plain> byKey = byKey(partial);
    Map<Integer, List<Key>> bySender = new TreeMap<>();
    byKey
        .keySet()
        .forEach(key -> bySender.computeIfAbsent(key.src, any -> new ArrayList<>()).add(key));
    Map<Key, String> expected = new LinkedHashMap<>();
    for (Map.Entry<Integer, List<Key>> sender : bySender.entrySet()) {
      List<Key> keys = new ArrayList<>(sender.getValue());
      keys.sort( // stable: equal ones stay in the order of the keys
          Comparator.<Key>comparingLong(key -> -byKey.get(key).get(TalkerMeasure.BYTES))
              .thenComparingLong(key -> -byKey.get(key).get(TalkerMeasure.PACKETS))
              .thenComparingLong(key -> -byKey.get(key).get(TalkerMeasure.DROPS)));
      Map<Integer, Plain> others = new TreeMap<>();
      for (int i = 0; i < keys.size(); i++) {
        Key key = keys.get(i);
        Plain plain = byKey.get(key);
        if (i < keep) {
          expected.put(key, plain.text());
        } else {
          int other = ends.internal(key.dst) ? FlowSums.OTHER_INTERNAL : FlowSums.OTHER_EXTERNAL;
          Plain folded = others.get(other);
          if (folded == null) {
            folded = new Plain();
            folded.keys = 0;
            others.put(other, folded);
          }
          folded.add(plain);
        }
      }
      others.forEach(
          (other, plain) ->
              expected.put(new Key(sender.getKey(), other, 0, 0, false), plain.text()));
    }
    return expected;
  }

  private static Map<Key, String> texts(FlowSums sums) {
    Map<Key, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < sums.size(); i++) {
      int row = i;
      Key key =
          new Key(
              sums.src(row),
              sums.dst(row),
              sums.port(row),
              sums.protocol(row),
              sums.towardsService(row));
      String text =
          sums.keys(row)
              + " "
              + List.of(TalkerMeasure.values()).stream().map(m -> sums.get(row, m)).toList();
      assertThat(texts.put(key, text)).as("%s twice", key).isNull();
      if (i > 0) {
        assertThat(sums.compare(i - 1, sums, i)).as("order of row %d", i).isNegative();
      }
    }
    return texts;
  }

  private static long sum(FlowSums sums, TalkerMeasure measure) {
    return IntStream.range(0, sums.size()).mapToLong(row -> sums.get(row, measure)).sum();
  }

  @RepeatedTest(60)
  void aBucketEqualsAPlainComputation(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    MinuteRows rows = traffic.rows(traffic.random.nextInt(4_000), FIRST);
    int keep = traffic.random.nextInt(1, 40);
    FlowRollup rollup = new FlowRollup(keep, traffic);
    FlowSums sums = rollup.bucket(rows, FIRST, MINUTES, true, null);
    Map<Key, String> expected = plainly(rows, keep, traffic);
    assertThat(texts(sums)).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(rollup.bytes()).isEqualTo(sum(sums, TalkerMeasure.BYTES));
    long all = IntStream.range(0, rows.size()).mapToLong(rows::bytes).sum();
    assertThat(rollup.bytes() + rollup.duplicateBytes()).isEqualTo(all);
    FlowSums again =
        new FlowRollup(keep, traffic).bucket(traffic.shuffled(rows), FIRST, MINUTES, true, null);
    assertThat(texts(again)).isEqualTo(texts(sums));
  }

  @RepeatedTest(30)
  void portionsOfSendersGiveTheSameRows(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    MinuteRows rows = traffic.rows(3_000, FIRST);
    Map<Key, String> inPortions = new LinkedHashMap<>();
    for (int portion = 0; portion < 3; portion++) {
      MinuteRows some = new MinuteRows();
      for (int row = 0; row < rows.size(); row++) {
        if (rows.src(row) % 3 == portion) {
          RandomTraffic.copy(rows, row, some);
        }
      }
      inPortions.putAll(texts(new FlowRollup(7, traffic).bucket(some, FIRST, MINUTES, true, null)));
    }
    FlowSums whole = new FlowRollup(7, traffic).bucket(rows, FIRST, MINUTES, true, null);
    assertThat(inPortions).containsExactlyInAnyOrderEntriesOf(texts(whole));
  }

  @RepeatedTest(30)
  void anHourOfUnfoldedBucketsEqualsAPlainComputation(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    FlowRollup rollup = new FlowRollup(100_000, traffic);
    List<FlowSums> buckets = new ArrayList<>();
    Map<Key, Plain> plain = new LinkedHashMap<>();
    for (int i = 0; i < 12; i++) {
      int first = FIRST + i * MINUTES;
      MinuteRows rows = traffic.rows(traffic.random.nextInt(600), first);
      buckets.add(rollup.bucket(rows, first, MINUTES, true, null));
      byKey(rows)
          .forEach(
              (key, more) ->
                  plain.merge(
                      key,
                      more,
                      (a, b) -> {
                        a.add(b);
                        a.keys = 1;
                        return a;
                      }));
    }
    Map<Key, String> expected = new LinkedHashMap<>();
    plain.forEach((key, value) -> expected.put(key, value.text()));
    assertThat(texts(rollup.merge(buckets))).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @RepeatedTest(30)
  void mergingLosesNothingOfASenderAndItsTrafficType(RepetitionInfo repetition) {
    RandomTraffic traffic = new RandomTraffic(repetition.getCurrentRepetition());
    List<FlowSums> buckets = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int first = FIRST + i * MINUTES;
      buckets.add(
          new FlowRollup(15, traffic).bucket(traffic.rows(800, first), first, MINUTES, true, null));
    }
    int keep = traffic.random.nextInt(1, 25);
    FlowRollup rollup = new FlowRollup(keep, traffic);
    FlowSums hour = rollup.merge(buckets);
    assertThat(bySenderAndType(List.of(hour), traffic))
        .isEqualTo(bySenderAndType(buckets, traffic));
    Map<Integer, Integer> own = new TreeMap<>();
    long folded = 0;
    for (int row = 0; row < hour.size(); row++) {
      if (FlowSums.isOther(hour.dst(row))) {
        folded += hour.get(row, TalkerMeasure.BYTES);
        assertThat(hour.get(row, TalkerMeasure.PEAK))
            .isLessThanOrEqualTo(hour.get(row, TalkerMeasure.BYTES));
      } else {
        own.merge(hour.src(row), 1, Integer::sum);
      }
    }
    assertThat(own.values()).allMatch(keys -> keys <= keep);
    assertThat(rollup.foldedBytes()).isEqualTo(folded);
    assertThat(rollup.bytes()).isEqualTo(sum(hour, TalkerMeasure.BYTES));
    assertThat(texts(new FlowRollup(keep, traffic).merge(buckets.reversed())))
        .isEqualTo(texts(hour));
  }

  private static Map<String, Long> bySenderAndType(List<FlowSums> buckets, FlowEnds ends) {
    Map<String, Long> sums = new TreeMap<>();
    for (FlowSums bucket : buckets) {
      for (int row = 0; row < bucket.size(); row++) {
        int dst = bucket.dst(row);
        boolean internal =
            FlowSums.isOther(dst) ? dst == FlowSums.OTHER_INTERNAL : ends.internal(dst);
        for (TalkerMeasure measure : TalkerMeasure.values()) {
          if (measure != TalkerMeasure.PEAK) {
            sums.merge(
                bucket.src(row) + " " + internal + " " + measure,
                bucket.get(row, measure),
                Long::sum);
          }
        }
      }
    }
    return sums;
  }

  @Test
  void withoutDeduplicationAllObserversCount() {
    RandomTraffic traffic = new RandomTraffic(1);
    MinuteRows rows = traffic.rows(1_000, FIRST);
    FlowRollup rollup = new FlowRollup(10, traffic);
    FlowSums sums = rollup.bucket(rows, FIRST, MINUTES, false, null);
    assertThat(sum(sums, TalkerMeasure.BYTES))
        .isEqualTo(IntStream.range(0, rows.size()).mapToLong(rows::bytes).sum());
    assertThat(rollup.duplicateRows()).isZero();
  }

  @Test
  void aPortScanBecomesOneRow() {
    RandomTraffic traffic = new RandomTraffic(1);
    MinuteRows rows = new MinuteRows();
    for (int port = 1; port <= 50_000; port++) {
      int row = rows.append(FIRST + port % MINUTES, 1, false, 1, 2, port, 6, true);
      rows.addTraffic(row, port == 443 ? 1_000_000 : 40, 1);
      rows.addFlows(row, 1, 1, 1);
    }
    FlowRollup rollup = new FlowRollup(1, traffic);
    FlowSums sums = rollup.bucket(rows, FIRST, MINUTES, true, null);
    assertThat(sums.size()).isEqualTo(2);
    assertThat(sums.port(0)).isEqualTo(443);
    assertThat(sums.dst(1)).isEqualTo(FlowSums.OTHER_INTERNAL);
    assertThat(sums.keys(1)).isEqualTo(49_999);
    assertThat(sums.get(1, TalkerMeasure.SESSIONS)).isEqualTo(49_999);
    assertThat(sums.get(1, TalkerMeasure.PEAK)).isEqualTo(400_000);
    assertThat(rollup.foldedBytes()).isEqualTo(49_999 * 40);
    assertThat(rollup.foldedKeys()).isEqualTo(49_999);
  }

  @Test
  void aRowOfAnotherBucketIsRefused() {
    RandomTraffic traffic = new RandomTraffic(1);
    MinuteRows rows = new MinuteRows();
    rows.append(FIRST + MINUTES, 1, false, 1, 2, 80, 6, true);
    assertThatThrownBy(() -> new FlowRollup(1, traffic).bucket(rows, FIRST, MINUTES, true, null))
        .hasMessage("Minute %d is not one of the 5 from %d", FIRST + MINUTES, FIRST);
  }

  @Test
  void noRowsGiveNoRows() {
    FlowRollup rollup = new FlowRollup(1, new RandomTraffic(1));
    assertThat(rollup.bucket(new MinuteRows(), FIRST, MINUTES, true, null).size()).isZero();
    assertThat(rollup.merge(List.of()).size()).isZero();
    assertThat(rollup.merge(List.of(new FlowSums(), new FlowSums())).size()).isZero();
  }
}
