package io.peerlens.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OpenApiResponsesTest {

  private static void verify(String body) {
    OpenApiResponses.verify("GET", "/benchmark-runs?limit=1", 200, "application/json", body);
  }

  @Test
  void anAnswerThatTheContractDescribesIsTaken() {
    verify("{\"items\": [], \"nextCursor\": null, \"total\": 0}");
  }

  /** Also in what a reference of a reference describes. */
  @Test
  void anotherAnswerIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> verify("{\"items\": [], \"nextCursor\": null, \"total\": \"none\"}"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("/total");
    assertThatThrownBy(
            () ->
                verify(
                    "{\"items\": [{\"steady\": \"perhaps\"}], \"nextCursor\": null, \"total\": 1}"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("/items/0/steady");
  }
}
