package io.peerlens.notify.delivery;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.notify.channel.Channel;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.channel.Pictures;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Workers of one node, with short times. */
public final class TestWorkers implements AutoCloseable {

  private final DeliveryWorkers workers;

  public TestWorkers(
      SampleData data, Sender sender, Channel channel, String node, InstantSource clock) {
    this(data, sender, channel, node, clock, Duration.ofMillis(500));
  }

  /**
   * @param breakerWait how long a target that is down is left alone
   */
  public TestWorkers(
      SampleData data,
      Sender sender,
      Channel channel,
      String node,
      InstantSource clock,
      Duration breakerWait) {
    DeliveryProperties properties =
        new DeliveryProperties(
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            Duration.ofMinutes(15),
            3,
            breakerWait,
            Duration.ofDays(30));
    TransactionTemplate transaction =
        new TransactionTemplate(new JdbcTransactionManager(data.dataSource()));
    AttemptResultStore results =
        new AttemptResultStore(new JdbcTemplate(data.dataSource()), transaction, node);
    workers =
        new DeliveryWorkers(
            new DeliveryStore(data.jdbc(), results, node),
            results,
            new TargetHealthStore(data.jdbc(), node),
            sender,
            Pictures.NONE,
            new Channels(List.of(channel)),
            properties,
            new Backoff(properties.retryFirst(), properties.retryLongest(), () -> 0.5),
            clock,
            new SimpleMeterRegistry());
  }

  public TestWorkers start() {
    workers.start();
    return this;
  }

  /** How the breakers of targets stand. */
  public Map<UUID, String> breakers() {
    return workers.breakers();
  }

  @Override
  public void close() {
    workers.close();
  }
}
