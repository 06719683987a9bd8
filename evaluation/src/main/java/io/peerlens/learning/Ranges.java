package io.peerlens.learning;

import io.peerlens.frame.KeySets;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Bounds in the order of objects or of instances, from bounds by metric set. */
final class Ranges {

  private Ranges() {}

  private static LearnedRange none(int length) {
    LearnedRange range = new LearnedRange(new float[length], new float[length], new float[length]);
    Arrays.fill(range.lower(), Float.NaN);
    Arrays.fill(range.upper(), Float.NaN);
    Arrays.fill(range.spread(), Float.NaN);
    return range;
  }

  private static void put(BandColumns columns, int set, LearnedRange range, int at) {
    int place = columns.place(set);
    if (place >= 0) {
      range.lower()[at] = columns.lower()[place];
      range.upper()[at] = columns.upper()[place];
      range.spread()[at] = columns.spread()[place];
    }
  }

  /** In the order of the objects of a kind. */
  static LearnedRange ofObjects(
      KeySets sets, BandColumns columns, ObjectKind kind, ObjectGraph objects) {
    LearnedRange range = none(objects.count(kind));
    for (int i = 0; i < sets.sets().length; i++) {
      int number = objects.number(kind, sets.objects()[i]);
      if (number >= 0) {
        put(columns, sets.sets()[i], range, number);
      }
    }
    return range;
  }

  /** The sets of all instances of a key, by object and instance. */
  static final class Places {
    private final KeySets sets;
    private final Map<Place, Integer> byPlace;

    private record Place(int object, String instance) {}

    Places(KeySets sets) {
      this.sets = sets;
      this.byPlace = HashMap.newHashMap(sets.sets().length);
      for (int i = 0; i < sets.sets().length; i++) {
        byPlace.put(new Place(sets.objects()[i], sets.instances()[i]), sets.sets()[i]);
      }
    }

    KeySets sets() {
      return sets;
    }

    /** The set of an instance of an object; -1 = there is none. */
    int set(int object, String instance) {
      return byPlace.getOrDefault(new Place(object, instance), -1);
    }
  }

  /** Positions of a key without its instance. */
  record Located(Places places, BandColumns columns) {}

  /** An instance of it. */
  private record Part(String instance, @Nullable Located of) {}

  /**
   * In the order of instances.
   *
   * @param located what is known of a key without its instance; null = it is no metric
   * @return null = nothing is learned of any of them
   */
  static @Nullable LearnedRange ofInstances(
      ObjectKind kind,
      Instances instances,
      ObjectGraph objects,
      Function<String, @Nullable Located> located) {
    Map<String, Part> parts = new HashMap<>();
    LearnedRange range = none(instances.keys().length);
    boolean any = false;
    for (int object = 0; object < instances.objects(); object++) {
      int from = instances.offsets()[object];
      int to = instances.offsets()[object + 1];
      for (int at = from; at < to; at++) {
        Part part = parts.computeIfAbsent(instances.keys()[at], key -> part(key, located));
        Located of = part.of();
        if (of != null) {
          put(of.columns(), of.places().set(objects.id(kind, object), part.instance()), range, at);
          any |= of.columns().sets().length > 0;
        }
      }
    }
    return any ? range : null;
  }

  private static Part part(String key, Function<String, @Nullable Located> located) {
    MetricKey parsed = MetricKey.parse(key);
    return new Part(
        parsed.instance(),
        located.apply(new MetricKey(parsed.group(), "", parsed.metric()).toString()));
  }
}
