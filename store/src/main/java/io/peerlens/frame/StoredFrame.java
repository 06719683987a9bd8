package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.store.Level;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A frame over last values; makes each column when it is first asked for. */
final class StoredFrame implements Frame {

  /**
   * Groups whose bare key vROps leaves without data because it writes the total of all instances as
   * an instance of its own. Here the bare key is that total, so it is left out of an attribute
   * where there are instances, or a sum would count everything twice.
   */
  private static final Set<String> BARE_IS_TOTAL =
      Set.of(
          "virtualDisk",
          "net",
          "datastore",
          "disk",
          "guestfilesystem",
          "storageAdapter",
          "storagePath",
          "power");

  private static final long CYCLE = 60_000_000;

  private record ColumnKey(ObjectKind kind, String key) {}

  private final Instant tick;
  private final Frames.Known known;
  private final Map<Integer, LastValues> values;
  private final long oldest;
  private final Map<ColumnKey, Optional<Column>> columns = new HashMap<>();
  private final Map<ColumnKey, Optional<Instances>> instances = new HashMap<>();

  StoredFrame(
      Instant tick, Frames.Known known, Map<Integer, LastValues> values, Duration metricAge) {
    this.tick = tick;
    this.known = known;
    this.values = values;
    this.oldest = Level.micros(tick) - metricAge.toMillis() * 1000;
  }

  @Override
  public long time() {
    return tick.toEpochMilli();
  }

  @Override
  public ObjectGraph objects() {
    return known.inventory().graph();
  }

  @Override
  public @Nullable Column column(ObjectKind kind, String key) {
    return columns
        .computeIfAbsent(new ColumnKey(kind, key), k -> Optional.ofNullable(makeColumn(kind, key)))
        .orElse(null);
  }

  private @Nullable Column makeColumn(ObjectKind kind, String key) {
    List<Keyed> found = Keyed.find(kind, key, false, known);
    if (found.isEmpty()) {
      return null;
    }
    Keyed keyed = found.getFirst();
    Group group = keyed.group();
    if (group == null) {
      return known.inventory().property(kind, Objects.requireNonNull(keyed.property()));
    }
    LastValues of = values.get(group.id());
    if (of == null) {
      return null;
    }
    int index = Arrays.binarySearch(of.positions(), keyed.position());
    if (index < 0) {
      return null;
    }
    int objects = objects().count(kind);
    double[] numbers = new double[objects];
    Arrays.fill(numbers, Double.NaN);
    boolean[] fresh = new boolean[objects];
    long[] times = new long[objects];
    boolean any = false;
    String instance = Objects.requireNonNull(keyed.instance());
    for (int place = 0; place < of.sets().ids().length; place++) {
      int object = of.sets().objects()[place];
      if (object >= 0 && of.sets().instances()[place].equals(instance)) {
        any = true;
        numbers[object] = of.value(index, place, oldest);
        fresh[object] = of.isFresh(index, place, Level.micros(tick), CYCLE);
        times[object] = of.millis(index, place);
      }
    }
    return any ? new Column(numbers, null, fresh, times) : null;
  }

  @Override
  public @Nullable Instances instances(ObjectKind kind, String attribute) {
    return instances
        .computeIfAbsent(
            new ColumnKey(kind, attribute),
            k -> Optional.ofNullable(makeInstances(kind, attribute, oldest)))
        .orElse(null);
  }

  @Override
  public @Nullable Instances instancesWithOld(ObjectKind kind, String attribute) {
    return makeInstances(kind, attribute, Long.MIN_VALUE);
  }

  /**
   * @param after instances whose newest sample is older are left out
   */
  private @Nullable Instances makeInstances(ObjectKind kind, String attribute, long after) {
    List<Keyed> found = Keyed.find(kind, attribute, true, known);
    if (found.isEmpty()) {
      return null;
    }
    if (found.getFirst().group() == null) {
      List<Instances.Keyed> properties =
          found.stream()
              .map(keyed -> Objects.requireNonNull(keyed.property()))
              .map(
                  name -> new Instances.Keyed(name, name.equals(attribute), propertyOf(kind, name)))
              .toList();
      return Instances.of(objects().count(kind), properties);
    }
    return new Collector(kind, found, after).collect();
  }

