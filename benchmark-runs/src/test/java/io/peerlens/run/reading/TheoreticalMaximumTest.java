package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TheoreticalMaximumTest {

  private static final TheoreticalMaximum MAXIMUM =
      new TheoreticalMaximum("iops", "nodes", 38_000, 6);

  @Test
  void theShareIsTold() {
    assertThat(MAXIMUM.share(200_000.0).sentence())
        .isEqualTo("88 % of the theoretical 228,000 IOPS, 6 nodes of 38,000.");
  }

  @Test
  void moreThanAllIsDoubted() {
    assertThat(MAXIMUM.share(300_000.0).sentence()).contains("or a cache answered");
  }

  @Test
  void whatIsNotKnownIsSaid() {
    assertThat(MAXIMUM.share(null).sentence())
        .isEqualTo("The share of the theoretical 228,000 IOPS, 6 nodes of 38,000, is not known.");
    assertThat(MAXIMUM.share(Double.NaN).percent()).isNull();
    assertThatThrownBy(() -> new TheoreticalMaximum("iops", "nodes", 0, 6))
        .hasMessageContaining("above 0");
    assertThatThrownBy(() -> new TheoreticalMaximum("iops", "nodes", Double.NaN, 6))
        .hasMessageContaining("above 0");
  }
}
