package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TimedResolverTest {

  private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.1");

  @Test
  void theAddressesOfTheNameServiceAreReturned() throws UnknownHostException {
    TimedResolver resolver = new TimedResolver(name -> List.of(ADDRESS), Duration.ofSeconds(10), 1);
    assertThat(resolver.resolve("x.example.org")).containsExactly(ADDRESS);
    TimedResolver none =
        new TimedResolver(
            name -> {
              throw new UnknownHostException(name);
            },
            Duration.ofSeconds(10),
            1);
    assertThatThrownBy(() -> none.resolve("x.example.org"))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("x.example.org");
  }

  @Test
  @Timeout(20)
  void aSilentNameServiceTimesOut() {
    CountDownLatch never = new CountDownLatch(1);
    TimedResolver resolver =
        new TimedResolver(
            name -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return List.of(ADDRESS);
            },
            Duration.ofMillis(100),
            2);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> resolver.resolve("x.example.org"))
          .isInstanceOf(UnknownHostException.class)
          .hasMessageContaining("did not answer");
    }
    assertThatThrownBy(() -> resolver.resolve("y.example.org"))
        .as("threads that are left behind are bounded")
        .isInstanceOf(UnknownHostException.class)
        .hasMessageContaining("too many look-ups");
    never.countDown();
  }
}
