package io.peerlens.threshold;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import org.jspecify.annotations.Nullable;

/**
 * Places of the values of a kind at one moment. A place is the number of an object within its kind
 * or, where instances are judged, that of a value in {@link Instances}. Not thread-safe.
 */
final class Places {

  private final ObjectKind kind;
  private final String key;
  private final boolean byInstance;
  private @Nullable Column column;
  private @Nullable Instances instances;

  /**
   * @param byInstance whether the instances of the key have places, not the objects
   */
  Places(ObjectKind kind, String key, boolean byInstance) {
    this.kind = kind;
    this.key = key;
    this.byInstance = byInstance;
  }

  /** Goes on to the moment of a frame. */
  void at(Frame frame) {
    instances = byInstance ? frame.instances(kind, key) : null;
    column = byInstance ? instances == null ? null : instances.values() : frame.column(kind, key);
  }

  /** The values; null = there are none. */
  @Nullable Column column() {
    return column;
  }

  /** Null = objects are the places, or there are none. */
  @Nullable Instances instances() {
    return instances;
  }

  /** The first place of an object. */
  int first(int object) {
    return instances == null ? object : instances.offsets()[object];
  }

  /** The object of a place. */
  int object(int place) {
    if (instances == null) {
      return place;
    }
    int[] offsets = instances.offsets();
    int low = 0;
    int high = offsets.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (offsets[middle] <= place) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Whole key of a place; empty where no instances are judged. */
  String instance(int place) {
    return instances == null ? "" : instances.keys()[place];
  }

  /** Where an object, or an instance of it, is at this moment; -1 = nowhere. */
  int place(int object, String instance) {
    if (!byInstance) {
      return column == null ? -1 : object;
    }
    if (instances == null) {
      return -1;
    }
    for (int place = instances.offsets()[object];
        place < instances.offsets()[object + 1];
        place++) {
      if (instances.keys()[place].equals(instance)) {
        return place;
      }
    }
    return -1;
  }

  /** Whether instances are judged and an object has any now. */
  boolean hasInstances(int object) {
    return instances != null && instances.offsets()[object + 1] > instances.offsets()[object];
  }

  /** When the newest sample was taken; 0 = not known, or it is a property. */
  long time(int place) {
    long[] sampled = column == null ? null : column.times();
    return sampled == null ? 0 : sampled[place];
  }

  /** The text of a place; null = there is none. */
  @Nullable String text(int place) {
    return column == null || column.texts() == null ? null : column.texts()[place];
  }

  /** What tells an instance from others, such as {@code vmnic0}, from its whole key. */
  static String name(String key) {
    String instance = MetricKey.parse(key).instance();
    return instance.isEmpty() && key.indexOf(':') >= 0 ? key : instance;
  }
}
