package io.peerlens.threshold;

import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a test says is usual: of a key, in an hour, of each machine by its number, or of every
 * instance by its key. Arrays are used again, as those that read the database may do.
 */
final class ScriptedBands implements LearnedBands {

  private static final long HOUR = 3_600_000;

  private record When(String key, long hour) {}

  private record Usual(float lower, float upper, float spread) {}

  private final Map<When, Usual[]> ofObjects = new HashMap<>();
  private final Map<When, Usual> ofInstances = new HashMap<>();
  private final float[] lower = new float[64];
  private final float[] upper = new float[64];
  private final float[] spread = new float[64];
  private int asked;

  /** Lower and upper end and spread of each machine, one after another. */
  ScriptedBands with(String key, long millis, double... ranges) {
    Usual[] usual = new Usual[ranges.length / 3];
    for (int i = 0; i < usual.length; i++) {
      usual[i] =
          new Usual((float) ranges[3 * i], (float) ranges[3 * i + 1], (float) ranges[3 * i + 2]);
    }
    ofObjects.put(new When(key, millis / HOUR), usual);
    return this;
  }

  /** Of an instance, on whatever machine. */
  ScriptedBands instance(String key, long millis, double lowest, double highest, double width) {
    ofInstances.put(
        new When(key, millis / HOUR), new Usual((float) lowest, (float) highest, (float) width));
    return this;
  }

  /** How often it was asked. */
  int asked() {
    return asked;
  }

  @Override
  public @Nullable LearnedRange at(ObjectKind kind, String key, ObjectGraph objects, long millis) {
    asked++;
    Usual[] found = ofObjects.get(new When(key, millis / HOUR));
    if (found == null) {
      return null;
    }
    empty();
    for (int i = 0; i < found.length; i++) {
      put(i, found[i]);
    }
    return new LearnedRange(lower, upper, spread);
  }

  @Override
  public @Nullable LearnedRange at(
      ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
    asked++;
    empty();
    for (int place = 0; place < instances.keys().length; place++) {
      Usual found = ofInstances.get(new When(instances.keys()[place], millis / HOUR));
      if (found != null) {
        put(place, found);
      }
    }
    return new LearnedRange(lower, upper, spread);
  }

  private void empty() {
    Arrays.fill(lower, Float.NaN);
    Arrays.fill(upper, Float.NaN);
    Arrays.fill(spread, Float.NaN);
  }

  private void put(int at, Usual usual) {
    lower[at] = usual.lower();
    upper[at] = usual.upper();
    spread[at] = usual.spread();
  }
}
