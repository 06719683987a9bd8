package io.peerlens.suiteapi;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reader of what a request gives, in its query or as JSON. It is lenient: members that nobody asks
 * for do not matter, null and an empty list are as if there was nothing, one value is a list of
 * one, and numbers and truth values may be texts.
 */
final class Given {

  /** Values of a member by its name. */
  private interface Members {
    List<String> texts(String name);

    @Nullable JsonNode node(String name);
  }

  private final Members members;
  private final String place;

  private Given(Members members, String place) {
    this.members = members;
    this.place = place;
  }

  /** Members of a JSON object. */
  static Given of(@Nullable JsonNode object, String place) {
    JsonNode from = object != null && object.isObject() ? object : null;
    return new Given(
        new Members() {
          @Override
          public List<String> texts(String name) {
            return strings(from == null ? null : from.get(name));
          }

          @Override
          public @Nullable JsonNode node(String name) {
            return from == null ? null : from.get(name);
          }
        },
        place);
  }

  /** Parameters of a query. */
  static Given of(Query query) {
    return new Given(
        new Members() {
          @Override
          public List<String> texts(String name) {
            return query.all(name);
          }

          @Override
          public @Nullable JsonNode node(String name) {
            return null;
          }
        },
        "");
  }

  private static List<String> strings(@Nullable JsonNode node) {
    if (node == null || node.isNull()) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(element -> texts.addAll(strings(element)));
    } else if (node.isString()) {
      texts.add(node.stringValue());
    } else if (!node.isObject()) {
      texts.add(node.asString());
    }
    return texts;
  }

  /** Texts of a member under any of its names; blank ones are none. */
  List<String> texts(String... names) {
    for (String name : names) {
      List<String> texts = members.texts(name).stream().filter(text -> !text.isBlank()).toList();
      if (!texts.isEmpty()) {
        return texts;
      }
    }
    return List.of();
  }

  /** Texts of a member in lower case. */
  List<String> lower(String... names) {
    return texts(names).stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
  }

  @Nullable String text(String... names) {
    List<String> texts = texts(names);
    return texts.isEmpty() ? null : texts.getFirst();
  }

  String need(String name) {
    String text = text(name);
    if (text == null) {
      throw SuiteException.invalid(place + name, "is missing");
    }
    return text;
  }

  /** UUIDs of a member; the vendor answers 400 to what is none. */
  List<UUID> uuids(String... names) {
    List<UUID> ids = new ArrayList<>();
    for (String text : texts(names)) {
      ids.add(uuid(place + names[0], text));
    }
    return ids;
  }

  static UUID uuid(String path, String text) {
    String id = text.strip();
    try {
      if (id.length() == 36) {
        return UUID.fromString(id);
      }
    } catch (IllegalArgumentException e) {
      // It is said below.
    }
    throw SuiteException.invalid(path, "\"" + shortened(text) + "\" is no UUID");
  }

  boolean flag(String name, boolean otherwise) {
    String text = text(name);
    if (text == null) {
      return otherwise;
    }
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "1", "yes" -> true;
      case "false", "0", "no" -> false;
      default ->
          throw SuiteException.invalid(
              place + name, "\"" + shortened(text) + "\" is neither true nor false");
    };
  }

  @Nullable Double decimal(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return Double.valueOf(text.strip());
    } catch (NumberFormatException e) {
      throw SuiteException.invalid(place + name, "\"" + shortened(text) + "\" is no number");
    }
  }

  @Nullable Long whole(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return new BigDecimal(text.strip()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw SuiteException.invalid(place + name, "\"" + shortened(text) + "\" is no whole number");
    }
  }

  long whole(String name, long otherwise, long least, long most) {
    Long value = whole(name);
    if (value == null) {
      return otherwise;
    }
    if (value < least || value > most) {
      throw SuiteException.invalid(
          place + name, value + " is not between " + least + " and " + most);
    }
    return value;
  }

  /** A word of an enumeration, in upper case. */
  String word(String name, String otherwise, List<String> known) {
    String text = text(name);
    if (text == null) {
      return otherwise;
    }
    String word = text.strip().toUpperCase(Locale.ROOT);
    if (!known.contains(word)) {
      throw SuiteException.invalid(
          place + name, "\"" + shortened(text) + "\" is none of " + String.join(", ", known));
    }
    return word;
  }

  /** An object that is a member; without members where there is none. */
  Given in(String... names) {
    for (String name : names) {
      JsonNode node = members.node(name);
      if (node != null && node.isObject()) {
        return of(node, place + name + ".");
      }
    }
    return of(null, place + names[0] + ".");
  }

  /** Objects in a list that is a member. */
  List<Given> list(String name) {
    JsonNode node = members.node(name);
    List<Given> all = new ArrayList<>();
    if (node != null && node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        all.add(of(node.get(i), place + name + "[" + i + "]."));
      }
    } else if (node != null && node.isObject()) {
      all.add(of(node, place + name + "."));
    }
    return all;
  }

  /** Whether a member is an object or a list with anything in it. */
  boolean has(String name) {
    JsonNode node = members.node(name);
    return node != null && (node.isObject() || node.isArray()) && !node.isEmpty();
  }

  @Nullable JsonNode node(String name) {
    return members.node(name);
  }

  String place() {
    return place;
  }

  private static String shortened(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }
}
