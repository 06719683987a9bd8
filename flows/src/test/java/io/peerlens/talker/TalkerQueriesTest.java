package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.talker.TalkerQueries.Complete;
import io.peerlens.talker.TalkerQueries.Stretch;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TalkerQueriesTest {

  private static final Complete ALWAYS = new Complete(0, Long.MAX_VALUE);
  private static final Map<FlowLevel, Complete> ALL =
      Map.of(FlowLevel.FIVE_MINUTES, ALWAYS, FlowLevel.ONE_HOUR, ALWAYS, FlowLevel.ONE_DAY, ALWAYS);

  private static long at(String time) {
    return Instant.parse(time).getEpochSecond();
  }

  private static List<String> cover(String from, String to, Map<FlowLevel, Complete> complete) {
    return cover(from, to, FlowLevel.ONE_DAY, complete);
  }

  private static List<String> cover(
      String from, String to, FlowLevel wanted, Map<FlowLevel, Complete> complete) {
    return TalkerQueries.cover(at(from), at(to), wanted, complete).stream()
        .map(TalkerQueriesTest::text)
        .toList();
  }

  private static String text(Stretch stretch) {
    return "%s %s to %s"
        .formatted(
            stretch.level().label(),
            Instant.ofEpochSecond(stretch.from()),
            Instant.ofEpochSecond(stretch.to()));
  }

  @Test
  void aRangeIsCoveredByTheLongestBucketsThatFit() {
    assertThat(cover("2026-11-19T21:50:00Z", "2026-11-22T02:10:00Z", ALL))
        .containsExactly(
            "5m 2026-11-19T21:50:00Z to 2026-11-19T22:00:00Z",
            "1h 2026-11-19T22:00:00Z to 2026-11-20T00:00:00Z",
            "1d 2026-11-20T00:00:00Z to 2026-11-22T00:00:00Z",
            "1h 2026-11-22T00:00:00Z to 2026-11-22T02:00:00Z",
            "5m 2026-11-22T02:00:00Z to 2026-11-22T02:10:00Z");
  }

  @Test
  void anIncompleteLevelIsReplacedByAnotherOrLeftOut() {
    Map<FlowLevel, Complete> complete =
        Map.of(
            FlowLevel.FIVE_MINUTES,
            new Complete(at("2026-11-20T10:00:00Z"), at("2026-11-20T12:25:00Z")),
            FlowLevel.ONE_HOUR,
            new Complete(at("2026-11-20T08:00:00Z"), at("2026-11-20T11:00:00Z")));
    assertThat(cover("2026-11-20T06:00:00Z", "2026-11-20T13:00:00Z", complete))
        .containsExactly(
            "1h 2026-11-20T08:00:00Z to 2026-11-20T11:00:00Z",
            "5m 2026-11-20T11:00:00Z to 2026-11-20T12:25:00Z");
  }

  @Test
  void aRangeBetweenTwoBucketsStartsWithTheFirst() {
    assertThat(cover("2026-11-20T10:03:00Z", "2026-11-20T10:14:00Z", ALL))
        .containsExactly("5m 2026-11-20T10:00:00Z to 2026-11-20T10:10:00Z");
  }

  @Test
  void shorterBucketsAreTakenWhereTheyAreWantedAndThere() {
    Map<FlowLevel, Complete> complete =
        Map.of(
            FlowLevel.FIVE_MINUTES,
            new Complete(at("2026-11-20T11:00:00Z"), Long.MAX_VALUE),
            FlowLevel.ONE_HOUR,
            ALWAYS);
    assertThat(
            cover("2026-11-20T10:00:00Z", "2026-11-20T13:00:00Z", FlowLevel.FIVE_MINUTES, complete))
        .containsExactly(
            "1h 2026-11-20T10:00:00Z to 2026-11-20T11:00:00Z",
            "5m 2026-11-20T11:00:00Z to 2026-11-20T13:00:00Z");
  }

  @Test
  void aRangeHasEnoughBucketsToDrawALine() {
    long hour = 3_600;
    assertThat(TalkerQueries.longestFor(0, hour)).isEqualTo(FlowLevel.FIVE_MINUTES);
    assertThat(TalkerQueries.longestFor(0, 24 * hour - 1)).isEqualTo(FlowLevel.FIVE_MINUTES);
    assertThat(TalkerQueries.longestFor(0, 24 * hour)).isEqualTo(FlowLevel.ONE_HOUR);
    assertThat(TalkerQueries.longestFor(0, 24 * 24 * hour)).isEqualTo(FlowLevel.ONE_DAY);
  }

  @Test
  void anEmptyRangeNeedsNoLevel() {
    assertThat(cover("2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z", Map.of())).isEmpty();
  }
}
