package io.peerlens.learning;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import org.jspecify.annotations.Nullable;

/** Source of learned bounds. Implementations are not thread-safe. */
public interface LearnedBands {

  /**
   * Bounds of a metric of all objects of a kind.
   *
   * @param key as in {@link io.peerlens.ingest.key.MetricKey}, of an aggregate
   * @param objects numbers the objects
   * @param millis the moment, since 1970; the bounds are those of its hour
   * @return null = nothing is learned of this key
   */
  @Nullable LearnedRange at(ObjectKind kind, String key, ObjectGraph objects, long millis);

  /**
   * Bounds of a metric of all instances, such as network cards.
   *
   * @param instances numbers their places
   * @return null = nothing is learned of this key
   */
  @Nullable LearnedRange at(ObjectKind kind, Instances instances, ObjectGraph objects, long millis);
}
