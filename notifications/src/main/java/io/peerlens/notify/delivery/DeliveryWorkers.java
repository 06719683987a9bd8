package io.peerlens.notify.delivery;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.alerttemplates.Capture;
import io.peerlens.alerttemplates.Message;
import io.peerlens.database.Workload;
import io.peerlens.notify.channel.ActiveTarget;
import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Attempt;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.Pictures;
import io.peerlens.notify.channel.Verdict;
import io.peerlens.notify.delivery.Sender.Known;
import io.peerlens.notify.delivery.TargetHealthStore.Health;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Delivery workers: they claim what is due and send it. One thread looks at every target in turn
 * and takes as much as the target may be sent; each delivery is then sent by a virtual thread of
 * its own. No target waits for another.
 */
final class DeliveryWorkers implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DeliveryWorkers.class);

  /** How much longer than an attempt may take its lease lasts. */
  private static final Duration SPARE = Duration.ofSeconds(20);

  private static final Duration UPKEEP = Duration.ofSeconds(1);

  /** By then every look at the targets sees that one is paused or stopped. */
  private static final Duration SEEN = UPKEEP.multipliedBy(2);

  private final DeliveryStore store;
  private final AttemptResultStore results;
  private final TargetHealthStore lines;
  private final Sender sender;
  private final Pictures pictures;
  private final Channels channels;
  private final DeliveryProperties properties;
  private final Backoff backoff;
  private final InstantSource clock;
  private final MeterRegistry meters;

  private record Limited(Known known, TargetLimiter line) {}

  private final Map<UUID, Limited> byTarget = new ConcurrentHashMap<>();
  private final Map<UUID, Instant> silent = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Workload.NOTIFICATION.threads(Thread.ofVirtual()));
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean closed;
  private @Nullable Thread dispatcher;

  private volatile Instant upkeep = Instant.EPOCH;

  // Only the dispatcher's thread touches these.
  private Map<UUID, Health> known = Map.of();
  private @Nullable String failing;

  DeliveryWorkers(
      DeliveryStore store,
      AttemptResultStore results,
      TargetHealthStore lines,
      Sender sender,
      Pictures pictures,
      Channels channels,
      DeliveryProperties properties,
      Backoff backoff,
      InstantSource clock,
      MeterRegistry meters) {
    this.store = store;
    this.results = results;
    this.lines = lines;
    this.sender = sender;
    this.pictures = pictures;
    this.channels = channels;
    this.properties = properties;
    this.backoff = backoff;
    this.clock = clock;
    this.meters = meters;
  }

  /** Begins to send. */
  void start() {
    dispatcher =
        Thread.ofPlatform()
            .daemon()
            .name("deliveries")
            .start(Workload.NOTIFICATION.of(this::dispatch));
  }

  /** There may be something to send now. */
  void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  private void dispatch() {
    while (!closed) {
      try {
        look();
        failing = null;
      } catch (RuntimeException e) {
        if (!e.toString().equals(failing)) {
          failing = e.toString();
          log.warn("Notifications cannot be sent; it is tried again", e);
        }
      }
      try {
        if (wake.tryAcquire(properties.poll().toMillis(), TimeUnit.MILLISECONDS)) {
          wake.drainPermits();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void look() {
    Instant now = clock.instant();
    if (!now.isBefore(upkeep.plus(UPKEEP))) {
      upkeep = now;
      int revived = store.revive(now);
      if (revived > 0) {
        log.info("{} deliveries whose sender ended are sent again", revived);
      }
      meters.counter("peerlens.notify.deliveries.expired").increment(store.expire(now));
      known = lines.all();
    }
    for (UUID target : store.targets(now)) {
      if (closed) {
        return;
      }
      send(target, now);
    }
  }

  private void send(UUID id, Instant now) {
    Known target = sender.target(id);
    if (target == null) {
      log.info("{} deliveries to a target that is gone are dropped", store.dropAll(id, now));
      byTarget.remove(id);
      return;
    }
    if (!target.enabled() || isLeftAlone(target, known.get(id), now)) {
      return;
    }
    TargetLimiter line = line(id, target);
    int room = line.room(now);
    if (room == 0) {
      return;
    }
    ActiveTarget active = target.active();
    for (Claimed delivery : store.claim(id, room, now, now.plus(active.timeout()).plus(SPARE))) {
      if (line.begin()) {
        threads.execute(() -> attempt(delivery, target, line));
      } else {
        store.giveBack(delivery, now.plus(properties.poll()));
      }
    }
  }

  /** What was paused or stopped is tried again as soon as somebody has changed it. */
  private boolean isLeftAlone(Known target, @Nullable Health row, Instant now) {
    if (row == null || row.stoppedAt() == null && row.pausedUntil() == null) {
      return false;
    }
    if (!target.version().equals(row.definition())) {
      lines.resume(row.target());
      known = lines.all();
      return false;
    }
    return row.stoppedAt() != null || row.pausedUntil() != null && now.isBefore(row.pausedUntil());
  }

  private TargetLimiter line(UUID id, Known target) {
    Limited of =
        byTarget.compute(
            id,
            (key, before) ->
                before != null && before.known().version().equals(target.version())
                    ? before
                    : new Limited(
                        target,
                        new TargetLimiter(
                            target.active().name(),
                            target.active().limits(),
                            properties.breakerFailures(),
                            properties.breakerWait())));
    return of.line();
  }

  private void attempt(Claimed claimed, Known target, TargetLimiter line) {
    Instant at = clock.instant();
    boolean ended = false;
    try {
      Message message = message(claimed, at);
      if (message == null) {
        return;
      }
      Exchange exchange =
          channels
              .of(target.active().type())
              .send(
                  message,
                  target.active(),
                  new Attempt(
                      claimed.id(), claimed.subject(), claimed.sequence(), claimed.attempt(), at));
      Instant now = clock.instant();
      ended = true;
      told(line, exchange, now);
      results.put(claimed, result(claimed, message, exchange, now), at, now);
      note(target, line, exchange, now);
      measure(target, exchange);
    } catch (RuntimeException e) {
      // The lease ends by itself; until then nobody else sends it.
      log.warn("Delivery {} to {} failed", claimed.id(), target.active().name(), e);
    } finally {
      if (!ended) {
        line.ended();
      }
      wake();
    }
  }

  /** The message that was kept, or one made now that the receiver's ids are known. */
  private @Nullable Message message(Claimed claimed, Instant now) {
    JsonNode kept = claimed.message();
    JsonNode context = claimed.context();
    if (kept == null && context instanceof ObjectNode late) {
      if (late.path("alert") instanceof ObjectNode alert) {
        alert.set("externalIds", store.externalIds(claimed.target(), claimed.subject()));
      }
      Sender.Late made = sender.render(claimed.template(), late);
      kept = made.message();
      if (kept == null) {
        String failure = made.failure();
        results.put(
            claimed,
            new AttemptResult(
                failure == null ? "dropped" : "dead",
                failure == null ? "The template drops this notification" : failure,
                now,
                false,
                null,
                Map.of()),
            now,
            now);
        return null;
      }
      store.rendered(claimed, kept, made.version(), made.hash());
    }
    if (kept == null) {
      return null;
    }
    Message message = Message.fromJson(kept);
    Message whole = pictures.complete(message, claimed.subject());
    if (!whole.equals(message)) {
      store.completed(claimed, whole.toJson()); // later attempts and replays send the same bytes
    }
    return whole;
  }

  private void told(TargetLimiter line, Exchange exchange, Instant now) {
    switch (exchange.verdict()) {
      case Verdict.Delivered done -> line.succeeded(exchange.took());
      case Verdict.DeliveredUnconfirmed done -> line.succeeded(exchange.took());
      // The receiver works; it does not want this one.
      case Verdict.Refused refused -> line.succeeded(exchange.took());
      case Verdict.Retry retry -> {
        Duration after = retry.after();
        if (after != null) {
          line.rest(now.plus(backoff.asked(after)));
          line.ended();
        } else {
          line.failed(exchange.took(), retry.reason());
        }
      }
      case Verdict.Gone gone -> leaveAlone(line, now);
      case Verdict.Unauthorized unauthorized -> leaveAlone(line, now);
    }
  }

  /** Nothing more goes there, although it is noted only in a moment that nothing may. */
  private static void leaveAlone(TargetLimiter line, Instant now) {
    line.rest(now.plus(SEEN));
    line.ended();
  }

  private AttemptResult result(Claimed claimed, Message message, Exchange exchange, Instant now) {
    Answer answer = exchange.answer();
    return switch (exchange.verdict()) {
      case Verdict.Delivered done ->
          new AttemptResult("delivered", null, now, true, exchange, captured(message, answer));
      case Verdict.DeliveredUnconfirmed done ->
          new AttemptResult("unconfirmed", null, now, true, exchange, Map.of());
      case Verdict.Refused(String reason) ->
          new AttemptResult("dead", reason, now, false, exchange, Map.of());
      case Verdict.Gone(String reason) ->
          new AttemptResult("dead", reason, now, false, exchange, Map.of());
      // It waits as long as its target is paused; when somebody mends that, it need not wait more.
      case Verdict.Unauthorized(String reason) ->
          again(claimed, exchange, reason, backoff.after(claimed.attempt()), false, now);
      case Verdict.Retry(Duration after, String reason, boolean mayHaveArrived) ->
          again(
              claimed,
              exchange,
              reason,
              after == null ? backoff.after(claimed.attempt()) : backoff.asked(after),
              answer == null && mayHaveArrived,
              now);
    };
  }

  private static AttemptResult again(
      Claimed claimed,
      Exchange exchange,
      String reason,
      Duration wait,
      boolean reached,
      Instant now) {
    Instant due = now.plus(wait);
    return due.isBefore(claimed.expiresAt())
        ? new AttemptResult("retry", reason, due, reached, exchange, Map.of())
        : new AttemptResult("dead", "Given up: " + reason, now, reached, exchange, Map.of());
  }

  private static Map<String, String> captured(Message message, @Nullable Answer answer) {
    return message instanceof Message.Http http && answer != null
        ? Capture.read(http.capture(), answer.body())
        : Map.of();
  }

  /** Keeps how the target does; a success that follows a success says nothing new for a while. */
  private void note(Known target, TargetLimiter line, Exchange exchange, Instant now) {
    UUID id = target.active().id();
    Verdict verdict = exchange.verdict();
    if (verdict.delivered() || verdict instanceof Verdict.Refused) {
      Instant quiet = silent.get(id);
      if (quiet == null || now.isAfter(quiet)) {
        lines.succeeded(id, line.breaker(), now);
        silent.put(id, now.plus(UPKEEP));
      }
      return;
    }
    silent.remove(id);
    lines.failed(id, line.breaker(), verdict.reason(), now);
    if (verdict instanceof Verdict.Gone(String reason)) {
      log.warn("Target {} is stopped: {}", target.active().name(), reason);
      lines.stop(id, reason, target.version(), now);
      upkeep = Instant.EPOCH;
    } else if (verdict instanceof Verdict.Unauthorized(String reason)) {
      log.warn("Target {} is paused: {}", target.active().name(), reason);
      lines.pause(id, now.plus(properties.pause()), target.version());
      upkeep = Instant.EPOCH;
    }
  }

  private void measure(Known target, Exchange exchange) {
    meters
        .timer(
            "peerlens.notify.attempts",
            "target",
            target.active().name(),
            "verdict",
            AttemptResultStore.verdict(exchange.verdict()))
        .record(exchange.took());
  }

  /** How the breakers of this node stand. */
  Map<UUID, String> breakers() {
    Map<UUID, String> breakers = new ConcurrentHashMap<>();
    byTarget.forEach((id, of) -> breakers.put(id, of.line().breaker()));
    return breakers;
  }

  /** Stops taking deliveries, and lets those on their way end for a while. */
  @Override
  public void close() {
    closed = true;
    wake();
    Thread running = dispatcher;
    try {
      if (running != null && !running.join(Duration.ofSeconds(5))) {
        log.info("The database does not answer; claimed deliveries are left to their leases");
      }
      threads.shutdown();
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        List<Runnable> left = threads.shutdownNow();
        log.info("{} deliveries are left to their leases", left.size());
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
