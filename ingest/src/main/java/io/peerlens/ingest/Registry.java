package io.peerlens.ingest;

import io.peerlens.ingest.bytes.Bytes;
import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.FieldUses;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.sender.Sender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registry of the series, sets, objects and groups that one decoder knows, and of what it must
 * still ask the catalog for. It can be thrown away at any time: the catalog knows everything again.
 *
 * <p>Unknown series and fields are collected while a batch is decoded ({@link #want}), then asked
 * for together ({@link #settle}); their lines are decoded again afterwards.
 */
final class Registry {

  private record Bytewise(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Bytewise(byte[] other) && Arrays.equals(bytes, other);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  private record Wanted(MappedSeries series, long timeMicros, Sender sender, String plugin) {}

  private record TableKey(GroupKey group, @Nullable FieldUses uses) {}

  private record WantedField(FieldTable table, Bytewise raw, String name) {}

  private final Catalog catalog;

  private final SeriesTable series = new SeriesTable();
  private final Map<SetKey, SetState> sets = new HashMap<>();
  private final Map<Integer, ObjectState> objects = new HashMap<>();

  /** The objects that records in our own form were about. */
  private final Map<ObjectKey, ObjectState> objectsOfRecords = new HashMap<>();

  private final Map<GroupKey, GroupState> groups = new HashMap<>();
  private final Map<TableKey, FieldTable> tables = new HashMap<>();

  /** One for each name, so that they need not be compared by their letters. */
  private final Map<String, Sender> senders = new HashMap<>();

  private final Map<ObjectKey, Catalog.NewObject> wantedObjects = new LinkedHashMap<>();
  private final Map<Bytewise, Wanted> wantedSeries = new LinkedHashMap<>();
  private final Map<GroupKey, Map<String, Metric>> wantedMetrics = new LinkedHashMap<>();
  private final Set<WantedField> wantedFields = new HashSet<>();
  private final List<Catalog.AttributeUpdate> updates = new ArrayList<>();

  /** Series that the last {@link #settle} did not get. */
  private final Map<Bytewise, Catalog.TooMany> refused = new HashMap<>();

  private final MinuteAllowance newObjects = new MinuteAllowance();
  private final MinuteAllowance newMetrics = new MinuteAllowance();
  private final MinuteAllowance newSets = new MinuteAllowance();
  private long batch;

  Registry(Catalog catalog) {
    this.catalog = catalog;
  }

  void beginBatch() {
    batch++;
  }

  int seriesCount() {
    return series.size();
  }

  @Nullable Series find(byte[] buffer, int from, int to) {
    Series found = series.find(buffer, from, to, Bytes.hash(buffer, from, to));
    if (found != null) {
      found.lastUse = batch;
    }
    return found;
  }

  /** Whether {@link #want} was called for this series since the last {@link #settle}. */
  boolean isWanted(byte[] buffer, int from, int to) {
    return !wantedSeries.isEmpty()
        && wantedSeries.containsKey(new Bytewise(Arrays.copyOfRange(buffer, from, to)));
  }

  /** Why a series that was wanted is not known after {@link #settle}. */
  Catalog.TooMany refusal(byte[] buffer, int from, int to) {
    return refused.getOrDefault(
        new Bytewise(Arrays.copyOfRange(buffer, from, to)), Catalog.TooMany.OBJECTS);
  }

  /** A series whose sender is told otherwise. */
  void want(byte[] key, MappedSeries mapped, long timeMicros) {
    want(key, mapped, timeMicros, Sender.UNNAMED, "");
  }

  /**
   * @param collector that its tags name; empty = none
   * @param plugin what its measurement begins with
   */
  void want(byte[] key, MappedSeries mapped, long timeMicros, String collector, String plugin) {
    wantedSeries.putIfAbsent(
        new Bytewise(key),
        new Wanted(
            mapped,
            timeMicros,
            senders.computeIfAbsent(collector, name -> new Sender(Sender.Kind.LINES, name)),
            plugin));
  }

  /**
   * A series of another sender than the tags of lines name. When it is wanted by several, and one
   * of them counts, its last row is wanted, too.
   */
  void want(byte[] key, MappedSeries mapped, long timeMicros, Sender sender, String plugin) {
    wantedSeries.merge(
        new Bytewise(key),
        new Wanted(mapped, timeMicros, sender, plugin),
        (first, now) -> counts(now) && !counts(first) ? now : first);
  }

  private static boolean counts(Wanted wanted) {
    FieldUses uses = wanted.series.fields();
    return uses != null && uses.hasCounters();
  }

  /**
   * The position of a metric.
   *
   * @param unit null when unknown
   * @return -1 when it is not known; then it is asked for
   */
  int position(GroupState group, String metric, @Nullable String unit) {
    int position = group.position(metric);
    if (position >= 0) {
      unit(group.key, metric, unit);
    } else {
      want(
          wantedMetrics.computeIfAbsent(group.key, g -> new LinkedHashMap<>()),
          new Metric(metric, unit));
    }
    return position;
  }

  /** Makes the slot of a field, or notes the metrics that it needs; then the answer is null. */
  @Nullable FieldSlot field(FieldTable table, byte[] raw, String name) {
    FieldSlot slot = table.add(raw, name);
    if (slot != null) {
      switch (table.numberUse(name)) {
        case FieldUse.Value(String metric, String unit) -> unit(table.group.key, metric, unit);
        case FieldUse.Counter counter -> {
          unit(table.group.key, counter.metric(), counter.unit());
          unit(table.group.key, counter.rateMetric(), counter.rateUnit());
        }
        case FieldUse.Property p -> {}
        case FieldUse.Drop d -> {}
      }
    } else {
      wantedFields.add(new WantedField(table, new Bytewise(raw), name));
      Map<String, Metric> metrics =
          wantedMetrics.computeIfAbsent(table.group.key, g -> new LinkedHashMap<>());
      switch (table.numberUse(name)) {
        case FieldUse.Value(String metric, String unit) -> want(metrics, new Metric(metric, unit));
        case FieldUse.Counter counter -> {
          want(metrics, new Metric(counter.metric(), counter.unit()));
          want(metrics, new Metric(counter.rateMetric(), counter.rateUnit()));
        }
        case FieldUse.Property p -> {}
        case FieldUse.Drop d -> {}
      }
    }
    return slot;
  }

  /** Metrics of one name are one; the unit is that of the first who knows it. */
  private static void want(Map<String, Metric> metrics, Metric metric) {
    metrics.merge(metric.name(), metric, (old, now) -> old.unit() == null ? now : old);
  }

  /**
   * Tells the catalog the unit of a metric, which may have been made by somebody who did not know
   * it.
   *
   * @param unit null = nothing is known
   */
  void unit(GroupKey group, String metric, @Nullable String unit) {
    if (unit == null) {
      return;
    }
    GroupState known = groups.get(group);
    boolean isKnown = false;
    if (known != null && known.position(metric) >= 0) {
      if (!known.firstUnit(metric)) {
        return;
      }
      isKnown = true;
    }
    Map<String, Metric> wanted = wantedMetrics.computeIfAbsent(group, g -> new LinkedHashMap<>());
    if (isKnown || wanted.containsKey(metric)) {
      want(wanted, new Metric(metric, unit));
    }
  }

  /** The object of a record in our own form; null when it must be wanted, or was refused. */
  @Nullable ObjectState object(ObjectKey key) {
    return objectsOfRecords.get(key);
  }

  /** Asks for an object. The first record that tells more than that it is gone makes it. */
  void wantObject(ObjectKey key, ObjectReport report, long timeMicros) {
    wantedObjects.merge(
        key,
        new Catalog.NewObject(key, report, timeMicros),
        (first, now) -> first.report().gone() ? now : first);
  }

  /**
   * Takes over what a sample or record says of its object; the store learns of it with {@link
   * #settle}: what was reported, and not all that is known here, which others may have changed
   * since.
   */
  void tell(ObjectState object, ObjectReport report, long timeMicros) {
    boolean goes = report.gone() && object.goes(timeMicros);
    if (object.merge(report, timeMicros) || goes) {
      updates.add(new Catalog.AttributeUpdate(object.id, report, timeMicros));
    }
  }

  /**
   * Asks the catalog for everything wanted, and tells it what changed. Afterwards series and fields
   * that are still unknown were refused by a guard.
   */
  void settle(IngestGuards guards, long nowMillis) {
    refused.clear();
    if (wantedObjects.isEmpty()
        && wantedSeries.isEmpty()
        && wantedMetrics.isEmpty()
        && updates.isEmpty()) {
      return;
    }
    List<Catalog.NewObject> askedObjects = List.copyOf(wantedObjects.values());
    List<Wanted> asked = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    List<Catalog.NewSet> wantedSets = new ArrayList<>();
    wantedSeries.forEach(
        (key, wanted) -> {
          asked.add(wanted);
          keys.add(key.bytes);
          wantedSets.add(
              new Catalog.NewSet(
                  wanted.series.key(),
                  wanted.series.attributes(),
                  wanted.timeMicros,
                  wanted.series.fields() != null && wanted.series.fields().hasCounters()));
        });
    Map<GroupKey, List<Metric>> metrics = new LinkedHashMap<>();
    wantedMetrics.forEach((group, byName) -> metrics.put(group, List.copyOf(byName.values())));
    int objectsLeft = newObjects.left(guards.newObjectsPerMinute(), nowMillis);
    Catalog.Answer answer =
        catalog.apply(
            new Catalog.Request(
                askedObjects,
                wantedSets,
                metrics,
                List.copyOf(updates),
                objectsLeft,
                newMetrics.left(guards.newMetricsPerMinute(), nowMillis),
                newSets.left(
                    guards.newSetsPerMinute()
                        + (long) Catalog.SETS_OF_A_NEW_OBJECT * newObjects.lately(),
                    nowMillis)));
    newObjects.use(answer.newObjects());
    newMetrics.use(answer.newMetrics());
    newSets.use(answer.newSets());
    answer
        .groups()
        .forEach(
            (key, known) -> groups.computeIfAbsent(key, GroupState::new).learn(known.metrics()));
    for (int i = 0; i < askedObjects.size(); i++) {
      if (answer.objects().get(i) instanceof Catalog.KnownObject known) {
        objectsOfRecords.put(askedObjects.get(i).key(), object(known));
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      switch (answer.sets().get(i)) {
        case Catalog.KnownSet known -> learn(keys.get(i), asked.get(i), known);
        case Catalog.TooMany why -> refused.put(new Bytewise(keys.get(i)), why);
      }
    }
    for (WantedField field : wantedFields) {
      if (field.table.find(field.name) == null) {
        FieldSlot unused = field.table.add(field.raw.bytes, field.name);
      }
    }
    wantedObjects.clear();
    wantedSeries.clear();
    wantedMetrics.clear();
    wantedFields.clear();
    updates.clear();
  }

  private ObjectState object(Catalog.KnownObject known) {
    return objects.computeIfAbsent(known.id(), id -> new ObjectState(id, known.description()));
  }

  private void learn(byte[] key, Wanted wanted, Catalog.KnownSet known) {
    MappedSeries mapped = wanted.series;
    ObjectState object = object(known.object());
    SetState set =
        sets.computeIfAbsent(mapped.key(), k -> new SetState(known.id(), object, known.lastRow()));
    GroupState group = groups.computeIfAbsent(mapped.key().groupKey(), GroupState::new);
    FieldTable table =
        tables.computeIfAbsent(
            new TableKey(group.key, mapped.fields()), k -> new FieldTable(group, k.uses()));
    Series made = new Series(key, set, table, mapped.attributes(), wanted.sender, wanted.plugin);
    made.lastUse = batch;
    series.add(made, batch);
  }

  /** Allowance of so many a minute, counted from the first use in it. */
  private static final class MinuteAllowance {
    private long minute = Long.MIN_VALUE;
    private int used;
    private int usedBefore;

    int left(long allowed, long nowMillis) {
      long now = Math.floorDiv(nowMillis, 60_000L);
      if (now != minute) {
        usedBefore = now - 1 == minute ? used : 0;
        minute = now;
        used = 0;
      }
      return Math.clamp(allowed - used, 0, Integer.MAX_VALUE);
    }

    /** Used in this minute and the one before. */
    int lately() {
      return used + usedBefore;
    }

    void use(int count) {
      used += count;
    }
  }
}
