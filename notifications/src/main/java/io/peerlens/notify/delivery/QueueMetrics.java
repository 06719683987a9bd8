package io.peerlens.notify.delivery;

import io.peerlens.notify.delivery.FigureQueries.Figures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Depth and age of the delivery queue, read from the database every few seconds at most.
 * Thread-safe.
 */
final class QueueMetrics {

  private static final Duration AGE = Duration.ofSeconds(5);

  private final FigureQueries queries;
  private final InstantSource clock;
  private Figures figures = new Figures(0, null, 0, null); // guarded by this
  private Instant readAt = Instant.EPOCH; // guarded by this

  QueueMetrics(FigureQueries queries, InstantSource clock) {
    this.queries = queries;
    this.clock = clock;
  }

  double waiting() {
    return figures().waiting();
  }

  double dead() {
    return figures().dead();
  }

  double oldestSeconds() {
    return age(figures().oldest());
  }

  double outboxSeconds() {
    return age(figures().outbox());
  }

  private double age(@Nullable Instant since) {
    return since == null ? 0 : Duration.between(since, clock.instant()).toMillis() / 1e3;
  }

  private synchronized Figures figures() {
    Instant now = clock.instant();
    if (now.isAfter(readAt.plus(AGE))) {
      figures = queries.read(now);
      readAt = now;
    }
    return figures;
  }
}
