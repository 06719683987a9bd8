package io.peerlens.talker.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alert.Finding;
import io.peerlens.alert.Outcome;
import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.talker.report.TalkerShareStore.Judged;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ShareOutcomesTest {

  private static final Instant TICK = Instant.parse("2026-11-21T14:07:00Z");
  private static final Instant UNTIL = Instant.parse("2026-11-21T14:05:00Z");
  private static final TalkerReport REPORT =
      new TalkerReport(
          new UUID(0, 1),
          "Uplink",
          "",
          new TalkerReportQuery(TalkerDimension.VM, "1h").network(List.of("dmz")),
          Duration.ofHours(1),
          20,
          null,
          List.of(),
          List.of(),
          new TalkerReport.Limit(0.3, Severity.CRITICAL, Impact.RISK, List.of("Look.")),
          3);

  private static OverShare over(int object, String name, double share) {
    return new OverShare(
        name, name, object, share, "41 GiB", "100 GiB", UNTIL.minusSeconds(600).getEpochSecond());
  }

  private static Outcome outcome(boolean stale, OverShare... over) {
    return ShareOutcomes.outcome(
        REPORT, new Judged(3, UNTIL.minus(Duration.ofHours(1)), UNTIL, List.of(over)), stale, TICK);
  }

  @Test
  void theExplanationNamesTalkerShareTrafficAndLimit() {
    Finding finding = outcome(false, over(7, "nas-02", 0.41)).fires().get(7);

    assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(finding.since()).isEqualTo(UNTIL.minusSeconds(600));
    assertThat(finding.explained().text())
        .isEqualTo(
            "nas-02 has 41 % of the traffic of the report Uplink in the 1 h to 14:05 UTC"
                + " (41 GiB of 100 GiB), above the limit of 30 % for critical, since 13:55 UTC."
                + " Counted are virtual machines by bytes, network dmz.");
    assertThat(finding.members().getFirst().name()).isEqualTo("Uplink: nas-02 in 1 h");
    assertThat(finding.members().getFirst().value()).isEqualTo(41);
    assertThat(finding.members().getFirst().bound()).isEqualTo(30);
  }

  @Test
  void eachObjectHasAnAlertAndOthersAreClear() {
    Outcome outcome = outcome(false, over(7, "a", 0.5), over(8, "b", 0.4));

    assertThat(outcome.fires().keySet()).containsExactlyInAnyOrder(7, 8);
    assertThat(outcome.others().apply(9)).isEqualTo(Verdict.CLEAR);
  }

  @Test
  void talkersThatAreNoObjectsAreMembersOfOneAlert() {
    Outcome outcome = outcome(false, over(5, "443/tcp", 0.5), over(5, "53/udp", 0.4));

    assertThat(outcome.fires()).hasSize(1);
    assertThat(outcome.fires().get(5).members()).hasSize(2);
    assertThat(outcome.fires().get(5).explained().text()).contains("Also 53/udp (40 %).");
  }

  @Test
  void theAlertIsUnknownWithoutNewerRollUps() {
    Outcome outcome = outcome(true, over(7, "nas-02", 0.41));

    assertThat(outcome.fires()).isEmpty();
    assertThat(outcome.others().apply(7)).isEqualTo(Verdict.UNKNOWN);
  }
}
