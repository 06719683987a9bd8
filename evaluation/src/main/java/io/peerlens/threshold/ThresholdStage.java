package io.peerlens.threshold;

import io.peerlens.learning.LearnedBands;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threshold stage of the tick: judges the thresholds of a shard. It remembers the states of
 * symptoms that are not at rest, and they are what the database holds: who takes the shard over
 * reads them there and goes on the same way. When a tick cannot be stored, the stage that ran it is
 * to be thrown away. Not thread-safe.
 */
public final class ThresholdStage {

  private static final Logger log = LoggerFactory.getLogger(ThresholdStage.class);

  private final @Nullable SymptomStore store;
  private final ScopeFlags scopes;
  private final Learned learned;
  private final Duration metricAge;
  private final Duration staleAfter;
  private final LongSupplier nanos;
  private final Map<UUID, Tracker> trackers = new HashMap<>();

  /**
   * @param store null = there is none, and every threshold starts at rest
   * @param bands where learned bounds come from; two are taken, for this stage alone
   * @param metricAge how old the last value of a metric may be to be still used
   * @param staleAfter how old it may be to be still known
   * @param nanos a clock, as {@link System#nanoTime}
   */
  public ThresholdStage(
      @Nullable SymptomStore store,
      ScopeFlags scopes,
      Supplier<? extends LearnedBands> bands,
      Duration metricAge,
      Duration staleAfter,
      LongSupplier nanos) {
    this.store = store;
    this.scopes = scopes;
    this.learned = new Learned(bands.get(), bands.get());
    this.metricAge = metricAge;
    this.staleAfter = staleAfter;
    this.nanos = nanos;
  }

  /**
   * Says which thresholds are the shard's from now on: to be called before the first tick, and when
   * rules have changed. States of those that are new here or have changed are read from the
   * database, since another shard may have moved them.
   */
  public void assign(Collection<Threshold> thresholds) {
    Map<UUID, Threshold> wanted = new HashMap<>();
    thresholds.forEach(threshold -> wanted.put(threshold.id(), threshold));
    trackers
        .values()
        .removeIf(tracker -> !tracker.threshold().equals(wanted.get(tracker.threshold().id())));
    List<Tracker> added = new ArrayList<>();
    for (Threshold threshold : wanted.values()) {
      if (!trackers.containsKey(threshold.id())) {
        Tracker tracker = new Tracker(threshold, scopes, learned, metricAge, staleAfter);
        trackers.put(threshold.id(), tracker);
        added.add(tracker);
      }
    }
    load(added);
  }

  private void load(List<Tracker> added) {
    if (added.isEmpty() || store == null) {
      return;
    }
    Map<UUID, SymptomStore.Stored> stored =
        store.load(added.stream().map(tracker -> tracker.threshold().id()).toList());
    for (Tracker tracker : added) {
      SymptomStore.Stored states = stored.get(tracker.threshold().id());
      if (states != null) {
        tracker.restore(states.lastTick(), states.states());
      }
    }
  }

  /** Columns that a frame must hold for these thresholds. */
  public Set<Input> inputs(List<Threshold> due) {
    Set<Input> inputs = new HashSet<>();
    for (Threshold threshold : due) {
      inputs.addAll(tracker(threshold).inputs());
    }
    return inputs;
  }

  /**
   * Judges a moment. A threshold that was judged for this moment already, by a shard that it
   * belonged to before, stays as it is; one that cannot be judged says why in its state.
   *
   * @param frame holds at least {@link #inputs}
   * @param due among those of {@link #assign}
   * @param noticing since when a sample would have been noticed, so that who sent none is silent;
   *     {@link Instant#MIN} = always, {@link Instant#MAX} = it would not be now
   */
  public Symptoms run(Frame frame, List<Threshold> due, Instant tick, Instant noticing) {
    List<Changes.Row> rows = new ArrayList<>();
    List<Changes.Key> gone = new ArrayList<>();
    List<Changes.Tick> ticks = new ArrayList<>();
    for (Threshold threshold : due) {
      Tracker tracker = tracker(threshold);
      if (tick.toEpochMilli() <= tracker.tick()) {
        continue;
      }
      tracker.judge().noticing(noticing);
      ticks.add(run(tracker, frame, rows, gone));
    }
    trackers.values().forEach(tracker -> tracker.look(frame.objects()));
    return new Symptoms(Map.copyOf(trackers), new Changes(rows, gone, ticks));
  }

  private Changes.Tick run(
      Tracker tracker, Frame frame, List<Changes.Row> rows, List<Changes.Key> gone) {
    UUID id = tracker.threshold().id();
    List<Changes.Row> changed = new ArrayList<>();
    List<Changes.Key> ended = new ArrayList<>();
    long start = nanos.getAsLong();
    try {
      tracker.run(
          frame,
          new Tracker.Listener() {
            @Override
            public void changed(Tracked one) {
              one.stored = true;
              changed.add(
                  new Changes.Row(
                      key(id, one),
                      one.state.save(),
                      one.value,
                      one.text,
                      one.bound,
                      one.upper,
                      one.unknown));
            }

            @Override
            public void gone(Tracked one) {
              if (one.stored) {
                ended.add(key(id, one));
              }
            }
          });
    } catch (RuntimeException e) {
      log.error("Threshold {} could not be judged", tracker.threshold().name(), e);
      Tracker afresh = new Tracker(tracker.threshold(), scopes, learned, metricAge, staleAfter);
      trackers.put(id, afresh);
      load(List.of(afresh));
      return new Changes.Tick(id, 0, 0, 0, new int[4], nanos.getAsLong() - start, e.toString());
    }
    rows.addAll(changed);
    gone.addAll(ended);
    int[] open = new int[Severity.values().length];
    tracker.each(
        one -> {
          if (one.state.severity() > 0) {
            open[one.state.severity() - 1]++;
          }
        });
    Judge judge = tracker.judge();
    return new Changes.Tick(
        id,
        judge.inScope(),
        judge.judged(),
        judge.unknown(),
        open,
        nanos.getAsLong() - start,
        null);
  }

  private static Changes.Key key(UUID threshold, Tracked one) {
    return new Changes.Key(threshold, one.objectId, one.instance);
  }

  private Tracker tracker(Threshold threshold) {
    Tracker tracker = trackers.get(threshold.id());
    if (tracker == null) {
      throw new IllegalArgumentException("threshold " + threshold.id() + " is not of this shard");
    }
    return tracker;
  }
}
