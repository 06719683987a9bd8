package io.peerlens.flow.decode;

import io.peerlens.ingest.bytes.Bytes;

/**
 * Line protocol reader: one line into a {@link FlowRecord}, tags and fields alike, since Telegraf
 * can be told to make tags of fields. Makes no objects unless something is wrong. Not thread-safe.
 */
final class LineFlows {

  private final Numbers numbers = new Numbers();

  /** Position at which reading stopped after an error. */
  int at;

  String problem = "";
  int nameFrom;
  int nameTo;

  private byte[] b = {};
  private int end;

  /** Finds the measurement of a line; false when there is none. */
  boolean begin(byte[] buffer, int from, int to) {
    b = buffer;
    at = from;
    end = to;
    while (end > at && (b[end - 1] == '\r' || b[end - 1] == ' ' || b[end - 1] == '\t')) {
      end--;
    }
    nameFrom = at;
    nameTo = nameEnd(at, (byte) ',');
    if (nameTo == nameFrom) {
      return fail("expected a measurement");
    }
    at = nameTo;
    return true;
  }

  /** Reads the rest of the line. */
  boolean read(FlowRecord record) {
    record.clear(b);
    while (at < end && b[at] == ',') {
      int from = at + 1;
      int equals = nameEnd(from, (byte) '=');
      if (equals == from || equals >= end || b[equals] != '=') {
        return fail("expected tag=value");
      }
      int valueTo = nameEnd(equals + 1, (byte) ',');
      int field = Field.TELEGRAF.find(b, from, equals);
      if (field >= 0) {
        record.name(field, from, equals);
        record.text(field, equals + 1, valueTo);
      }
      at = valueTo;
    }
    while (at < end && b[at] == ' ') {
      at++;
    }
    while (true) {
      int from = at;
      int equals = nameEnd(from, (byte) '=');
      if (equals == from || equals >= end || b[equals] != '=') {
        return fail("expected field=value");
      }
      int field = Field.TELEGRAF.find(b, from, equals);
      if (field >= 0) {
        record.name(field, from, equals);
      }
      at = equals + 1;
      if (!value(record, field)) {
        return false;
      }
      if (at < end && b[at] == ',') {
        at++;
        continue;
      }
      break;
    }
    return time(record);
  }

  private boolean value(FlowRecord record, int field) {
    if (at >= end) {
      return fail("expected a value");
    }
    byte c = b[at];
    if (c == '"') {
      int from = at + 1;
      int i = from;
      while (true) {
        i = Bytes.indexOf(b, i, end, (byte) '"');
        if (i >= end) {
          return fail("a text is not closed: expected a \"");
        }
        int backslashes = i;
        while (backslashes > from && b[backslashes - 1] == '\\') {
          backslashes--;
        }
        if ((i - backslashes) % 2 == 0) {
          break;
        }
        i++;
      }
      if (field >= 0) {
        record.text(field, from, i);
      }
      at = i + 1;
    } else if (c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9')) {
      int from = c == '+' ? at + 1 : at;
      if (!numbers.read(b, from, end)) {
        return fail("this is no number");
      }
      at = numbers.end;
      if (at < end && (b[at] == 'i' || b[at] == 'u')) {
        at++;
      }
      if (field >= 0) {
        record.number(field, numbers.value, numbers.fits);
      }
    } else {
      while (at < end && (b[at] | 0x20) >= 'a' && (b[at] | 0x20) <= 'z') { // a boolean
        at++;
      }
    }
    return at >= end || b[at] == ',' || b[at] == ' ' || fail("expected a , or a space");
  }

  private boolean time(FlowRecord record) {
    while (at < end && b[at] == ' ') {
      at++;
    }
    if (at == end) {
      return true;
    }
    if (!numbers.read(b, at, end) || numbers.end != end || !numbers.fits) {
      return fail("this is no timestamp");
    }
    record.name(Field.TIMESTAMP, 0, 0);
    record.number(Field.TIMESTAMP, numbers.value, true);
    at = end;
    return true;
  }

  /** The first unescaped {@code stop} or space, or the end of the line. */
  private int nameEnd(int from, byte stop) {
    int i = from;
    while (i < end) {
      byte c = b[i];
      if (c == '\\') {
        i += 2;
        continue;
      }
      if (c == stop || c == ' ') {
        return i;
      }
      i++;
    }
    return end;
  }

  private boolean fail(String what) {
    problem = what;
    return false;
  }
}
