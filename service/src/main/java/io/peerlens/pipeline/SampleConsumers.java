package io.peerlens.pipeline;

import io.peerlens.ingest.kafka.SampleConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Runs the consumers of this process, each in a thread of its own, from start to shutdown. */
final class SampleConsumers implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(SampleConsumers.class);

  private final int count;
  private final Supplier<SampleConsumer> factory;
  private final List<SampleConsumer> consumers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  SampleConsumers(int count, Supplier<SampleConsumer> factory) {
    this.count = count;
    this.factory = factory;
  }

  @Override
  public synchronized void start() {
    for (int i = 0; i < count; i++) {
      SampleConsumer consumer = factory.get();
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
    consumers.forEach(SampleConsumer::close);
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
}
