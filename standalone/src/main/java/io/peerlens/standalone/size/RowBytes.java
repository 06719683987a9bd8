package io.peerlens.standalone.size;

/**
 * Bytes of a row in PostgreSQL's heap, from its documented layout ("Database Page Layout" and the
 * header of arrays): calculated, and compared with measured tables in docs/performance.md, "Bytes
 * of a row".
 */
final class RowBytes {
  private static final int PAGE = 8192;
  private static final int PAGE_HEADER = 24;
  private static final int ROW_HEADER = 24;
  private static final int LINE_POINTER = 4;
  private static final int ARRAY_HEADER = 24;

  /** An array up to this length has a header of 1 byte in place of 4, and is not aligned. */
  private static final int SHORT_ARRAY = 130;

  private static final int TIME_AND_SET = 12;
  private static final int SAMPLES = 4;

  private RowBytes() {}

  /** Heap of a row of raw samples with so many values. */
  static Range raw(double values) {
    return heap(TIME_AND_SET, array(8 * values));
  }

  /**
   * Heap of a row of roll-ups.
   *
   * @param arrays 1 where a bucket has one sample, so that least, greatest and last are the mean
   *     and are not stored; otherwise 4
   * @param sketch bytes of the sketch of a series; 0 = the level has none
   */
  static Range rollUp(double values, int arrays, double sketch) {
    double sketches = sketch == 0 ? 0 : ARRAY_HEADER + values * (4 * Math.ceil(sketch / 4) + 4);
    return heap(TIME_AND_SET + SAMPLES, arrays * array(8 * values) + sketches);
  }

  private static double array(double elements) {
    double bytes = ARRAY_HEADER + elements;
    return bytes <= SHORT_ARRAY ? bytes - 3 : bytes;
  }

  /** The lower end is the row alone, the upper one its share of pages that are not full. */
  private static Range heap(double fixed, double arrays) {
    double row = 8 * Math.ceil((ROW_HEADER + fixed + arrays) / 8) + LINE_POINTER;
    double rows = Math.floor((PAGE - PAGE_HEADER) / row);
    // Four rows to a page at least: arrays of longer rows go to pages of their own.
    return new Range(row, rows < 4 ? Math.max(row, PAGE / 4.0) : PAGE / rows);
  }
}
