package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Run;
import org.junit.jupiter.api.Test;

class ProfileMatchTest {

  private static final double[] SIZES = {4200, 8500, 7900, 65000, 0, Double.NaN};
  private static final double[] READS = {99, 71, 68, 22, 50, 50};
  private static final double[] HOURS = {4, 400, 210, 386, 10, 20};

  @Test
  void theShareOfHoursLikeTheTestIsTold() {
    ProfileMatch match = ProfileMatch.of(Made.reads(8).make(), SIZES, READS, HOURS);

    assertThat(match.percent()).isCloseTo(0.4, within(1e-9));
    assertThat(match.most()).isEqualTo(new ProfileMatch.Cell(13, 70));
    assertThat(match.without()).isEqualTo(30);
    assertThat(match.sentence())
        .isEqualTo(
            "The test was 4K all reads; 0.4 % of the hours look like that. Most, 61 %, are 8K 70/30.");
  }

  @Test
  void placesAreTheNearestOfTheGrid() {
    assertThat(ProfileMatch.cell(5792, 74.9)).isEqualTo(new ProfileMatch.Cell(12, 70));
    assertThat(ProfileMatch.cell(5793, 75)).isEqualTo(new ProfileMatch.Cell(13, 80));
    assertThat(ProfileMatch.cell(1, 0).words()).isEqualTo("512 all writes");
    assertThat(ProfileMatch.cell(1e300, 100).log2()).isEqualTo(30);
    assertThat(ProfileMatch.cell(4096, 101)).isNull();
    assertThat(ProfileMatch.cell(-1, 50)).isNull();
    assertThat(ProfileMatch.cell(4096, Double.NaN)).isNull();
  }

  @Test
  void aMixtureIsPlacedByWhatWasMeasured() {
    Run run =
        Made.run("mixed")
            .with("block_size", "4k/60:64k/40")
            .figure("throughput", 8192 * 1000)
            .figure("read_iops", 690)
            .figure("write_iops", 310)
            .make();

    assertThat(ProfileMatch.of(run, SIZES, READS, HOURS).sentence())
        .isEqualTo("The test was 8K 70/30; 61 % of the hours look like that.");
  }

  @Test
  void whatIsNotKnownIsSaid() {
    assertThat(ProfileMatch.of(Made.run("x").make(), SIZES, READS, HOURS).sentence())
        .contains("does not say its block size");
    double[] none = {};
    assertThat(ProfileMatch.of(Made.reads(8).make(), none, none, none).sentence())
        .isEqualTo("The test was 4K all reads; no hour with a known load is there to compare.");
    double[] other = {65536};
    assertThat(
            ProfileMatch.of(Made.reads(8).make(), other, new double[] {0}, new double[] {1})
                .sentence())
        .isEqualTo(
            "The test was 4K all reads; no hour looks like that. Most, 100 %, are 64K all writes.");
    assertThatThrownBy(() -> ProfileMatch.of(Made.reads(8).make(), other, none, none))
        .hasMessageContaining("as many of each");
    assertThatThrownBy(() -> ProfileMatch.of(Made.reads(8).make(), other, other, new double[] {-1}))
        .hasMessageContaining("at least 0");
  }
}
