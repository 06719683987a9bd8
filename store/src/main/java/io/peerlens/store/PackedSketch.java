package io.peerlens.store;

import java.util.Arrays;

/**
 * Packer of values into the stored form of a {@link ValueSketch}. Used again for the next ones; not
 * thread-safe.
 *
 * <p>The form is a row of whole numbers from 1, each in Elias' gamma code: as many zero bits as the
 * number has binary digits after the first, then these digits. So small numbers, which most are,
 * take one to five bits. The numbers are: the version; zeros + 1; then for positive and for
 * negative values the number of bins + 1, and if there are bins, the first bin (folded, + 1), how
 * many values it has, and for each further one its distance from the bin before and how many it
 * has. The last byte is filled up with zero bits.
 */
final class PackedSketch {
  static final int VERSION = 1;

  private final BitWriter writer = new BitWriter();
  private int[] positive = new int[256];
  private int[] negative = new int[256];
  private int positives;
  private int negatives;
  private int zeros;

  void clear() {
    positives = 0;
    negatives = 0;
    zeros = 0;
  }

  void add(double value) {
    if (ValueSketch.isZero(value)) {
      zeros++;
    } else if (value > 0) {
      positive = room(positive, positives);
      positive[positives++] = ValueSketch.bin(value);
    } else {
      negative = room(negative, negatives);
      negative[negatives++] = ValueSketch.bin(value);
    }
  }

  int count() {
    return positives + negatives + zeros;
  }

  byte[] pack() {
    writer.clear();
    writer.number(VERSION);
    writer.number(zeros + 1);
    bins(positive, positives);
    bins(negative, negatives);
    return writer.bytes();
  }

  private void bins(int[] of, int size) {
    if (size == 0) {
      writer.number(1);
      return;
    }
    Arrays.sort(of, 0, size);
    int lowest = of[size - 1] - ValueSketch.MOST_BINS + 1;
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      of[i] = Math.max(of[i], lowest);
      if (i == 0 || of[i] != of[i - 1]) {
        distinct++;
      }
    }
    writer.number(distinct + 1);
    int before = 0;
    for (int i = 0; i < size; ) {
      int end = i + 1;
      while (end < size && of[end] == of[i]) {
        end++;
      }
      writer.number(i == 0 ? fold(of[0]) + 1 : of[i] - before);
      writer.number(end - i);
      before = of[i];
      i = end;
    }
  }

  private static int[] room(int[] array, int size) {
    return size < array.length ? array : Arrays.copyOf(array, 2 * size);
  }

  /** A number without a sign: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
  private static long fold(int bin) {
    return Integer.toUnsignedLong(bin << 1 ^ bin >> 31);
  }

  static int unfold(long folded) {
    return (int) (folded >>> 1) ^ -(int) (folded & 1);
  }
}
