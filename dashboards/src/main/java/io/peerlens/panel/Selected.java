package io.peerlens.panel;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.Arrays;
import java.util.Map;

/**
 * Objects that a rule selects.
 *
 * @param byKind ids within the database, ascending
 * @param matched how many there are, those that were left out included
 */
record Selected(Map<ObjectKind, int[]> byKind, int matched) {

  /** Ids of all kinds, in the order of the kinds. */
  int[] ids() {
    return byKind.values().stream().flatMapToInt(Arrays::stream).toArray();
  }

  int size() {
    return byKind.values().stream().mapToInt(ids -> ids.length).sum();
  }
}
