package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailedStartTest {

  @Test
  void ourOutermostMessageIsShownRatherThanTheRootCause() {
    RuntimeException ours = new Refusal("This is what to mend.");
    ours.initCause(new IllegalStateException("Missing creator property (StringReader)"));
    RuntimeException spring = new RuntimeException("Error creating bean 'x'", ours);
    assertThat(StandaloneServer.reason(new RuntimeException("outermost", spring)))
        .isEqualTo("This is what to mend.");
  }

  @Test
  void theRootCauseIsShownWhenNoMessageIsOurs() {
    assertThat(
            StandaloneServer.reason(
                new RuntimeException("bean", new IllegalArgumentException("port is taken"))))
        .isEqualTo("port is taken");
    assertThat(StandaloneServer.reason(new RuntimeException(new StackOverflowError())))
        .isEqualTo("java.lang.StackOverflowError");
  }
}
