package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {

  private static final Duration AGE = Duration.ofSeconds(30);

  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private final SharedAnswers shared = new SharedAnswers(() -> now);
  private final AtomicInteger computed = new AtomicInteger();

  private PanelAnswer ask(Object question, int values) {
    return shared.of(
        question,
        AGE,
        () -> {
          computed.incrementAndGet();
          return answer(values);
        });
  }

  private static PanelAnswer answer(int values) {
    PanelAnswer answer =
        new PanelAnswer(
            "chart", 0L, 1L, null, null, 1L, null, new PanelObjects(1, 1, 1), List.of());
    answer.setSeries(
        List.of(
            new PanelSeries(
                new ObjectRef(UUID.randomUUID(), "VMWARE", "VirtualMachine", "web"),
                null,
                "cpu",
                "cpu|usage_average",
                null,
                Collections.nCopies(values, 1.0))));
    return answer;
  }

  @Test
  void aHundredWallsWithTenPanelsShareTheirAnswers() {
    for (int round = 0; round < 2; round++) {
      for (int question = 0; question < 1_000; question++) {
        ask(question, 1_000);
      }
    }
    assertThat(computed).hasValue(1_000);
    assertThat(shared.size()).isEqualTo(1_000);
  }

  @Test
  void largeAnswersDriveTheOldestOut() {
    for (int question = 0; question < 10; question++) {
      ask(question, 400_000);
      now = now.plusMillis(1);
    }
    assertThat(shared.size()).isEqualTo(4);
    ask(9, 400_000);
    assertThat(computed).hasValue(10);
    ask(0, 400_000);
    assertThat(computed).hasValue(11);
  }

  @Test
  void anAnswerThatLeavesTheOthersNoRoomIsNotKept() {
    ask("small", 10);
    assertThat(SharedAnswers.values(ask("large", 1_500_000))).isGreaterThan(1_500_000);
    assertThat(shared.size()).isEqualTo(1);
    ask("small", 10);
    assertThat(computed).hasValue(2);
  }

  @Test
  void anAnswerIsComputedAnewWhenItIsTooOldAndAFailureIsNotKept() {
    ask("a", 10);
    now = now.plusSeconds(31);
    ask("a", 10);
    assertThat(computed).hasValue(2);
    assertThatThrownBy(
            () ->
                shared.of(
                    "b",
                    AGE,
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    ask("b", 10);
    assertThat(computed).hasValue(3);
  }
}
