package io.peerlens.samples;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * End offsets of topics, from the broker. Never takes longer than two seconds; a broker that did
 * not answer is left alone for ten, so that pages stay quick while it is away.
 */
final class EndOffsets implements DisposableBean {

  private static final Logger log = LoggerFactory.getLogger(EndOffsets.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final Map<String, Object> settings = new HashMap<>();
  private final List<String> topics;
  private @Nullable Admin admin;
  private long nextTry = System.nanoTime();
  private boolean away;

  /**
   * @param properties where Kafka is
   */
  EndOffsets(IngestProperties properties, List<String> topics) {
    this.topics = topics;
    settings.putAll(properties.kafka());
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, properties.bootstrapServers());
    settings.put(
        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(TIMEOUT.toMillis()));
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(TIMEOUT.toMillis()));
  }

  /**
   * The offset after the newest record of each partition; empty when the broker does not answer.
   */
  synchronized Optional<Map<TopicPartition, Long>> read() {
    if (System.nanoTime() < nextTry) {
      return Optional.empty();
    }
    try {
      Map<TopicPartition, Long> ends = ask();
      away = false;
      return Optional.of(ends);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      if (!away) {
        log.warn("Kafka does not say where {} ends: {}", String.join(", ", topics), reason(e));
      }
      away = true;
      nextTry = System.nanoTime() + PAUSE.toNanos();
      destroy(); // a client kept would go on complaining in the log
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private static String reason(Exception e) {
    return e instanceof TimeoutException
        ? "no answer in " + TIMEOUT.toSeconds() + " s"
        : String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
  }

  private Map<TopicPartition, Long> ask()
      throws ExecutionException, TimeoutException, InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    Admin asked = admin;
    if (asked == null) {
      asked = Admin.create(settings);
      admin = asked;
    }
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        asked.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        for (TopicPartitionInfo partition :
            topic.getValue().get(left(deadline), TimeUnit.NANOSECONDS).partitions()) {
          wanted.put(
              new TopicPartition(topic.getKey(), partition.partition()), OffsetSpec.latest());
        }
      } catch (ExecutionException e) {
        if (topics.size() == 1 || !(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        // One of several that nobody has made yet hides nothing of the others.
      }
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    asked
        .listOffsets(wanted)
        .all()
        .get(left(deadline), TimeUnit.NANOSECONDS)
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  private static long left(long deadline) {
    return Math.max(1, deadline - System.nanoTime());
  }

  @Override
  public synchronized void destroy() {
    if (admin != null) {
      admin.close(Duration.ZERO);
      admin = null;
    }
  }
}
