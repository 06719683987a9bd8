package io.peerlens.slow.api;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.slow.Usual;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Learned bands of the path at a moment. For one thread. */
final class Usuals {

  private final LearnedBands bands;
  private final ObjectGraph graph;
  private final Instant at;

  Usuals(LearnedBands bands, ObjectGraph graph, Instant at) {
    this.bands = bands;
    this.graph = graph;
    this.at = at;
  }

  /**
   * The band at the hour, widened as for the default sensitivity.
   *
   * @param factor by which values are multiplied
   * @return null = nothing is learned
   */
  @Nullable Usual of(ObjectKind kind, String key, int object, double factor) {
    LearnedRange range = bands.at(kind, key, graph, at.toEpochMilli());
    int number = graph.number(kind, object);
    if (range == null || number < 0 || !Float.isFinite(range.lower()[number])) {
      return null;
    }
    double spread = range.spread()[number];
    double margin = Double.isFinite(spread) ? Sensitivity.MEDIUM.margin() * spread : 0;
    double low = Math.max(0, range.lower()[number] - margin);
    double high = Math.max(low, range.upper()[number] + margin);
    return new Usual(low * factor, high * factor, true);
  }
}