  private Column propertyOf(ObjectKind kind, String name) {
    return Objects.requireNonNull(known.inventory().property(kind, name));
  }

  /** Collector of the metric sets of an attribute, object by object. */
  private final class Collector {

    private final ObjectKind kind;
    private final List<Keyed> keys;
    private final long after;
    private final int[] counts;
    private final boolean[] hasInstances;
    private final boolean[] hasOld;

    Collector(ObjectKind kind, List<Keyed> keys, long after) {
      this.kind = kind;
      this.keys = keys;
      this.after = after;
      int objects = objects().count(kind);
      this.counts = new int[objects];
      this.hasInstances = new boolean[objects];
      this.hasOld = new boolean[objects];
    }

    /** Receiver of one value; the object is of the kind. */
    private interface Taker {
      void take(Keyed keyed, LastValues of, int index, int place, int object);
    }

    Instances collect() {
      each(
          (keyed, of, index, place, object) -> {
            boolean instance = !of.sets().instances()[place].isEmpty();
            hasInstances[object] |= instance && !isOld(of, index, place);
            hasOld[object] |= instance;
          });
      each((keyed, of, index, place, object) -> counts[object]++, true);
      int[] offsets = new int[counts.length + 1];
      for (int i = 0; i < counts.length; i++) {
        offsets[i + 1] = offsets[i] + counts[i];
      }
      int[] next = Arrays.copyOf(offsets, counts.length);
      double[] numbers = new double[offsets[counts.length]];
      boolean[] fresh = new boolean[numbers.length];
      long[] times = new long[numbers.length];
      String[] names = new String[numbers.length];
      Map<String, String> shared = new HashMap<>();
      each(
          (keyed, of, index, place, object) -> {
            int at = next[object]++;
            numbers[at] = of.value(index, place, oldest);
            fresh[at] = of.isFresh(index, place, Level.micros(tick), CYCLE);
            times[at] = of.millis(index, place);
            String instance = of.sets().instances()[place];
            names[at] =
                shared.computeIfAbsent(
                    of.group().id() + "|" + keyed.metric() + "|" + instance,
                    k -> new MetricKey(of.group().name(), instance, keyed.metric()).toString());
          },
          true);
      return new Instances(offsets, new Column(numbers, null, fresh, times), names);
    }

    private void each(Taker taker) {
      each(taker, false);
    }

    private void each(Taker taker, boolean withoutTotals) {
      for (Keyed keyed : keys) {
        Group group = Objects.requireNonNull(keyed.group());
        LastValues of = values.get(group.id());
        int index = of == null ? -1 : Arrays.binarySearch(of.positions(), keyed.position());
        if (of == null || index < 0) {
          continue;
        }
        boolean totals = BARE_IS_TOTAL.contains(firstPart(group.name()));
        for (int place = 0; place < of.sets().ids().length; place++) {
          int object = of.sets().objects()[place];
          String instance = of.sets().instances()[place];
          if (object >= 0
              && (keyed.instance() == null || keyed.instance().equals(instance))
              && !Double.isNaN(of.value(index, place, after))
              && !(withoutTotals
                  && totals
                  && instance.isEmpty()
                  && (isOld(of, index, place) ? hasOld : hasInstances)[object])) {
            taker.take(keyed, of, index, place, object);
          }
        }
      }
    }

    private boolean isOld(LastValues of, int index, int place) {
      return Double.isNaN(of.value(index, place, oldest));
    }

    private static String firstPart(String group) {
      int bar = group.indexOf('|');
      return bar < 0 ? group : group.substring(0, bar);
    }
  }
}
