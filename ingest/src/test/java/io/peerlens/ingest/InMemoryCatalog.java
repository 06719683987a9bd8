package io.peerlens.ingest;

import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectDescription;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.SetKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A {@link Catalog} in maps, with the rules that one in a database has. Thread-safe. */
public final class InMemoryCatalog implements Catalog {

  private static final class StoredObject {
    final int id;
    final ObjectKey key;
    ObjectDescription description;
    final List<Long> gone = new ArrayList<>();

    StoredObject(int id, ObjectKey key, ObjectDescription description) {
      this.id = id;
      this.key = key;
      this.description = description;
    }

    KnownObject known() {
      return new KnownObject(id, description);
    }
  }

  private final Map<ObjectKey, StoredObject> objects = new LinkedHashMap<>();
  private final List<StoredObject> objectsById = new ArrayList<>();
  private final Map<GroupKey, Map<String, Metric>> groups = new LinkedHashMap<>();
  private final Map<SetKey, Integer> setIds = new LinkedHashMap<>();
  private final List<SetKey> setsById = new ArrayList<>();
  private final IntFunction<@Nullable LastRow> lastRows;
  private final List<Request> requests = new ArrayList<>();
  private @Nullable RuntimeException failure;

  public InMemoryCatalog() {
    this(set -> null);
  }

  /**
   * @param lastRows newest stored row by set id, for {@link KnownSet#lastRow}
   */
  public InMemoryCatalog(IntFunction<@Nullable LastRow> lastRows) {
    this.lastRows = lastRows;
  }

  @Override
  public synchronized Answer apply(Request request) {
    if (failure != null) {
      throw failure;
    }
    requests.add(request);
    int newObjects = 0;
    int newMetrics = 0;
    int newSets = 0;
    Map<GroupKey, KnownGroup> known = new LinkedHashMap<>();
    for (Map.Entry<GroupKey, List<Metric>> entry : request.metrics().entrySet()) {
      Map<String, Metric> metrics = group(entry.getKey());
      for (Metric metric : entry.getValue()) {
        metrics.computeIfPresent(metric.name(), (name, old) -> old.unit() == null ? metric : old);
        if (!metrics.containsKey(metric.name()) && newMetrics < request.maxNewMetrics()) {
          metrics.put(metric.name(), metric);
          newMetrics++;
        }
      }
      known.put(entry.getKey(), knownGroup(entry.getKey()));
    }
    List<ObjectAnswer> objectAnswers = new ArrayList<>();
    for (NewObject wanted : request.objects()) {
      StoredObject object = objects.get(wanted.key());
      if (object == null && wanted.report().gone()) {
        objectAnswers.add(new NeverKnown());
        continue;
      }
      if (object == null && newObjects == request.maxNewObjects()) {
        objectAnswers.add(TooMany.OBJECTS);
        continue;
      }
      if (object == null) {
        newObjects++;
      }
      objectAnswers.add(tell(wanted.key(), wanted.report(), wanted.timeMicros()).known());
    }
    List<SetAnswer> sets = new ArrayList<>();
    for (NewSet wanted : request.sets()) {
      ObjectKey key = wanted.key().object();
      StoredObject object = objects.get(key);
      if (object == null) {
        if (newObjects == request.maxNewObjects()) {
          sets.add(TooMany.OBJECTS);
          known.put(wanted.key().groupKey(), knownGroup(wanted.key().groupKey()));
          continue;
        }
        newObjects++;
      }
      object = tell(key, ObjectReport.ofLine(wanted.attributes()), wanted.timeMicros());
      known.put(wanted.key().groupKey(), knownGroup(wanted.key().groupKey()));
      if (!setIds.containsKey(wanted.key())) {
        if (newSets == request.maxNewSets() + (long) SETS_OF_A_NEW_OBJECT * newObjects) {
          sets.add(TooMany.SETS);
          continue;
        }
        newSets++;
        setsById.add(wanted.key());
        setIds.put(wanted.key(), setsById.size());
      }
      int set = Objects.requireNonNull(setIds.get(wanted.key()));
      sets.add(
          new KnownSet(set, object.known(), wanted.wantsLastRow() ? lastRows.apply(set) : null));
    }
    for (AttributeUpdate update : request.updates()) {
      StoredObject object = objectsById.get(update.objectId() - 1);
      object.description = object.description.after(update.report(), update.timeMicros());
      if (update.report().gone()) {
        object.gone.add(update.timeMicros());
      }
    }
    return new Answer(objectAnswers, sets, known, newObjects, newMetrics, newSets);
  }

  private StoredObject tell(ObjectKey key, ObjectReport report, long timeMicros) {
    StoredObject object = objects.get(key);
    if (object == null) {
      object =
          new StoredObject(
              objectsById.size() + 1, key, ObjectDescription.ofNew(key, report, timeMicros));
      objects.put(key, object);
      objectsById.add(object);
    } else {
      object.description = object.description.after(report, timeMicros);
      if (report.gone()) {
        object.gone.add(timeMicros);
      }
    }
    return object;
  }

  private Map<String, Metric> group(GroupKey key) {
    return groups.computeIfAbsent(key, g -> new LinkedHashMap<>());
  }

  private KnownGroup knownGroup(GroupKey key) {
    List<String> metrics = List.copyOf(group(key).keySet());
    return new KnownGroup(new ArrayList<>(groups.keySet()).indexOf(key) + 1, metrics);
  }

  /** Makes every call fail until told otherwise with null. */
  public synchronized void fail(@Nullable RuntimeException with) {
    failure = with;
  }

  /** Everything that was asked so far. */
  public synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  public synchronized List<ObjectKey> objects() {
    return List.copyOf(objects.keySet());
  }

  public synchronized List<SetKey> sets() {
    return List.copyOf(setsById);
  }

  public synchronized SetKey set(int id) {
    return setsById.get(id - 1);
  }

  /** Id of a set, 0 when there is none. */
  public synchronized int setId(SetKey key) {
    return setIds.getOrDefault(key, 0);
  }

  public synchronized ObjectAttributes attributes(ObjectKey object) {
    return Objects.requireNonNull(objects.get(object), () -> "no object " + object)
        .description
        .attributes();
  }

  /** When records said that an object is gone, in the order in which the catalog was told. */
  public synchronized List<Long> gone(ObjectKey object) {
    StoredObject stored = objects.get(object);
    return stored == null ? List.of() : List.copyOf(stored.gone);
  }

  public synchronized ObjectKey object(int id) {
    return objectsById.get(id - 1).key;
  }

  /** Metrics of a group by position. */
  public synchronized List<Metric> metrics(GroupKey group) {
    return List.copyOf(group(group).values());
  }

  public synchronized List<GroupKey> groups() {
    return List.copyOf(groups.keySet());
  }
}
