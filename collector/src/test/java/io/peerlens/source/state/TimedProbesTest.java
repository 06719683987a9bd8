package io.peerlens.source.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.source.ActiveSource;
import io.peerlens.source.Outlet;
import io.peerlens.source.ProbeRequest;
import io.peerlens.source.ProbeResult;
import io.peerlens.source.SourceCollector;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.SourceJournal;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimedProbesTest {

  private static final ProbeRequest REQUEST =
      new ProbeRequest(URI.create("https://vc.example.com"), null, null, null);
  private static final ProbeResult FOUND =
      new ProbeResult(null, true, "VMware", "8", Map.of(), List.of(), null);

  private final TimedProbes probes = new TimedProbes(Duration.ofMillis(50));
  private final CountDownLatch released = new CountDownLatch(1);

  /** Collectors that can be looked at and do nothing else. */
  private static SourceCollectors probing(Supplier<ProbeResult> probe) {
    return new SourceCollectors() {
      @Override
      public String kind() {
        return "vcenter";
      }

      @Override
      public SourceCollector start(ActiveSource source, Outlet outlet, SourceJournal journal) {
        throw new UnsupportedOperationException();
      }

      @Override
      public ProbeResult probe(ProbeRequest request) {
        return probe.get();
      }
    };
  }

  /** Does not even end when it is interrupted. */
  private ProbeResult hang(AtomicInteger hanging) {
    hanging.incrementAndGet();
    boolean waits = true;
    while (waits) {
      try {
        released.await();
        waits = false;
      } catch (InterruptedException e) {
        continue;
      }
    }
    hanging.decrementAndGet();
    return FOUND;
  }

  @AfterEach
  void release() {
    released.countDown();
    probes.destroy();
  }

  @Test
  void aLookThatEndsInTimeGivesWhatItFound() {
    assertThat(probes.run(probing(() -> FOUND), REQUEST)).isSameAs(FOUND);
  }

  @Test
  void aLookThatTakesTooLongIsGivenUp() {
    ProbeResult result = probes.run(probing(() -> hang(new AtomicInteger())), REQUEST);
    assertThat(result.signedIn()).isFalse();
    assertThat(Objects.requireNonNull(result.error()).code()).isEqualTo("timeout");
  }

  @Test
  void looksThatHangTakeTheirPlacesUntilTheyEnd() {
    AtomicInteger hanging = new AtomicInteger();
    SourceCollectors hangs = probing(() -> hang(hanging));
    for (int i = 0; i < 8; i++) {
      probes.run(hangs, REQUEST);
    }
    assertThatThrownBy(() -> probes.run(hangs, REQUEST))
        .isInstanceOf(ApiException.class)
        .extracting(e -> ((ApiException) e).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
    released.countDown();
    await().until(() -> hanging.get() == 0);
    await()
        .ignoreExceptions()
        .until(() -> probes.run(probing(() -> FOUND), REQUEST), FOUND::equals);
  }

  @Test
  void aFailureOfACollectorIsOurs() {
    assertThatThrownBy(
            () ->
                probes.run(
                    probing(
                        () -> {
                          throw new IllegalStateException("broken");
                        }),
                    REQUEST))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
  }
}
