package io.peerlens.threshold;

import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Bounds of the past of the objects in a scope, which is looked up at the first moment. */
final class BandsOfScope implements LearnedBands {

  private final Function<IntPredicate, LearnedBands> past;
  private final Scope scope;
  private final ScopeFlags scopes;
  private @Nullable LearnedBands found;

  private BandsOfScope(Function<IntPredicate, LearnedBands> past, Scope scope, ScopeFlags scopes) {
    this.past = past;
    this.scope = scope;
    this.scopes = scopes;
  }

  /** What a threshold needs to judge the moments of a stretch of time. */
  static Learned during(
      Instant from, Instant to, PastBands past, Threshold threshold, ScopeFlags scopes) {
    Instant hourBefore = from.minus(Duration.ofHours(1));
    LearnedBands bands =
        new BandsOfScope(
            objects -> past.during(hourBefore, to.plusMillis(1), objects),
            threshold.scope(),
            scopes);
    return new Learned(bands, bands);
  }

  private LearnedBands of(ObjectKind kind, ObjectGraph objects) {
    LearnedBands bands = found;
    if (bands == null) {
      boolean[] members = scopes.flags(scope, kind, objects);
      bands =
          past.apply(
              id -> {
                int number = objects.number(kind, id);
                return number >= 0 && (members == null || members[number]);
              });
      found = bands;
    }
    return bands;
  }

  @Override
  public @Nullable LearnedRange at(ObjectKind kind, String key, ObjectGraph objects, long millis) {
    return of(kind, objects).at(kind, key, objects, millis);
  }

  @Override
  public @Nullable LearnedRange at(
      ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
    return of(kind, objects).at(kind, instances, objects, millis);
  }
}
