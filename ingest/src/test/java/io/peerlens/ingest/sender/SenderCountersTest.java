package io.peerlens.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.sender.SenderCounters.Report;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SenderCountersTest {

  private static final long NOW = 1_795_000_200_000L; // begin of a window
  private static final Sender EAST = new Sender(Sender.Kind.LINES, "tg-east");

  private final SenderCounters counters = new SenderCounters();

  private static SenderTally tally(long at, long offsetMillis, int lines, int... objects) {
    SenderTally tally = new SenderTally(at);
    for (int i = 0; i < lines; i++) {
      tally.add(1, (at + offsetMillis - i) * 1_000);
    }
    for (int object : objects) {
      tally.object(object);
    }
    tally.plugin("cpu");
    return tally;
  }

  private Report only(long now) {
    List<Report> reports = counters.take(now);
    assertThat(reports).hasSize(1);
    return reports.getFirst();
  }

  @Test
  void batchesOfASenderAddUpUntilTheyAreTaken() {
    counters.add(Map.of(EAST, tally(NOW, -5_000, 3, 1, 2)));
    counters.add(Map.of(EAST, tally(NOW + 4_000, -7_000, 2, 2, 3)));
    assertThat(only(NOW + 5_000))
        .isEqualTo(
            new Report(
                EAST, List.of("cpu"), 5, NOW, NOW + 4_000, (NOW - 3_000) * 1_000, -5_000, 3));
    assertThat(counters.take(NOW + 6_000)).isEmpty();
  }

  @Test
  void aReportHasTheTimesOfWhatCameSinceTheLastOne() {
    counters.add(Map.of(EAST, tally(NOW, 600_000, 1)));
    counters.take(NOW);
    counters.add(Map.of(EAST, tally(NOW + 10_000, -1_000, 1)));
    Report report = only(NOW + 10_000);
    assertThat(report.newestMicros()).isEqualTo((NOW + 9_000) * 1_000);
    assertThat(report.offsetMillis()).isEqualTo(-1_000);
    assertThat(report.firstMillis()).isEqualTo(NOW + 10_000);
  }

  @Test
  void objectsAreThoseOfThisWindowOrOfTheOneBefore() {
    counters.add(Map.of(EAST, tally(NOW, 0, 1, 1, 2, 3)));
    assertThat(only(NOW).objects()).isEqualTo(3);
    long next = NOW + SenderCounters.WINDOW_MILLIS;
    counters.add(Map.of(EAST, tally(next, 0, 1, 1)));
    assertThat(only(next).objects()).isEqualTo(3);
    long afterThat = next + SenderCounters.WINDOW_MILLIS;
    counters.add(Map.of(EAST, tally(afterThat, 0, 1, 1)));
    assertThat(only(afterThat).objects()).isEqualTo(1);
  }

  @Test
  void sendersBeyondTheBoundAreCountedAsOne() {
    Map<Sender, SenderTally> many = new HashMap<>();
    for (int i = 0; i < SenderCounters.MOST + 20; i++) {
      many.put(new Sender(Sender.Kind.LINES, "host-" + i), tally(NOW, 0, 2));
    }
    counters.add(many);
    counters.add(Map.of(Sender.JSON, tally(NOW, 0, 1)));
    List<Report> reports = counters.take(NOW);
    assertThat(reports).hasSize(SenderCounters.MOST + 2);
    assertThat(reports)
        .filteredOn(one -> one.sender().name().equals(Sender.OTHERS))
        .singleElement()
        .extracting(Report::lines)
        .isEqualTo(40L);
    assertThat(reports).extracting(Report::sender).contains(Sender.JSON);
  }

  @Test
  void aSenderThatIsSilentGivesItsPlaceToAnother() {
    Map<Sender, SenderTally> many = new HashMap<>();
    for (int i = 0; i < SenderCounters.MOST; i++) {
      many.put(new Sender(Sender.Kind.LINES, "host-" + i), tally(NOW, 0, 1));
    }
    counters.add(many);
    counters.take(NOW);
    long later = NOW + 3_700_000;
    counters.take(later);
    counters.add(Map.of(EAST, tally(later, 0, 1)));
    assertThat(only(later).sender()).isEqualTo(EAST);
  }
}
