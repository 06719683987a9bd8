package io.peerlens.notify.delivery;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.peerlens.notify.channel.SendLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limiter of one target on this node: how much at a time, how much in a minute, and nothing while
 * the target is in trouble. Every target has its own, so one that hangs costs the others nothing.
 * Thread-safe.
 */
final class TargetLimiter {

  private final SendLimits limits;
  private final Semaphore connections;
  private final @Nullable Rate rate;
  private final CircuitBreaker breaker;
  private volatile Instant notBefore = Instant.EPOCH;

  TargetLimiter(String name, SendLimits limits, int failures, Duration breakerWait) {
    this.limits = limits;
    this.connections = new Semaphore(Math.max(1, limits.connections()));
    Integer perMinute = limits.perMinute();
    this.rate = perMinute == null ? null : new Rate(perMinute, limits.burst(), System::nanoTime);
    this.breaker =
        CircuitBreaker.of(
            name,
            CircuitBreakerConfig.custom()
                .slidingWindowType(SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(failures)
                .minimumNumberOfCalls(failures)
                .failureRateThreshold(100)
                .permittedNumberOfCallsInHalfOpenState(1)
                .waitDurationInOpenState(breakerWait)
                .build());
  }

  SendLimits limits() {
    return limits;
  }

  /** How many deliveries may be taken now. Each that is sent needs {@link #begin}. */
  int room(Instant now) {
    if (now.isBefore(notBefore)) {
      return 0;
    }
    int room = connections.availablePermits();
    if (rate != null) {
      room = rate.room(room);
    }
    return switch (breaker.getState()) {
      case OPEN ->
          // Asking is what moves a breaker on whose time is over; the permission is given back.
          breaker.tryAcquirePermission() ? released(Math.min(room, 1)) : 0;
      case HALF_OPEN -> Math.min(room, 1);
      default -> room;
    };
  }

  private int released(int room) {
    breaker.releasePermission();
    return room;
  }

  /** Takes what one delivery needs; false = there is no room, nothing was taken. */
  boolean begin() {
    if (!connections.tryAcquire()) {
      return false;
    }
    if (!breaker.tryAcquirePermission()) {
      connections.release();
      return false;
    }
    if (rate != null && !rate.take()) {
      breaker.releasePermission();
      connections.release();
      return false;
    }
    return true;
  }

  void succeeded(Duration took) {
    breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
    connections.release();
  }

  /** The target does not work. */
  void failed(Duration took, String reason) {
    breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, new IllegalStateException(reason));
    connections.release();
  }

  /** It says nothing of whether the target works. */
  void ended() {
    breaker.releasePermission();
    connections.release();
  }

  /** Leaves the target alone for a while. */
  void rest(Instant until) {
    if (until.isAfter(notBefore)) {
      notBefore = until;
    }
  }

  /** How the breaker stands: closed, open or half-open. */
  String breaker() {
    return switch (breaker.getState()) {
      case OPEN, FORCED_OPEN -> "open";
      case HALF_OPEN -> "half-open";
      default -> "closed";
    };
  }
}
