package io.peerlens.standalone.sample;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** A topic that is fed no faster than the service commits what it reads from it. */
final class FeedTopic {

  private static final String COMMITTED =
      "select partition, next_offset from kafka_offset where topic = ?";

  private final String name;
  private final KafkaProducer<String, byte[]> producer;
  private final DataSource database;
  private final BooleanSupplier paused;
  private final CountDownLatch stop;
  private final Map<Integer, AtomicLong> sentEnd = new HashMap<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  /**
   * A topic that exists.
   *
   * @param database where the service notes what it has committed
   * @param paused whether the broker takes nothing now
   * @param stop ends waiting
   */
  FeedTopic(
      String name,
      KafkaProducer<String, byte[]> producer,
      DataSource database,
      BooleanSupplier paused,
      CountDownLatch stop) {
    this.name = name;
    this.producer = producer;
    this.database = database;
    this.paused = paused;
    this.stop = stop;
    for (int partition = 0; partition < producer.partitionsFor(name).size(); partition++) {
      sentEnd.put(partition, new AtomicLong());
    }
  }

  /** Sends a record; a failure shows at the next {@link #flush}. */
  void send(String key, byte[] value, long timeMs) {
    producer.send(
        new ProducerRecord<>(name, null, timeMs, key, value),
        (metadata, problem) -> {
          if (problem instanceof TopicAuthorizationException) {
            return; // refused while the disk is full: left out, as what comes next is
          }
          if (problem != null) {
            failure.compareAndSet(null, problem);
          } else {
            AtomicLong end = sentEnd.get(metadata.partition());
            if (end != null) {
              end.accumulateAndGet(metadata.offset() + 1, Math::max);
            }
          }
        });
  }

  /**
   * Waits until everything is in the topic.
   *
   * @throws KafkaException when a record could not be sent
   */
  void flush() {
    producer.flush();
    Exception problem = failure.get();
    if (problem != null) {
      throw new KafkaException("A record of the sample could not be sent", problem);
    }
  }

  /** Whether the broker takes nothing now. */
  boolean isPaused() {
    return paused.getAsBoolean();
  }

  /**
   * Waits until the service has committed all but {@code most} records of what was sent, and the
   * broker takes more.
   *
   * @return false when the feed is to stop
   */
  boolean waitForRoom(long most) throws InterruptedException, SQLException {
    return waitForRoom(most, Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits in the same way, but not for ever.
   *
   * @param longest after which it goes on as if there were room
   */
  boolean waitForRoom(long most, Duration longest) throws InterruptedException, SQLException {
    long pause = 20;
    long begin = System.nanoTime();
    while ((paused.getAsBoolean() || ahead() > most)
        && System.nanoTime() - begin < longest.toNanos()) {
      if (stop.await(pause, TimeUnit.MILLISECONDS)) {
        return false;
      }
      pause = Math.min(200, pause * 2);
    }
    return stop.getCount() > 0;
  }

  private long ahead() throws SQLException {
    Map<Integer, Long> committed = new HashMap<>();
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(COMMITTED)) {
      statement.setString(1, name);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          committed.put(result.getInt(1), result.getLong(2));
        }
      }
    }
    long ahead = 0;
    for (Map.Entry<Integer, AtomicLong> entry : sentEnd.entrySet()) {
      ahead += Math.max(0, entry.getValue().get() - committed.getOrDefault(entry.getKey(), 0L));
    }
    return ahead;
  }
}
