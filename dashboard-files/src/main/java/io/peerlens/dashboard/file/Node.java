package io.peerlens.dashboard.file;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A node of a file on the way to be read. Every mistake is noted with its path; reading goes on
 * with what would have been meant, so that one pass finds all mistakes.
 */
final class Node {

  /** The longest text of one line, in characters. */
  static final int LINE = 200;

  /** The longest text of several lines. */
  static final int TEXT = 20_000;

  /** The longest key of a metric or property. */
  static final int KEY = 400;

  static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,39}");
  private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,5})([smhdw])");

  private final JsonNode json;
  private final String path;
  private final List<Mistake> mistakes;
  private final Set<String> asked = new HashSet<>();

  Node(JsonNode json, String path, List<Mistake> mistakes) {
    this.json = json;
    this.path = path;
    this.mistakes = mistakes;
  }

  JsonNode json() {
    return json;
  }

  String path() {
    return path;
  }

  List<Mistake> mistakes() {
    return mistakes;
  }

  void wrong(String text, String hint) {
    if (mistakes.size() < BundleReader.MOST_MISTAKES) {
      mistakes.add(new Mistake(path.isEmpty() ? "The file" : path, text, hint));
    }
  }

  private void wrong(String member, String text, String hint) {
    child(member, json).wrong(text, hint);
  }

  boolean isObject() {
    if (!json.isObject()) {
      wrong("is no object", "Write it in curly brackets.");
      return false;
    }
    return true;
  }

  /** Notes members that nobody has asked for; those that begin with {@code x-} are free. */
  void end() {
    if (!json.isObject()) {
      return;
    }
    for (String member : json.propertyNames()) {
      if (!asked.contains(member) && !member.startsWith("x-")) {
        wrong(
            member,
            "is unknown",
            "Known here are " + String.join(", ", asked.stream().sorted().toList()) + ".");
      }
    }
  }

  private Node child(String member, JsonNode of) {
    return new Node(of, path.isEmpty() ? member : path + "." + member, mistakes);
  }

  @Nullable Node get(String member) {
    asked.add(member);
    JsonNode of = json.get(member);
    return of == null || of.isNull() ? null : child(member, of);
  }

  boolean has(String member) {
    return json.hasNonNull(member);
  }

  /** A text that must be there. */
  String text(String member, int longest) {
    String text = optionalText(member, longest);
    if (text == null) {
      if (!has(member)) {
        wrong(member, "is missing", "");
      }
      return "";
    }
    if (text.isBlank()) {
      wrong(member, "is empty", "");
    }
    return text;
  }

  @Nullable String optionalText(String member, int longest) {
    Node node = get(member);
    return node == null ? null : node.asText(longest);
  }

  @Nullable String asText(int longest) {
    if (!json.isString()) {
      wrong("is no text", "");
      return null;
    }
    String text = json.stringValue();
    if (text.length() > longest) {
      wrong("has %,d characters, %,d are allowed".formatted(text.length(), longest), "");
      return null;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        wrong("holds U+%04X, which cannot be stored".formatted((int) c), "");
        return null;
      }
    }
    return text;
  }

  String name(String member) {
    String text = text(member, 200);
    if (!text.isEmpty() && !NAME.matcher(text).matches()) {
      wrong(
          member,
          "is \"" + text + "\", which is no name",
          "Begin with a letter; letters, digits, _ and - may follow, 40 characters in all.");
    }
    return text;
  }

  @Nullable String optionalName(String member) {
    return has(member) ? name(member) : see(member);
  }

  private @Nullable String see(String member) {
    asked.add(member);
    return null;
  }

  @Nullable UUID id(String member) {
    String text = optionalText(member, 36);
    if (text == null) {
      return null;
    }
    try {
      UUID id = UUID.fromString(text);
      if (text.length() == 36) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    wrong(member, "is no id", "Write a UUID, or leave it out.");
    return null;
  }

  @Nullable Duration duration(String member) {
    Node node = get(member);
    return node == null ? null : node.asDuration();
  }

  @Nullable Duration asDuration() {
    var matcher = DURATION.matcher(json.isString() ? json.stringValue() : "");
    if (!matcher.matches()) {
      wrong("is no duration", "Write for instance 5m, 24h or 30d.");
      return null;
    }
    long number = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          case "d" -> Duration.ofDays(number);
          default -> Duration.ofDays(7 * number);
        };
    if (duration.compareTo(BundleReader.LONGEST_WINDOW) > 0) {
      wrong("is longer than %d days".formatted(BundleReader.LONGEST_WINDOW.toDays()), "");
      return null;
    }
    return duration;
  }

  @Nullable Integer integer(String member, int least, int most) {
    Node node = get(member);
    if (node == null) {
      return null;
    }
    if (!node.json.isIntegralNumber() || !node.json.canConvertToInt()) {
      node.wrong("is no whole number", "");
      return null;
    }
    int value = node.json.intValue();
    if (value < least || value > most) {
      node.wrong("is %d, not between %d and %d".formatted(value, least, most), "");
      return null;
    }
    return value;
  }

  int needed(String member, int least, int most) {
    Integer value = integer(member, least, most);
    if (value == null && !has(member)) {
      wrong(member, "is missing", "");
    }
    return value == null ? least : value;
  }

  double number() {
    if (!json.isNumber() || !Double.isFinite(json.doubleValue())) {
      wrong("is no number", "");
      return Double.NaN;
    }
    return json.doubleValue();
  }

  @Nullable Boolean flag(String member) {
    Node node = get(member);
    if (node == null) {
      return null;
    }
    if (!node.json.isBoolean()) {
      node.wrong("is neither true nor false", "");
      return null;
    }
    return node.json.booleanValue();
  }

  boolean isSet(String member) {
    return Boolean.TRUE.equals(flag(member));
  }

  /** A word of a list; null = there is none, or another. */
  <E> @Nullable E word(String member, Map<String, E> words) {
    Node node = get(member);
    return node == null ? null : node.asWord(words);
  }

  <E> @Nullable E asWord(Map<String, E> words) {
    E found = json.isString() ? words.get(json.stringValue()) : null;
    if (found == null) {
      wrong(
          json.isString() ? "is \"" + json.stringValue() + "\"" : "is no text",
          "Write one of " + String.join(", ", words.keySet()) + ".");
    }
    return found;
  }

  /** The constants of an enum, by the words that files have for them: camel case. */
  static <E extends Enum<E>> Map<String, E> words(Class<E> type) {
    Map<String, E> words = new LinkedHashMap<>();
    for (E one : type.getEnumConstants()) {
      StringBuilder word = new StringBuilder();
      for (String part : one.name().toLowerCase(Locale.ROOT).split("_", -1)) {
        word.append(
            word.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
      }
      words.put(word.toString(), one);
    }
    return words;
  }

  /** Words that stand for themselves, in this order. */
  static Map<String, String> words(String... words) {
    Map<String, String> known = new LinkedHashMap<>();
    for (String word : words) {
      known.put(word, word);
    }
    return known;
  }

  <T> @Nullable T object(String member, Function<Node, @Nullable T> read) {
    Node node = get(member);
    return node == null || !node.isObject() ? null : read.apply(node);
  }

  <T> List<T> list(String member, int most, Function<Node, @Nullable T> read) {
    Node node = get(member);
    return node == null ? List.of() : node.asList(0, most, read);
  }

  <T> List<T> asList(int least, int most, Function<Node, @Nullable T> read) {
    if (!json.isArray()) {
      wrong("is no list", "Write it in square brackets.");
      return List.of();
    }
    if (json.size() > most || json.size() < least) {
      wrong(
          json.size() > most
              ? "has %,d entries, %,d are allowed".formatted(json.size(), most)
              : "is empty",
          "");
      return List.of();
    }
    List<T> list = new ArrayList<>();
    for (int i = 0; i < json.size(); i++) {
      T one = read.apply(new Node(json.get(i), path + "[" + i + "]", mistakes));
      if (one != null) {
        list.add(one);
      }
    }
    return list;
  }

  <T> Map<String, T> map(String member, int most, BiFunction<String, Node, @Nullable T> read) {
    Node node = get(member);
    return node == null ? Map.of() : node.asMap(most, read);
  }

  <T> Map<String, T> asMap(int most, BiFunction<String, Node, @Nullable T> read) {
    if (!isObject()) {
      return Map.of();
    }
    if (json.size() > most) {
      wrong("has %,d members, %,d are allowed".formatted(json.size(), most), "");
      return Map.of();
    }
    Map<String, T> map = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      T one = read.apply(member.getKey(), child(member.getKey(), member.getValue()));
      if (one != null) {
        map.put(member.getKey(), one);
      }
    }
    return map;
  }

  List<String> texts(String member, int most, int longest) {
    return list(member, most, node -> node.asText(longest));
  }
}
