package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alert.Population.Type;
import org.junit.jupiter.api.Test;

class PopulationTest {

  @Test
  void theResultIsUnknownOnlyIfUnknownMembersDecide() {
    Population three = new Population(Type.COUNT, 3);
    assertThat(three.of(3, 0, 10)).isEqualTo(Truth.YES);
    assertThat(three.of(2, 1, 10)).isEqualTo(Truth.UNKNOWN);
    assertThat(three.of(1, 1, 10)).isEqualTo(Truth.NO);

    Population all = new Population(Type.ALL, 1);
    assertThat(all.of(4, 0, 4)).isEqualTo(Truth.YES);
    assertThat(all.of(3, 1, 4)).isEqualTo(Truth.UNKNOWN);
    assertThat(all.of(3, 0, 4)).isEqualTo(Truth.NO);

    Population fifth = new Population(Type.PERCENT, 20);
    assertThat(fifth.of(2, 0, 10)).isEqualTo(Truth.YES);
    assertThat(fifth.of(1, 1, 10)).isEqualTo(Truth.UNKNOWN);
    assertThat(fifth.of(1, 0, 10)).isEqualTo(Truth.NO);
  }

  @Test
  void anEmptyPopulationNeverMatches() {
    for (Type type : Type.values()) {
      assertThat(new Population(type, 1).of(0, 0, 0)).isEqualTo(Truth.NO);
    }
  }

  @Test
  void knownMembersDecideOverUnknownOnes() {
    assertThat(Truth.UNKNOWN.and(Truth.NO)).isEqualTo(Truth.NO);
    assertThat(Truth.UNKNOWN.and(Truth.YES)).isEqualTo(Truth.UNKNOWN);
    assertThat(Truth.UNKNOWN.or(Truth.YES)).isEqualTo(Truth.YES);
    assertThat(Truth.UNKNOWN.or(Truth.NO)).isEqualTo(Truth.UNKNOWN);
    assertThat(Truth.UNKNOWN.not()).isEqualTo(Truth.UNKNOWN);
  }
}
