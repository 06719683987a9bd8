package io.peerlens.alert;

import io.peerlens.alert.AlertEventQueries.Place;
import io.peerlens.alert.AlertEventQueries.Step;
import io.peerlens.database.Workload;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Event stream of alerts for listeners of the API. One thread of a node asks the database for all
 * of them, and only while somebody listens; each change is made into text once. Thread-safe.
 */
final class AlertEvents implements AutoCloseable, ApplicationListener<ContextClosedEvent> {

  private static final Logger log = LoggerFactory.getLogger(AlertEvents.class);

  /** A connection ends after this at the latest, so that it is asked again who listens. */
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** So many changes are read at a time. */
  private static final int AT_ONCE = 1000;

  private final AlertEventQueries changes;
  private final Map<String, StreamedEvents> sources = new HashMap<>();
  private final JsonMapper json;
  private final InstantSource clock;
  private final Duration every;
  private final int mostListeners;
  private final Set<AlertListener> listeners = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService poller =
      Executors.newSingleThreadScheduledExecutor(
          Workload.API.threads(Thread.ofPlatform().daemon().name("alert-events")));
  private @Nullable ScheduledFuture<?> polling; // guarded by this
  private boolean closed; // guarded by this

  // Only the poller's thread touches these.
  private @Nullable Place place;
  private Instant heartbeat = Instant.EPOCH;
  private @Nullable String failing;

  AlertEvents(
      AlertEventQueries changes,
      List<StreamedEvents> sources,
      JsonMapper json,
      InstantSource clock,
      AlertProperties properties) {
    this.changes = changes;
    sources.forEach(source -> this.sources.put(source.name(), source));
    this.json = json;
    this.clock = clock;
    this.every = properties.eventPoll();
    this.mostListeners = properties.maxListeners();
  }

  /**
   * Begins to tell a client.
   *
   * @param lastEventId of the last event that it received; null = it begins now
   * @param expires when the caller's right to listen ends; null = it does not
   */
  SseEmitter listen(@Nullable String lastEventId, @Nullable Instant expires) {
    Duration left = expires == null ? LONGEST : Duration.between(clock.instant(), expires);
    SseEmitter emitter =
        new SseEmitter(Math.max(1, (left.compareTo(LONGEST) < 0 ? left : LONGEST).toMillis()));
    // Before it hears that it listens and reads what there is: nothing is lost between the two.
    AlertListener listener =
        new AlertListener(emitter, lastEventId, changes.now(), listeners::remove);
    synchronized (this) {
      if (closed || listeners.size() >= mostListeners) {
        throw ApiException.of(
                ErrorCode.UNAVAILABLE,
                closed ? "This node is stopping." : "Too many clients listen on this node already.")
            .hint("Try again later, or ask GET /api/v1/alerts from time to time.");
      }
      listeners.add(listener);
      if (polling == null) {
        polling =
            poller.scheduleWithFixedDelay(this::poll, 0, every.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
    listener.comment("listening");
    return emitter;
  }

  /** How many listen. */
  int listeners() {
    return listeners.size();
  }

  /** Whether the database is asked. */
  synchronized boolean isPolling() {
    return polling != null;
  }

  private synchronized void stopIfNobodyListens() {
    if (listeners.isEmpty() && polling != null) {
      polling.cancel(false);
      polling = null;
      place = null;
    }
  }

  private void poll() {
    try {
      if (listeners.isEmpty()) {
        stopIfNobodyListens();
        return;
      }
      if (place == null) {
        place = changes.now();
      }
      Place until = tellAll(place);
      listeners.stream().filter(AlertListener::isNew).forEach(listener -> begin(listener, until));
      place = until;
      beat();
      failing = null;
    } catch (RuntimeException e) {
      // Clients stay: when the database is back, they receive all that they have missed.
      if (!e.toString().equals(failing)) {
        failing = e.toString();
        log.warn("Changes of alerts cannot be read; it is tried again", e);
      }
    }
  }

  /**
   * Tells those who are up to date everything after a place; returns the place of the last change.
   */
  private Place tellAll(Place from) {
    Place at = from;
    while (true) {
      List<Step> steps = changes.after(at, AT_ONCE);
      if (steps.isEmpty()) {
        return at;
      }
      List<Told> told = told(steps);
      for (AlertListener listener : listeners) {
        if (!listener.isNew()) {
          told.forEach(one -> listener.tell(one.place().toString(), one.name(), one.json()));
        }
      }
      at = steps.getLast().place();
      if (steps.size() < AT_ONCE) {
        return at;
      }
    }
  }

  /** A new listener hears what it has missed, up to where the others are. */
  private void begin(AlertListener listener, Place until) {
    String lastEventId = listener.lastEventId();
    Optional<Place> known =
        lastEventId == null ? Optional.of(listener.since()) : changes.known(lastEventId);
    List<Step> missed =
        known.map(from -> upTo(until, changes.after(from, AT_ONCE + 1))).orElse(List.of());
    if (known.isEmpty() || missed.size() > AT_ONCE) {
      listener.reset();
    } else {
      told(missed).forEach(one -> listener.tell(one.place().toString(), one.name(), one.json()));
    }
    listener.begun();
  }

  private static List<Step> upTo(Place until, List<Step> steps) {
    List<Step> before = new ArrayList<>();
    for (Step step : steps) {
      if (isAfter(step.place(), until)) {
        break;
      }
      before.add(step);
    }
    return before;
  }

  private static boolean isAfter(Place one, Place other) {
    int order =
        Long.compareUnsigned(
            Long.parseUnsignedLong(one.xid()), Long.parseUnsignedLong(other.xid()));
    return order > 0 || order == 0 && one.id() > other.id();
  }

  private record Told(Place place, String name, String json) {}

  private record About(String source, UUID id) {}

  /** Each alert once, where it changed last. */
  private List<Told> told(List<Step> steps) {
    Map<About, Place> last = new LinkedHashMap<>();
    Map<String, Set<UUID>> ids = new HashMap<>();
    for (Step step : steps) {
      About about = new About(step.source(), step.about());
      last.remove(about); // to the end
      last.put(about, step.place());
      ids.computeIfAbsent(step.source(), source -> new HashSet<>()).add(step.about());
    }
    Map<String, Map<UUID, Object>> bySource = new HashMap<>();
    ids.forEach(
        (name, of) -> {
          StreamedEvents source = sources.get(name);
          bySource.put(name, source == null ? Map.of() : source.byId(of));
        });
    List<Told> told = new ArrayList<>();
    last.forEach(
        (about, at) -> {
          Object now = bySource.getOrDefault(about.source(), Map.of()).get(about.id());
          if (now != null) {
            told.add(new Told(at, about.source(), json.writeValueAsString(now)));
          }
        });
    return told;
  }

  private void beat() {
    Instant now = clock.instant();
    if (!now.isBefore(heartbeat.plus(HEARTBEAT))) {
      heartbeat = now;
      listeners.forEach(listener -> listener.comment("still here"));
    }
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    close();
  }

  /** Ends all connections, so that a stopping server need not wait for them. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    poller.shutdownNow();
    listeners.forEach(AlertListener::end);
    listeners.clear();
  }
}
