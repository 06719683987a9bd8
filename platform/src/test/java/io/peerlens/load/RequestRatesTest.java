package io.peerlens.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestRatesTest {

  private final AtomicLong nanos = new AtomicLong();
  private final RequestRates rates = new RequestRates(5, nanos::get);

  private int taken(Object caller, int asked) {
    int taken = 0;
    for (int i = 0; i < asked; i++) {
      taken += rates.take(caller) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void aCallerMayAskTenSecondsWorthAtOnceAndThenAtTheRate() {
    assertThat(taken("a", 100)).isEqualTo(50);
    assertThat(taken("b", 1)).as("of another").isOne();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(taken("a", 100)).isEqualTo(5);
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(taken("a", 100)).isEqualTo(50);
  }
}
