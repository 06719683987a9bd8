package io.peerlens.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;

/**
 * Health of the database as a thread of its own saw it last, on a connection of its own. So the
 * answer takes no connection and no time, however busy the node is, and is a few seconds old at
 * most.
 */
final class DatabaseHealth implements HealthIndicator, SmartLifecycle {

  private static final Duration EVERY = Duration.ofSeconds(2);

  /** A check that takes longer than this says by itself that the database does not answer. */
  private static final Duration STALE = Duration.ofSeconds(10);

  private final DataSource connections;
  private final InstantSource clock;
  private @Nullable ScheduledExecutorService checks; // guarded by this
  private volatile @Nullable Seen seen;

  /** Result of a check; no trouble = the database answered. */
  private record Seen(Instant at, @Nullable String database, @Nullable String trouble) {}

  DatabaseHealth(DataSource connections, InstantSource clock) {
    this.connections = connections;
    this.clock = clock;
  }

  @Override
  public Health health() {
    Seen last = seen;
    if (last == null) {
      return Health.unknown().withDetail("reason", "not looked at yet").build();
    }
    Duration age = Duration.between(last.at(), clock.instant());
    if (last.trouble() != null) {
      return Health.down().withDetail("reason", last.trouble()).build();
    }
    if (age.compareTo(STALE) > 0) {
      return Health.down().withDetail("reason", "no answer for " + age.toSeconds() + " s").build();
    }
    return Health.up().withDetail("database", String.valueOf(last.database())).build();
  }

  private void check() {
    try (Connection connection = connections.getConnection()) {
      if (!connection.isValid(2)) {
        throw new SQLException("The connection is no longer valid");
      }
      seen = new Seen(clock.instant(), connection.getMetaData().getDatabaseProductName(), null);
    } catch (SQLException | RuntimeException e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      seen =
          new Seen(
              clock.instant(), null, root.getClass().getSimpleName() + ": " + root.getMessage());
    }
  }

  @Override
  public synchronized void start() {
    check();
    ScheduledExecutorService made =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("database-health").factory());
    made.scheduleWithFixedDelay(
        this::check, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    checks = made;
  }

  @Override
  public synchronized void stop() {
    if (checks != null) {
      checks.shutdownNow();
      checks = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return checks != null;
  }

  @Override
  public int getPhase() {
    return 0; // before the server takes requests
  }
}
