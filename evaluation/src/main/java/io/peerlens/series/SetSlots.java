package io.peerlens.series;

import java.util.Arrays;

/** Index of a metric set in an ascending list of sets, quick for dense ids. */
public final class SetSlots {
  private static final long ROOM = 4_000_000;

  private final int[] setIds;
  private final int first;
  private final int[] places; // place + 1 by id - first; empty when the ids are too scattered

  /**
   * @param setIds ascending, without repetition
   */
  public SetSlots(int[] setIds) {
    this.setIds = setIds;
    if (setIds.length == 0) {
      first = 0;
      places = new int[0];
      return;
    }
    first = setIds[0];
    long span = (long) setIds[setIds.length - 1] - first + 1;
    if (span > ROOM) {
      places = new int[0];
      return;
    }
    places = new int[(int) span];
    for (int i = 0; i < setIds.length; i++) {
      places[setIds[i] - first] = i + 1;
    }
  }

  /** The sets, ascending. */
  public int[] setIds() {
    return setIds;
  }

  /** The place of the set; negative when it is not in the list. */
  public int of(int setId) {
    if (places.length == 0) {
      return Arrays.binarySearch(setIds, setId);
    }
    int offset = setId - first;
    return offset < 0 || offset >= places.length ? -1 : places[offset] - 1;
  }
}
