package io.peerlens.ingest;

import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads Influx line protocol over bytes.
 *
 * <pre>
 * line        = measurement *( "," key "=" value ) SP field *( "," field ) [ SP timestamp ]
 * field       = key "=" ( float | integer "i" | unsigned "u" | boolean | string )
 * string      = DQUOTE *( any but DQUOTE and "\" | "\" DQUOTE | "\\" ) DQUOTE
 * </pre>
 *
 * In names {@code "\,"}, {@code "\="} and {@code "\ "} stand for the character; any other backslash
 * stands for itself. A string may hold line ends.
 *
 * <p>This is the hot path: measurement and tags are looked up as they stand, fields by the bytes of
 * their name, numbers are read without making text of them. Integers beyond 2^53 lose their lowest
 * bits, because values are stored as float8. Not thread-safe.
 */
final class LineDecoder {

  private static final double[] TENS = new double[23];

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = Double.parseDouble("1e" + i);
    }
  }

  private final Mappings mappings;
  private final Registry registry;
  private final TimePrecision precision;

  private final Line line = new Line();
  private byte[] b = {};
  private int at;
  private int end;
  private int recordEnd;
  private int start;
  private double number;
  private Limits limits = new Limits(IngestGuards.DEFAULT, 0, Long.MAX_VALUE);

  LineDecoder(Mappings mappings, Registry registry, TimePrecision precision) {
    this.mappings = mappings;
    this.registry = registry;
    this.precision = precision;
  }

  Line line() {
    return line;
  }

  /** Where the next line begins, after {@link #read}. */
  int next() {
    return end < recordEnd ? end + 1 : recordEnd;
  }

  /**
   * Reads the line that begins at {@code from}.
   *
   * @param defaultTimeMicros for a line without timestamp
   * @param settled whether the registry was asked for everything this line lacked before
   */
  Line.Outcome read(
      byte[] buffer, int from, int to, long defaultTimeMicros, boolean settled, Limits allowed) {
    b = buffer;
    start = from;
    recordEnd = to;
    limits = allowed;
    end = Bytes.indexOf(b, from, to, (byte) '\n');
    line.clear();
    at = from;
    while (at < end && (b[at] == ' ' || b[at] == '\t' || b[at] == '\r')) {
      at++;
    }
    if (at == end || b[at] == '#') {
      return Line.Outcome.EMPTY;
    }
    int firstEnd = end;
    Line.Outcome outcome = readLine(defaultTimeMicros, settled);
    if (outcome == Line.Outcome.REJECTED) {
      end = firstEnd; // a quote left open must not cost the lines after it
    }
    return outcome;
  }

  private Line.Outcome readLine(long defaultTimeMicros, boolean settled) {
    int keyFrom = at;
    int keyTo = endOfName(' ');
    if (keyTo < 0) {
      return line.reject(
          RejectReason.SYNTAX,
          "no fields: expected a space and field=value after measurement and tags" + where(end));
    }
    if (keyTo == keyFrom || b[keyFrom] == ',') {
      return line.reject(RejectReason.SYNTAX, "no measurement: expected a name" + where(keyFrom));
    }
    Series series = registry.find(b, keyFrom, keyTo);
    if (series == null && !registry.isWanted(b, keyFrom, keyTo)) {
      // The time is needed to register the series, so the line is read to its end first.
      Line.Outcome outcome = readFields(null, keyTo + 1, defaultTimeMicros, settled);
      return outcome == Line.Outcome.READ ? meet(keyFrom, keyTo, settled) : outcome;
    }
    if (series == null) {
      return readFields(null, keyTo + 1, defaultTimeMicros, settled) == Line.Outcome.REJECTED
          ? Line.Outcome.REJECTED
          : Line.Outcome.DEFERRED;
    }
    line.series = series;
    return readFields(series, keyTo + 1, defaultTimeMicros, settled);
  }

  /** A series for the first time: finds out what it means and asks for it. */
  private Line.Outcome meet(int from, int to, boolean settled) {
    if (settled) {
      return line.reject(
          RejectReason.NEW_OBJECTS,
          "more than %d new objects in this minute: raise the guard newObjectsPerMinute and replay, or mend a tag that changes all the time"
              .formatted(limits.guards().newObjectsPerMinute()));
    }
    Map<String, String> tags = new LinkedHashMap<>();
    int nameEnd = unescapedEnd(from, to, ',', ',');
    String measurement = text(from, nameEnd);
    if (measurement == null) {
      return rejectText("measurement", from);
    }
    int i = nameEnd;
    while (i < to) {
      int tagFrom = i + 1;
      int equals = unescapedEnd(tagFrom, to, '=', ',');
      if (equals == to || b[equals] != '=') {
        return line.reject(RejectReason.SYNTAX, "expected tag=value" + where(tagFrom));
      }
      int valueEnd = unescapedEnd(equals + 1, to, ',', ',');
      String tag = text(tagFrom, equals);
      String value = text(equals + 1, valueEnd);
      if (tag == null) {
        return rejectText("tag", tagFrom);
      }
      if (value == null) {
        return rejectText("value of tag " + tag, equals + 1);
      }
      if (tag.isEmpty()) {
        return line.reject(RejectReason.SYNTAX, "a tag without name" + where(tagFrom));
      }
      if (!value.isEmpty()) {
        tags.put(tag, value);
      }
      i = valueEnd;
    }
    MappedSeries mapped = mappings.map(measurement, tags);
    String tooLong = tooLong(mapped);
    if (tooLong != null) {
      return line.reject(RejectReason.TOO_LONG, tooLong);
    }
    registry.want(Arrays.copyOfRange(b, from, to), mapped, line.timeMicros);
    return Line.Outcome.DEFERRED;
  }

  private @Nullable String tooLong(MappedSeries mapped) {
    return TooLong.find(mapped, limits.maxNameLength());
  }

  /**
   * @param series null when it is not known yet: then fields are only checked
   */
  private Line.Outcome readFields(
      @Nullable Series series, int from, long defaultTimeMicros, boolean settled) {
    at = from;
    while (at < end && b[at] == ' ') {
      at++;
    }
    boolean deferred = false;
    boolean anyNumber = false;
    while (true) {
      int nameFrom = at;
      int nameTo = endOfName('=');
      if (nameTo < 0 || nameTo == nameFrom) {
        return line.reject(RejectReason.SYNTAX, "expected field=value" + where(nameFrom));
      }
      FieldSlot slot = series == null ? null : series.fields.find(b, nameFrom, nameTo);
      at = nameTo + 1;
      if (at >= end) {
        return line.reject(
            RejectReason.NUMBER,
            "field '%s' has no value".formatted(lossy(nameFrom, nameTo)) + where(at));
      }
      int valueFrom = at;
      if (b[at] == '"') {
        if (!skipString()) {
          return line.reject(
              RejectReason.SYNTAX,
              "text of field '%s' is not closed: expected a \"".formatted(lossy(nameFrom, nameTo))
                  + where(valueFrom));
        }
        if (series != null) {
          if (slot == null) {
            slot = slot(series, nameFrom, nameTo, true);
          }
          if (slot != null
              && slot.textProperty != null
              && series.propertyChanged(slot, b, valueFrom + 1, at - 1)) {
            line.property(slot, valueFrom + 1, at - 1);
          }
        }
      } else if (!readNumber(nameFrom, nameTo)) {
        return Line.Outcome.REJECTED;
      } else {
        anyNumber = true;
        if (series != null) {
          if (slot == null) {
            slot = slot(series, nameFrom, nameTo, false);
          }
          if (slot == null) {
            if (settled) {
              return line.reject(
                  RejectReason.NEW_METRICS,
                  "field '%s' would be more than %d new metric names in this minute: raise the guard newMetricsPerMinute and replay, or mend the producer"
                      .formatted(lossy(nameFrom, nameTo), limits.guards().newMetricsPerMinute()));
            }
            deferred = true;
          } else if (slot.position != FieldSlot.NONE) {
            line.value(slot, number);
          } else if (slot.numberProperty != null
              && series.propertyChanged(slot, b, valueFrom, at)) {
            line.property(slot, valueFrom, at);
          }
        }
      }
      if (at < end && b[at] == ',') {
        at++;
        continue;
      }
      break;
    }
    Line.Outcome time = readTime(defaultTimeMicros);
    if (time != Line.Outcome.READ) {
      return time;
    }
    if (!anyNumber) {
      return line.reject(
          RejectReason.NO_VALUE, "nothing to store: no field is a number or boolean");
    }
    return deferred ? Line.Outcome.DEFERRED : Line.Outcome.READ;
  }

  /** A field for the first time. Text needs no metric, so it never has to wait. */
  private @Nullable FieldSlot slot(Series series, int from, int to, boolean isText) {
    String name = text(from, to);
    if (name == null || name.length() > limits.maxNameLength()) {
      return null;
    }
    if (isText
        && !(series.fields.numberUse(name)
            instanceof io.peerlens.ingest.mapping.FieldUse.Property)) {
      return null;
    }
    return registry.field(series.fields, Arrays.copyOfRange(b, from, to), name);
  }

  private Line.Outcome readTime(long defaultTimeMicros) {
    while (at < end && b[at] == ' ') {
      at++;
    }
    int to = end;
    while (to > at && (b[to - 1] == ' ' || b[to - 1] == '\r' || b[to - 1] == '\t')) {
      to--;
    }
    if (at == to) {
      line.timeMicros = defaultTimeMicros;
      return limits.checkTime(line);
    }
    boolean negative = b[at] == '-';
    int i = negative ? at + 1 : at;
    long value = 0;
    if (i == to || to - i > 19) {
      return rejectTime(to);
    }
    for (; i < to; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        return rejectTime(to);
      }
      value = value * 10 + digit;
    }
    if (value < 0) { // 19 digits can pass 2^63
      return rejectTime(to);
    }
    try {
      line.timeMicros = precision.toMicros(negative ? -value : value);
    } catch (ArithmeticException e) {
      return rejectTime(to);
    }
    return limits.checkTime(line);
  }

  private Line.Outcome rejectTime(int to) {
    return line.reject(
        RejectReason.TIMESTAMP,
        "'%s' is no timestamp: expected a whole number of %s since 1970"
                .formatted(
                    lossy(at, Math.min(to, at + 40)),
                    precision.name().toLowerCase(java.util.Locale.ROOT))
            + where(at));
  }

  /** Leaves {@code at} after the closing quote; text may go on over line ends. */
  private boolean skipString() {
    at++;
    while (true) {
      if (at >= end) {
        if (end >= recordEnd) {
          return false;
        }
        end = Bytes.indexOf(b, end + 1, recordEnd, (byte) '\n');
        continue;
      }
      byte c = b[at];
      if (c == '\\') {
        at += 2;
      } else if (c == '"') {
        at++;
        return true;
      } else {
        at++;
      }
    }
  }

  /** Reads number or boolean at {@code at} into {@link #number}; the caller checks what follows. */
  private boolean readNumber(int nameFrom, int nameTo) {
    int from = at;
    int i = at;
    boolean negative = b[i] == '-';
    if (negative) {
      i++;
    }
    long mantissa = 0;
    int digits = 0;
    int fraction = 0;
    int first = i;
    int c = -1;
    for (; i < end; i++) {
      c = b[i] - '0';
      if (c < 0 || c > 9) {
        break;
      }
      mantissa = mantissa * 10 + c;
    }
    digits = i - first;
    if (i < end && b[i] == '.') {
      int point = ++i;
      for (; i < end; i++) {
        c = b[i] - '0';
        if (c < 0 || c > 9) {
          break;
        }
        mantissa = mantissa * 10 + c;
      }
      fraction = i - point;
      digits += fraction;
    }
    if (digits > 0 && isValueEnd(i)) {
      at = i;
      // At most 15 digits and a power of ten up to 22 are exact, and so is their quotient rounded.
      if (digits <= 15) {
        double value = fraction == 0 ? (double) mantissa : mantissa / TENS[fraction];
        number = negative ? -value : value;
        return true;
      }
      return readSlowly(from, i, nameFrom, nameTo);
    }
    if (digits > 0
        && fraction == 0
        && i < end
        && (b[i] == 'i' || b[i] == 'u')
        && isValueEnd(i + 1)
        && b[i - 1] != '.') {
      boolean unsigned = b[i] == 'u';
      at = i + 1;
      if (digits <= 18 && !(unsigned && negative)) {
        number = negative ? -(double) mantissa : (double) mantissa;
        return true;
      }
      return readBigInteger(from, i, unsigned, nameFrom, nameTo);
    }
    return readOther(from, nameFrom, nameTo);
  }

  private boolean isValueEnd(int i) {
    return i >= end || b[i] == ',' || b[i] == ' ' || b[i] == '\r' || b[i] == '\t';
  }

  private boolean readBigInteger(int from, int to, boolean unsigned, int nameFrom, int nameTo) {
    String text = lossy(from, to);
    try {
      number =
          unsigned ? new java.math.BigInteger(text).doubleValue() : (double) Long.parseLong(text);
      if (!unsigned
          || (number >= 0
              && number <= 0x1p64
              && Long.compareUnsigned(Long.parseUnsignedLong(text), 0) >= 0)) {
        return true;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    line.reject(
        RejectReason.NUMBER,
        "field '%s': '%s' does not fit %s 64-bit integer"
                .formatted(lossy(nameFrom, nameTo), text, unsigned ? "an unsigned" : "a")
            + where(from));
    return false;
  }

  private boolean readSlowly(int from, int to, int nameFrom, int nameTo) {
    try {
      number = Double.parseDouble(lossy(from, to));
    } catch (NumberFormatException e) {
      return rejectNumber(from, to, nameFrom, nameTo);
    }
    return Double.isFinite(number) || rejectNumber(from, to, nameFrom, nameTo);
  }

  private boolean readOther(int from, int nameFrom, int nameTo) {
    int to = from;
    while (!isValueEnd(to)) {
      to++;
    }
    at = to;
    String text = lossy(from, Math.min(to, from + 64));
    switch (text) {
      case "t", "T", "true", "True", "TRUE" -> {
        number = 1;
        return true;
      }
      case "f", "F", "false", "False", "FALSE" -> {
        number = 0;
        return true;
      }
      default -> {
        // Only digits, sign, point and exponent: Double.parseDouble alone takes hex, NaN and 1d
        // too.
        for (int i = 0; i < text.length(); i++) {
          if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
            return rejectNumber(from, to, nameFrom, nameTo);
          }
        }
        return to - from > 64
            ? rejectNumber(from, to, nameFrom, nameTo)
            : readSlowly(from, to, nameFrom, nameTo);
      }
    }
  }

  private boolean rejectNumber(int from, int to, int nameFrom, int nameTo) {
    line.reject(
        RejectReason.NUMBER,
        "field '%s': '%s' is no number, integer (1i, 1u), boolean or \"text\""
                .formatted(lossy(nameFrom, nameTo), lossy(from, Math.min(to, from + 40)))
            + where(from));
    return false;
  }

  /** End of a name: the first unescaped {@code stop} in the line, -1 when there is none. */
  private int endOfName(char stop) {
    int i = at;
    while (true) {
      i = Bytes.indexOf(b, i, end, (byte) stop);
      if (i == end) {
        return -1;
      }
      if (i == at || b[i - 1] != '\\') {
        return i;
      }
      i++;
    }
  }

  private int unescapedEnd(int from, int to, char stop, char otherStop) {
    for (int i = from; i < to; i++) {
      byte c = b[i];
      if ((c == stop || c == otherStop) && (i == from || b[i - 1] != '\\')) {
        return i;
      }
    }
    return to;
  }

  /** The text with escapes resolved; null when it is not UTF-8 or holds a NUL. */
  private @Nullable String text(int from, int to) {
    int length = 0;
    byte[] out = new byte[to - from];
    for (int i = from; i < to; i++) {
      byte c = b[i];
      if (c == 0) {
        return null;
      }
      if (c == '\\' && i + 1 < to && (b[i + 1] == ',' || b[i + 1] == '=' || b[i + 1] == ' ')) {
        c = b[++i];
      }
      out[length++] = c;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(out, 0, length)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private Line.Outcome rejectText(String what, int from) {
    return line.reject(
        RejectReason.TEXT, what + " is not UTF-8 text or holds a NUL character" + where(from));
  }

  private String lossy(int from, int to) {
    return new String(b, from, Math.max(0, to - from), StandardCharsets.UTF_8);
  }

  private String where(int position) {
    return ", at byte " + (position - start + 1);
  }
}
