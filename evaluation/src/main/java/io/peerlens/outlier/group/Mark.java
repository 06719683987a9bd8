package io.peerlens.outlier.group;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Mark that somebody has set on a member: excluded, or expected to differ.
 *
 * @param until until when it is expected to differ; null = for good, so that it is no member
 */
public record Mark(@Nullable Instant until) {

  /** Whether the object is not compared at all. */
  public boolean excludes() {
    return until == null;
  }
}
