package io.peerlens.load;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Rate limit of each caller as a token bucket: it holds what a caller may ask in ten seconds, and
 * fills at the rate. Memory is bounded: who did not ask for a minute is forgotten. Thread-safe.
 */
final class RequestRates {

  private static final int BURST_SECONDS = 10;
  private static final int MOST_CALLERS = 10_000;
  private static final double SECOND = 1e9;

  private final double perNano;
  private final double most;
  private final LongSupplier nanos;
  private final Cache<Object, Bucket> buckets =
      Caffeine.newBuilder()
          .maximumSize(MOST_CALLERS)
          .expireAfterAccess(Duration.ofMinutes(1))
          .build();

  /**
   * @param perSecond on average over ten seconds
   * @param nanos as {@link System#nanoTime}
   */
  RequestRates(int perSecond, LongSupplier nanos) {
    this.perNano = perSecond / SECOND;
    this.most = (double) perSecond * BURST_SECONDS;
    this.nanos = nanos;
  }

  private static final class Bucket {
    private double left;
    private long at;

    private Bucket(double left, long at) {
      this.left = left;
      this.at = at;
    }
  }

  /**
   * Counts a request of a caller.
   *
   * @throws ApiException 429 when it has asked too often
   */
  void count(Object caller) {
    if (!take(caller)) {
      throw ApiException.of(ErrorCode.RATE_LIMITED, "This token asks too often.")
          .hint("Ask less often, or raise peerlens.load.requests-per-second.")
          .retryAfter(Duration.ofSeconds(1));
    }
  }

  /** Counts a request of a caller; false = it has asked too often. */
  boolean take(Object caller) {
    long now = nanos.getAsLong();
    Bucket bucket = buckets.get(caller, c -> new Bucket(most, now));
    synchronized (bucket) {
      bucket.left = Math.min(most, bucket.left + Math.max(0, now - bucket.at) * perNano);
      bucket.at = Math.max(bucket.at, now);
      if (bucket.left < 1) {
        return false;
      }
      bucket.left -= 1;
      return true;
    }
  }
}
