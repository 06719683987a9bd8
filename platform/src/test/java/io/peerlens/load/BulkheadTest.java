package io.peerlens.load;

import static io.peerlens.load.HeavyWork.EXPORT;
import static io.peerlens.load.HeavyWork.IMPORT;
import static io.peerlens.load.HeavyWork.PREVIEW;
import static io.peerlens.load.HeavyWork.RANKING;
import static io.peerlens.load.HeavyWork.SERIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.load.Bulkhead.Place;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BulkheadTest {

  private static final Executor THREADS = work -> Thread.ofVirtual().start(work);

  private static Bulkhead of(int atOnce, int queue, Duration wait, int perToken) {
    return new Bulkhead(new LoadProperties(atOnce, queue, wait, perToken, 100));
  }

  @Test
  void oneCallerNeverHasAllPlaces() {
    Bulkhead bulkhead = of(3, 10, Duration.ZERO, 10);
    bulkhead.enter(SERIES, "a");
    bulkhead.enter(SERIES, "a");
    isRefused(() -> bulkhead.enter(SERIES, "a"), ErrorCode.UNAVAILABLE);
    bulkhead.enter(SERIES, "b").close();
  }

  @Test
  void eachKindHasItsOwnNumberAndAllTogetherToo() {
    Bulkhead bulkhead = of(4, 10, Duration.ZERO, 10);
    bulkhead.enter(PREVIEW, "a");
    bulkhead.enter(PREVIEW, "b");
    isRefused(() -> bulkhead.enter(PREVIEW, "c"), ErrorCode.UNAVAILABLE);
    bulkhead.enter(EXPORT, "c");
    bulkhead.enter(RANKING, "c");
    isRefused(() -> bulkhead.enter(SERIES, "d"), ErrorCode.UNAVAILABLE);
    try (Place only = bulkhead.enter(IMPORT, "d")) {
      isRefused(() -> bulkhead.enter(IMPORT, "e"), ErrorCode.UNAVAILABLE);
    }
    bulkhead.enter(IMPORT, "e");
  }

  @Test
  void aCallerWithTooManyRequestsIsRefusedAtOnce() throws Exception {
    Bulkhead bulkhead = of(2, 10, Duration.ofSeconds(30), 2);
    Place working = bulkhead.enter(SERIES, "a");
    CompletableFuture<Place> waits =
        CompletableFuture.supplyAsync(() -> bulkhead.enter(SERIES, "a"), THREADS);
    await().until(() -> bulkhead.waiting() == 1);
    isRefused(() -> bulkhead.enter(SERIES, "a"), ErrorCode.RATE_LIMITED);
    working.close();
    waits.get().close();
    bulkhead.enter(SERIES, "a").close();
  }

  @Test
  void aFullQueueRefusesAtOnceAndTheOthersGoInOrder() throws Exception {
    Bulkhead bulkhead = of(2, 2, Duration.ofSeconds(30), 10);
    List<Place> working = List.of(bulkhead.enter(SERIES, "a"), bulkhead.enter(SERIES, "b"));
    List<String> order = new ArrayList<>();
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (String caller : List.of("c", "d")) {
      waiting.add(
          CompletableFuture.runAsync(
              () -> {
                try (Place place = bulkhead.enter(SERIES, caller)) {
                  synchronized (order) {
                    order.add(caller);
                  }
                }
              },
              THREADS));
      int expected = waiting.size();
      await().until(() -> bulkhead.waiting() == expected);
    }
    long began = System.nanoTime();
    isRefused(() -> bulkhead.enter(SERIES, "e"), ErrorCode.UNAVAILABLE);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    working.getFirst().close();
    CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get();
    assertThat(order).containsExactly("c", "d");
  }

  @Test
  void aRequestThatWaitsTooLongIsRefusedAndFreesItsPlace() {
    Bulkhead bulkhead = of(2, 10, Duration.ofMillis(50), 10);
    Place one = bulkhead.enter(SERIES, "a");
    Place two = bulkhead.enter(SERIES, "b");
    isRefused(() -> bulkhead.enter(SERIES, "c"), ErrorCode.UNAVAILABLE);
    assertThat(bulkhead.waiting()).isZero();
    one.close();
    one.close();
    two.close();
    assertThat(bulkhead.working()).isZero();
    bulkhead.enter(SERIES, "c");
    bulkhead.enter(SERIES, "d");
  }

  @Test
  @DisplayName("random callers and kinds, seed 5: never more than allowed, and none is forgotten")
  void theLimitsHoldUnderLoad() throws Exception {
    Bulkhead bulkhead = of(3, 1000, Duration.ofSeconds(50), 1000);
    AtomicInteger heavy = new AtomicInteger();
    AtomicInteger imports = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    Random random = new Random(5);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 500; i++) {
        HeavyWork work = HeavyWork.values()[random.nextInt(5)];
        String caller = "caller" + random.nextInt(3);
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  try (Place place = bulkhead.enter(work, caller)) {
                    AtomicInteger of = work == IMPORT ? imports : heavy;
                    most.accumulateAndGet(
                        of.incrementAndGet() + (work == IMPORT ? 2 : 0), Math::max);
                    Thread.yield();
                    of.decrementAndGet();
                  }
                },
                threads));
      }
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
    assertThat(most.get()).isEqualTo(3);
    assertThat(bulkhead.working()).isZero();
    assertThat(bulkhead.waiting()).isZero();
  }

  private static void isRefused(Runnable work, ErrorCode code) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.retryAfter()).isNotNull();
              assertThat(e.hint()).isNotNull();
            });
  }
}
