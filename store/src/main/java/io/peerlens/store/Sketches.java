package io.peerlens.store;

import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sketches of the raw samples of one metric set and hour, by position. Used again for the next.
 *
 * <p>A position needs none when it has one value or equal ones: then the least and the greatest
 * value say all. It gets none where raw samples are missing that the bucket was made of.
 */
final class Sketches {
  private PackedSketch[] samples = {};
  private byte[] @Nullable [] packed = new byte[0][];
  private int width;

  /**
   * Reads the samples of a bucket.
   *
   * @param end of the bucket, in microseconds since 1970
   */
  void read(RawCursor raw, BucketFold bucket, long end) throws SQLException {
    widen(bucket.width);
    for (int i = 0; i < bucket.width; i++) {
      samples[i].clear();
    }
    raw.each(
        bucket.setId,
        end,
        (position, value) -> {
          if (position < bucket.width && !Double.isNaN(value)) {
            samples[position].add(value);
          }
        });
    width = 0;
    for (int i = 0; i < bucket.width; i++) {
      boolean needed = bucket.counts[i] > 1 && bucket.min[i] < bucket.max[i];
      if (needed && samples[i].count() >= bucket.counts[i]) {
        packed[i] = samples[i].pack();
        width = i + 1;
      } else {
        packed[i] = null;
      }
    }
  }

  /** Number of positions up to the last one that has a sketch. */
  int width() {
    return width;
  }

  byte @Nullable [] packed(int position) {
    return packed[position];
  }

  private void widen(int to) {
    int before = samples.length;
    if (before < to) {
      samples = Arrays.copyOf(samples, to);
      for (int i = before; i < to; i++) {
        samples[i] = new PackedSketch();
      }
      packed = Arrays.copyOf(packed, to);
    }
  }
}
