package io.peerlens.samples;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of consumers: down for a minute after one ended by an error, longer than the longest pause
 * before it is started again: an error that comes back keeps it down. Down, too, while ingest is
 * paused. What ingest can wait for, such as Kafka, is in its status and does not count here.
 */
public final class IngestHealthIndicator implements HealthIndicator {

  private static final Duration DOWN = Duration.ofMinutes(1);

  private final TopicReaders consumers;
  private final Supplier<String> pause;
  private final InstantSource clock;

  /**
   * @param pause why nothing is read, in words; empty = it is
   */
  public IngestHealthIndicator(
      TopicReaders consumers, Supplier<String> pause, InstantSource clock) {
    this.consumers = consumers;
    this.pause = pause;
    this.clock = clock;
  }

  @Override
  public Health health() {
    String paused = pause.get();
    if (!paused.isEmpty()) {
      return Health.down().withDetail("paused", paused).build();
    }
    String stuck = consumers.stuck();
    if (!stuck.isEmpty()) {
      return Health.down().withDetail("reason", stuck).build();
    }
    Optional<TopicReaders.Failure> failure =
        consumers.newestFailure().filter(f -> f.time().isAfter(clock.instant().minus(DOWN)));
    return failure
        .map(
            f ->
                Health.down()
                    .withDetail("consumer", f.consumer())
                    .withDetail("endedAt", f.time().toString())
                    .withDetail("reason", f.reason())
                    .build())
        .orElseGet(() -> Health.up().build());
  }
}
