package io.peerlens.samples;

import io.peerlens.database.Workload;
import io.peerlens.ingest.kafka.TopicReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Runner of the consumers of this process, each in a thread of its own, from start to shutdown.
 *
 * <p>Kafka's client refuses to be made while no broker's name can be resolved, as happens where
 * containers start in any order. Then the thread tries until it can; any other mistake in the
 * settings ends the start.
 *
 * <p>A consumer deals with exceptions itself. What ends it is an error, such as no memory or a
 * class that is missing: then another one is made after a pause, which goes on from the stored
 * offsets.
 */
public final class TopicReaders implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(TopicReaders.class);

  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /**
   * A consumer that ended.
   *
   * @param consumer name of its thread
   * @param reason the error's class and message
   */
  record Failure(String consumer, Instant time, String reason) {}

  private final String name;
  private final int count;
  private final Supplier<? extends TopicReader> factory;
  private final InstantSource clock;
  private final List<Consuming> consumers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * @param name of the threads, a number is put behind it
   */
  public TopicReaders(
      String name, int count, Supplier<? extends TopicReader> factory, InstantSource clock) {
    this.name = name;
    this.count = count;
    this.factory = factory;
    this.clock = clock;
  }

  @Override
  public synchronized void start() {
    for (int i = 0; i < count; i++) {
      Consuming consumer = new Consuming(name + "-" + i, make());
      consumers.add(consumer);
      threads.add(Thread.ofPlatform().name(consumer.name).start(Workload.INGEST.of(consumer)));
    }
  }

  @Override
  public synchronized void stop() {
    consumers.forEach(Consuming::close);
    for (Thread thread : threads) {
      try {
        thread.join(20_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    consumers.clear();
    threads.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !threads.isEmpty();
  }

  /** The newest end of a consumer by an error. */
  synchronized Optional<Failure> newestFailure() {
    return consumers.stream()
        .map(consumer -> consumer.failure)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .max(Comparator.comparing(Failure::time));
  }

  /** Why a consumer makes no progress, with the place; empty while all do. */
  synchronized String stuck() {
    return consumers.stream()
        .map(Consuming::current)
        .filter(Objects::nonNull)
        .map(consumer -> Objects.requireNonNull(consumer).stuck())
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** A consumer, or null while no broker's name can be resolved. */
  private @Nullable TopicReader make() {
    try {
      return factory.get();
    } catch (KafkaException e) {
      if (e.getCause() instanceof ConfigException cause
          && String.valueOf(cause.getMessage()).contains("No resolvable bootstrap")) {
        log.warn("Ingest waits for Kafka: {}", cause.getMessage());
        return null;
      }
      throw e;
    }
  }

  /** Work of one thread: makes its consumer, if that could not be done at once, and runs it. */
  private final class Consuming implements Runnable {

    final String name;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable TopicReader consumer;
    volatile @Nullable Failure failure;

    Consuming(String name, @Nullable TopicReader consumer) {
      this.name = name;
      this.consumer = consumer;
    }

    @Override
    public void run() {
      Duration pause = RETRY;
      try {
        while (closed.getCount() > 0) {
          long begin = System.nanoTime();
          try {
            consume();
          } catch (RuntimeException | Error e) { // whatever it is, nobody else would go on reading
            failed(e);
            boolean ranLong = System.nanoTime() - begin > LONGEST_PAUSE.toNanos();
            pause = ranLong ? RETRY : pause;
            boolean closing = closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
            if (closing) {
              return;
            }
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void consume() throws InterruptedException {
      TopicReader made = current();
      while (made == null
          && !closed.await(failure == null ? RETRY.toMillis() : 0, TimeUnit.MILLISECONDS)) {
        made = remade();
      }
      if (made != null) {
        made.run();
      }
    }

    private void failed(Throwable e) {
      synchronized (this) {
        consumer = null; // it has closed itself
      }
      String reason = e.toString();
      Failure before = failure;
      failure = new Failure(name, clock.instant(), reason);
      if (before == null || !before.reason.equals(reason)) {
        log.error("{} ended and is started again from the stored offsets", name, e);
      } else {
        log.error("{} ended again and is started again: {}", name, reason);
      }
    }

    private synchronized @Nullable TopicReader current() {
      return consumer;
    }

    private synchronized @Nullable TopicReader remade() {
      if (closed.getCount() > 0) {
        consumer = make();
      }
      return consumer;
    }

    synchronized void close() {
      closed.countDown();
      if (consumer != null) {
        consumer.close();
      }
    }
  }
}
