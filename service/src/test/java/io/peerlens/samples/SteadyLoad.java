package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends the planned records at a steady rate from a thread of its own. */
final class SteadyLoad {
  private final KafkaProducer<byte[], byte[]> producer;
  private final Supplier<ProducerRecord<byte[], byte[]>> next;
  private final Supplier<List<ProducerRecord<byte[], byte[]>>> rest;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final Thread thread;
  private volatile boolean ending;
  private long sent;

  /**
   * @param rest what remains to be sent in the end
   */
  SteadyLoad(
      String bootstrap,
      Supplier<ProducerRecord<byte[], byte[]>> next,
      Supplier<List<ProducerRecord<byte[], byte[]>>> rest,
      int recordsPerSecond) {
    this.next = next;
    this.rest = rest;
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName(),
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName(),
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                20,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                300_000,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                300_000));
    thread = Thread.ofPlatform().name("load").start(() -> run(recordsPerSecond));
  }

  private void run(int recordsPerSecond) {
    long begin = System.nanoTime();
    while (!ending && failure.get() == null) {
      long due = (System.nanoTime() - begin) * recordsPerSecond / 1_000_000_000L;
      while (sent < due && !ending) {
        send(next.get());
      }
      LockSupport.parkNanos(5_000_000);
    }
    rest.get().forEach(this::send);
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    sent++;
    var unused =
        producer.send(
            record,
            (metadata, e) -> {
              if (e != null) {
                failure.compareAndSet(null, e);
              } else {
                acknowledged.incrementAndGet();
              }
            });
  }

  /** Ends the load when all of it is acknowledged. Returns how many records there were. */
  long finish() throws InterruptedException {
    ending = true;
    thread.join();
    producer.flush();
    producer.close();
    assertThat(failure.get()).isNull();
    assertThat(acknowledged.get()).isEqualTo(sent);
    return sent;
  }
}
