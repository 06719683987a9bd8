package io.peerlens.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.incident.CauseJudgement.Confidence;
import io.peerlens.incident.CauseJudgement.Sign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CauseJudgeTest {

  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final int WARNING = 2;
  private static final int IMMEDIATE = 3;
  private static final int CRITICAL = 4;

  private static List<CauseJudgement> judge(Estate estate) {
    return new CauseJudge(estate.topology, TOLERANCE).judge(estate.alerts);
  }

  /** A host runs out of memory: its machines are ballooned and swapped, and wait. */
  private static OpenAlert memory(Estate estate, String host, int minute) {
    OpenAlert cause = estate.alert("host memory", host, "mem|usage_average", CRITICAL, minute);
    estate.alert("host swaps", host, "mem|swapout_average", IMMEDIATE, minute + 4);
    for (int m = 1; m <= 5; m++) {
      String machine = host + "-m" + m;
      estate.alert("ballooned", machine, "mem|vmmemctl_average", WARNING, minute + 2);
      estate.alert("ready", machine, "cpu|readiness_average", IMMEDIATE, minute + 5);
    }
    estate.alert("disk waits", host + "-m1", "disk|maxTotalLatency_latest", WARNING, minute + 6);
    return cause;
  }

  @Test
  void theMemoryAlertOfAHostExplainsAlertsOfItsMachines() {
    Estate estate = new Estate(2, 4, 10);
    OpenAlert cause = memory(estate, "c1-h2", 0);

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(judged.getFirst().cause()).isEqualTo(cause);
    assertThat(judged.getFirst().effects()).hasSize(12);
    assertThat(judged.getFirst().signs()).containsExactlyInAnyOrder(Sign.values());
    assertThat(judged.getFirst().confidence()).isEqualTo(Confidence.HIGH);
  }

  @Test
  void onOneObjectTheWorseAlertExplainsTheMilderOne() {
    Estate estate = new Estate(1, 2, 4);
    OpenAlert waits = estate.alert("machines wait", "c1-h1", "cpu|readiness_average", CRITICAL, 0);
    OpenAlert busy = estate.alert("host is busy", "c1-h1", "cpu|usage_average", WARNING, 0);
    estate.alert("ready", "c1-h1-m1", "cpu|readiness_average", IMMEDIATE, 1);

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(judged.getFirst().cause()).isEqualTo(waits);
    assertThat(judged.getFirst().effects()).contains(busy).hasSize(2);
  }

  @Test
  void aRuleOfTheClusterThatComesLaterIsAConsequence() {
    Estate estate = new Estate(1, 4, 10);
    OpenAlert cause = memory(estate, "c1-h2", 0);
    OpenAlert own = estate.alert("cluster ready", "c1", "cpu|readiness_average", WARNING, 8);
    OpenAlert sum =
        estate.sum("hosts are busy", "c1", "mem|usage_average", WARNING, 9, List.of("c1-h2"));

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(judged.getFirst().cause()).isEqualTo(cause);
    assertThat(judged.getFirst().effects()).contains(own, sum).hasSize(14);
  }

  @Test
  void aClusterIsNoCauseEvenIfItIsWorseAndFirst() {
    Estate estate = new Estate(1, 2, 4);
    OpenAlert cluster = estate.alert("cluster ready", "c1", "cpu|readiness_average", CRITICAL, 0);
    for (int m = 1; m <= 4; m++) {
      estate.alert("ready", "c1-h1-m" + m, "cpu|readiness_average", WARNING, 1);
    }

    assertThat(judge(estate)).allMatch(one -> one.cause() != cluster);
    assertThat(judge(estate)).noneMatch(one -> one.effects().contains(cluster));
  }

  @Test
  void aSilentObjectIsNotExplainedByAnotherKindOfFault() {
    Estate estate = new Estate(1, 4, 10);
    memory(estate, "c1-h2", 0);
    OpenAlert here = estate.silent("c1-h2-m9", IMMEDIATE, 3);
    OpenAlert there = estate.silent("c1-h3-m1", IMMEDIATE, 3);

    assertThat(judge(estate))
        .hasSize(1)
        .noneMatch(one -> one.alerts().contains(here) || one.alerts().contains(there));
  }

  @Test
  void aHostThatIsSilentOrLosesItsNetworkExplainsItsSilentMachines() {
    for (String key : List.of("sys|uptime_latest", "net|droppedTx_summation")) {
      Estate estate = new Estate(1, 2, 4);
      OpenAlert host =
          key.startsWith("net")
              ? estate.alert("drops", "c1-h1", key, CRITICAL, 0)
              : estate.silent("c1-h1", CRITICAL, 0);
      OpenAlert machine = estate.silent("c1-h1-m1", CRITICAL, 1);
      OpenAlert other = estate.silent("c1-h2-m1", CRITICAL, 1);

      List<CauseJudgement> judged = judge(estate);

      assertThat(judged).hasSize(1);
      assertThat(judged.getFirst().cause()).isEqualTo(host);
      assertThat(judged.getFirst().effects()).containsExactly(machine).doesNotContain(other);
    }
  }

  @Test
  void aWorseAlertIsNeverFoldedUnderAMilderOne() {
    Estate estate = new Estate(1, 2, 4);
    OpenAlert host = estate.alert("host memory", "c1-h1", "mem|usage_average", WARNING, 0);
    OpenAlert worse = estate.alert("ready", "c1-h1-m1", "cpu|readiness_average", CRITICAL, 1);
    OpenAlert alike = estate.alert("ready", "c1-h1-m2", "cpu|readiness_average", WARNING, 1);

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(judged.getFirst().alerts()).containsExactly(host, alike).doesNotContain(worse);
  }

  @Test
  void anAlertThatStartedLaterIsNoCause() {
    Estate estate = new Estate(1, 2, 4);
    estate.alert("ready", "c1-h1-m1", "cpu|readiness_average", WARNING, 0);
    estate.alert("ready", "c1-h1-m2", "cpu|readiness_average", WARNING, 0);
    estate.alert("host memory", "c1-h1", "mem|usage_average", CRITICAL, 6);
    assertThat(judge(estate)).isEmpty();

    Estate within = new Estate(1, 2, 4);
    within.alert("ready", "c1-h1-m1", "cpu|readiness_average", WARNING, 0);
    within.alert("ready", "c1-h1-m2", "cpu|readiness_average", WARNING, 0);
    OpenAlert cause = within.alert("host memory", "c1-h1", "mem|usage_average", CRITICAL, 5);
    assertThat(judge(within).getFirst().cause()).isEqualTo(cause);
    assertThat(judge(within).getFirst().signs()).doesNotContain(Sign.BEFORE);
  }

  @Test
  void aDatastoreExplainsTheDiskWaitsOfItsMachinesOnAllHosts() {
    Estate estate = new Estate(1, 3, 6);
    OpenAlert store =
        estate.alert("slow", "c1-ds1", "datastore|totalWriteLatency_average", CRITICAL, 0);
    List<OpenAlert> waits = new ArrayList<>();
    for (int h = 1; h <= 3; h++) {
      waits.add(estate.alert("waits", "c1-h" + h, "disk|deviceLatency_average", IMMEDIATE, 2));
      for (int m = 2; m <= 6; m += 2) { // every other machine uses it
        waits.add(
            estate.alert(
                "disk waits",
                "c1-h" + h + "-m" + m,
                "virtualDisk|totalWriteLatency_average",
                WARNING,
                3));
      }
    }
    OpenAlert other =
        estate.alert("disk waits", "c1-h1-m1", "disk|maxTotalLatency_latest", CRITICAL, 3);

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(judged.getFirst().cause()).isEqualTo(store);
    assertThat(judged.getFirst().effects()).containsExactlyInAnyOrderElementsOf(waits);
    assertThat(judged.getFirst().effects()).doesNotContain(other);
  }

  @Test
  void twoFaultsAtOnceAreTwoIncidents() {
    Estate estate = new Estate(1, 4, 10);
    OpenAlert host = memory(estate, "c1-h1", 0);
    OpenAlert store =
        estate.alert("slow", "c1-ds1", "datastore|totalWriteLatency_average", CRITICAL, 1);
    for (int h = 2; h <= 4; h++) {
      estate.alert("disk waits", "c1-h" + h + "-m2", "disk|maxTotalLatency_latest", WARNING, 3);
    }
    OpenAlert both =
        estate.alert("disk waits", "c1-h1-m2", "disk|maxTotalLatency_latest", WARNING, 3);

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(2);
    assertThat(judged).extracting(CauseJudgement::cause).containsExactlyInAnyOrder(host, store);
    assertThat(judged.stream().filter(one -> one.cause() == store).findFirst().get().effects())
        .as("the datastore fits a disk wait better than the memory of the host")
        .contains(both)
        .hasSize(4);
  }

  @Test
  void aMachineThatTakesTheCpuExplainsThatOthersOfItsHostWait() {
    Estate estate = new Estate(1, 2, 6);
    OpenAlert batch = estate.alert("cpu", "c1-h1-m1", "cpu|usage_average", IMMEDIATE, 0);
    for (int m = 2; m <= 4; m++) {
      estate.alert("ready", "c1-h1-m" + m, "cpu|readiness_average", WARNING, 2);
    }
    OpenAlert elsewhere = estate.alert("ready", "c1-h2-m1", "cpu|readiness_average", WARNING, 2);
    OpenAlert sum =
        estate.sum(
            "machines wait",
            "c1-h1",
            "cpu|readiness_average",
            WARNING,
            4,
            List.of("c1-h1-m2", "c1-h1-m3", "c1-h1-m4"));

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(judged.getFirst().cause()).isEqualTo(batch);
    assertThat(judged.getFirst().effects()).contains(sum).doesNotContain(elsewhere).hasSize(4);
  }

  @Test
  void anAlertIsInOneIncidentEvenIfASumStartedBeforeItsCause() {
    Estate estate = new Estate(1, 2, 6);
    estate.alert("host memory", "c1-h1", "mem|usage_average", CRITICAL, 10);
    estate.alert("ballooned", "c1-h1-m1", "mem|vmmemctl_average", WARNING, 6);
    estate.alert("ballooned", "c1-h1-m2", "mem|vmmemctl_average", WARNING, 7);
    estate.sum("sum", "c1", "mem|usage_average", WARNING, 2, List.of("c1-h1-m1", "c1-h1-m2"));

    assertThat(judge(estate).stream().flatMap(one -> one.alerts().stream()))
        .doesNotHaveDuplicates();
  }

  @Test
  void unrelatedAlertsAreInNoIncident() {
    Estate estate = new Estate(2, 2, 4);
    estate.alert("cpu", "c1-h1-m1", "cpu|usage_average", CRITICAL, 0);
    estate.alert("packets", "c1-h2-m1", "net|droppedRx_summation", IMMEDIATE, 0);
    estate.alert("nearly full", "c2-ds1", "disk|used_latest", CRITICAL, 0);
    estate.alert("disk waits", "c2-h1-m2", "disk|maxTotalLatency_latest", WARNING, 5);

    assertThat(judge(estate)).isEmpty();
  }

  @Test
  void aVcenterOutageIsOneIncidentWithoutACause() {
    Estate estate = new Estate(2, 3, 20);
    for (int c = 1; c <= 2; c++) {
      for (int h = 1; h <= 3; h++) {
        for (int m = 1; m <= 20; m++) {
          estate.silent("c" + c + "-h" + h + "-m" + m, CRITICAL, (h + m) % 2);
        }
      }
    }
    OpenAlert long_ago = estate.silent("c1-h1", CRITICAL, -600);

    List<CauseJudgement> judged = judge(estate);

    // The host has been away for ten hours: its machines were heard of since.
    assertThat(judged).hasSize(2);
    CauseJudgement common =
        judged.stream().filter(one -> one.cause() == null).findFirst().orElseThrow();
    assertThat(estate.name(common.place())).isEqualTo("dc");
    assertThat(common.confidence()).isEqualTo(Confidence.LOW);
    assertThat(judged.stream().mapToInt(one -> one.alerts().size()).sum()).isEqualTo(121);
    assertThat(judged.stream().anyMatch(one -> one.cause() == long_ago)).isTrue();
  }

  @Test
  void machinesThatHaveOneFolderOrNetworkInCommonHaveNoPlaceInCommon() {
    Estate estate = new Estate(2, 3, 20);
    for (int h = 1; h <= 3; h++) {
      estate.alert("swapped", "c1-h" + h + "-m1", "mem|swapped_average", WARNING, 0);
      estate.alert("swapped", "c2-h1-m" + h, "mem|swapped_average", WARNING, 0);
    }

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(1);
    assertThat(estate.name(judged.getFirst().place())).isEqualTo("c2-h1");
    assertThat(judged.getFirst().effects()).hasSize(3);
  }

  @Test
  void hostsThatFallSilentTogetherAreOneIncidentWithTheirMachines() {
    Estate estate = new Estate(2, 3, 20);
    for (int h = 1; h <= 3; h++) {
      estate.silent("c1-h" + h, CRITICAL, h % 2);
      for (int m = 1; m <= 20; m++) {
        estate.silent("c1-h" + h + "-m" + m, CRITICAL, 1);
      }
    }
    // Of the other cluster two hosts only, hours ago: each is the cause for its own machines.
    for (int h = 1; h <= 2; h++) {
      estate.silent("c2-h" + h, CRITICAL, -300);
      estate.silent("c2-h" + h + "-m1", CRITICAL, -300);
    }

    List<CauseJudgement> judged = judge(estate);

    assertThat(judged).hasSize(3);
    CauseJudgement common =
        judged.stream().filter(one -> one.cause() == null).findFirst().orElseThrow();
    assertThat(estate.name(common.place())).isEqualTo("dc");
    assertThat(common.effects()).hasSize(63);
    assertThat(judged.stream().filter(one -> one.cause() != null))
        .allMatch(one -> one.effects().size() == 1);
  }

  @Test
  void theOrderOfAlertsDoesNotMatter() {
    Estate estate = new Estate(2, 4, 10);
    memory(estate, "c1-h2", 0);
    memory(estate, "c2-h1", 3);
    estate.alert("cluster ready", "c1", "cpu|readiness_average", WARNING, 8);
    List<CauseJudgement> expected = judge(estate);
    assertThat(expected).hasSize(2);

    Random random = new Random(18);
    for (int i = 0; i < 50; i++) {
      Collections.shuffle(estate.alerts, random);
      assertThat(judge(estate)).isEqualTo(expected);
    }
  }

  @Test
  void aStormIsJudgedInTime() {
    Estate estate = new Estate(10, 10, 50);
    for (int c = 1; c <= 10; c++) {
      for (int h = 1; h <= 10; h++) {
        memory(estate, "c" + c + "-h" + h, c);
        for (int m = 6; m <= 50; m++) {
          String machine = "c" + c + "-h" + h + "-m" + m;
          estate.alert("ready", machine, "cpu|readiness_average", WARNING, c + 3);
          estate.alert("ballooned", machine, "mem|vmmemctl_average", WARNING, c + 3);
        }
      }
    }
    assertThat(estate.alerts).hasSizeGreaterThan(10_000);
    long start = System.nanoTime();

    List<CauseJudgement> judged = judge(estate);

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    assertThat(judged).hasSize(100);
    assertThat(judged).allMatch(one -> one.effects().size() == 102);
  }
}
