package io.peerlens.threshold;

import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Symptoms of one threshold from moment to moment: judges, and moves their states on. Live
 * evaluation and previews do this alike. Not thread-safe.
 */
final class Tracker {

  private final Threshold threshold;
  private final Judge judge;
  private final Duration staleAfter;

  /** By id of the object. */
  private final Map<Integer, Tracked> tracked = new HashMap<>();

  private @Nullable ObjectGraph graph;
  private long tick = SymptomState.NEVER;

  /**
   * @param learned where learned bounds come from
   * @param staleAfter a value whose sample is older is not known any more
   */
  Tracker(
      Threshold threshold,
      ScopeFlags scopes,
      Learned learned,
      Duration metricAge,
      Duration staleAfter) {
    this.threshold = threshold;
    this.judge = new Judge(threshold, scopes, learned, metricAge);
    this.staleAfter = staleAfter;
  }

  /** Receiver of the changes of a moment. */
  interface Listener {
    /** The state has changed; it is not at rest. */
    void changed(Tracked one);

    /** It is at rest, or its object is out of scope or gone, and is forgotten. */
    void gone(Tracked one);
  }

  Threshold threshold() {
    return threshold;
  }

  Set<Input> inputs() {
    return judge.inputs();
  }

  Judge judge() {
    return judge;
  }

  /** The moment that was counted last, in milliseconds; {@link SymptomState#NEVER} = none. */
  long tick() {
    return tick;
  }

  /** Takes over what was stored. */
  void restore(long lastTick, List<Tracked> states) {
    tick = lastTick;
    tracked.clear();
    states.forEach(this::add);
  }

  /** Judges a moment and moves the states on. */
  void run(Frame frame, Listener listener) {
    graph = frame.objects();
    tick = frame.time();
    judge.judge(frame);
    for (int i = 0; i < judge.violating(); i++) {
      int place = judge.violating(i);
      int object = judge.places().object(place);
      if (!judge.isKnown(place, object)) {
        continue;
      }
      int id = frame.objects().id(threshold.kind(), object);
      Tracked one = find(id, judge.places().instance(place));
      if (one == null) {
        one = new Tracked(id, judge.places().instance(place), new SymptomState());
        add(one);
      }
      if (count(one, place, object)) {
        listener.changed(one);
      }
    }
    List<Tracked> done = new ArrayList<>();
    each(
        one -> {
          if (one.seen != tick) {
            settle(one, frame.objects(), listener, done);
          }
        });
    done.forEach(
        one -> {
          remove(one);
          listener.gone(one);
        });
  }

  /**
   * Counts the value of a place.
   *
   * @return whether the state has changed, or it is now known, or no longer
   */
  private boolean count(Tracked one, int place, int object) {
    one.seen = tick;
    boolean wasUnknown = one.unknown;
    Trigger trigger = judge.trigger(object);
    boolean changed =
        one.state.count(
            judge.sample(place),
            judge.start(place),
            judge.over(place, object),
            judge.held(place, object),
            trigger);
    one.value = judge.value(place);
    one.text = judge.text(place);
    one.of = trigger.of();
    int shown = Math.max(one.state.severity(), 1);
    one.bound = judge.bound(shown, place, object);
    one.upper = judge.upper(shown, place, object);
    one.unknown = isStale(place);
    return changed || one.unknown != wasUnknown && one.state.severity() > 0;
  }

  /** One that violates nothing now. */
  private void settle(Tracked one, ObjectGraph objects, Listener listener, List<Tracked> done) {
    one.seen = tick;
    int object = one.number(threshold, objects);
    if (object < 0 || !judge.isInScope(object)) {
      done.add(one);
      return;
    }
    int place = judge.places().place(object, one.instance);
    if (place < 0 && judge.places().hasInstances(object)) {
      done.add(one); // others are there, this one is gone
      return;
    }
    if (!judge.isKnown(place, object)) {
      boolean news = !one.unknown && one.state.severity() > 0;
      one.unknown = true;
      if (news) {
        listener.changed(one);
      }
      return;
    }
    if (count(one, place, object)) {
      if (one.state.isAtRest()) {
        done.add(one);
      } else {
        listener.changed(one);
      }
    }
  }

  private boolean isStale(int place) {
    long sampled = judge.places().time(place);
    return threshold.condition().type() == Condition.Type.METRIC
        && sampled != 0
        && tick - sampled > staleAfter.toMillis();
  }

  // ------------------------------------------------------------------------------------ asking

  /** All that are not at rest. */
  void each(Consumer<Tracked> consumer) {
    for (Tracked first : tracked.values()) {
      for (Tracked one = first; one != null; one = one.next) {
        consumer.accept(one);
      }
    }
  }

  /** Those of an object, linked; null = it has none. */
  @Nullable Tracked of(int objectId) {
    return tracked.get(objectId);
  }

  int size() {
    return tracked.size();
  }

  boolean isInScope(int objectId) {
    return graph != null && judge.isInScope(graph.number(threshold.kind(), objectId));
  }

  /** Learns who is in scope, where nothing was judged yet. */
  void look(ObjectGraph objects) {
    if (graph == null) {
      graph = objects;
      judge.look(objects);
    }
  }

  /** Whether an object is in scope and nothing is known of it. */
  boolean isUnknown(int objectId) {
    if (graph == null) {
      return true;
    }
    int object = graph.number(threshold.kind(), objectId);
    return judge.isInScope(object) && judge.isUnknown(object);
  }

  // ------------------------------------------------------------------------------------ the table

  private @Nullable Tracked find(int objectId, String instance) {
    for (Tracked one = tracked.get(objectId); one != null; one = one.next) {
      if (one.instance.equals(instance)) {
        return one;
      }
    }
    return null;
  }

  private void add(Tracked one) {
    one.next = tracked.put(one.objectId, one);
  }

  private void remove(Tracked one) {
    Tracked first = tracked.get(one.objectId);
    if (first == one) {
      if (one.next == null) {
        tracked.remove(one.objectId);
      } else {
        tracked.put(one.objectId, one.next);
      }
      return;
    }
    for (Tracked at = first; at != null; at = at.next) {
      if (at.next == one) {
        at.next = one.next;
      }
    }
  }
}
