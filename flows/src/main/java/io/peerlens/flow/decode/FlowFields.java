package io.peerlens.flow.decode;

import io.peerlens.flow.network.Addresses;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.flow.Protocols;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Typed fields of the record that is being read: whole numbers, times, addresses, protocol, flags.
 * What is not as it should be refuses the record; the first reason is kept.
 */
final class FlowFields {

  static final long MAX_UNSIGNED_32 = 0xFFFF_FFFFL;

  /** Stands for a time that a record does not say. */
  static final long NOT_SAID = Long.MIN_VALUE;

  /** Seconds from 1900, where NTP begins, to 1970. */
  private static final long NTP_OFFSET_SECONDS = 2_208_988_800L;

  final FlowRecord record = new FlowRecord();
  final Addresses addresses = new Addresses();
  private final Numbers numbers = new Numbers();

  // Why the record that is being read is refused; null while nothing is wrong.
  @Nullable RejectReason refusal;
  String refusalDetail = "";

  /** Starts with a record that has been read. */
  void begin(boolean telegraf) {
    refusal = null;
    record.telegraf = telegraf;
  }

  boolean has(int field) {
    return record.has(field);
  }

  /** Whether the record tells of no traffic between two addresses. */
  boolean hasNoEnds() {
    return !record.isSaid(Field.SRC) && !record.isSaid(Field.DST);
  }

  FlowVersion version() {
    if (record.isText(Field.VERSION)) {
      return FlowVersion.of(
          Field.VERSIONS.find(record.buffer, record.from[Field.VERSION], record.to[Field.VERSION]));
    }
    return FlowVersion.of(record.isNumber(Field.VERSION) ? record.number[Field.VERSION] : 0);
  }

  int protocol() {
    if (record.isText(Field.PROTOCOL)) {
      int found =
          Protocols.number(record.buffer, record.from[Field.PROTOCOL], record.to[Field.PROTOCOL]);
      if (found >= 0) {
        return found;
      }
    }
    return (int) whole(Field.PROTOCOL, Protocols.UNKNOWN, 255);
  }

  int port(int field, int otherwise) {
    return (int) whole(record.has(field) ? field : otherwise, 0, 65_535);
  }

  int tcpFlags(int field) {
    if (record.isText(field)) {
      int flags = 0;
      for (int i = record.from[field]; i < record.to[field]; i++) {
        int flag = "FSRPAUEC".indexOf(record.buffer[i]);
        if (flag >= 0) {
          flags |= 1 << flag;
        }
      }
      return flags == 0 ? FlowBatch.UNKNOWN : flags;
    }
    int flags = (int) whole(field, 0, 65_535);
    return flags == 0 ? FlowBatch.UNKNOWN : flags; // every segment has at least one
  }

  boolean isDropped() {
    if (record.isText(Field.FORWARDING)) {
      return equals(
          record.buffer, record.from[Field.FORWARDING], record.to[Field.FORWARDING], "dropped");
    }
    return whole(Field.FORWARDING, 0, MAX_UNSIGNED_32) >>> 6 == 2;
  }

  int direction() {
    if (record.isText(Field.DIRECTION)) {
      int direction =
          Field.DIRECTIONS.find(
              record.buffer, record.from[Field.DIRECTION], record.to[Field.DIRECTION]);
      return direction < 0 ? FlowBatch.NO_DIRECTION : direction;
    }
    if (!record.isNumber(Field.DIRECTION)) {
      return FlowBatch.NO_DIRECTION;
    }
    return switch ((int) whole(Field.DIRECTION, 2, MAX_UNSIGNED_32)) {
      case 0 -> FlowBatch.INGRESS;
      case 1 -> FlowBatch.EGRESS;
      default -> FlowBatch.NO_DIRECTION;
    };
  }

  /** The first of these that the record has; the last one when it has none. */
  int first(int[] fields) {
    for (int field : fields) {
      if (record.has(field)) {
        return field;
      }
    }
    return fields[fields.length - 1];
  }

  /**
   * A whole number from 0 to {@code max}; refuses the record when the field is anything else.
   *
   * @param absent what to answer when the field is missing
   */
  long whole(int field, long absent, long max) {
    long value;
    boolean fits;
    if (record.isNumber(field)) {
      value = record.number[field];
      fits = !record.isHuge(field);
    } else if (record.isText(field)) {
      boolean isNumber =
          numbers.read(record.buffer, record.from[field], record.to[field])
              && numbers.end == record.to[field];
      value = isNumber ? numbers.value : -1;
      fits = isNumber && numbers.fits;
    } else {
      return absent;
    }
    if (!fits || value < 0 || value > max) {
      refuseField(
          field, RejectReason.NUMBER, "expected a whole number from 0 to %d".formatted(max));
      return 0;
    }
    return value;
  }

  /** Milliseconds of a time in units of so many milliseconds; 0 says nothing. */
  long time(int field, long unitMillis) {
    long value = whole(field, 0, Long.MAX_VALUE / 1_000_000);
    return value == 0 ? NOT_SAID : value * unitMillis;
  }

  /** Milliseconds of a time in nanoseconds, or in words; 0 says nothing. */
  long nanos(int field) {
    if (record.isText(field) && !record.isNetwork(field)) {
      String text =
          new String(
              record.buffer,
              record.from[field],
              record.to[field] - record.from[field],
              StandardCharsets.UTF_8);
      try {
        return Instant.parse(text).toEpochMilli();
      } catch (DateTimeException | ArithmeticException e) {
        refuseField(
            field,
            RejectReason.TIMESTAMP,
            "expected nanoseconds since 1970 or a time like 2026-11-20T23:58:43Z");
        return NOT_SAID;
      }
    }
    long value = whole(field, 0, Long.MAX_VALUE);
    return value == 0 ? NOT_SAID : value / 1_000_000;
  }

  long ntp(int field) {
    if (!record.isNumber(field) || record.number[field] == 0) {
      return NOT_SAID;
    }
    long value = record.number[field];
    return ((value >>> 32) - NTP_OFFSET_SECONDS) * 1_000
        + (((value & MAX_UNSIGNED_32) * 1_000) >>> 32);
  }

  long ago(int field, long received) {
    return record.has(field) ? received - whole(field, 0, MAX_UNSIGNED_32) / 1_000 : NOT_SAID;
  }

  /** Puts an address into {@link #addresses}; refuses the record when it is none. */
  boolean address(int field) {
    boolean read =
        record.isText(field)
            && (record.isNetwork(field)
                ? addresses.fromNetwork(record.buffer, record.from[field], record.to[field])
                : addresses.parse(record.buffer, record.from[field], record.to[field]));
    return read
        || refuseField(
            field, RejectReason.ADDRESS, "expected an IPv4 or IPv6 address like 10.77.2.13");
  }

  private boolean refuseField(int field, RejectReason reason, String expected) {
    return refuse(
        reason,
        "%s is %s: %s".formatted(record.shownName(field), record.shownValue(field), expected));
  }

  boolean refuse(RejectReason reason, String detail) {
    if (refusal == null) {
      refusal = reason;
      refusalDetail = detail;
    }
    return false;
  }

  static boolean equals(byte[] b, int from, int to, String text) {
    return to - from == text.length() && startsWith(b, from, to, text);
  }

  static boolean startsWith(byte[] b, int from, int to, String text) {
    if (to - from < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (b[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
