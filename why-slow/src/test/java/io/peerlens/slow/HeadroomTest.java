package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HeadroomTest {

  private static final int STEPS = 288;

  private static double[] filled(double value) {
    double[] values = new double[STEPS];
    Arrays.fill(values, value);
    return values;
  }

  @Test
  void whatWasDoneForAQuarterOfAnHourWithAUsualLatencyIsCarried() {
    double[] iops = filled(1_000);
    double[] latency = filled(2);
    Arrays.fill(iops, 50, 53, 5_000);
    Arrays.fill(iops, 100, 102, 9_000); // ten minutes are too short
    Arrays.fill(iops, 200, 210, 20_000);
    Arrays.fill(latency, 200, 210, 30); // too slow to count
    assertThat(Headroom.carried(iops, latency, 3, 300)).isEqualTo(5_000);
    assertThat(Headroom.carried(iops, latency, 30, 300)).isEqualTo(20_000);
  }

  @Test
  void withoutEnoughStepsWithAUsualLatencyItIsNotKnown() {
    double[] iops = filled(1_000);
    double[] latency = filled(10);
    Arrays.fill(latency, 0, 2, 1);
    assertThat(Headroom.carried(iops, latency, 3, 300)).isNaN();
    assertThat(Headroom.carried(iops, filled(Double.NaN), 3, 300)).isNaN();
    assertThat(Headroom.carried(filled(Double.NaN), latency, 30, 300)).isNaN();
  }
}
