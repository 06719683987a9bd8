package io.peerlens.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Cache of callers by the hash of their secret, so that not every request asks the database. Kept
 * for a few seconds: a token that another node revokes works here for that long at most. Whatever
 * this node ends is forgotten at once. Secrets that are unknown are not kept, so a new token works
 * at once everywhere. Thread-safe.
 */
final class CallerCache {

  /** So long a token or session that another node ends may still work here. */
  static final Duration TIME = Duration.ofSeconds(5);

  private static final int MOST = 10_000;

  private final AtomicLong cleared = new AtomicLong();
  private final Cache<String, Known> callers =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(TIME).build();

  /**
   * A caller who is in force.
   *
   * @param until when that ends
   */
  record Known(Caller caller, Instant until) {}

  /** The caller with this hash, from the cache or else as found. */
  Optional<Caller> find(byte[] hash, Instant now, Supplier<Optional<Known>> find) {
    String key = HexFormat.of().formatHex(hash);
    Known kept = callers.getIfPresent(key);
    if (kept != null && kept.until().isAfter(now)) {
      return Optional.of(kept.caller());
    }
    long before = cleared.get();
    Optional<Known> found = find.get();
    if (found.isPresent()) {
      Instant latest = now.plus(TIME);
      Known known = found.get();
      callers.put(key, known.until().isAfter(latest) ? new Known(known.caller(), latest) : known);
      if (cleared.get() != before) {
        callers.invalidate(key); // it may have been revoked while it was looked for
      }
    }
    return found.map(Known::caller);
  }

  /** Forgets all, now or when the transaction of this thread is committed. */
  void clear() {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              forget();
            }
          });
    } else {
      forget();
    }
  }

  private void forget() {
    cleared.incrementAndGet();
    callers.invalidateAll();
  }
}
