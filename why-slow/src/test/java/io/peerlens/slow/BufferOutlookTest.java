package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BufferOutlookTest {

  @Test
  void aBufferThatFillsIsFullAtItsRate() {
    double[] fill = new double[30];
    // Four bursts of two steps, then three steps of 10 points.
    Arrays.setAll(fill, i -> i >= 27 ? 30 + 10 * (i - 26) : i % 6 == 1 ? 35 : i % 6 == 2 ? 40 : 30);
    BufferOutlook found = BufferOutlook.of(fill, 300);
    assertThat(found.fill()).isEqualTo(60);
    assertThat(found.perMinute()).isEqualTo(2);
    assertThat(found.fullInMinutes()).isEqualTo(20);
    assertThat(found.usualBurst()).isEqualTo(10);
  }

  @Test
  void oneThatEmptiesIsNeverFull() {
    BufferOutlook found = BufferOutlook.of(new double[] {80, 70, 60}, 300);
    assertThat(found.perMinute()).isNegative();
    assertThat(found.fullInMinutes()).isNaN();
    assertThat(found.usualBurst()).isNaN();
    assertThat(BufferOutlook.of(new double[] {Double.NaN}, 300).fill()).isNaN();
  }
}
