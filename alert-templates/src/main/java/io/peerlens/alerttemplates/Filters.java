package io.peerlens.alerttemplates;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Filters of placeholders: {@code ${alert.name | truncate: 40}}. */
final class Filters {

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;
  private static final String KNOWN =
      "iso8601, date, seconds, duration, lower, upper, trim, truncate, default, round, number,"
          + " string, prefix, suffix, json, join, pluck, take, first, last, size and escape";

  private Filters() {}

  /** A function from one value to another. */
  @FunctionalInterface
  interface Filter {
    JsonNode apply(JsonNode value);
  }

  /** A value does not fit a filter. */
  static final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unfit(String message) {
      super(message);
    }
  }

  /**
   * Reads a filter.
   *
   * @param argument what stands behind its colon; null = there is no colon
   */
  static Filter parse(String place, String name, @Nullable String argument) {
    return switch (name) {
      case "iso8601" -> unlessNothing(iso(zone(place, argument)));
      case "date" -> unlessNothing(date(place, name, argument));
      case "seconds" -> without(place, name, argument, unlessNothing(Filters::seconds));
      case "duration" -> without(place, name, argument, unlessNothing(Filters::duration));
      case "lower" -> without(place, name, argument, text(t -> t.toLowerCase(Locale.ROOT)));
      case "upper" -> without(place, name, argument, text(t -> t.toUpperCase(Locale.ROOT)));
      case "trim" -> without(place, name, argument, text(String::strip));
      case "string" -> without(place, name, argument, text(t -> t));
      case "json" -> without(place, name, argument, v -> string(present(v).toString()));
      case "first" -> without(place, name, argument, v -> element(v, 0));
      case "last" -> without(place, name, argument, v -> element(v, v.size() - 1));
      case "size" -> without(place, name, argument, v -> MAKE.numberNode(size(v)));
      case "truncate" -> {
        int max = number(place, name, argument, 1, "a number of characters, such as truncate: 40");
        yield text(t -> cut(t, max));
      }
      case "take" -> {
        int max = number(place, name, argument, 1, "a number of elements, such as take: 10");
        yield v -> take(v, max);
      }
      case "round" -> {
        int decimals = number(place, name, argument, 0, "a number of decimals, such as round: 1");
        if (decimals > 15) {
          throw new TemplateException(place, "round takes at most 15 decimals");
        }
        yield unlessNothing(v -> round(v, decimals));
      }
      case "number" ->
          unlessNothing(number(place, needed(place, name, argument, "number: #,##0.0")));
      case "default" -> {
        String instead = needed(place, name, argument, "default: none");
        yield v -> Placeholder.text(v).isEmpty() ? string(instead) : v;
      }
      case "prefix" -> {
        String before = needed(place, name, argument, "prefix: \": \"");
        yield text(t -> t.isEmpty() ? t : before + t);
      }
      case "suffix" -> {
        String behind = needed(place, name, argument, "suffix: \" %\"");
        yield text(t -> t.isEmpty() ? t : t + behind);
      }
      case "join" -> {
        String between = needed(place, name, argument, "join: \", \"");
        yield v -> join(v, between);
      }
      case "pluck" -> {
        String member = needed(place, name, argument, "pluck: message");
        yield v -> pluck(v, member);
      }
      case "escape" -> text(escape(place, needed(place, name, argument, "escape: slack")));
      default ->
          throw new TemplateException(
              place, "filter '" + name + "' is unknown; there are " + KNOWN);
    };
  }

  /** At most so many UTF-16 units, as receivers count them; never half a character. */
  static String cut(String text, int max) {
    return cut(text, max, "…");
  }

  static String cut(String text, int max, String end) {
    if (text.length() <= max) {
      return text;
    }
    int at = Math.max(0, max - end.length());
    if (at > 0 && Character.isHighSurrogate(text.charAt(at - 1))) {
      at--;
    }
    return at == 0 ? text.substring(0, wholly(text, max)) : text.substring(0, at) + end;
  }

  private static int wholly(String text, int max) {
    return max > 0 && Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
  }

  /** Format of a moment, for the step date and for the filters. */
  interface Moment {
    JsonNode at(Instant instant);
  }

  /**
   * Reads a format of moments.
   *
   * @param format iso8601, rfc1123, seconds, millis or a pattern such as yyyy-MM-dd HH:mm:ss
   */
  static Moment moment(String place, String format, ZoneId zone) {
    return switch (format) {
      case "iso8601" -> i -> string(iso(i, zone));
      case "rfc1123" ->
          i ->
              string(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.ofInstant(i, zone)));
      case "seconds" -> i -> MAKE.numberNode(i.getEpochSecond());
      case "millis" -> i -> MAKE.numberNode(i.toEpochMilli());
      default -> {
        if (format.length() > 100) {
          throw new TemplateException(place, "is longer than the 100 characters of a pattern");
        }
        try {
          DateTimeFormatter pattern = DateTimeFormatter.ofPattern(format, Locale.ENGLISH);
          String tried = pattern.format(ZonedDateTime.ofInstant(Instant.EPOCH, zone));
          if (tried.length() > 200) {
            throw new IllegalArgumentException("too long");
          }
          yield i -> string(pattern.format(ZonedDateTime.ofInstant(i, zone)));
        } catch (IllegalArgumentException | DateTimeException e) {
          throw new TemplateException(
              place,
              "'"
                  + format
                  + "' is no format of dates; write iso8601, rfc1123, seconds, millis or a pattern"
                  + " such as yyyy-MM-dd HH:mm:ss",
              e);
        }
      }
    };
  }

  /** Reads a time zone; UTC where none is given. */
  static ZoneId zone(String place, @Nullable String name) {
    if (name == null) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new TemplateException(
          place, "'" + name + "' is no time zone; write Europe/Berlin, UTC or +02:00", e);
    }
  }

  /** A moment in milliseconds since 1970 or as a text of ISO 8601. */
  static Instant instant(JsonNode value) {
    try {
      if (value.isIntegralNumber() && value.canConvertToLong()) {
        Instant instant = Instant.ofEpochMilli(value.longValue());
        int year = instant.atZone(ZoneOffset.UTC).getYear();
        if (year >= 0 && year <= 9999) {
          return instant;
        }
        throw new Unfit(value + " is outside of the years 0 to 9999");
      }
      if (value.isString()) {
        return ZonedDateTime.parse(value.stringValue()).toInstant();
      }
    } catch (DateTimeException e) {
      // Said below.
    }
    throw new Unfit(
        "a date needs milliseconds since 1970 as a whole number, or a text such as"
            + " 2026-11-21T00:05:00Z, not "
            + cut(value.toString(), 60));
  }

  private static Filter date(String place, String name, @Nullable String argument) {
    String text = needed(place, name, argument, "date: yyyy-MM-dd HH:mm in Europe/Berlin");
    int in = text.lastIndexOf(" in ");
    String format = in < 0 ? text : text.substring(0, in).strip();
    Moment moment =
        moment(place, format, zone(place, in < 0 ? null : text.substring(in + 4).strip()));
    return v -> moment.at(instant(v));
  }

  private static Filter iso(ZoneId zone) {
    return v -> string(iso(instant(v), zone));
  }

  private static String iso(Instant instant, ZoneId zone) {
    return zone.equals(ZoneOffset.UTC)
        ? instant.toString()
        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(ZonedDateTime.ofInstant(instant, zone));
  }

  private static JsonNode seconds(JsonNode value) {
    BigDecimal seconds = BigDecimal.valueOf(instant(value).toEpochMilli(), 3).stripTrailingZeros();
    return seconds.scale() <= 0
        ? MAKE.numberNode(seconds.longValueExact())
        : MAKE.numberNode(seconds);
  }

  /** Milliseconds as people say them: 3 d 4 h, 12 min, 5.2 s. */
  private static JsonNode duration(JsonNode value) {
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      throw new Unfit("duration needs milliseconds as a number, not " + cut(value.toString(), 60));
    }
    long millis = Math.abs((long) value.doubleValue());
    long seconds = millis / 1000;
    String words;
    if (millis < 10_000) {
      words = Placeholder.text(round(MAKE.numberNode(millis / 1000.0), 1)) + " s";
    } else if (seconds < 120) {
      words = seconds + " s";
    } else if (seconds < 7200) {
      words = seconds / 60 + " min";
    } else if (seconds < 172_800) {
      words =
          seconds / 3600 + " h" + (seconds % 3600 < 60 ? "" : " " + seconds % 3600 / 60 + " min");
    } else {
      words =
          seconds / 86_400
              + " d"
              + (seconds % 86_400 < 3600 ? "" : " " + seconds % 86_400 / 3600 + " h");
    }
    return string(value.doubleValue() < 0 ? "-" + words : words);
  }

  private static JsonNode round(JsonNode value, int decimals) {
    if (!value.isNumber()) {
      throw new Unfit("round needs a number, not " + cut(value.toString(), 60));
    }
    if (!Double.isFinite(value.doubleValue())) {
      return Rendering.NULL;
    }
    BigDecimal rounded = value.decimalValue().setScale(decimals, RoundingMode.HALF_UP);
    BigDecimal plain = rounded.stripTrailingZeros();
    plain = plain.scale() < 0 ? plain.setScale(0) : plain;
    return MAKE.numberNode(plain);
  }

  private static Filter number(String place, String pattern) {
    if (pattern.length() > 40) {
      throw new TemplateException(place, "number takes a pattern of at most 40 characters");
    }
    try {
      new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(1);
    } catch (IllegalArgumentException e) {
      throw new TemplateException(
          place, "'" + pattern + "' is no number format; write #,##0.0 for instance", e);
    }
    return v -> {
      if (!v.isNumber() || !Double.isFinite(v.doubleValue())) {
        throw new Unfit("number needs a number, not " + cut(v.toString(), 60));
      }
      DecimalFormat format =
          new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
      format.setRoundingMode(RoundingMode.HALF_UP);
      return string(format.format(v.decimalValue()));
    };
  }

  private static JsonNode element(JsonNode value, int index) {
    if (!value.isArray()) {
      return value;
    }
    return value.isEmpty() ? Rendering.NULL : value.get(index);
  }

  private static int size(JsonNode value) {
    return value.isContainer() ? value.size() : Placeholder.text(value).length();
  }

  private static JsonNode take(JsonNode value, int max) {
    if (!value.isArray() || value.size() <= max) {
      return value;
    }
    ArrayNode taken = MAKE.arrayNode();
    for (int i = 0; i < max; i++) {
      taken.add(value.get(i));
    }
    return taken;
  }

  private static JsonNode join(JsonNode value, String between) {
    if (!value.isArray()) {
      return string(Placeholder.text(value));
    }
    StringJoiner joined = new StringJoiner(between);
    long length = 0;
    for (JsonNode element : value) {
      String text = Placeholder.text(element);
      length += text.length() + between.length();
      if (length > Rendering.MAX_CHARACTERS) {
        throw new Unfit("join comes to more than " + Rendering.MAX_CHARACTERS + " characters");
      }
      joined.add(text);
    }
    return string(joined.toString());
  }

  private static JsonNode pluck(JsonNode value, String member) {
    if (!value.isArray()) {
      return Path.member(value, member);
    }
    ArrayNode plucked = MAKE.arrayNode();
    for (JsonNode element : value) {
      JsonNode found = element.path(member);
      if (!found.isMissingNode() && !found.isNull()) {
        plucked.add(found);
      }
    }
    return plucked;
  }

  private static final Pattern MARKDOWN =
      Pattern.compile("([\\\\`*_~\\[\\]<>|]|^[#+-])", Pattern.MULTILINE);

  /** Ways to keep a text from being read as markup. */
  static UnaryOperator<String> escape(String place, String kind) {
    return switch (kind) {
      case "none" -> t -> t;
      case "html", "xml" -> XmlText::escape;
      // Slack reads only these three, see its page on formatting of texts.
      case "slack" -> t -> t.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
      case "markdown" -> t -> MARKDOWN.matcher(t).replaceAll("\\\\$1");
      case "url" -> Filters::percent;
      case "json" ->
          t -> {
            String quoted = MAKE.stringNode(t).toString();
            return quoted.substring(1, quoted.length() - 1);
          };
      default ->
          throw new TemplateException(
              place,
              "escape '"
                  + kind
                  + "' is unknown; there are html, xml, json, slack, markdown, url and none");
    };
  }

  /** Percent-encoding that holds in a path, in a query and in a form. */
  static String percent(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Filter text(UnaryOperator<String> change) {
    return v -> string(change.apply(Placeholder.text(v)));
  }

  /** What is not there stays so. */
  private static Filter unlessNothing(Filter filter) {
    return v -> v.isNull() || v.isMissingNode() || isEmpty(v) ? Rendering.NULL : filter.apply(v);
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isString() && value.stringValue().isEmpty();
  }

  private static JsonNode present(JsonNode value) {
    return value.isMissingNode() ? Rendering.NULL : value;
  }

  private static Filter without(
      String place, String name, @Nullable String argument, Filter filter) {
    if (argument != null) {
      throw new TemplateException(place, name + " takes no argument");
    }
    return filter;
  }

  /** An argument; quotes keep blanks and line breaks. */
  private static String needed(
      String place, String name, @Nullable String argument, String example) {
    if (argument == null || argument.isEmpty()) {
      throw new TemplateException(place, name + " needs an argument, such as " + example);
    }
    if (argument.length() < 2 || !argument.startsWith("\"") || !argument.endsWith("\"")) {
      return argument;
    }
    try {
      return JsonMapper.shared().readTree(argument).stringValue("");
    } catch (JacksonException e) {
      throw new TemplateException(
          place, name + ": " + argument + " is no text in quotes; write \\\" for a quote in it", e);
    }
  }

  private static int number(
      String place, String name, @Nullable String argument, int least, String what) {
    if (argument == null || !argument.matches("[0-9]{1,6}") || Integer.parseInt(argument) < least) {
      throw new TemplateException(place, name + " needs " + what);
    }
    return Integer.parseInt(argument);
  }

  private static JsonNode string(String text) {
    return MAKE.stringNode(text);
  }
}
