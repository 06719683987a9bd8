package io.peerlens.flow.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.minute.MinuteRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class DeduplicationTest {

  private final MinuteRows rows = new MinuteRows();

  private int row(int minute, int observer, boolean egress, long bytes) {
    int row = rows.append(minute, observer, egress, 1, 2, 80, 6, true);
    rows.addTraffic(row, bytes, bytes / 100);
    rows.addFlows(row, 1, 1, 0);
    return row;
  }

  /** What counts, as {@code minute/observer[e]=bytes}. */
  private static List<String> counted(MinuteRows unsorted) {
    return counted(unsorted, 1);
  }

  private static List<String> counted(MinuteRows unsorted, int bucketMinutes) {
    MinuteRows sorted = unsorted.sorted(bucketMinutes);
    boolean[] counts = new boolean[sorted.size()];
    int counted = Deduplication.mark(sorted, bucketMinutes, counts);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      if (counts[i]) {
        texts.add(
            "%d/%d%s=%d"
                .formatted(
                    sorted.minute(i),
                    sorted.observer(i),
                    sorted.egress(i) ? "e" : "",
                    sorted.bytes(i)));
      }
    }
    assertThat(counted).isEqualTo(texts.size());
    return texts;
  }

  @Test
  void theObserverWithMostBytesCountsMinuteByMinute() {
    row(10, 1, false, 900);
    row(10, 2, false, 1_000);
    row(11, 1, false, 500);
    row(11, 2, false, 400);
    row(12, 2, false, 7);
    assertThat(counted(rows)).containsExactly("10/2=1000", "11/1=500", "12/2=7");
  }

  @Test
  void inALongerBucketOneObserverCountsForAllOfIt() {
    row(10, 1, false, 900);
    row(10, 2, false, 1_000);
    row(11, 1, false, 500);
    row(11, 2, false, 300);
    row(15, 2, false, 7);
    assertThat(counted(rows, 5)).containsExactlyInAnyOrder("10/1=900", "11/1=500", "15/2=7");
  }

  @Test
  void partialRowsOfOneObserverAreAddedUpBeforeTheyAreCompared() {
    row(10, 1, false, 600);
    row(10, 2, false, 1_000);
    row(10, 1, false, 600);
    assertThat(counted(rows)).containsExactly("10/1=600", "10/1=600");
  }

  @Test
  void ingressIsPreferredToEgress() {
    row(10, 1, true, 1_000);
    row(10, 1, false, 900);
    row(11, 1, true, 1_000);
    assertThat(counted(rows)).containsExactly("10/1=900", "11/1e=1000");
  }

  @Test
  void anObserverIsComparedByWhatOfItWouldCount() {
    row(10, 1, true, 5_000);
    row(10, 1, false, 900);
    row(10, 2, true, 1_000);
    assertThat(counted(rows)).containsExactly("10/2e=1000");
  }

  @Test
  void ofEqualObserversTheOneWithTheSmallestIdCounts() {
    row(10, 3, false, 1_000);
    row(10, 2, false, 1_000);
    assertThat(counted(rows)).containsExactly("10/2=1000");
  }

  @Test
  void anObserverThatSawOnlyDropsCountsIfNoneSawMore() {
    rows.addDrops(rows.append(10, 2, false, 1, 2, 80, 6, true), 5);
    row(10, 1, false, 0);
    assertThat(counted(rows)).containsExactly("10/2=0");
  }

  @Test
  void differentTrafficIsNoDuplicate() {
    rows.append(10, 1, false, 1, 2, 80, 6, true);
    rows.append(10, 2, false, 2, 1, 80, 6, false);
    rows.append(10, 2, false, 1, 2, 81, 6, true);
    rows.append(10, 2, false, 1, 2, 80, 17, true);
    rows.append(10, 2, false, 1, 2, 80, 6, false);
    rows.append(10, 2, false, 1, 3, 80, 6, true);
    assertThat(counted(rows)).hasSize(6);
  }

  @Test
  void rowsOutOfOrderAreRefused() {
    row(11, 1, false, 1);
    row(10, 1, false, 1);
    assertThatThrownBy(() -> Deduplication.mark(rows, 1, new boolean[2]))
        .hasMessage("Row 1 is out of order");
  }

  @Test
  void noRowsAreFine() {
    assertThat(counted(rows)).isEmpty();
  }

  private record Key(int bucket, int src, int dst, int port, int protocol, boolean towards) {}

  @RepeatedTest(value = 20, name = "seed {currentRepetition}")
  void markedRowsAgreeWithAPlainComputation(RepetitionInfo seed) {
    int bucketMinutes = seed.getCurrentRepetition() % 3 + 1;
    SplittableRandom random = new SplittableRandom(seed.getCurrentRepetition());
    for (int i = 0; i < 2_000; i++) {
      int row =
          rows.append(
              random.nextInt(-2, 7),
              random.nextInt(-2, 3),
              random.nextBoolean(),
              random.nextInt(3),
              random.nextInt(3),
              random.nextInt(3) * 30_000,
              random.nextBoolean() ? 6 : 255,
              random.nextBoolean());
      rows.addTraffic(row, random.nextInt(5), random.nextInt(3));
      rows.addDrops(row, random.nextInt(2));
    }
    MinuteRows sorted = rows.sorted(bucketMinutes);
    boolean[] counts = new boolean[sorted.size()];
    Deduplication.mark(sorted, bucketMinutes, counts);

    Map<Key, Map<Integer, Map<Boolean, long[]>>> sums = new HashMap<>();
    for (int i = 0; i < sorted.size(); i++) {
      long[] sum =
          sums.computeIfAbsent(key(sorted, i, bucketMinutes), k -> new HashMap<>())
              .computeIfAbsent(sorted.observer(i), o -> new HashMap<>())
              .computeIfAbsent(sorted.egress(i), e -> new long[3]);
      sum[0] += sorted.bytes(i);
      sum[1] += sorted.packets(i);
      sum[2] += sorted.drops(i);
    }
    Set<List<Object>> expected = new HashSet<>();
    sums.forEach(
        (key, byObserver) -> {
          int best =
              byObserver.entrySet().stream()
                  .max(
                      Comparator.<Map.Entry<Integer, Map<Boolean, long[]>>>comparingLong(
                              e -> used(e.getValue())[0])
                          .thenComparingLong(e -> used(e.getValue())[1])
                          .thenComparingLong(e -> used(e.getValue())[2])
                          .thenComparing(e -> -e.getKey()))
                  .orElseThrow()
                  .getKey();
          expected.add(List.of(key, best, !byObserver.get(best).containsKey(false)));
        });
    for (int i = 0; i < sorted.size(); i++) {
      assertThat(counts[i])
          .isEqualTo(
              expected.contains(
                  List.of(key(sorted, i, bucketMinutes), sorted.observer(i), sorted.egress(i))));
    }
  }

  private static Key key(MinuteRows rows, int i, int bucketMinutes) {
    return new Key(
        Math.floorDiv(rows.minute(i), bucketMinutes),
        rows.src(i),
        rows.dst(i),
        rows.port(i),
        rows.protocol(i),
        rows.towardsService(i));
  }

  private static long[] used(Map<Boolean, long[]> byDirection) {
    long[] ingress = byDirection.get(false);
    return ingress == null ? byDirection.get(true) : ingress;
  }
}
