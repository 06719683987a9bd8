package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Results;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets a formula that reads its own last value see what it has computed for the moment before, when
 * many moments of the past are computed in a row: the database does not have it yet.
 */
final class SelfMemory {

  private final String key;
  private final Map<ObjectKind, double[]> last = new HashMap<>();

  /**
   * @param key of the super metric's own result
   */
  SelfMemory(String key) {
    this.key = key;
  }

  /** Keeps the values of a moment; where there is none, the one before stays. */
  void remember(Results results) {
    for (Results.Result result : results.columns()) {
      double[] before = last.get(result.kind());
      double[] now = result.values().clone();
      for (int i = 0; before != null && i < Math.min(now.length, before.length); i++) {
        now[i] = Double.isNaN(now[i]) ? before[i] : now[i];
      }
      last.put(result.kind(), now);
    }
  }

  /** A frame with what is remembered in it. */
  Frame over(Frame frame) {
    return last.isEmpty() ? frame : new Remembering(frame);
  }

  private final class Remembering implements Frame {
    private final Frame stored;

    Remembering(Frame stored) {
      this.stored = stored;
    }

    @Override
    public long time() {
      return stored.time();
    }

    @Override
    public ObjectGraph objects() {
      return stored.objects();
    }

    @Override
    public @Nullable Column column(ObjectKind kind, String asked) {
      Column column = stored.column(kind, asked);
      double[] values = asked.equals(key) ? last.get(kind) : null;
      if (values == null || values.length != stored.objects().count(kind)) {
        return column;
      }
      double[] merged = values.clone();
      for (int i = 0; column != null && i < merged.length; i++) {
        merged[i] = Double.isNaN(merged[i]) ? column.numbers()[i] : merged[i];
      }
      return Column.of(merged);
    }

    @Override
    public @Nullable Instances instances(ObjectKind kind, String attribute) {
      return stored.instances(kind, attribute);
    }
  }
}
