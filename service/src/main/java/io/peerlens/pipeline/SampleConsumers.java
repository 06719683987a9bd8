package io.peerlens.pipeline;

import io.peerlens.ingest.kafka.SampleConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * Runs the consumers of this process, each in a thread of its own, from start to shutdown.
 *
 * <p>Kafka's client refuses to be made while no broker's name can be resolved, as happens where
 * containers start in any order. Then the thread tries until it can; any other mistake in the
 * settings ends the start.
 */
final class SampleConsumers implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(SampleConsumers.class);

  private static final Duration RETRY = Duration.ofSeconds(2);

  private final int count;
  private final Supplier<SampleConsumer> factory;
  private final List<Consuming> consumers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  SampleConsumers(int count, Supplier<SampleConsumer> factory) {
    this.count = count;
    this.factory = factory;
  }

  @Override
  public synchronized void start() {
    for (int i = 0; i < count; i++) {
      Consuming consumer = new Consuming(make());
      consumers.add(consumer);
      threads.add(
          Thread.ofPlatform()
              .name("sample-consumer-" + i)
              .uncaughtExceptionHandler(
                  (thread, e) -> log.error("{} ended; restart this node", thread.getName(), e))
              .start(consumer));
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

  /** A consumer, or null while no broker's name can be resolved. */
  private @Nullable SampleConsumer make() {
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

  /** What one thread does: makes its consumer, if that could not be done at once, and runs it. */
  private final class Consuming implements Runnable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable SampleConsumer consumer;

    Consuming(@Nullable SampleConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void run() {
      try {
        SampleConsumer made = current();
        while (made == null && !closed.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
          made = remade();
        }
        if (made != null) {
          made.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private synchronized @Nullable SampleConsumer current() {
      return consumer;
    }

    private synchronized @Nullable SampleConsumer remade() {
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
