package io.peerlens.flow.decode;

import java.util.Arrays;

/**
 * Protobuf reader for goflow2's FlowMessage in its {@code bin} format: the length as a varint, then
 * the message; see pb/flow.proto of goflow2 for the numbers of the fields. Not thread-safe.
 */
final class ProtobufFlows {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  /** Our field for each number in the message, -1 = nobody asked. */
  private static final byte[] FIELDS = new byte[128];

  static {
    Arrays.fill(FIELDS, (byte) -1);
    FIELDS[1] = Field.VERSION;
    FIELDS[3] = Field.SAMPLING;
    FIELDS[6] = Field.SRC;
    FIELDS[7] = Field.DST;
    FIELDS[9] = Field.BYTES;
    FIELDS[10] = Field.PACKETS;
    FIELDS[11] = Field.EXPORTER;
    FIELDS[18] = Field.IN_IF;
    FIELDS[19] = Field.OUT_IF;
    FIELDS[20] = Field.PROTOCOL;
    FIELDS[21] = Field.SRC_PORT;
    FIELDS[22] = Field.DST_PORT;
    FIELDS[24] = Field.FORWARDING;
    FIELDS[26] = Field.TCP_FLAGS;
    FIELDS[31] = Field.ICMP_TYPE;
    FIELDS[32] = Field.ICMP_CODE;
    FIELDS[42] = Field.DIRECTION; // only where goflow2's mapping asks for it
    FIELDS[70] = Field.DOMAIN;
    FIELDS[110] = Field.RECEIVED_NS;
    FIELDS[111] = Field.START_NS;
    FIELDS[112] = Field.END_NS;
  }

  /** Position at which reading goes on, or stopped after an error. */
  int at;

  String problem = "";

  private byte[] b = {};
  private int end;
  private long varint;

  /**
   * Whether a value begins as one of goflow2's messages does: a length, and the type of flow, which
   * is the message's first field. No text has these two bytes.
   */
  static boolean matches(byte[] b, int from, int to) {
    if (from >= to || b[from] == 0) {
      return false;
    }
    int i = from;
    while (i < to && b[i] < 0 && i - from < 2) {
      i++;
    }
    return i + 2 < to && b[i] >= 0 && b[i + 1] == 0x08 && b[i + 2] >= 0 && b[i + 2] < ' ';
  }

  void begin(byte[] buffer, int from, int to) {
    b = buffer;
    at = from;
    end = to;
  }

  boolean hasNext() {
    return at < end;
  }

  /** Reads the length of the next message; -1 when there is none that fits. */
  int length() {
    if (!readVarint()) {
      problem = "the length of a message is cut off";
      return -1;
    }
    if (varint < 0 || varint > end - at) {
      problem =
          "a message of %s bytes is cut off after %d"
              .formatted(Long.toUnsignedString(varint), end - at);
      return -1;
    }
    return (int) varint;
  }

  /** Reads the message up to {@code to}. */
  boolean read(FlowRecord record, int to) {
    int all = end;
    end = to;
    record.clear(b);
    boolean sound = readFields(record);
    end = all;
    return sound;
  }

  private boolean readFields(FlowRecord record) {
    while (at < end) {
      if (!readVarint()) {
        return fail("the number of a field is cut off");
      }
      long key = varint;
      int wireType = (int) (key & 7);
      long number = key >>> 3;
      int field = number < FIELDS.length ? FIELDS[(int) number] : -1;
      if (field >= 0) {
        record.name(field, 0, 0);
      }
      if (number == 0) {
        return fail("there is no field 0");
      }
      switch (wireType) {
        case VARINT -> {
          if (!readVarint()) {
            return fail("field %d is cut off".formatted(number));
          }
          if (field >= 0) {
            record.number(field, varint, varint >= 0);
          }
        }
        case BYTES -> {
          if (!readVarint() || varint < 0 || varint > end - at) {
            return fail("field %d is cut off".formatted(number));
          }
          if (field >= 0) {
            record.address(field, at, at + (int) varint);
          }
          at += (int) varint;
        }
        case FIXED32, FIXED64 -> {
          int size = wireType == FIXED64 ? 8 : 4;
          if (end - at < size) {
            return fail("field %d is cut off".formatted(number));
          }
          at += size;
        }
        default -> {
          return fail("field %d has the unknown wire type %d".formatted(number, wireType));
        }
      }
    }
    return true;
  }

  private boolean readVarint() {
    long value = 0;
    for (int shift = 0; shift < 64 && at < end; shift += 7) {
      byte c = b[at++];
      value |= (long) (c & 0x7F) << shift;
      if (c >= 0) {
        varint = value;
        return true;
      }
    }
    return false;
  }

  private boolean fail(String what) {
    problem = what;
    return false;
  }
}
