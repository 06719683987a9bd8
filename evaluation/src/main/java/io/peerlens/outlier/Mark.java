package io.peerlens.outlier;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What somebody has said of a member.
 *
 * @param until until when it is expected to differ; null = for good, so that it is no member
 */
record Mark(@Nullable Instant until) {

  /** Whether the object is not compared at all. */
  boolean excludes() {
    return until == null;
  }
}
