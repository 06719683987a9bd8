package io.peerlens.notify.delivery;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.node.NodeProperties;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.channel.Pictures;
import io.peerlens.notify.render.RenderConfiguration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans of the delivery workers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DeliveryProperties.class)
@Import(RenderConfiguration.class)
public class DeliveryConfiguration {

  @Bean
  DeliveryWorkers deliveryWorkers(
      JdbcClient jdbc,
      JdbcTemplate template,
      PlatformTransactionManager transactions,
      Sender sender,
      Pictures pictures,
      Channels channels,
      DeliveryProperties properties,
      NodeProperties roles,
      InstantSource clock,
      MeterRegistry meters) {
    AttemptResultStore results =
        new AttemptResultStore(template, new TransactionTemplate(transactions), roles.node());
    return new DeliveryWorkers(
        new DeliveryStore(jdbc, results, roles.node()),
        results,
        new TargetHealthStore(jdbc, roles.node()),
        sender,
        pictures,
        channels,
        properties,
        new Backoff(
            properties.retryFirst(),
            properties.retryLongest(),
            () -> ThreadLocalRandom.current().nextDouble()),
        clock,
        meters);
  }

  @Bean
  Wake deliveryWake(DeliveryWorkers workers) {
    return workers::wake;
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> deliveriesStart(DeliveryWorkers workers) {
    return ready -> workers.start();
  }

  @Bean
  QueueMetrics deliveryFigures(JdbcClient jdbc, InstantSource clock, MeterRegistry meters) {
    QueueMetrics figures = new QueueMetrics(new FigureQueries(jdbc), clock);
    Gauge.builder("peerlens.notify.queue", figures, QueueMetrics::waiting)
        .description("Deliveries that wait, over all nodes")
        .register(meters);
    Gauge.builder("peerlens.notify.queue.age", figures, QueueMetrics::oldestSeconds)
        .baseUnit("seconds")
        .description("Age of the oldest delivery that waits")
        .register(meters);
    Gauge.builder("peerlens.notify.dead", figures, QueueMetrics::dead)
        .description("Deliveries given up in the last 24 hours")
        .register(meters);
    Gauge.builder("peerlens.notify.outbox.age", figures, QueueMetrics::outboxSeconds)
        .baseUnit("seconds")
        .description("Age of the oldest step of an alert that nothing was decided on yet")
        .register(meters);
    return figures;
  }
}
