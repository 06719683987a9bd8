package io.peerlens.store;

/**
 * Level of roll-ups: buckets of one width. Times are microseconds since 1970 UTC; a bucket is named
 * by its begin and holds {@code [begin, begin + width)}.
 */
public interface RollUpLevel {

  /** Name of the level in the database and in the API, such as {@code 5m}. */
  String label();

  /** Label of the level that this one is made of. */
  String sourceLabel();

  /** Width of a bucket in microseconds; 0 for samples as they came. */
  long widthMicros();

  /** Begin of the bucket that holds the moment; the moment itself where there are no buckets. */
  default long floor(long micros) {
    long width = widthMicros();
    return width == 0 ? micros : Math.floorDiv(micros, width) * width;
  }

  /** The first start of a bucket that is not before the moment. */
  default long ceil(long micros) {
    long width = widthMicros();
    return width == 0 ? micros : Math.ceilDiv(micros, width) * width;
  }
}
