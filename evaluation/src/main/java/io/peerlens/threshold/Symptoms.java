package io.peerlens.threshold;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Open symptoms after a tick, of all thresholds of a shard; those that were not due are as they
 * were. Valid until the stage runs again, on the thread that runs it.
 */
public final class Symptoms {

  private final Map<UUID, Tracker> trackers;
  private final Changes changes;
  private final Set<UUID> judged = new HashSet<>();

  Symptoms(Map<UUID, Tracker> trackers, Changes changes) {
    this.trackers = trackers;
    this.changes = changes;
    for (Changes.Tick tick : changes.ticks()) {
      if (tick.error() == null) {
        judged.add(tick.threshold());
      }
    }
  }

  /** All open symptoms of a threshold, in no order. */
  public Collection<Symptom> open(UUID threshold) {
    Tracker tracker = trackers.get(threshold);
    if (tracker == null) {
      return List.of();
    }
    List<Symptom> open = new ArrayList<>();
    tracker.each(
        one -> {
          Symptom symptom = one.symptom(tracker.threshold());
          if (symptom != null) {
            open.add(symptom);
          }
        });
    return open;
  }

  /** The open symptoms of one object: one, or one for each instance. */
  public List<Symptom> of(UUID threshold, int objectId) {
    Tracker tracker = trackers.get(threshold);
    List<Symptom> open = new ArrayList<>();
    if (tracker != null) {
      for (Tracked one = tracker.of(objectId); one != null; one = one.next) {
        Symptom symptom = one.symptom(tracker.threshold());
        if (symptom != null) {
          open.add(symptom);
        }
      }
    }
    return open;
  }

  /** The open symptoms of some objects, of all thresholds; objects without any are left out. */
  public Map<Integer, List<Symptom>> on(Set<Integer> objects) {
    Map<Integer, List<Symptom>> found = new HashMap<>();
    for (Tracker tracker : trackers.values()) {
      tracker.each(
          one -> {
            Symptom symptom =
                objects.contains(one.objectId) ? one.symptom(tracker.threshold()) : null;
            if (symptom != null) {
              found.computeIfAbsent(one.objectId, object -> new ArrayList<>()).add(symptom);
            }
          });
    }
    return found;
  }

  /** The worst symptom of an object over its instances; null = none is open. */
  public @Nullable Symptom worst(UUID threshold, int objectId) {
    Tracker tracker = trackers.get(threshold);
    if (tracker == null) {
      return null;
    }
    Tracked worst = null;
    for (Tracked one = tracker.of(objectId); one != null; one = one.next) {
      if (worst == null || one.state.severity() > worst.state.severity()) {
        worst = one;
      }
    }
    return worst == null ? null : worst.symptom(tracker.threshold());
  }

  /**
   * Whether nothing was known of an object when the threshold was last judged; also before it ever
   * was. Nothing is known of what is not there to be judged, and of a value that is held against
   * one that is not there.
   */
  public boolean unknown(UUID threshold, int objectId) {
    Tracker tracker = trackers.get(threshold);
    return tracker == null || tracker.isUnknown(objectId);
  }

  /** Whether a threshold judges an object; no before it ever was judged. */
  public boolean inScope(UUID threshold, int objectId) {
    Tracker tracker = trackers.get(threshold);
    return tracker != null && tracker.isInScope(objectId);
  }

  /** Whether a threshold was judged at this tick, and could be. */
  public boolean judged(UUID threshold) {
    return judged.contains(threshold);
  }

  /** How many symptoms are open. */
  public long openCount() {
    long[] open = {0};
    for (Tracker tracker : trackers.values()) {
      tracker.each(one -> open[0] += one.state.severity() > 0 ? 1 : 0);
    }
    return open[0];
  }

  /** What to write, for {@link SymptomStore#write}. */
  public Changes changes() {
    return changes;
  }

  /** How many rows it takes to store what has changed. */
  public int rows() {
    return changes.rows().size() + changes.gone().size();
  }
}
