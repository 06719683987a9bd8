package io.peerlens.suiteapi;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Filter of resources; empty lists do not filter. Kinds are in lower case.
 *
 * @param names beginnings of names, in lower case
 * @param regexes for whole names; names are stronger
 * @param recentlyAdded seconds; null = does not filter
 */
record ResourceFilter(
    List<UUID> ids,
    List<String> names,
    List<Pattern> regexes,
    List<String> adapterKinds,
    List<String> resourceKinds,
    List<UUID> adapterInstances,
    List<UUID> parents,
    List<String> states,
    List<String> statuses,
    List<String> healths,
    @Nullable Conditions properties,
    @Nullable Conditions stats,
    List<Tag> tags,
    @Nullable Long recentlyAdded,
    Related related) {

  /** Relatives that are to be told with a resource. */
  enum Related {
    NONE,
    PARENT,
    CHILD,
    ALL;

    /** The contract has the first two words; some programs send a truth value. */
    static Related of(Given given) {
      String word =
          given.word("includeRelated", "FALSE", List.of("PARENT", "CHILD", "ALL", "TRUE", "FALSE"));
      return switch (word) {
        case "PARENT" -> PARENT;
        case "CHILD" -> CHILD;
        case "FALSE" -> NONE;
        default -> ALL;
      };
    }

    boolean parents() {
      return this == PARENT || this == ALL;
    }

    boolean children() {
      return this == CHILD || this == ALL;
    }
  }

  static final List<String> OPERATORS =
      List.of(
          "EQ",
          "NOT_EQ",
          "LT",
          "GT",
          "LT_EQ",
          "GT_EQ",
          "CONTAINS",
          "NOT_CONTAINS",
          "EXISTS",
          "NOT_EXISTS");

  private static final List<String> STATES =
      List.of(
          "STARTED",
          "STOPPED",
          "STARTING",
          "STOPPING",
          "UPDATING",
          "FAILED",
          "MAINTAINED",
          "MAINTAINED_MANUAL",
          "NOT_EXISTING",
          "REMOVING",
          "UNKNOWN",
          "NONE");

  private static final List<String> HEALTHS =
      List.of("GREEN", "YELLOW", "ORANGE", "RED", "GREY", "UNKNOWN");

  /**
   * Conditions on properties or newest values.
   *
   * @param any whether one of them is enough
   */
  record Conditions(boolean any, List<Condition> all) {}

  /** A condition; which value counts says the operator. */
  record Condition(String key, String operator, @Nullable Double number, @Nullable String text) {}

  /** A tag; null = any of its category. */
  record Tag(String category, @Nullable String name) {}

  /** What parameters of a query or a body say; both have the same names. */
  static ResourceFilter of(Given given) {
    List<Pattern> regexes = new ArrayList<>();
    for (String regex : given.texts("regex")) {
      try {
        regexes.add(Pattern.compile(regex));
      } catch (PatternSyntaxException e) {
        throw SuiteException.invalid(
            given.place() + "regex", "\"" + regex + "\" is no regular expression");
      }
    }
    return new ResourceFilter(
        given.uuids("resourceId", "resourceIds", "id"),
        given.lower("name", "names"),
        regexes,
        given.lower("adapterKind", "adapterKindKey"),
        given.lower("resourceKind", "resourceKindKey"),
        given.uuids("adapterInstanceId"),
        given.uuids("parentId"),
        words(given, "resourceState", STATES),
        words(
            given,
            "resourceStatus",
            List.of(
                "DATA_RECEIVING",
                "OLD_DATA_RECEIVING",
                "NO_DATA_RECEIVING",
                "NONE",
                "ERROR",
                "UNKNOWN",
                "DOWN",
                "NO_PARENT_MONITORING",
                "COLLECTOR_DOWN")),
        words(given, "resourceHealth", HEALTHS),
        properties(given),
        stats(given),
        tags(given),
        given.whole("recentlyAdded"),
        Related.of(given));
  }

  private static List<String> words(Given given, String name, List<String> known) {
    List<String> words =
        given.texts(name).stream().map(text -> text.strip().toUpperCase(Locale.ROOT)).toList();
    for (String word : words) {
      if (!known.contains(word)) {
        throw SuiteException.invalid(
            given.place() + name, "\"" + word + "\" is none of " + String.join(", ", known));
      }
    }
    return words;
  }

  private static @Nullable Conditions properties(Given given) {
    Conditions conditions = conditions(given, "propertyConditions");
    String key = given.text("propertyName");
    if (key == null) {
      return conditions;
    }
    String value = given.text("propertyValue");
    Condition one = new Condition(key, value == null ? "EXISTS" : "EQ", null, value);
    return with(given, "propertyConditions", conditions, List.of(one));
  }

  private static @Nullable Conditions stats(Given given) {
    Conditions conditions = conditions(given, "statConditions");
    String key = given.text("statKey");
    if (key == null) {
      return conditions;
    }
    boolean inclusive = given.flag("statKeyInclusive", true);
    Double lower = given.decimal("statKeyLowerBound");
    Double upper = given.decimal("statKeyUpperBound");
    List<Condition> bounds = new ArrayList<>();
    if (lower != null) {
      bounds.add(new Condition(key, inclusive ? "GT_EQ" : "GT", lower, null));
    }
    if (upper != null) {
      bounds.add(new Condition(key, inclusive ? "LT_EQ" : "LT", upper, null));
    }
    if (bounds.isEmpty()) {
      bounds.add(new Condition(key, "EXISTS", null, null));
    }
    return with(given, "statConditions", conditions, bounds);
  }

  private static Conditions with(
      Given given, String name, @Nullable Conditions before, List<Condition> more) {
    if (before != null && before.any() && before.all().size() > 1) {
      throw SuiteException.invalid(
          given.place() + name, "with OR do not go with a condition beside them");
    }
    List<Condition> all = new ArrayList<>(more);
    if (before != null) {
      all.addAll(before.all());
    }
    return new Conditions(false, all);
  }

  private static @Nullable Conditions conditions(Given given, String name) {
    Given in = given.in(name);
    List<Condition> all = new ArrayList<>();
    for (Given one : in.list("conditions")) {
      all.add(
          new Condition(
              one.need("key"),
              one.word("operator", "EQ", OPERATORS),
              one.decimal("doubleValue"),
              one.text("stringValue")));
    }
    return all.isEmpty()
        ? null
        : new Conditions(
            in.word("conjunctionOperator", "AND", List.of("AND", "OR")).equals("OR"), all);
  }

  private static List<Tag> tags(Given given) {
    List<Tag> tags = new ArrayList<>();
    for (Given one : given.list("resourceTag")) {
      tags.add(new Tag(one.need("category"), one.text("name")));
    }
    return tags;
  }

  /** The same for resources of one kind. */
  ResourceFilter ofKind(@Nullable String adapterKind, @Nullable String resourceKind) {
    return new ResourceFilter(
        ids,
        names,
        regexes,
        adapterKind == null ? adapterKinds : List.of(adapterKind.toLowerCase(Locale.ROOT)),
        resourceKind == null ? resourceKinds : List.of(resourceKind.toLowerCase(Locale.ROOT)),
        adapterInstances,
        parents,
        states,
        statuses,
        healths,
        properties,
        stats,
        tags,
        recentlyAdded,
        related);
  }

  /** The same for resources of one adapter instance. */
  ResourceFilter ofAdapter(UUID instance) {
    return new ResourceFilter(
        ids,
        names,
        regexes,
        adapterKinds,
        resourceKinds,
        List.of(instance),
        parents,
        states,
        statuses,
        healths,
        properties,
        stats,
        tags,
        recentlyAdded,
        related);
  }

  /** Whether everything can be asked of the database. */
  boolean isPlain() {
    return (regexes.isEmpty() || !names.isEmpty()) && healths.isEmpty() && stats == null;
  }

  /** Whether nothing is filtered. */
  boolean isEmpty() {
    return ids.isEmpty()
        && names.isEmpty()
        && regexes.isEmpty()
        && adapterKinds.isEmpty()
        && resourceKinds.isEmpty()
        && adapterInstances.isEmpty()
        && parents.isEmpty()
        && states.isEmpty()
        && statuses.isEmpty()
        && healths.isEmpty()
        && properties == null
        && stats == null
        && tags.isEmpty()
        && recentlyAdded == null;
  }
}
