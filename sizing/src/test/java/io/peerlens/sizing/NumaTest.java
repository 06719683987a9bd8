package io.peerlens.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NumaTest {

  private static final Numa TWO_OF_TEN = new Numa(10, 2, 256);

  @Test
  void sizesAreOneOrEvenWithinANodeAndEvenlySplitAboveIt() {
    assertThat(IntStream.rangeClosed(1, 30).filter(TWO_OF_TEN::fits).boxed())
        .containsExactly(1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20);
    Numa fourOfSix = new Numa(6, 4, 128);
    // 14 and 16 need three nodes and do not split; 20 and 22 need four, and 22 does not split.
    assertThat(IntStream.rangeClosed(1, 40).filter(fourOfSix::fits).boxed())
        .containsExactly(1, 2, 4, 6, 8, 10, 12, 18, 20, 24);
  }

  @Test
  void theNextSizeUpHoldsWhatIsWanted() {
    assertThat(TWO_OF_TEN.up(0)).isEqualTo(1);
    assertThat(TWO_OF_TEN.up(2.1)).isEqualTo(4);
    assertThat(TWO_OF_TEN.up(10.5)).isEqualTo(12);
    assertThat(new Numa(6, 4, 128).up(13)).isEqualTo(18);
    assertThat(Numa.NOT_KNOWN.up(13)).isEqualTo(14);
  }

  @Test
  void noSizeIsLargerThanTheHost() {
    assertThat(TWO_OF_TEN.up(50)).isEqualTo(20);
    assertThat(Numa.NOT_KNOWN.up(1e12)).isEqualTo(Numa.MOST_VCPUS);
  }

  @Test
  void memoryGoesInStepsThatAreNoNoise() {
    assertThat(Numa.memoryUp(2.2)).isEqualTo(3);
    assertThat(Numa.memoryUp(9)).isEqualTo(10);
    assertThat(Numa.memoryUp(33)).isEqualTo(36);
    assertThat(Numa.memoryUp(130)).isEqualTo(136);
    assertThat(Numa.memoryUp(8)).isEqualTo(8);
  }

  @Test
  void aStepSaysWhyItIsOne() {
    assertThat(TWO_OF_TEN.words(8)).isEqualTo("even, within one NUMA node of 10 cores");
    assertThat(TWO_OF_TEN.words(12)).isEqualTo("even, split over 2 NUMA nodes of 10 cores");
    assertThat(Numa.NOT_KNOWN.words(1)).isEqualTo("one; the NUMA nodes of its hosts are not known");
    assertThat(TWO_OF_TEN.memoryWords(48))
        .isEqualTo("in steps of 4 GB, within one NUMA node of 256 GB");
    assertThat(TWO_OF_TEN.memoryWords(264))
        .isEqualTo("in steps of 8 GB, more than one NUMA node of 256 GB");
  }
}
