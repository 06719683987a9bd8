package io.peerlens.threshold;

import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import org.jspecify.annotations.Nullable;

/** Where nothing has been learned. */
public final class NothingLearned implements LearnedBands {
  @Override
  public @Nullable LearnedRange at(ObjectKind kind, String key, ObjectGraph objects, long millis) {
    return null;
  }

  @Override
  public @Nullable LearnedRange at(
      ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
    return null;
  }
}
