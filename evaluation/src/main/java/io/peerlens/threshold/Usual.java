package io.peerlens.threshold;

import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Learned bounds of each series of a key, in the hour of the moment and in the hour before: a
 * sample is compared with those of its own hour, and the newest one at the start of an hour may be
 * of the hour before. Asked for by indexes, which are those of places for the present hour and come
 * after them for the hour before. Arrays are kept from moment to moment. Not thread-safe.
 */
final class Usual {

  private static final long HOUR = 3_600_000;

  private final Learned learned;
  private final ObjectKind kind;
  private final String key;
  private long start = Long.MIN_VALUE;
  private @Nullable ObjectGraph objects;
  private @Nullable Instances instances;
  private @Nullable LearnedRange now;
  private int places;

  // Of all places now, of all an hour before, and one that nothing is known of
  private float[] lower = {};
  private float[] upper = {};
  private float[] spread = {};

  Usual(Learned learned, ObjectKind kind, String key) {
    this.learned = learned;
    this.kind = kind;
    this.key = key;
  }

  /**
   * Looks at a moment.
   *
   * @param instances where instances are judged; null = objects are, or no instance is there
   * @return whether everything is as it was
   */
  boolean at(long moment, ObjectGraph objects, @Nullable Instances instances, int places) {
    long hour = Math.floorDiv(moment, HOUR) * HOUR;
    boolean same = hour == start && objects == this.objects && areSame(instances, this.instances);
    this.instances = instances;
    if (!same) {
      start = hour;
      this.objects = objects;
      this.places = places;
      if (lower.length != 2 * places + 1) {
        lower = new float[2 * places + 1];
        upper = new float[2 * places + 1];
        spread = new float[2 * places + 1];
        lower[2 * places] = upper[2 * places] = spread[2 * places] = Float.NaN;
      }
      keep(ask(learned.before(), objects, hour - 1), places);
    }
    LearnedRange range = ask(learned.now(), objects, moment);
    if (same && range == now) {
      return true;
    }
    now = range;
    keep(range, 0);
    return false;
  }

  /** Whether places belong to the same instances; their values may be others. */
  private static boolean areSame(@Nullable Instances now, @Nullable Instances before) {
    return now == null || before == null
        ? now == before
        : Arrays.equals(now.offsets(), before.offsets())
            && Arrays.equals(now.keys(), before.keys());
  }

  private @Nullable LearnedRange ask(LearnedBands bands, ObjectGraph of, long moment) {
    return instances == null
        ? bands.at(kind, key, of, moment)
        : bands.at(kind, instances, of, moment);
  }

  private void keep(@Nullable LearnedRange range, int from) {
    if (range == null) {
      Arrays.fill(lower, from, from + places, Float.NaN);
      Arrays.fill(upper, from, from + places, Float.NaN);
      Arrays.fill(spread, from, from + places, Float.NaN);
    } else {
      System.arraycopy(range.lower(), 0, lower, from, places);
      System.arraycopy(range.upper(), 0, upper, from, places);
      System.arraycopy(range.spread(), 0, spread, from, places);
    }
  }

  /**
   * The index of a place.
   *
   * @param sampled when its newest sample was taken; 0 = it is as new as the moment
   */
  int index(int place, long sampled) {
    if (sampled == 0 || sampled >= start) {
      return place;
    }
    return sampled >= start - HOUR ? earlier(place) : 2 * places;
  }

  /** The index of a place in the hour before. */
  int earlier(int place) {
    return places + place;
  }

  /** Lower end before any margin; NaN = nothing is learned. */
  float lower(int at) {
    return lower[at];
  }

  /** Upper end before any margin; NaN = nothing is learned. */
  float upper(int at) {
    return upper[at];
  }

  /** By how much sensitivities widen it; NaN = nothing is learned. */
  float spread(int at) {
    return spread[at];
  }
}
