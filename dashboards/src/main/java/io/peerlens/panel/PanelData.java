package io.peerlens.panel;

import io.peerlens.frame.KeySets;
import io.peerlens.frame.ObjectProperties;
import io.peerlens.learning.LearnedBands;
import io.peerlens.scope.Scope;
import io.peerlens.series.SeriesService;
import io.peerlens.series.WindowStatistics;
import io.peerlens.store.Coverage;
import io.peerlens.store.SampleSource;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What answers of panels are made of: this installation, or an example of a file. Thread-safe. */
interface PanelData {

  /** Called while an answer is made, before what takes long; it may throw to end the answer. */
  default void goOn() {}

  // ---------------------------------------------------------------------------------- the objects

  /** The objects and relations as they are now. */
  ObjectGraph graph();

  /** The properties of objects as they are now. */
  ObjectProperties properties();

  /** Ids of all objects in a scope. */
  Set<Integer> members(Scope scope);

  PanelObjectQueries objects();

  PanelAlertQueries alerts();

  // ----------------------------------------------------------------------------------- the values

  /**
   * The metric sets that hold the values of a key.
   *
   * @param allInstances the instance that the key names is passed over, and the sets are those of
   *     all instances
   * @return null = no metric has this key
   */
  @Nullable KeySets keySets(ObjectKind kind, String key, boolean allInstances);

  /** How old the last value of a metric may be to count as its current one. */
  Duration metricAge();

  /** What the levels hold now. */
  Coverage coverage();

  SampleSource samples();

  WindowStatistics statistics();

  SeriesService series();

  /**
   * What is usual for some objects over a stretch of time.
   *
   * @param objects which objects are wanted, by id
   */
  LearnedBands bands(Instant from, Instant to, IntPredicate objects);

  // ------------------------------------------------------------------------------------- findings

  /** What knows of outliers, talkers, changes and capacity; null = an example has none. */
  default @Nullable Findings findings() {
    return null;
  }

  // --------------------------------------------------------------------------------- super metrics

  /** The super metric of a name; null = there is none. */
  @Nullable UUID superMetric(String name);

  /** The name of a super metric; empty = there is none of this id. */
  Optional<String> superMetricName(UUID id);

  /**
   * Whether a super metric is computed for any object of a kind.
   *
   * @param graph the objects
   */
  boolean isOn(UUID superMetric, ObjectKind kind, ObjectGraph graph);
}
