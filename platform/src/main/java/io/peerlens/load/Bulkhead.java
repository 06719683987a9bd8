package io.peerlens.load;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Bulkhead for heavy requests: so many at once in all, so many of each kind, and of one caller one
 * fewer than in all, so that nobody has all places. Those that find no place wait in order, a short
 * time and few of them; the one that has waited longest and may go goes next. A request holds
 * nothing while it waits. Thread-safe.
 */
final class Bulkhead {

  private static final Duration RETRY = Duration.ofSeconds(5);

  private final LoadProperties properties;
  private final Map<HeavyWork, Integer> atOnce = new EnumMap<>(HeavyWork.class);

  // All below is guarded by this.
  private final Map<HeavyWork, Integer> working = new EnumMap<>(HeavyWork.class);
  private final Map<Object, Integer> workingOf = new HashMap<>();
  private final Map<Object, Integer> presentOf = new HashMap<>();
  private final Deque<Place> waiting = new ArrayDeque<>();
  private int workingInAll;

  Bulkhead(LoadProperties properties) {
    this.properties = properties;
    int all = properties.heavyAtOnce();
    atOnce.put(HeavyWork.SERIES, all);
    atOnce.put(HeavyWork.RANKING, all);
    int few = Math.max(2, all / 2);
    atOnce.put(HeavyWork.PREVIEW, few);
    atOnce.put(HeavyWork.EXPORT, few);
    atOnce.put(HeavyWork.IMPORT, 1);
    atOnce.put(HeavyWork.PROBE, 2);
  }

  /** A place at work, until it is closed. */
  final class Place implements AutoCloseable {
    private final HeavyWork work;
    private final Object caller;
    private final CountDownLatch admitted = new CountDownLatch(1);
    private boolean closed; // guarded by the bulkhead

    private Place(HeavyWork work, Object caller) {
      this.work = work;
      this.caller = caller;
    }

    @Override
    public void close() {
      leave(this);
    }
  }

  /**
   * Waits for a place. The caller closes it.
   *
   * @param caller whose request it is
   * @throws ApiException 429 when the caller has too many, 503 when there is no place in time
   */
  Place enter(HeavyWork work, Object caller) {
    Place place = new Place(work, caller);
    synchronized (this) {
      if (presentOf.getOrDefault(caller, 0) >= properties.heavyPerToken()) {
        throw ApiException.of(
                ErrorCode.RATE_LIMITED,
                "%,d heavy requests of this token are being worked on or wait already."
                    .formatted(properties.heavyPerToken()))
            .hint("Wait for the answers before asking more, or ask for less at once.")
            .retryAfter(RETRY);
      }
      if (mayGo(place)) {
        presentOf.merge(caller, 1, Integer::sum);
        admit(place);
        return place;
      }
      if (waiting.stream().filter(other -> other.work == work).count() >= properties.heavyQueue()) {
        throw busy(work);
      }
      presentOf.merge(caller, 1, Integer::sum);
      waiting.add(place);
    }
    try {
      if (place.admitted.await(properties.heavyWait().toMillis(), TimeUnit.MILLISECONDS)) {
        return place;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      place.close();
      throw ApiException.of(ErrorCode.UNAVAILABLE, "The node stops.").retryAfter(RETRY);
    }
    synchronized (this) {
      if (place.admitted.getCount() == 0) {
        return place; // just in time
      }
      leave(place);
    }
    throw busy(work);
  }

  private static ApiException busy(HeavyWork work) {
    return ApiException.of(
            ErrorCode.UNAVAILABLE,
            "The node is busy; it works at too many %s already.".formatted(work.plural()))
        .hint("Try again in some seconds, or ask for less.")
        .retryAfter(RETRY);
  }

  private boolean mayGo(Place place) {
    return working.getOrDefault(place.work, 0) < atOnce.getOrDefault(place.work, 1)
        && (place.work.isApart()
            || workingInAll < properties.heavyAtOnce()
                && workingOf.getOrDefault(place.caller, 0) < properties.heavyAtOnce() - 1);
  }

  private void admit(Place place) {
    working.merge(place.work, 1, Integer::sum);
    if (!place.work.isApart()) {
      workingInAll++;
      workingOf.merge(place.caller, 1, Integer::sum);
    }
    place.admitted.countDown();
  }

  private synchronized void leave(Place place) {
    if (place.closed) {
      return;
    }
    place.closed = true;
    oneLess(presentOf, place.caller);
    if (place.admitted.getCount() > 0) {
      waiting.remove(place);
      return;
    }
    oneLess(working, place.work);
    if (!place.work.isApart()) {
      workingInAll--;
      oneLess(workingOf, place.caller);
    }
    for (Iterator<Place> places = waiting.iterator(); places.hasNext(); ) {
      Place next = places.next();
      if (mayGo(next)) {
        places.remove();
        admit(next);
      }
    }
  }

  private static <K> void oneLess(Map<K, Integer> counts, K key) {
    counts.computeIfPresent(key, (k, count) -> count > 1 ? count - 1 : null);
  }

  /** How many are being worked on. */
  synchronized int working() {
    return working.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How many wait. */
  synchronized int waiting() {
    return waiting.size();
  }
}
