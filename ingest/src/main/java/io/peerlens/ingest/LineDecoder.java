package io.peerlens.ingest;

import io.peerlens.ingest.bytes.Bytes;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.ingest.sender.Sender;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of Influx line protocol, over bytes.
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

  /** Longer numbers are taken for mistakes; a double written out in full can be this long. */
  private static final int MAX_NUMBER = 400;

  /** Telegraf puts the name of the machine that it runs on into each line. */
  private static final String COLLECTOR_TAG = "host";

  /** Longer names of collectors, and beginnings of measurements, are none. */
  private static final int MAX_COLLECTOR = 200;

  private static final int MAX_PLUGIN = 40;

  private static final Pattern INTEGER = Pattern.compile("-?\\d+[iu]");

  /** Narrower than {@link Double#parseDouble}, which takes hexadecimal, NaN and {@code 1d} too. */
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

  private final Mappings mappings;
  private final Registry registry;
  private final TimePrecision usualPrecision;
  private TimePrecision precision;

  private final Line line = new Line();
  private byte[] b = {};
  private int at;
  private int end;
  private int recordEnd;
  private int start;

  /** Whether the line was read to its end, so that its extent is certain whatever is wrong. */
  private boolean complete;

  // What is wrong with a line that is still read to its end.
  private @Nullable RejectReason refusal;
  private String refusalDetail = "";

  /**
   * Bytes read in vain beyond a line's own end, looking for closing quotes. Beyond the length of
   * the record, text may no longer go over line ends in it: time stays linear for any input.
   */
  private int overrun;

  private double number;
  private Limits limits = new Limits(IngestGuards.DEFAULT, 0, Long.MAX_VALUE);

  LineDecoder(Mappings mappings, Registry registry, TimePrecision precision) {
    this.mappings = mappings;
    this.registry = registry;
    this.usualPrecision = precision;
    this.precision = precision;
  }

  Line line() {
    return line;
  }

  /**
   * To be called before the first line of a record, and before a line is read again.
   *
   * @param unit of the timestamps in this record; null = the usual one
   */
  void beginRecord(@Nullable TimePrecision unit) {
    precision = unit == null ? usualPrecision : unit;
    overrun = 0;
  }

  /** End of the line, without its line end, after {@link #read}. */
  int lineEnd() {
    return end;
  }

  /** Begin of the next line, after {@link #read}. */
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
    complete = false;
    refusal = null;
    Line.Outcome outcome = readLine(defaultTimeMicros, settled);
    if (outcome == Line.Outcome.REJECTED && !complete) {
      // A quote left open must not cost the lines after it.
      overrun += end - firstEnd;
      end = firstEnd;
    }
    return outcome;
  }

  private Line.Outcome readLine(long defaultTimeMicros, boolean settled) {
    int keyFrom = at;
    int keyTo = endOfName(' ');
    if (keyTo < 0) {
      return line.reject(
          RejectReason.SYNTAX,
          "no fields: expected a space and field=value after measurement and tags"
              + where(trimmedEnd()));
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
      return limits.tooMany(line, registry.refusal(b, from, to));
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
    String tooLong = TooLong.find(mapped, limits.maxNameLength());
    if (tooLong != null) {
      return line.reject(RejectReason.TOO_LONG, tooLong);
    }
    registry.want(
        Arrays.copyOfRange(b, from, to),
        mapped,
        line.timeMicros,
        shortOrNothing(tags.getOrDefault(COLLECTOR_TAG, Sender.UNNAMED), MAX_COLLECTOR),
        shortOrNothing(measurement.substring(0, (measurement + '_').indexOf('_')), MAX_PLUGIN));
    return Line.Outcome.DEFERRED;
  }

  private static String shortOrNothing(String name, int most) {
    return name.length() <= most ? name : "";
  }

  /**
   * Reads fields and time.
   *
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
      if (slot == null && unescapedEnd(nameFrom, nameTo, ' ', ',') < nameTo) {
        return line.reject(RejectReason.SYNTAX, "expected field=value" + where(nameFrom));
      }
      at = nameTo + 1;
      if (at >= end) {
        return line.reject(
            RejectReason.NUMBER,
            "field '%s' has no value".formatted(shown(nameFrom, nameTo)) + where(at));
      }
      int valueFrom = at;
      if (b[at] == '"') {
        if (!skipString()) {
          return line.reject(
              RejectReason.SYNTAX,
              "text of field '%s' is not closed: expected a \"".formatted(shown(nameFrom, nameTo))
                  + where(valueFrom));
        }
        if (series != null) {
          if (slot == null) {
            slot = textSlot(series, nameFrom, nameTo);
          }
          if (slot != null
              && slot.textProperty != null
              && series.propertyChanged(slot, b, valueFrom + 1, at - 1)) {
            line.property(slot, valueFrom + 1, at - 1);
          }
        }
      } else {
        if (!readNumber(nameFrom, nameTo)) {
          return Line.Outcome.REJECTED;
        }
        anyNumber = true;
        if (series != null) {
          if (slot == null || !slot.numberKnown) {
            slot = numberSlot(series, nameFrom, nameTo, settled);
            deferred |= slot == null;
          }
          if (slot == null) {
            // It waits, or refusal says why not.
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
    if (!readTime(defaultTimeMicros)) {
      return Line.Outcome.REJECTED;
    }
    complete = true;
    if (limits.checkTime(line) == Line.Outcome.REJECTED) {
      return Line.Outcome.REJECTED;
    }
    if (refusal != null) {
      return line.reject(refusal, refusalDetail);
    }
    if (!anyNumber && line.properties == 0) {
      return Line.Outcome.TEXT_ONLY;
    }
    return deferred ? Line.Outcome.DEFERRED : Line.Outcome.READ;
  }

  /** A field that was text whenever it was met: it needs no metric, so it never has to wait. */
  private @Nullable FieldSlot textSlot(Series series, int from, int to) {
    String name = text(from, to);
    return name == null || name.length() > limits.maxNameLength()
        ? null
        : series.fields.addText(Arrays.copyOfRange(b, from, to), name);
  }

  /** A field that is a number for the first time; null when it must wait or is refused. */
  private @Nullable FieldSlot numberSlot(Series series, int from, int to, boolean settled) {
    String name = text(from, to);
    if (name == null) {
      refuse(
          RejectReason.TEXT,
          "name of field '%s' is not UTF-8 text or holds a NUL character".formatted(shown(from, to))
              + where(from));
      return null;
    }
    if (name.length() > limits.maxNameLength()) {
      refuse(
          RejectReason.TOO_LONG,
          "name of field '%s' is longer than %d characters: shorten it, or raise the guard maxNameLength"
              .formatted(shown(from, to), limits.maxNameLength()));
      return null;
    }
    FieldSlot slot = registry.field(series.fields, Arrays.copyOfRange(b, from, to), name);
    if (slot == null && settled) {
      refuse(
          RejectReason.NEW_METRICS,
          "field '%s' would be more than %d new metric names in this minute: raise the guard newMetricNamesPerMinute and replay, or correct the producer"
              .formatted(shown(from, to), limits.guards().newMetricsPerMinute()));
    }
    return slot;
  }

  private void refuse(RejectReason why, String what) {
    if (refusal == null) {
      refusal = why;
      refusalDetail = what;
    }
  }

  /** Whether a timestamp, or none, stands at {@code at} and nothing after it. */
  private boolean readTime(long defaultTimeMicros) {
    while (at < end && b[at] == ' ') {
      at++;
    }
    int to = end;
    while (to > at && (b[to - 1] == ' ' || b[to - 1] == '\r' || b[to - 1] == '\t')) {
      to--;
    }
    if (at == to) {
      line.timeMicros = defaultTimeMicros;
      return true;
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
    return true;
  }

  private boolean rejectTime(int to) {
    line.reject(
        RejectReason.TIMESTAMP,
        "'%s' is no timestamp: expected a whole number of %s since 1970"
                .formatted(shown(at, to), precision.unit())
            + where(at));
    return false;
  }

  /** Leaves {@code at} after the closing quote; text may go on over line ends. */
  private boolean skipString() {
    at++;
    while (true) {
      if (at >= end) {
        if (end >= recordEnd || overrun > recordEnd) {
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

  /** Reads number or boolean at {@code at} into {@link #number}, and leaves {@code at} after it. */
  private boolean readNumber(int nameFrom, int nameTo) {
    int from = at;
    int i = from;
    boolean negative = b[i] == '-';
    if (negative) {
      i++;
    }
    int first = i;
    long mantissa = 0;
    for (; i < end; i++) {
      int c = b[i] - '0';
      if (c < 0 || c > 9) {
        break;
      }
      mantissa = mantissa * 10 + c;
    }
    int digits = i - first;
    if (i < end && digits > 0 && digits <= 18 && b[i] == 'i' && isValueEnd(i + 1)) {
      at = i + 1;
      number = negative ? -mantissa : mantissa;
      return true;
    }
    int exponent = 0;
    if (i < end && b[i] == '.') {
      int point = ++i;
      for (; i < end; i++) {
        int c = b[i] - '0';
        if (c < 0 || c > 9) {
          break;
        }
        mantissa = mantissa * 10 + c;
      }
      exponent = point - i;
      digits += i - point;
    }
    if (digits > 0 && digits <= 19 && isValueEnd(i)) {
      double value = Decimals.toDouble(mantissa, exponent);
      if (!Double.isNaN(value)) {
        at = i;
        number = negative ? -value : value;
        return true;
      }
    }
    return readOther(from, nameFrom, nameTo);
  }

  private boolean isValueEnd(int i) {
    return i >= end || b[i] == ',' || b[i] == ' ' || b[i] == '\r' || b[i] == '\t';
  }

  /** Whatever is rare: booleans, exponents, many digits, and what is wrong. */
  private boolean readOther(int from, int nameFrom, int nameTo) {
    int to = from;
    while (!isValueEnd(to)) {
      to++;
    }
    at = to;
    String text = to - from > MAX_NUMBER ? "" : lossy(from, to);
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
        if (INTEGER.matcher(text).matches()) {
          return readInteger(text, from, nameFrom, nameTo);
        }
        if (!FLOAT.matcher(text).matches()) {
          return rejectNumber(
              from, to, nameFrom, nameTo, "is no number, integer (1i, 1u), boolean or \"text\"");
        }
        number = Double.parseDouble(text);
        return Double.isFinite(number)
            || rejectNumber(from, to, nameFrom, nameTo, "is too large for a 64-bit float");
      }
    }
  }

  private boolean readInteger(String text, int from, int nameFrom, int nameTo) {
    String digits = text.substring(0, text.length() - 1);
    boolean unsigned = text.endsWith("u");
    try {
      if (unsigned) {
        long value = Long.parseUnsignedLong(digits);
        // The upper half of the unsigned range: halve, keeping the lowest bit for the rounding.
        number = value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
      } else {
        number = Long.parseLong(digits);
      }
      return true;
    } catch (NumberFormatException e) {
      return rejectNumber(
          from,
          at,
          nameFrom,
          nameTo,
          unsigned ? "does not fit an unsigned 64-bit integer" : "does not fit a 64-bit integer");
    }
  }

  private boolean rejectNumber(int from, int to, int nameFrom, int nameTo, String what) {
    line.reject(
        RejectReason.NUMBER,
        "field '%s': '%s' %s".formatted(shown(nameFrom, nameTo), shown(from, to), what)
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

  /** For messages, which stay short whatever was sent. */
  private String shown(int from, int to) {
    return to - from <= 60 ? lossy(from, to) : lossy(from, from + 60) + "...";
  }

  private int trimmedEnd() {
    int to = end;
    while (to > at && b[to - 1] <= ' ' && b[to - 1] > 0) {
      to--;
    }
    return to;
  }

  private String where(int position) {
    return ", at byte " + (position - start + 1);
  }
}
