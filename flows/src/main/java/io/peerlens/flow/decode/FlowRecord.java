package io.peerlens.flow.decode;

import java.nio.charset.StandardCharsets;

/**
 * Raw fields of one record: numbers as they are, texts as places in the buffer. Reused for every
 * record.
 */
final class FlowRecord {

  byte[] buffer = {};

  /** Whether the fields have Telegraf's names. */
  boolean telegraf;

  /** A bit for each {@link Field} that is there as a number. */
  long numbers;

  /** A bit for each number that does not fit 63 bits. */
  long huge;

  /** A bit for each field that is there as text. */
  long texts;

  /** A bit for each field whose bytes are an address as the network sends it. */
  long network;

  final long[] number = new long[64];
  final int[] from = new int[64];
  final int[] to = new int[64];

  // Where the name of a field that is there stands, for messages; 0 and 0 when it has none.
  private final int[] nameFrom = new int[64];
  private final int[] nameTo = new int[64];

  void clear(byte[] b) {
    buffer = b;
    numbers = 0;
    huge = 0;
    texts = 0;
    network = 0;
  }

  void name(int field, int begin, int end) {
    nameFrom[field] = begin;
    nameTo[field] = end;
  }

  /** The bits of a number; unsigned when it does not fit 63. */
  void number(int field, long bits, boolean fits) {
    long bit = 1L << field;
    numbers |= bit;
    texts &= ~bit;
    huge = fits ? huge & ~bit : huge | bit;
    number[field] = bits;
  }

  void text(int field, int begin, int end) {
    texts |= 1L << field;
    numbers &= ~(1L << field);
    from[field] = begin;
    to[field] = end;
  }

  void address(int field, int begin, int end) {
    text(field, begin, end);
    network |= 1L << field;
  }

  boolean has(int field) {
    return ((numbers | texts) & 1L << field) != 0;
  }

  boolean isNumber(int field) {
    return (numbers & 1L << field) != 0;
  }

  boolean isHuge(int field) {
    return (huge & 1L << field) != 0;
  }

  boolean isText(int field) {
    return (texts & 1L << field) != 0;
  }

  boolean isNetwork(int field) {
    return (network & 1L << field) != 0;
  }

  /** Whether the field is there and not an empty text. */
  boolean isSaid(int field) {
    return isNumber(field) || (isText(field) && to[field] > from[field]);
  }

  /** Name of the field in the record, for messages. */
  String shownName(int field) {
    return has(field) && nameTo[field] > nameFrom[field]
        ? shown(buffer, nameFrom[field], nameTo[field])
        : Field.name(field, telegraf);
  }

  /** Value of the field, for messages. */
  String shownValue(int field) {
    if (isNumber(field)) {
      return isHuge(field) ? Long.toUnsignedString(number[field]) : Long.toString(number[field]);
    }
    if (isNetwork(field)) {
      return (to[field] - from[field]) + " bytes";
    }
    return isText(field) ? "'" + shown(buffer, from[field], to[field]) + "'" : "missing";
  }

  /** For messages, which stay short whatever was sent. */
  static String shown(byte[] b, int from, int to) {
    int end = Math.min(to, from + 60);
    return new String(b, from, Math.max(0, end - from), StandardCharsets.UTF_8)
        + (end < to ? "..." : "");
  }
}
