package io.peerlens.ingest.otlp;

import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import java.util.Arrays;

/** Buckets of a distribution. Reused, as {@link Point} is: the array stays. */
public final class Buckets {

  private static final int OFFSET = 1 << 3;
  private static final int COUNTS = 2 << 3;

  /** Index of the first bucket, in an exponential histogram. */
  public int offset;

  /** How many values each holds; beyond {@link #size} nothing of meaning. */
  public long[] counts = {};

  public int size;

  void clear() {
    offset = 0;
    size = 0;
  }

  /**
   * Adds a bucket.
   *
   * @param at where it stands in the message
   * @throws Malformed when there are too many
   */
  void add(long count, int at) {
    Point.check(size, at);
    if (size == counts.length) {
      counts = Arrays.copyOf(counts, Math.max(16, size * 2));
    }
    counts[size++] = count;
  }

  /**
   * Reads those of one sign of an exponential histogram, {@code b[from, to)}.
   *
   * @param fields to read with, and {@code packed} for what is in one of them
   */
  void read(ProtoReader fields, ProtoReader packed, byte[] b, int from, int to) {
    fields.on(b, from, to);
    while (fields.next()) {
      switch (fields.tag()) {
        case OFFSET -> offset = (int) ProtoReader.zigzag(fields.bits());
        case COUNTS -> add(fields.bits(), fields.start());
        case COUNTS | ProtoReader.LENGTH -> {
          packed.on(b, fields.from(), fields.to());
          while (packed.nextPacked(ProtoReader.VARINT)) {
            add(packed.bits(), fields.start());
          }
        }
        default -> {}
      }
    }
  }
}
