package io.peerlens.threshold;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Condition of a threshold.
 *
 * @param key of a metric, instance and all, or of a property
 * @param instances whether every instance of the key is judged by itself
 * @param operator null for {@link Type#NO_DATA} only
 * @param levels by severity, the least first; at least one
 */
public record Condition(
    Type type, String key, boolean instances, @Nullable Operator operator, List<Level> levels) {

  public Condition {
    levels = List.copyOf(levels);
  }

  /** Ends the name of a comparison with learned bounds. */
  public static final String USUAL = "-usual";

  /** The comparison of missing data, as the contract writes it for symptoms. */
  public static final String NO_DATA = "no-data";

  /** Aspect of the key that is judged. */
  public enum Type {
    METRIC,
    PROPERTY,
    NO_DATA
  }

  /** Whether texts are compared, not numbers. */
  public boolean isText() {
    return operator != null && levels.getFirst().text() != null;
  }

  /** Whether values are compared with learned bounds. */
  public boolean isLearned() {
    return levels.getFirst().bound() instanceof Bound.Learned;
  }

  /** How values are compared, as the contract writes it for symptoms. */
  public String comparison() {
    return operator == null ? NO_DATA : operator.label() + (isLearned() ? USUAL : "");
  }

  Condition withLevels(List<Level> others) {
    return new Condition(type, key, instances, operator, others);
  }
}
