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

  private static final String VERSIONS = "select version, sets_version from inventory_version";
  private final JdbcClient jdbc;
  private final SampleReader samples;
  private final FrameReader reader;
  private final LevelStates levels;
  private final FrameProperties properties;
  private final Duration flowAge;

  private @Nullable Inventory inventory;
  private @Nullable MetricSets metricSets;

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

  /** What is known now; read anew if it has changed. */
  synchronized Known known() {
    long[] versions =
        jdbc.sql(VERSIONS)
            .query((row, number) -> new long[] {row.getLong(1), row.getLong(2)})
            .single();
    Inventory objects = inventory;
    MetricSets sets = metricSets;
    if (objects == null || objects.version() != versions[0]) {
      objects = Inventory.read(versions[0], jdbc);
      sets = null;
    }
    if (sets == null || sets.version() != versions[1]) {
      sets = MetricSets.read(versions[1], objects, jdbc);
    }
    inventory = objects;
    metricSets = sets;
    return new Known(objects, sets);
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
