package io.peerlens.standalone.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.peerlens.standalone.size.Level.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
  private static final double TB = 1e12;

  /** A million objects with 200 metrics each every 300 s, 13 months of hours. */
  private static Estate largest(double metricsPerSet) {
    return new Estate(
        1_000_000,
        200_000_000,
        300,
        10_000_000,
        metricsPerSet,
        new Kept(14, 90, 395, 3, 14, 90, 730));
  }

  private static Estate estate(long objects, long metrics, double interval, long flows) {
    return new Estate(objects, metrics, interval, flows, 6, Kept.SHIPPED);
  }

  /**
   * The arithmetic that was done by hand for the largest estates, from bytes of a row in ADR 1. It
   * knew neither sketches nor pages that are not full, so hours are compared without both; an entry
   * of an index was 24 bytes there and is 28.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 25e6, 83_300, 18, 101, 100",
    "25, 8e6, 26_700, 10, 61, 73",
    "50, 4e6, 13_300, 8, 51, 67"
  })
  void theLargestEstateIsAsItWasCalculatedByHand(
      double width, double sets, String rows, double raw, double fine, double hours) {
    Estate estate = largest(width);
    assertThat(estate.sets()).isEqualTo(sets);
    assertThat(estate.valuesPerSecond()).isCloseTo(667_000, withinPercentage(0.1));
    assertThat(estate.rowsPerSecond())
        .isCloseTo(Double.parseDouble(rows.replace("_", "")), withinPercentage(0.5));

    List<Level> levels = Planner.plan(estate).levels();
    assertThat(levels.get(0).rows().low() / TB).isCloseTo(raw, within(0.5));
    assertThat(levels.get(1).rows().low() / TB).isCloseTo(fine, withinPercentage(3));
    Range bare = RowBytes.rollUp(width, 4, 0).plus(Cost.ROLL_UP_INDEX.range());
    assertThat(bare.low() * sets * 24 * 395 / TB).isCloseTo(hours, withinPercentage(2));

    assertThat(levels.get(0).packedRows().low() / TB).isCloseTo(1.7, within(0.05));
    assertThat(levels.get(1).packedRows().low() / TB).isCloseTo(11, within(0.5));
    double sketches = 200e6 * 24 * 395 * Cost.SKETCH_OF_12.range().low();
    assertThat((levels.get(2).packedRows().low() - sketches) / TB).isCloseTo(16, within(0.5));
  }

  @Test
  void flowsAndLearningOfTheLargestEstateAreAsTheyWereCalculatedByHand() {
    Plan plan = Planner.plan(largest(8));
    Level minutes = plan.levels().get(4);
    assertThat(minutes.name()).isEqualTo("flows by minute");
    assertThat(minutes.rowsPerDay() / 86_400).isCloseTo(167_000, withinPercentage(0.5));
    assertThat(minutes.rows().low() / 3 / TB).isCloseTo(1.3, within(0.05));
    assertThat(plan.levels().get(3).rows().low() / 1e9).isCloseTo(370, within(2.0));
    // 22 h a day with its pauses.
    assertThat(job(plan, "learning").used().low() * 24).isCloseTo(22, within(0.5));
    // 50 million sums where 13 million take 170 s.
    assertThat(job(plan, "roll-ups of flows").used().high() * 300)
        .isCloseTo(170.0 * 50 / 13, withinPercentage(1));
    // Half of what one process stores.
    assertThat(job(plan, "ingest").used().low()).isCloseTo(0.44, within(0.01));
  }

  /** Tables made by benchmarks/src/main/sizes/row-bytes.sql, of which docs/performance.md tells. */
  @ParameterizedTest
  @CsvSource({
    "1, 76.8, 76.8, 167.4",
    "6, 117.2, 117.2, 327.9",
    "8, 134.5, 134.5, 390.3",
    "25, 273.3, 273.3, 1024.5",
    "50, 482.4, 482.4, 2048.8"
  })
  void bytesOfRowsAreThoseOfTablesThatWereMeasured(
      double width, double raw, double one, double four) {
    assertThat(RowBytes.raw(width).high()).isCloseTo(raw, withinPercentage(0.5));
    assertThat(RowBytes.rollUp(width, 1, 0).high()).isCloseTo(one, withinPercentage(0.5));
    assertThat(RowBytes.rollUp(width, 4, 0).high()).isCloseTo(four, withinPercentage(0.5));
  }

  /** 159 bytes a row of 5.6 values, with index, from Kafka to committed rows. */
  @Test
  void rowsOfIngestAreAsTheyWereMeasured() {
    Range row = RowBytes.raw(5.6).plus(Cost.RAW_INDEX.range());
    assertThat(159.0).isBetween(row.low(), row.high());
    assertThat(row.high() / row.low()).isLessThan(1.08);
  }

  /**
   * 3,190 sets of 6 metrics, some of which are reported less often than every 20 s. As
   * docs/operations.md has it: 7 million rows and 1.1 GB a day, 3 days of which level off at 4 to 5
   * GB; 0.3 GB a day of 5 minutes.
   */
  @Test
  void theSampleDatacentreIsAsLargeAsItIs() {
    double interval = 3_190 * 86_400 / 7e6;
    Estate sample =
        new Estate(403, 3_190 * 6, interval, 0, 6, new Kept(3, 30, 730, 3, 14, 90, 730));
    Plan plan = Planner.plan(sample);
    Level raw = plan.levels().getFirst();
    assertThat(raw.rowsPerDay()).isCloseTo(7e6, withinPercentage(0.1));
    assertThat(raw.rows().low() / 3 / 1e9).isCloseTo(1.1, within(0.05));
    Range disk = raw.disk(Engine.PLAIN);
    assertThat(disk.low() / 1e9).isCloseTo(4, within(0.5));
    assertThat(disk.high() / 1e9).isCloseTo(5, within(0.5));
    Level fine = plan.levels().get(1);
    assertThat(fine.rows().low() / 30 / 1e9).isCloseTo(0.3, within(0.05));
    assertThat(plan.machines().together()).isTrue();
    assertThat(plan.machines().cells()).isEqualTo(1);
  }

  /**
   * Its two weeks of history, where a bucket of 5 minutes has one sample: 165 and 167 bytes a row.
   */
  @Test
  void rowsOfTheSampleDatacentreAreAsTheyWereMeasured() {
    Range raw = RowBytes.raw(6).plus(Cost.RAW_INDEX.range());
    assertThat(165.0).isBetween(raw.low(), raw.high());
    Range fine = RowBytes.rollUp(6.8, 1, 0).plus(Cost.ROLL_UP_INDEX.range());
    assertThat(167.0).isBetween(fine.low(), fine.high());
  }

  /** 50 super metrics over 10,000 and 100,000 machines: 208 and 1,462 ms. */
  @ParameterizedTest
  @CsvSource({"10_000, 0.208", "100_000, 1.462"})
  void ticksTakeWhatWasMeasured(String objects, double seconds) {
    long count = Long.parseLong(objects.replace("_", ""));
    Range used = job(Planner.plan(estate(count, 20 * count, 60, 0)), "evaluation").used();
    assertThat(seconds).isBetween(used.low() * 15 * 0.99, used.high() * 15);
  }

  @Test
  void aBucketWithOneSampleHasOnlyItsMean() {
    Plan slow = Planner.plan(estate(1_000, 60_000, 300, 0));
    Plan quick = Planner.plan(estate(1_000, 60_000, 299, 0));
    assertThat(slow.levels().get(1).row().low()).isLessThan(quick.levels().get(1).row().low() / 2);
    assertThat(slow.levels().get(1).rowsPerDay()).isEqualTo(quick.levels().get(1).rowsPerDay());
    Plan hourly = Planner.plan(estate(1_000, 60_000, 7_200, 0));
    assertThat(hourly.levels().get(2).rowsPerDay()).isEqualTo(10_000 * 12.0);
  }

  @Test
  void narrowSetsCostIngestMoreThanTheirValues() {
    Estate narrow = new Estate(1_000, 1_000_000, 20, 0, 1, Kept.SHIPPED);
    Estate wide = new Estate(1_000, 1_000_000, 20, 0, 10, Kept.SHIPPED);
    assertThat(job(Planner.plan(narrow), "ingest").used().high())
        .isCloseTo(5.6 * job(Planner.plan(wide), "ingest").used().high(), withinPercentage(0.1));
  }

  @Test
  void aChunkIsPackedOnlyWhenItIsOldEnough() {
    Level level = new Level("t", 10, 1, 100, Range.of(10), Range.of(1), 2, List.of());
    assertThat(level.disk(Engine.TIMESCALE)).isEqualTo(Range.of(11 * 1000));
    assertThat(level.disk(Engine.COLUMNSTORE)).isEqualTo(Range.of(3 * 1000 + 8 * 100));
    assertThat(level.fresh()).isEqualTo(Range.of(3000));
    Level brief = new Level("t", 1, 1, 100, Range.of(10), Range.of(1), 2, List.of());
    assertThat(brief.disk(Engine.COLUMNSTORE)).isEqualTo(brief.disk(Engine.TIMESCALE));
    Level none = new Level("t", 0, 1, 100, Range.of(10), Range.of(1), 2, List.of());
    assertThat(none.disk(Engine.TIMESCALE)).isEqualTo(Range.of(0));
  }

  @Test
  void everythingGrowsInProportionAndLimitsAreFullWhereTheySay() {
    Estate once = new Estate(100_000, 20_000_000, 300, 500_000, 8, Kept.SHIPPED);
    Estate thrice = new Estate(300_000, 60_000_000, 300, 1_500_000, 8, Kept.SHIPPED);
    Plan small = Planner.plan(once);
    Plan large = Planner.plan(thrice);
    assertThat(large.busyCores().high())
        .isCloseTo(3 * small.busyCores().high(), withinPercentage(0.01));
    assertThat(large.disk(Engine.PLAIN).high())
        .isCloseTo(3 * small.disk(Engine.PLAIN).high(), withinPercentage(0.01));
    for (Plan.Limit limit : small.limits()) {
      double full = Double.parseDouble(limit.fullAt().split(" ")[0].replace(",", ""));
      double now =
          limit.fullAt().contains("objects")
              ? once.objects()
              : limit.fullAt().contains("flows") ? once.flows() : once.metrics();
      assertThat(now / full).as(limit.name()).isCloseTo(limit.used(), withinPercentage(6));
    }
    assertThat(small.limits()).isSortedAccordingTo((a, b) -> Double.compare(b.used(), a.used()));
  }

  @Test
  void largeEstatesGetSeveralMachinesPartsAndPartitions() {
    Plan plan = Planner.plan(largest(8));
    assertThat(plan.machines().together()).isFalse();
    assertThat(plan.machines().cells()).isGreaterThan(1);
    assertThat(plan.machines().chunkHours()).isEqualTo(1);
    assertThat(job(plan, "learning").setting()).isEqualTo("peerlens.learning.parts = 8");
    assertThat(plan.kafka().copies()).isEqualTo(3);
    assertThat(plan.kafka().flowPartitions()).isEqualTo(16);
    assertThat(plan.kafka().metricPartitions()).isEqualTo(8);
    assertThat(job(plan, "roll-ups of flows").count()).isEqualTo(1);
    Plan quick = Planner.plan(new Estate(1_000_000, 200_000_000, 20, 0, 8, Kept.SHIPPED));
    assertThat(job(quick, "ingest").count()).isEqualTo(19);
    assertThat(quick.kafka().metricPartitions()).isEqualTo(76);
    assertThat(job(quick, "roll-ups").setting()).isEqualTo("peerlens.rollup.parts = 28");
  }

  @Test
  void sketchesLieBetweenWhatWasMeasured() {
    assertThat(Levels.sketch(1)).isEqualTo(Range.of(0));
    assertThat(Levels.sketch(12)).isEqualTo(Cost.SKETCH_OF_12.range());
    assertThat(Levels.sketch(4)).isEqualTo(Cost.SKETCH_OF_12.range());
    assertThat(Levels.sketch(720)).isEqualTo(Cost.SKETCH_OF_180.range());
    assertThat(Levels.sketch(60).low()).isBetween(5.0, 28.9);
  }

  private static Job job(Plan plan, String name) {
    return plan.jobs().stream().filter(job -> job.name().equals(name)).findFirst().orElseThrow();
  }
}
