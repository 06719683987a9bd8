package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.ObjectKind;
import org.jspecify.annotations.Nullable;

/**
 * Input of formulas: the newest values of all objects at one moment, and their relations. A frame
 * of a past moment holds what was newest then, so formulas compute history the same way as the
 * present.
 *
 * <p>Objects of a kind have numbers from 0; columns and relations use these. Implementations need
 * not be thread-safe.
 */
public interface Frame {

  /** The moment, in milliseconds since 1970. */
  long time();

  /** The objects and their relations. */
  ObjectGraph objects();

  /**
   * One key of all objects of a kind.
   *
   * @param kind never {@code *}
   * @param key of a metric or property, instance and all
   * @return one value for each object of the kind; null = no object has the key
   */
  @Nullable Column column(ObjectKind kind, String key);

  /**
   * A key and all its instances.
   *
   * @param kind never {@code *}
   * @return null = no object has the key or an instance of it
   */
  @Nullable Instances instances(ObjectKind kind, String attribute);

  /**
   * A key and all its instances, those too whose newest sample is too old to count: they have a
   * time and no number. Formulas do not see them.
   *
   * @param kind never {@code *}
   * @return null = no object has the key or an instance of it
   */
  default @Nullable Instances instancesWithOld(ObjectKind kind, String attribute) {
    return instances(kind, attribute);
  }
}
