package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.GRID;
import static io.peerlens.sizing.Traces.all;
import static io.peerlens.sizing.Traces.atWork;
import static io.peerlens.sizing.Traces.because;
import static io.peerlens.sizing.Traces.known;
import static io.peerlens.sizing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.DayOfWeek;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdleTest {

  private static final double SIZE = 10_000;

  /** 12 GB in an hour. */
  private static final double BACKUP = 12 * 1024.0 * 1024 / 3600;

  private static Idle idle(double[] cpu, double[] net, double[] read, double[] write) {
    return known(Idle.of(GRID, new Idle.Activity(cpu, net, read, write), SIZE, IdleRule.USUAL));
  }

  @Test
  void aBackupEachNightDoesNotMakeAMachineUsed() {
    Idle it =
        idle(
            trace(at -> at.getHour() == 2 ? 3000 : 30),
            all(1),
            trace(at -> at.getHour() == 2 ? BACKUP : 1),
            all(2));
    assertThat(it.idle()).isTrue();
    assertThat(it.quietShare()).isCloseTo(23.0 / 24, within(1e-9));
    assertThat(it.batches()).hasSize(1);
    assertThat(it.batches().getFirst().kind()).isEqualTo(Batch.Kind.BACKUP);
    assertThat(it.batches().getFirst().readGb()).isCloseTo(12, within(1e-6));
    assertThat(it.reason())
        .isEqualTo(
            "It is idle: quiet in 95.8 % of the hours of 28 days, busy only from 02:00 to 03:00"
                + " each day: 12 GB read, a backup or a scan.");
  }

  @Test
  void idlenessThatHangsOnABatchIsSaid() {
    Idle it =
        idle(
            trace(at -> at.getHour() >= 1 && at.getHour() < 4 ? 3000 : 30),
            all(1),
            all(1),
            trace(at -> at.getHour() >= 1 && at.getHour() < 4 ? 4000 : 1));
    assertThat(it.idle()).isTrue();
    assertThat(it.byBatches()).isTrue();
    assertThat(it.batchShare()).isCloseTo(3.0 / 24, within(1e-9));
    assertThat(it.batches().getFirst().kind()).isEqualTo(Batch.Kind.JOB);
    assertThat(it.reason()).contains("from 01:00 to 04:00 each day", "41.2 GB written, a job");
  }

  @Test
  void aWeeklyRunIsABatchToo() {
    Idle it =
        idle(
            trace(at -> at.getDayOfWeek() == DayOfWeek.SUNDAY && at.getHour() >= 14 ? 500 : 30),
            all(1),
            all(1),
            all(1));
    assertThat(it.idle()).isTrue();
    assertThat(it.batches()).hasSize(1);
    assertThat(it.batches().getFirst().weekday()).isEqualTo(7);
    assertThat(it.reason()).contains("busy only from 14:00 to 24:00 each Sunday: CPU, a job");
  }

  @Test
  void whatABatchDoesMostOfIsShownAndWhatRunsBesideIt() {
    double[] net = trace(at -> at.getHour() == 4 ? 5000 : 1);
    for (int hour = 10; hour < 12 * 13; hour += 61) {
      for (int i = 0; i < 12; i++) {
        net[12 * hour + i] = 100;
      }
    }
    Idle it = idle(all(10), net, all(1), all(1));
    assertThat(it.idle()).isTrue();
    assertThat(it.reason())
        .contains("busy without a clock in 0.4 %, and by the clock from 04:00 to 05:00 each day:")
        .contains("17.2 GB through the network, a job");
  }

  @Test
  void anOfficeDayIsNoBatch() {
    Idle it = idle(trace(at -> atWork(at) ? 800 : 20), all(1), all(1), all(1));
    assertThat(it.idle()).isFalse();
    assertThat(it.batches()).isEmpty();
    assertThat(it.reason()).startsWith("It is used: 29.8 % of the hours");
  }

  @Test
  void hoursWithoutAClockAreUse() {
    Random random = new Random(11);
    boolean[] busy = new boolean[GRID.hours()];
    for (int h = 0; h < busy.length; h++) {
      busy[h] = random.nextDouble() < 0.15;
    }
    double[] cpu = new double[GRID.length()];
    for (int i = 0; i < cpu.length; i++) {
      cpu[i] = busy[GRID.hour(i)] ? 2000 : 20;
    }
    Idle it = idle(cpu, all(1), all(1), all(1));
    assertThat(it.idle()).isFalse();
    assertThat(it.batches()).isEmpty();
  }

  @Test
  void aFileServerIsUsedThoughItsCpuIsQuiet() {
    assertThat(idle(all(40), all(900), all(1), all(1)).idle()).isFalse();
    assertThat(idle(all(40), all(1), all(30), all(30)).idle()).isFalse();
    assertThat(idle(all(40), all(1), all(20), all(20)).idle()).isTrue();
  }

  @Test
  void aShareOfTheSizeCountsAsTheMegahertzDo() {
    Idle.Activity activity = new Idle.Activity(all(60), all(1), all(1), all(1));
    assertThat(known(Idle.of(GRID, activity, 10_000, IdleRule.USUAL)).idle()).isTrue();
    assertThat(known(Idle.of(GRID, activity, 500, IdleRule.USUAL)).idle()).isFalse();
  }

  @Test
  void whatIsMissingIsSaid() {
    assertThat(
            because(
                Idle.of(
                    GRID,
                    new Idle.Activity(all(1), all(Double.NaN), all(1), all(Double.NaN)),
                    SIZE,
                    IdleRule.USUAL)))
        .contains("network and disk writes");
    double[] few = trace(at -> at.getDayOfMonth() <= 5 ? 1 : Double.NaN);
    assertThat(
            because(
                Idle.of(
                    GRID, new Idle.Activity(few, all(1), all(1), all(1)), SIZE, IdleRule.USUAL)))
        .contains("5 days of the 14");
  }
}
