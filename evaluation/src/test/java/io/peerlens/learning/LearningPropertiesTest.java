package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class LearningPropertiesTest {

  @Test
  void historyIsBetweenWhatIsNeededAndWhatIsUsed() {
    for (int days : new int[] {6, 29}) {
      assertThatThrownBy(() -> new LearningProperties(true, ZoneOffset.UTC, days, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("peerlens.learning.history-days is " + days + ": give 7 to 28");
    }
  }

  @Test
  void thereAreOneTo64Parts() {
    for (int parts : new int[] {0, 65}) {
      assertThatThrownBy(() -> new LearningProperties(true, ZoneOffset.UTC, 28, parts))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("peerlens.learning.parts is " + parts + ": give 1 to 64");
    }
  }
}
