package io.peerlens.learning;

import io.peerlens.frame.Frames;
import io.peerlens.frame.KeySets;
import io.peerlens.learning.BandQueries.Usable;
import io.peerlens.learning.Ranges.Located;
import io.peerlens.learning.Ranges.Places;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cache of stored bounds, for ticks that follow one another: the columns of the present hour of
 * every metric that was asked for. They are read again when the hour changes, when bands were
 * stored, and when objects or sets have changed, by one query for each group of metrics. A look
 * whether anything has changed is one small query a tick. Not thread-safe.
 */
public final class StoredBands implements LearnedBands {

  private final Frames frames;
  private final BandQueries queries;

  private Instant tick = Instant.MIN;
  private long hour = Long.MIN_VALUE;
  private Usable usable = new Usable(-1, -1);
  private @Nullable ObjectGraph graph;

  private final Map<Integer, Group> groups = new HashMap<>();
  private final Map<Key, Optional<KeySets>> sets = new HashMap<>();
  private final Map<Key, Optional<Places>> places = new HashMap<>();
  private final Map<Key, LearnedRange> ofObjects = new HashMap<>();
  private final Map<Key, OfInstances> ofInstances = new HashMap<>();

  StoredBands(Frames frames, BandQueries queries) {
    this.frames = frames;
    this.queries = queries;
  }

  /** Maker of one for each thread that needs bounds. */
  @FunctionalInterface
  public interface Factory {
    StoredBands create();
  }

  private record Key(ObjectKind kind, String key) {}

  /** Bounds of instances, and of which instances they are. */
  private record OfInstances(int[] offsets, String[] keys, @Nullable LearnedRange range) {
    boolean isOf(Instances instances) {
      return Arrays.equals(offsets, instances.offsets()) && Arrays.equals(keys, instances.keys());
    }
  }

  /** A group of metrics: positions that are asked for, and their bounds. */
  private final class Group {
    private final int id;
    private Set<Integer> wanted = new HashSet<>(); // since the hour began
    private Set<Integer> before = new HashSet<>(); // in the hour before
    private final Map<Integer, BandColumns> columns = new HashMap<>();

    Group(int id) {
      this.id = id;
    }

    void newHour() {
      before = wanted;
      wanted = new HashSet<>();
      columns.clear();
    }

    BandColumns columns(int position) {
      wanted.add(position);
      if (!columns.containsKey(position)) {
        Set<Integer> positions = new HashSet<>(wanted);
        positions.addAll(before);
        positions.removeAll(columns.keySet());
        columns.putAll(queries.hour(id, positions, tick));
      }
      return columns.getOrDefault(position, BandColumns.NONE);
    }
  }

  @Override
  public @Nullable LearnedRange at(ObjectKind kind, String key, ObjectGraph objects, long millis) {
    look(objects, millis);
    Key asked = new Key(kind, key);
    LearnedRange known = ofObjects.get(asked);
    if (known != null) {
      return known;
    }
    KeySets of =
        sets.computeIfAbsent(asked, k -> Optional.ofNullable(frames.keySets(kind, key, false)))
            .orElse(null);
    BandColumns columns = of == null ? BandColumns.NONE : columns(of);
    if (of == null || columns.sets().length == 0) {
      return null;
    }
    LearnedRange range = Ranges.ofObjects(of, columns, kind, objects);
    ofObjects.put(asked, range);
    return range;
  }

  @Override
  public @Nullable LearnedRange at(
      ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
    look(objects, millis);
    if (instances.keys().length == 0) {
      return null;
    }
    Key first = new Key(kind, instances.keys()[0]);
    OfInstances known = ofInstances.get(first);
    if (known == null || !known.isOf(instances)) {
      known =
          new OfInstances(
              instances.offsets(),
              instances.keys(),
              Ranges.ofInstances(kind, instances, objects, key -> located(kind, key)));
      ofInstances.put(first, known);
    }
    return known.range();
  }

  private @Nullable Located located(ObjectKind kind, String key) {
    return places
        .computeIfAbsent(
            new Key(kind, key),
            k -> Optional.ofNullable(frames.keySets(kind, key, true)).map(Places::new))
        .map(of -> new Located(of, columns(of.sets())))
        .orElse(null);
  }

  private BandColumns columns(KeySets of) {
    return groups.computeIfAbsent(of.group(), Group::new).columns(of.position());
  }

  /** Forgets what is no longer so at a tick. */
  private void look(ObjectGraph objects, long millis) {
    Instant now = Instant.ofEpochMilli(millis);
    if (now.equals(tick) && objects == graph) {
      return;
    }
    Usable known = queries.usable(now);
    boolean newHour = Days.hour(millis) != hour;
    if (objects != graph || known.sets() != usable.sets()) {
      sets.clear();
      places.clear();
    } else if (!newHour && known.equals(usable)) {
      tick = now;
      return;
    }
    if (newHour) {
      groups.values().forEach(Group::newHour);
    } else if (known.blocks() != usable.blocks()) {
      groups.values().forEach(group -> group.columns.clear());
    }
    ofObjects.clear();
    ofInstances.clear();
    tick = now;
    hour = Days.hour(millis);
    usable = known;
    graph = objects;
  }
}
