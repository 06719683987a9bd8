package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SweepsTest {

  @Test
  void runsThatDifferInOutstandingOnlyAreASweep() {
    List<Run> runs = new ArrayList<>();
    for (int outstanding : new int[] {128, 8, 16, 32, 48, 64, 96}) {
      runs.add(
          Made.reads(outstanding)
              .with("job_name", "randread-" + outstanding)
              .with("output", "/results/2026-11-22/" + outstanding + ".json")
              .make());
    }
    runs.add(Made.reads(8).with(Parameter.BLOCK_SIZE, 65536).with(Parameter.READ_SHARE, 20).make());

    Sweeps sweeps = Sweeps.find(runs);

    assertThat(sweeps.sweeps()).hasSize(1);
    Sweep sweep = sweeps.sweeps().getFirst();
    assertThat(sweep.parameter()).isEqualTo(Parameter.OUTSTANDING);
    assertThat(sweep.through()).isNull();
    assertThat(sweep.points()).extracting(Sweep.Point::number).isSorted().hasSize(7);
    assertThat(sweep.title()).isEqualTo("4K, all reads, random");
    assertThat(sweep.sentence()).isEqualTo("7 runs differ in outstanding IO only, from 8 to 128.");
    assertThat(sweeps.repeats()).isEmpty();
  }

  @Test
  void aGridOfDepthAndJobsIsASweepForEachRowAndColumn() {
    List<Run> runs = new ArrayList<>();
    for (int depth : new int[] {1, 2, 4, 8}) {
      for (int threads : new int[] {1, 2, 4}) {
        runs.add(
            Made.reads(depth * threads)
                .with(Parameter.QUEUE_DEPTH, depth)
                .with(Parameter.THREADS, threads)
                .with("command", "--iodepth=" + depth + " --numjobs=" + threads)
                .make());
      }
    }
    Collections.shuffle(runs, new Random(1));

    List<Sweep> sweeps = Sweeps.find(runs).sweeps();

    assertThat(sweeps).hasSize(3 + 4);
    assertThat(sweeps).allMatch(sweep -> sweep.parameter().equals(Parameter.OUTSTANDING));
    assertThat(sweeps)
        .extracting(Sweep::through)
        .containsOnly(Parameter.QUEUE_DEPTH, Parameter.THREADS);
    assertThat(sweeps.getFirst().points()).hasSize(4);
    assertThat(sweeps.getFirst().through()).isEqualTo(Parameter.QUEUE_DEPTH);
  }

  @Test
  void outstandingThatIsKeptWhileDepthAndJobsChangeIsNoSweep() {
    List<Run> runs = new ArrayList<>();
    for (int depth : new int[] {1, 2, 4, 8}) {
      runs.add(
          Made.reads(8)
              .with(Parameter.QUEUE_DEPTH, depth)
              .with(Parameter.THREADS, 8 / depth)
              .make());
    }

    assertThat(Sweeps.find(runs).sweeps()).isEmpty();
  }

  @Test
  void machinesMultiplyOutstandingAndWorkingSet() {
    List<Run> runs = new ArrayList<>();
    for (int machines : new int[] {6, 12, 24}) {
      runs.add(
          Made.reads(8 * machines)
              .with(Parameter.MACHINES, machines)
              .with(Parameter.WORKING_SET, 1_000_000L * machines)
              .make());
    }

    Sweep sweep = Sweeps.find(runs).sweeps().getFirst();

    assertThat(sweep.parameter()).isEqualTo(Parameter.MACHINES);
    assertThat(sweep.following())
        .containsExactlyInAnyOrder(Parameter.OUTSTANDING, Parameter.WORKING_SET);
  }

  @Test
  void blockSizeWorkingSetAndLimitAreFound() {
    for (String parameter :
        List.of(Parameter.BLOCK_SIZE, Parameter.WORKING_SET, Parameter.RATE_LIMIT)) {
      List<Run> runs = new ArrayList<>();
      for (long value : new long[] {4096, 8192, 65536}) {
        runs.add(Made.reads(8).with(parameter, value).make());
      }

      assertThat(Sweeps.find(runs).sweeps())
          .singleElement()
          .satisfies(sweep -> assertThat(sweep.parameter()).isEqualTo(parameter));
    }
  }

  @Test
  void twoCommonParametersThatChangeTogetherAreNoSweep() {
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      runs.add(Made.reads(8 * i).with(Parameter.BLOCK_SIZE, 4096 * i).make());
    }

    assertThat(Sweeps.find(runs).sweeps()).isEmpty();
  }

  @Test
  void anOwnParameterThatDoesNotFollowPartsRuns() {
    List<Run> runs = new ArrayList<>();
    for (String firmware : new String[] {"1.2.4", "1.3.0"}) {
      for (int outstanding : new int[] {8, 16, 32}) {
        runs.add(
            Made.reads(outstanding)
                .with("firmware", firmware)
                .with("label-of-ours", "fw" + firmware + " o" + outstanding)
                .make());
      }
    }

    List<Sweep> sweeps = Sweeps.find(runs).sweeps();

    assertThat(sweeps.stream().filter(one -> one.parameter().equals(Parameter.OUTSTANDING)))
        .hasSize(2)
        .allMatch(one -> one.points().size() == 3 && one.fixed().containsKey("firmware"));
    assertThat(sweeps.stream().filter(one -> one.parameter().equals("firmware")))
        .hasSize(3)
        .allMatch(one -> one.sentence().endsWith("differ in firmware only, 1.2.4 and 1.3.0."));
  }

  @Test
  void aFirmwareThatChangedOnTheWayDoesNotFollow() {
    List<Run> runs = new ArrayList<>();
    for (int outstanding : new int[] {8, 16, 32, 64}) {
      runs.add(
          Made.reads(outstanding).with("firmware", outstanding < 32 ? "1.2.4" : "1.3.0").make());
    }

    assertThat(Sweeps.find(runs).sweeps())
        .filteredOn(one -> one.parameter().equals(Parameter.OUTSTANDING))
        .hasSize(2)
        .allMatch(one -> one.points().size() == 2);
  }

  @Test
  void repeatsAreAGroupWithScatter() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      runs.add(
          Made.reads(64)
              .with("output", "/results/run-" + i)
              .with("note from", "the night of 2026-11-2" + i)
              .figure("iops", 190_000 + 2000 * i)
              .make());
      runs.add(
          Made.reads(32)
              .with("output", "/results/other-" + i)
              .with("note from", "the day of 2026-11-2" + i)
              .make());
    }

    Sweeps sweeps = Sweeps.find(runs);

    assertThat(sweeps.repeats()).hasSize(2).allMatch(one -> one.runs().size() == 3);
    assertThat(sweeps.repeats())
        .filteredOn(one -> one.settings().get(Parameter.OUTSTANDING).equals("64"))
        .singleElement()
        .satisfies(one -> assertThat(one.scatter("iops").count()).isEqualTo(3))
        .satisfies(one -> assertThat(one.scatter("latency")).isNull());
    assertThat(sweeps.sweeps())
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.sentence())
                    .isEqualTo(
                        "6 runs differ in outstanding IO only, from 32 to 64; up to 3 repeats of a value."));
  }

  @Test
  void foldersOfHciBenchWithTheirSecondsAreNames() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      int outstanding = 8 << (i % 3);
      runs.add(
          Made.reads(outstanding)
              .with(
                  "case",
                  "fio-8vmdk-100ws-4k-100rdpct-%dthreads-%d"
                      .formatted(outstanding, 1_700_000_000 + i))
              .make());
    }

    Sweeps sweeps = Sweeps.find(runs);

    assertThat(sweeps.repeats()).hasSize(3);
    assertThat(sweeps.sweeps())
        .singleElement()
        .satisfies(one -> assertThat(one.count()).isEqualTo(9));
  }

  @Test
  void numbersThatAreWrittenOtherwiseAreTheSame() {
    assertThat(
            Sweeps.find(
                    List.of(
                        Made.reads(8).make(),
                        Made.reads(8)
                            .with(Parameter.BLOCK_SIZE, "4096.0")
                            .with(Parameter.OUTSTANDING, " 8 ")
                            .make()))
                .repeats())
        .hasSize(1);
    assertThat(Settings.number("1e999999999")).isNull();
    assertThat(Settings.number("9".repeat(5000))).isNull();
    assertThat(Settings.number("NaN")).isNull();
  }

  @Test
  void twoDevicesAreASweepOfText() {
    Sweep sweep =
        Sweeps.find(
                List.of(
                    Made.reads(8).with("filename", "/dev/sdb").make(),
                    Made.reads(8).with("filename", "/dev/sdc").make()))
            .sweeps()
            .getFirst();

    assertThat(sweep.ordered()).isFalse();
    assertThat(sweep.sentence())
        .isEqualTo("2 runs differ in filename only, /dev/sdb and /dev/sdc.");
  }

  @Test
  void aRunWithoutALimitIsTheLastPointOfACurveOfLimits() {
    List<Run> runs = new ArrayList<>();
    runs.add(
        Made.reads(64)
            .with(Parameter.RATE_LIMIT, "max")
            .figure("iops", 50_000)
            .figure("latency", 4)
            .make());
    for (int limit = 10_000; limit <= 40_000; limit += 10_000) {
      runs.add(
          Made.reads(64)
              .with(Parameter.RATE_LIMIT, limit)
              .figure("iops", limit)
              .figure("latency", limit / 40_000.0)
              .make());
    }

    Sweep sweep = Sweeps.find(runs).sweeps().getFirst();

    assertThat(sweep.sentence())
        .isEqualTo("5 runs differ in rate limit only, from 10,000 IOPS to no limit.");
    assertThat(Reading.of(Curve.of(sweep, Curve.Load.IOPS, Curve.Latency.MEAN), 2, 0).load())
        .isBetween(40_000.0, 50_000.0);
  }

  @Test
  void toolsAreNotMixedAndVersionsAreAParameter() {
    Run a = Made.reads(8).version("3.36").make();
    Run b = Made.reads(8).version("3.38").make();
    Run c = Made.reads(16).tool("vdbench").version("50407").make();

    assertThat(Sweeps.find(List.of(a, b, c)).sweeps())
        .singleElement()
        .satisfies(one -> assertThat(one.parameter()).isEqualTo("version"));
  }

  @Test
  void nothingIsFoundInNothing() {
    assertThat(Sweeps.find(List.of())).isEqualTo(new Sweeps(List.of(), List.of()));
    assertThat(Sweeps.find(List.of(Made.reads(8).make())).sweeps()).isEmpty();
  }

  @Test
  void tooManyRunsAreRefused() {
    Run run = Made.reads(8).make();

    assertThatThrownBy(() -> Sweeps.find(Collections.nCopies(10_001, run)))
        .hasMessageContaining("10,001 runs")
        .hasMessageContaining("10,000");
  }

  @Test
  @Timeout(30)
  void tenThousandRunsTakeSeconds() {
    Random random = new Random(3);
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Made made = Made.reads(1 << random.nextInt(8));
      made.with(Parameter.BLOCK_SIZE, 4096 << random.nextInt(6));
      for (int p = 0; p < 20; p++) {
        made.with("own" + p, p < 5 ? random.nextInt(3) : p);
      }
      runs.add(made.make());
    }

    Sweeps sweeps = Sweeps.find(runs);

    assertThat(sweeps.sweeps().getFirst().parameter()).isEqualTo(Parameter.OUTSTANDING);
    assertThat(sweeps.sweeps().getFirst().points()).hasSize(8);
    assertThat(sweeps.repeats()).isNotEmpty();
  }
}
