package io.peerlens.outliers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PartingTest {

  private static double[] normal(int count, int shifted, double by) {
    Random random = new Random(count);
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextGaussian() + (i < shifted ? by : 0);
    }
    Arrays.sort(values);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 7, 12, 40, 200, 10_000})
  void oneNormalDistributionIsOnePart(int count) {
    Parting parting = new Parting();

    assertThat(parting.parts(normal(count, 0, 0), count)).isFalse();
    assertThat(parting.from()).isZero();
    assertThat(parting.to()).isEqualTo(count);
  }

  @Test
  void evenlySpreadValuesAreOnePart() {
    double[] values = new double[60];
    Arrays.setAll(values, i -> 0.3 * (i - 30));

    assertThat(new Parting().parts(values, 60)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"6, 2, 9", "12, 5, 9", "12, 5, -9", "100, 49, 8", "200, 20, -8", "200, 99, 80"})
  void theSmallerPartIsWhoLeft(int count, int left, double by) {
    Parting parting = new Parting();

    assertThat(parting.parts(normal(count, left, by), count)).isTrue();
    assertThat(parting.from()).isEqualTo(by > 0 ? 0 : left);
    assertThat(parting.to()).isEqualTo(by > 0 ? count - left : count);
  }

  @Test
  void halvesAreNotToldApart() {
    assertThat(new Parting().parts(normal(20, 10, 30), 20)).isFalse();
  }

  @Test
  void oneThatIsVeryFarOutDoesNotHideTheOthers() {
    double[] values = normal(20, 5, 9);
    values[19] = 1e6;
    Parting parting = new Parting();

    assertThat(parting.parts(values, 20)).isTrue();
    assertThat(parting.to()).isEqualTo(15);
  }

  @Test
  void nothingIsOnePart() {
    assertThat(new Parting().parts(new double[0], 0)).isFalse();
  }
}
