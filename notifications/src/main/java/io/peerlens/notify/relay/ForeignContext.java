package io.peerlens.notify.relay;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parts of contexts that all dialects of relays share: texts that can be stored, moments,
 * criticalities.
 */
final class ForeignContext {

  static final int LONG = 20_000;
  static final int SHORT = 500;

  private static final BigDecimal EARLIEST_MILLIS = new BigDecimal("100000000000");
  private static final BigDecimal LATEST_MILLIS = new BigDecimal("253402300799999");

  /** As java.util.Date prints itself, which templates of vRealize Operations give. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss zzz yyyy", Locale.ENGLISH);

  private static final Map<String, String> CRITICALITIES =
      Map.ofEntries(
          Map.entry("critical", "CRITICAL"),
          Map.entry("page", "CRITICAL"),
          Map.entry("emergency", "CRITICAL"),
          Map.entry("disaster", "CRITICAL"),
          Map.entry("error", "IMMEDIATE"),
          Map.entry("high", "IMMEDIATE"),
          Map.entry("major", "IMMEDIATE"),
          Map.entry("immediate", "IMMEDIATE"),
          Map.entry("info", "INFORMATION"),
          Map.entry("information", "INFORMATION"),
          Map.entry("informational", "INFORMATION"),
          Map.entry("low", "INFORMATION"),
          Map.entry("notice", "INFORMATION"),
          Map.entry("none", "INFORMATION"));

  private ForeignContext() {}

  /** A context with what every alert has; the caller sets the rest. */
  static ObjectNode blank() {
    ObjectNode context = JsonMapper.shared().createObjectNode();
    ObjectNode alert = context.putObject("alert");
    alert.putNull("definitionDescription");
    alert.put("controlState", "OPEN");
    alert.putArray("symptoms");
    alert.putArray("recommendations");
    alert.put("notificationCount", 0);
    alert.putObject("externalIds");
    return context;
  }

  /** What an alert is about, as the sender knows it; no name = nothing. */
  static void object(
      ObjectNode context,
      @Nullable String id,
      @Nullable String name,
      @Nullable String kind,
      @Nullable String adapterKind,
      Map<String, String> tags,
      Map<String, String> properties) {
    if (name == null) {
      context.putNull("object");
      return;
    }
    ObjectNode object = context.putObject("object");
    object.put("id", id);
    object.put("name", name);
    object.put("kind", kind);
    object.put("kindName", kind);
    object.put("adapterKind", adapterKind);
    object.putNull("adapterInstance");
    ObjectNode known = object.putObject("properties");
    properties.forEach(known::put);
    ObjectNode labels = object.putObject("tags");
    tags.forEach(labels::put);
    object.putObject("metrics");
    object.putObject("superMetrics");
    object.putArray("parents");
    object.putObject("ancestors");
  }

  /** The criticality that a word stands for; unknown words are WARNING. */
  static String criticality(@Nullable String word) {
    return CRITICALITIES.getOrDefault(
        word == null ? "" : word.strip().toLowerCase(Locale.ROOT), "WARNING");
  }

  /** What of a context matters to people, so that a repetition is known. */
  static String digest(ObjectNode context) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(context.toString().getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  /** A text that a database takes: no NUL, no half characters, not endless. */
  static String clean(String text, int most) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .filter(c -> c != 0 && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE))
        .limit(most)
        .forEach(clean::appendCodePoint);
    return clean.toString().strip();
  }

  /** A text of a node that is one value, or a list of such; null = there is none. */
  static @Nullable String text(@Nullable JsonNode node, int most) {
    if (node == null) {
      return null;
    }
    String text =
        node.isArray()
            ? String.join("\n", node.valueStream().map(one -> one.asString("")).toList())
            : node.asString("");
    String clean = clean(text, most);
    return clean.isEmpty() ? null : clean;
  }

  /**
   * A moment in any of the ways in which senders write it: milliseconds or seconds since 1970, ISO
   * 8601, or as Java prints dates. Null = it says none, or zero.
   */
  static @Nullable Instant moment(@Nullable String text) {
    String plain = text == null ? "" : text.strip();
    if (plain.isEmpty() || plain.length() > 60) {
      return null;
    }
    if (plain.matches("-?[0-9.]+([eE][+]?[0-9]{1,2})?")) {
      return ofNumber(plain);
    }
    for (DateTimeFormatter format : List.of(DateTimeFormatter.ISO_OFFSET_DATE_TIME, DATE)) {
      try {
        Instant moment = format.parse(plain, Instant::from);
        return moment.isAfter(Instant.EPOCH) ? moment : null;
      } catch (DateTimeParseException e) {
        // the next one
      } catch (DateTimeException e) {
        return null;
      }
    }
    return null;
  }

  private static @Nullable Instant ofNumber(String text) {
    try {
      BigDecimal number = new BigDecimal(text);
      if (number.signum() <= 0 || number.compareTo(LATEST_MILLIS) > 0) {
        return null;
      }
      BigInteger whole = number.toBigInteger();
      return number.compareTo(EARLIEST_MILLIS) < 0
          ? Instant.ofEpochSecond(whole.longValueExact())
          : Instant.ofEpochMilli(whole.longValueExact());
    } catch (NumberFormatException | ArithmeticException e) {
      return null;
    }
  }

  /** The moment, or now if that is earlier: clocks of senders may be fast. */
  static @Nullable Instant notAfter(@Nullable Instant moment, Instant now) {
    return moment != null && moment.isAfter(now) ? now : moment;
  }
}
