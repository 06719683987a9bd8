package io.peerlens.source.collect;

import io.peerlens.database.Workload;
import io.peerlens.job.RecurringTask;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.collect.HeldSource.Parts;
import io.peerlens.source.collect.LeaseStore.Fleet;
import io.peerlens.source.definition.Source;
import io.peerlens.source.definition.SourcePauseStore;
import io.peerlens.source.definition.SourceStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeper of the leases of this node. Each source is read by the one node that has its lease. Nodes
 * do not talk to each other: each takes free sources up to its fair share, and gives one back when
 * it has more than others.
 */
final class LeaseKeeper extends RecurringTask {

  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final Duration FORGET_EVERY = Duration.ofMinutes(10);

  private final LeaseStore leases;
  private final SourceStore sources;
  private final SourcePauseStore pauses;
  private final Map<String, SourceCollectors> kinds;
  private final Parts parts;
  private final Duration keepErrors;
  private final Map<UUID, HeldSource> held = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(
          Workload.BACKGROUND.threads(Thread.ofVirtual().name("source-", 0)));

  // The task's own.
  private long passed;
  private long forgot;
  private long seen = -1;
  private boolean first = true;

  LeaseKeeper(
      LeaseStore leases,
      SourceStore sources,
      SourcePauseStore pauses,
      Collection<SourceCollectors> collectors,
      Parts parts,
      Duration keepErrors) {
    super(
        "source-leases",
        Workload.BACKGROUND,
        Duration.ZERO,
        parts.timing().look(),
        "Leases of sources cannot be renewed, and are tried again");
    this.leases = leases;
    this.sources = sources;
    this.pauses = pauses;
    this.kinds =
        collectors.stream().collect(Collectors.toMap(SourceCollectors::kind, Function.identity()));
    this.parts = parts;
    this.keepErrors = keepErrors;
  }

  /** How many sources this node reads. */
  int reading() {
    return (int) held.values().stream().filter(one -> !one.stops()).count();
  }

  @Override
  protected void work() {
    long now = System.nanoTime();
    boolean released = releaseEnded();
    long version = sources.version();
    if (first || released || version != seen || now - passed >= parts.timing().renew().toNanos()) {
      pass();
      passed = now;
      seen = version;
    }
    if (first || now - forgot >= FORGET_EVERY.toNanos()) {
      leases.forget();
      parts.journal().forgetErrors(parts.clock().instant().minus(keepErrors));
      parts.journal().forgetRates(parts.clock().instant());
      forgot = now;
    }
    first = false;
  }

  /** Gives back the leases of sources whose collectors have ended. */
  private boolean releaseEnded() {
    List<UUID> over =
        held.entrySet().stream()
            .filter(one -> one.getValue().isOver())
            .map(Map.Entry::getKey)
            .toList();
    for (UUID id : over) {
      HeldSource one = held.get(id);
      if (one != null && !one.hasEnded()) {
        log.error("The collector of source {} does not end; it is left behind", id);
      }
      leases.release(id);
      held.remove(id);
    }
    return !over.isEmpty();
  }

  private void pass() {
    long begun = System.nanoTime();
    leases.heartbeat(kinds.keySet());
    Set<UUID> mine = leases.renew();
    long until = begun + parts.timing().lease().minus(parts.timing().reserve()).toNanos();
    held.forEach(
        (id, one) -> {
          if (mine.contains(id)) {
            one.extend(until);
          } else {
            one.lose();
          }
        });
    Map<UUID, Source> wanted = wanted();
    for (UUID id : mine) {
      Source source = wanted.get(id);
      HeldSource one = held.get(id);
      if (one == null && source == null) {
        leases.release(id);
      } else if (one == null) {
        start(Objects.requireNonNull(source), until);
      } else if (source == null) {
        one.stop();
      } else {
        one.want(source);
      }
    }
    balance(wanted, until);
  }

  /** The sources that are to be read and that this node can read. */
  private Map<UUID, Source> wanted() {
    Set<UUID> paused = pauses.all().keySet();
    Map<UUID, Source> wanted = new HashMap<>();
    sources
        .byId()
        .forEach(
            (id, stored) -> {
              if (!paused.contains(id) && kinds.containsKey(stored.rule().kind())) {
                wanted.put(id, stored.rule());
              }
            });
    return wanted;
  }

  private void balance(Map<UUID, Source> wanted, long until) {
    Fleet fleet = leases.fleet(kinds.keySet());
    int share = Math.ceilDiv(wanted.size(), Math.max(1, fleet.nodes()));
    int reads = reading();
    if (reads > share || reads - fleet.least() >= 2) {
      held.entrySet().stream()
          .filter(one -> !one.getValue().stops())
          .max(Map.Entry.comparingByKey())
          .ifPresent(
              one -> {
                log.info("Another node has fewer sources and takes one over");
                one.getValue().stop();
              });
    } else if (reads < share) {
      List<UUID> others = wanted.keySet().stream().filter(id -> !held.containsKey(id)).toList();
      for (UUID id : leases.take(others, share - reads)) {
        start(Objects.requireNonNull(wanted.get(id)), until);
      }
    }
  }

  private void start(Source source, long until) {
    HeldSource one =
        new HeldSource(parts, Objects.requireNonNull(kinds.get(source.kind())), source, until);
    held.put(source.id(), one);
    one.start(threads);
  }

  /** Ends all collectors at once, and gives their leases back. */
  @Override
  public synchronized void stop() {
    if (!isRunning()) {
      return;
    }
    super.stop();
    held.values().forEach(HeldSource::stop);
    long deadline = System.nanoTime() + parts.timing().close().plusSeconds(1).toNanos();
    boolean waits = true;
    while (waits && System.nanoTime() < deadline) {
      waits = held.values().stream().anyMatch(one -> !one.isOver());
      if (waits) {
        try {
          Thread.sleep(20);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    held.clear();
    threads.shutdownNow();
    try {
      leases.leave();
    } catch (RuntimeException e) {
      log.warn("The leases of this node end by themselves: {}", e.getMessage());
    }
  }
}
