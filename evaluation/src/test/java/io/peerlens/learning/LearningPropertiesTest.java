package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class LearningPropertiesTest {

  @Test
  void historyIsBetweenWhatIsNeededAndWhatIsUsed() {
    for (int days : new int[] {6, 29}) {
      assertThatThrownBy(() -> new LearningProperties(true, ZoneOffset.UTC, days))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("peerlens.learning.history-days is " + days + ": give 7 to 28");
    }
  }
}
