package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Results of a run.
 *
 * @param columns in the order in which they were computed
 */
public record Results(List<Result> columns) {

  /**
   * A super metric of all objects of a kind.
   *
   * @param values one for each object of the kind; NaN = no value
   * @param computed how many objects have a value
   * @param noData for how many objects there is none, by reason; objects for which it is switched
   *     off are counted nowhere
   * @param nanos how long it took, without what it shares with formulas before it
   * @param error why nothing was computed at all; null = it was
   */
  public record Result(
      UUID id,
      ObjectKind kind,
      double[] values,
      int computed,
      Map<Reason, Integer> noData,
      long nanos,
      @Nullable String error) {

    public Result {
      noData = noData.isEmpty() ? Map.of() : new EnumMap<>(noData);
    }
  }

  /** A frame in which these results take the place of what was stored before. */
  public Frame over(Frame stored) {
    return columns.isEmpty() ? stored : new ResultFrame(stored, this);
  }

  /** The result of a super metric for a kind; null = it was not computed for it. */
  public @Nullable Result of(UUID id, ObjectKind kind) {
    for (Result result : columns) {
      if (result.id().equals(id) && result.kind().equals(kind)) {
        return result;
      }
    }
    return null;
  }
}
