package io.peerlens.threshold;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a tick changes; for {@link SymptomStore#write}.
 *
 * @param rows symptoms that are not at rest and have changed
 * @param gone symptoms that are at rest now
 * @param ticks how it went for each threshold
 */
public record Changes(List<Row> rows, List<Key> gone, List<Tick> ticks) {

  public Changes {
    rows = List.copyOf(rows);
    gone = List.copyOf(gone);
    ticks = List.copyOf(ticks);
  }

  /** Key of a symptom. */
  record Key(UUID threshold, int objectId, String instance) {}

  /** A row of table {@code symptom}. */
  record Row(
      Key key,
      SymptomState.Saved state,
      double value,
      @Nullable String text,
      double bound,
      double upper,
      boolean unknown) {}

  /**
   * Result of a tick for a threshold.
   *
   * @param objects how many are in scope
   * @param instances how many values were judged
   * @param unknown of how many objects nothing is known
   * @param open symptoms by severity, the least first
   * @param error why nothing was judged; null = it was
   */
  record Tick(
      UUID threshold,
      int objects,
      int instances,
      int unknown,
      int[] open,
      long nanos,
      @Nullable String error) {}
}
