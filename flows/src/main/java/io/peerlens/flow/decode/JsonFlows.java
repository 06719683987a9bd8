package io.peerlens.flow.decode;

import io.peerlens.ingest.bytes.Bytes;
import io.peerlens.ingest.flow.WordTable;

/**
 * JSON reader for goflow2 and Telegraf: one object at a time, from the bytes of one line. What
 * nobody asked for is passed over without looking into it. Makes no objects unless something is
 * wrong. Not thread-safe.
 */
final class JsonFlows {

  /** Kind of object that was read. */
  enum Found {
    /** One record, of goflow2 when {@link #telegraf} says no. */
    RECORD,
    /** Telegraf's batch: {@link #at} stands on the array of its metrics. */
    BATCH,
    /** {@link #problem} and {@link #at} say what and where. */
    ERROR
  }

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';

  /** Deeper values are taken for an attack; goflow2's are 1 deep. */
  private static final int MAX_DEPTH = 20;

  private final Numbers numbers = new Numbers();

  /** Position at which reading goes on, or stopped after an error. */
  int at;

  String problem = "";

  /** Whether the object has Telegraf's members. */
  boolean telegraf;

  // Telegraf's measurement, after an object of Telegraf's.
  int nameFrom;
  int nameTo;

  private byte[] b = {};
  private int end;
  private FlowRecord record = new FlowRecord();

  /** To be called before the objects of a line are read. */
  void begin(byte[] buffer, int from, int to, FlowRecord into) {
    b = buffer;
    at = from;
    end = to;
    record = into;
  }

  /** Passes blanks; false at the end of the line. */
  boolean skipBlanks() {
    while (at < end && (b[at] == ' ' || b[at] == '\t' || b[at] == '\r')) {
      at++;
    }
    return at < end;
  }

  /** Reads the object that begins at {@link #at}. */
  Found read() {
    record.clear(b);
    telegraf = false;
    nameFrom = 0;
    nameTo = 0;
    at++;
    if (!skipBlanks()) {
      return error("the object is not closed: expected a }");
    }
    if (b[at] == '}') {
      at++;
      return Found.RECORD;
    }
    while (true) {
      int field = key(Field.JSON);
      if (field == BAD) {
        return Found.ERROR;
      }
      if (field == Field.TELEGRAF_METRICS && b[at] == '[') {
        return Found.BATCH;
      }
      boolean sound;
      if (field < 64) {
        sound = value(field);
      } else {
        telegraf = true;
        sound = member(field);
      }
      if (!sound) {
        return Found.ERROR;
      }
      if (!skipBlanks()) {
        return error("the object is not closed: expected a , or }");
      }
      if (b[at] == '}') {
        at++;
        return Found.RECORD;
      }
      if (b[at] != ',') {
        return error("expected a , or }");
      }
      at++;
    }
  }

  private boolean member(int field) {
    if (field == Field.TELEGRAF_NAME && b[at] == '"') {
      int close = stringEnd(at + 1);
      if (close < 0) {
        return fail("a text is not closed: expected a \"");
      }
      nameFrom = at + 1;
      nameTo = close;
      at = close + 1;
      return true;
    }
    if ((field == Field.TELEGRAF_FIELDS || field == Field.TELEGRAF_TAGS) && b[at] == '{') {
      return fieldsOrTags();
    }
    return fail("expected text as 'name', objects as 'fields' and 'tags', an array as 'metrics'");
  }

  private boolean fieldsOrTags() {
    at++;
    if (!skipBlanks()) {
      return fail("the object is not closed: expected a }");
    }
    if (b[at] == '}') {
      at++;
      return true;
    }
    while (true) {
      int field = key(Field.TELEGRAF);
      if (field == BAD || !value(field)) {
        return false;
      }
      if (!skipBlanks()) {
        return fail("the object is not closed: expected a , or }");
      }
      byte c = b[at];
      if (c != ',' && c != '}') {
        return fail("expected a , or }");
      }
      at++;
      if (c == '}') {
        return true;
      }
    }
  }

  private static final int BAD = -2;

  /** Reads a key and the colon, and leaves {@link #at} on the value. */
  private int key(WordTable table) {
    if (!skipBlanks() || b[at] != '"') {
      fail("expected a \"name\"");
      return BAD;
    }
    int from = at + 1;
    int close = stringEnd(from);
    if (close < 0) {
      fail("a name is not closed: expected a \"");
      return BAD;
    }
    at = close + 1;
    if (!skipBlanks() || b[at] != ':') {
      fail("expected a :");
      return BAD;
    }
    at++;
    if (!skipBlanks()) {
      fail("expected a value");
      return BAD;
    }
    int field = table.find(b, from, close);
    if (field >= 0 && field < 64) {
      record.name(field, from, close);
    }
    return field;
  }

  /** Reads a value into its field; passes it over when nobody asked for it. */
  private boolean value(int field) {
    byte c = b[at];
    if (c == '"') {
      int close = stringEnd(at + 1);
      if (close < 0) {
        return fail("a text is not closed: expected a \"");
      }
      if (field >= 0) {
        record.text(field, at + 1, close);
      }
      at = close + 1;
      return true;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
      if (!numbers.read(b, at, end)) {
        return fail("this is no number");
      }
      at = numbers.end;
      if (field >= 0) {
        record.number(field, numbers.value, numbers.fits);
      }
      return true;
    }
    if (c == '[' || c == '{') {
      return skipNested();
    }
    return word("null") || word("true") || word("false") || fail("expected a value");
  }

  private boolean word(String word) {
    int length = word.length();
    if (at + length > end) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (b[at + i] != word.charAt(i)) {
        return false;
      }
    }
    at += length;
    return true;
  }

  private boolean skipNested() {
    long kinds = 0; // a bit for each level: 1 = object
    int depth = 0;
    for (; at < end; at++) {
      byte c = b[at];
      if (c == '"') {
        int close = stringEnd(at + 1);
        if (close < 0) {
          return fail("a text is not closed: expected a \"");
        }
        at = close;
      } else if (c == '[' || c == '{') {
        if (++depth > MAX_DEPTH) {
          return fail("values are nested deeper than " + MAX_DEPTH);
        }
        kinds = (kinds << 1) | (c == '{' ? 1 : 0);
      } else if (c == ']' || c == '}') {
        if ((kinds & 1) != (c == '}' ? 1 : 0)) {
          return fail("brackets do not match");
        }
        kinds >>>= 1;
        if (--depth == 0) {
          at++;
          return true;
        }
      }
    }
    return fail("a bracket is not closed");
  }

  /** The closing quote of the text that begins at {@code i}, or -1. */
  private int stringEnd(int i) {
    while (i < end) {
      if (i + 8 <= end) {
        long x = Bytes.int64(b, i);
        long q = x ^ QUOTES;
        long s = x ^ BACKSLASHES;
        // The lowest marked byte is always a true match, as in Bytes.indexOf.
        long hit = (((q - ONES) & ~q) | ((s - ONES) & ~s)) & HIGHS;
        if (hit == 0) {
          i += 8;
          continue;
        }
        i += Long.numberOfTrailingZeros(hit) >>> 3;
      }
      if (b[i] == '"') {
        return i;
      }
      i += b[i] == '\\' ? 2 : 1;
    }
    at = end;
    return -1;
  }

  private Found error(String what) {
    problem = what;
    return Found.ERROR;
  }

  private boolean fail(String what) {
    problem = what;
    return false;
  }
}
