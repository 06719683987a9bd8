package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.State;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedBlockTest {

  private static final MetricGroup CPU =
      new MetricGroup(1, new ObjectKind("VMWARE", "VirtualMachine"), "cpu", List.of("a", "b"));

  private static Band band(State state, float level, int hours, float days) {
    float[] lower = new float[24];
    float[] upper = new float[24];
    for (int hour = 0; hour < 24; hour++) {
      lower[hour] = level + hour;
      upper[hour] = level + hour + 0.5f;
    }
    return new Band(state, level / 10, lower, upper, hours, days);
  }

  private static float[] floats(byte[] bytes) {
    float[] values = new float[bytes.length / 4];
    ByteBuffer.wrap(bytes).asFloatBuffer().get(values);
    return values;
  }

  @Test
  void theBandsOfOneMetricAreStoredTogether() {
    LearnedBlock block = new LearnedBlock(CPU, 20_000, 0, 2, 4);
    block.add(
        7, new Band[] {band(State.LEARNED, 100, 600, 27.9f), band(State.CONSTANT, 200, 600, 28)});
    block.addEmpty(8);
    block.add(9, new Band[] {band(State.LEARNING, 300, 70, 3.4f), band(State.LEARNING, 400, 0, 0)});
    assertThat(block.sets()).containsExactly(7, 9);
    assertThat(block.empty()).containsExactly(8);
    assertThat(floats(block.lower(3))).containsExactly(103, 303, 203, 403);
    assertThat(floats(block.upper(23))).containsExactly(123.5f, 323.5f, 223.5f, 423.5f);
    assertThat(floats(block.spread())).containsExactly(10, 30, 20, 40);
    assertThat(block.days()).containsExactly(27, 3, 28, 0);
    // The last one had no value at all, so it is of no state.
    assertThat(Arrays.toString(block.states())).isEqualTo("[2, 1, 4, 0]");
    assertThat(LearnedBlock.state(block.states()[0])).isEqualTo(State.LEARNED);
    assertThat(LearnedBlock.state(block.states()[3])).isNull();
    assertThat(block.count(State.LEARNING)).isEqualTo(1);
    assertThat(block.hasBounds()).isTrue();
  }

  @Test
  void aBlockInWhichAllIsLearningHasNoBounds() {
    LearnedBlock block = new LearnedBlock(CPU, 20_000, 1, 1, 1);
    block.add(7, new Band[] {band(State.LEARNING, 1, 30, 2)});
    assertThat(block.hasBounds()).isFalse();
  }

  @Test
  void columnsAreSortedBySet() {
    BandColumns columns =
        new BandColumns(
                new int[] {5, 9, 2},
                new float[] {50, 90, 20},
                new float[] {51, 91, 21},
                new float[] {1, 2, 3})
            .sorted();
    assertThat(columns.sets()).containsExactly(2, 5, 9);
    assertThat(columns.lower()).containsExactly(20, 50, 90);
    assertThat(columns.spread()).containsExactly(3, 1, 2);
    assertThat(columns.place(9)).isEqualTo(2);
    assertThat(columns.place(3)).isNegative();
  }
}
