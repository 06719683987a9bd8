package io.peerlens.ingest;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one line while it is read. Nothing of a line reaches the batch before all of it was
 * read, so a line is stored whole or not at all. Reused for every line.
 */
final class Line {

  /** Outcome of reading a line. */
  enum Outcome {
    /** All of it is here. */
    READ,
    /** Blank, or a comment. */
    EMPTY,
    /** It holds texts alone, none of which anything is made of. */
    TEXT_ONLY,
    /** Its series or one of its fields is not known yet. */
    DEFERRED,
    /** {@link Line#reason} and {@link Line#detail} say why not. */
    REJECTED
  }

  @Nullable Series series;
  long timeMicros;

  int count;
  FieldSlot[] slots = new FieldSlot[64];
  double[] values = new double[64];

  // Texts that may be new property values: slot, and where its bytes stand.
  int properties;
  FieldSlot[] propertySlots = new FieldSlot[4];
  int[] propertyFrom = new int[4];
  int[] propertyTo = new int[4];

  @Nullable RejectReason reason;
  String detail = "";

  void clear() {
    series = null;
    count = 0;
    properties = 0;
    reason = null;
  }

  void value(FieldSlot slot, double value) {
    if (count == slots.length) {
      slots = Arrays.copyOf(slots, count * 2);
      values = Arrays.copyOf(values, count * 2);
    }
    slots[count] = slot;
    values[count++] = value;
  }

  void property(FieldSlot slot, int from, int to) {
    if (properties == propertySlots.length) {
      propertySlots = Arrays.copyOf(propertySlots, properties * 2);
      propertyFrom = Arrays.copyOf(propertyFrom, properties * 2);
      propertyTo = Arrays.copyOf(propertyTo, properties * 2);
    }
    propertySlots[properties] = slot;
    propertyFrom[properties] = from;
    propertyTo[properties++] = to;
  }

  Outcome reject(RejectReason why, String what) {
    reason = why;
    detail = what;
    return Outcome.REJECTED;
  }
}
