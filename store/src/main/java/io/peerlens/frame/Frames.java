package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Frames: the newest values of all objects at a moment. The last value of a metric counts up to
 * {@code frames.metric-age}, as in vROps; a property counts as it is now, also for a past moment,
 * and so do relations.
 *
 * <p>A frame of one moment reads the day before it: roll-ups as far as there are any, then raw
 * samples. When a value of a bucket was sampled is then looked up in what is finer, so that a frame
 * from scratch knows the same age of a silent metric as one that goes on ({@link LiveFrames}).
 *
 * <p>Thread-safe.
 */
public final class Frames {

  /**
   * With the oldest transaction that is not over: what it and later ones change is not seen yet.
   */
  private static final String VERSIONS =
      """
      select version, sets_version, removals, pg_snapshot_xmin(pg_current_snapshot())::text as xmin
      from inventory_version
      """;

  private static final String CHANGED =
      "select distinct object_id from inventory_change where xid >= :xmin::xid8 limit :most";

  /** Changes are kept for two hours; see {@code Retention}. */
  private static final Duration CHANGES_KNOWN = Duration.ofMinutes(30);

  /** After so long all is read once more, so that nothing that was missed stays so. */
  private static final Duration WHOLE = Duration.ofHours(6);

  /** Of more changes, or more than a tenth of all objects, all is read. */
  private static final int FEW_CHANGES = 1000;

  private final JdbcClient jdbc;
  private final SampleReader samples;
  private final FrameReader reader;
  private final LevelStates levels;
  private final FrameProperties properties;
  private final Duration flowAge;

  private @Nullable Read last;

  /**
   * @param flowAge how old a sample that is made of flows may be when it comes
   */
  public Frames(
      JdbcClient jdbc,
      SampleReader samples,
      LevelStates levels,
      FrameProperties properties,
      Duration flowAge) {
    this.jdbc = jdbc;
    this.samples = samples;
    this.reader = new FrameReader(samples, levels, properties);
    this.levels = levels;
    this.properties = properties;
    this.flowAge = flowAge;
  }

  /** The inventory and the sets that belong together. */
  record Known(Inventory inventory, MetricSets sets) {}

  private record Versions(long objects, long sets, long removals, String xmin) {}

  /**
   * What was read last.
   *
   * @param at when, by {@link System#nanoTime}
   * @param wholeAt when all of it was read
   */
  private record Read(Versions versions, Known known, long at, long wholeAt) {}

  /** What is known now; what has changed is read. */
  synchronized Known known() {
    long now = System.nanoTime();
    Versions versions =
        jdbc.sql(VERSIONS)
            .query(
                (row, number) ->
                    new Versions(
                        row.getLong("version"),
                        row.getLong("sets_version"),
                        row.getLong("removals"),
                        row.getString("xmin")))
            .single();
    Read before = last;
    boolean whole =
        before == null
            || now - before.at() > CHANGES_KNOWN.toNanos()
            || now - before.wholeAt() > WHOLE.toNanos();
    Known known = before == null || whole ? null : since(before, versions);
    if (known == null) {
      whole = true;
      Inventory objects = Inventory.read(versions.objects(), jdbc);
      known = new Known(objects, MetricSets.read(versions.sets(), objects, jdbc));
    }
    last = new Read(versions, known, now, whole || before == null ? now : before.wholeAt());
    return known;
  }

  /** What is known after what changed since; null = so much that all is better read. */
  private @Nullable Known since(Read before, Versions versions) {
    if (versions.removals() != before.versions().removals()
        || versions.objects() < before.versions().objects()
        || versions.sets() < before.versions().sets()) {
      return null;
    }
    Inventory objects = before.known().inventory();
    MetricSets sets = before.known().sets();
    if (versions.objects() != before.versions().objects()) {
      int most = Math.max(FEW_CHANGES, objects.graph().size() / 10);
      List<@Nullable Integer> changed =
          jdbc.sql(CHANGED)
              .param("xmin", before.versions().xmin())
              .param("most", most + 1)
              .query(Integer.class)
              .list();
      if (changed.size() > most) {
        return null;
      }
      objects =
          objects.after(
              versions.objects(), changed.stream().mapToInt(Objects::requireNonNull).toArray());
    }
    if (objects == before.known().inventory() && versions.sets() == sets.version()) {
      return before.known();
    }
    return new Known(objects, sets.after(versions.sets(), objects));
  }

  /** The objects and relations as they are now. */
  public ObjectGraph objects() {
    return known().inventory().graph();
  }

  /** The properties of objects as they are now; the same ones while the inventory is the same. */
  public ObjectProperties properties() {
    return known().inventory();
  }

  /**
   * The metric sets that hold the values of a key, as they are known now.
   *
   * @param key of an aggregate or of one instance
   * @param allInstances the instance that the key names is passed over, and the sets are those of
   *     all instances
   * @return null = no metric has this key
   */
  public @Nullable KeySets keySets(ObjectKind kind, String key, boolean allInstances) {
    Known known = known();
    for (Keyed keyed : Keyed.find(kind, key, false, known)) {
      Group group = keyed.group();
      String instance = keyed.instance();
      if (group != null && instance != null) {
        return KeySets.of(
            group,
            keyed.position(),
            known.sets().sets(group, allInstances ? null : Set.of(instance)),
            known.inventory().graph());
      }
    }
    return null;
  }

  /** A frame of one moment. */
  public Frame load(Set<Input> inputs, Instant tick) {
    return live().load(inputs, tick);
  }

  /** Frames of moments that follow one another; for one thread. */
  public LiveFrames live() {
    return new LiveFrames(this, jdbc, samples, reader, properties, flowAge);
  }

  /**
   * Frames of many moments, oldest first. Each is valid during the call only.
   *
   * @param from first moment
   * @param to moments are before this
   * @param step from one moment to the next
   * @throws TooManyValuesException if more would have to be read than {@code frames.most-values}
   */
  public void each(
      Set<Input> inputs, Instant from, Instant to, Duration step, Consumer<Frame> frames) {
    new PastFrames(samples, reader, levels, properties, known(), inputs, from, to, step)
        .run(frames);
  }

  /** A frame would hold more values than allowed. */
  public static final class TooManyValuesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyValuesException(long values, int most) {
      super(
          "About %,d values would have to be read, %,d are allowed: shorten the time range, widen the step or choose fewer objects."
              .formatted(values, most));
    }
  }
}
