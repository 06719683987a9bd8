package io.peerlens.alerttemplates;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Metrics, properties, tags, tables and secrets that a template or a condition may look at beyond
 * the alert itself, so that the service loads them before, in one query for each need. Derived from
 * the text alone: a name that is only used on some road is needed all the same. Holds for the
 * object of the alert and, in a group, for those of its members.
 *
 * @param metrics keys of metrics whose latest values are used
 * @param superMetrics names of super metrics whose latest values are used
 * @param properties names of the object's properties
 * @param tags names of the object's tags
 * @param parents whether the object's parents are used
 * @param ancestors tags and properties of ancestors, by their kind; the kind * stands for every one
 * @param lookups names of lookup tables
 * @param secrets names of secrets
 */
public record Needs(
    Names metrics,
    Names superMetrics,
    Names properties,
    Names tags,
    boolean parents,
    Map<String, OfAncestor> ancestors,
    Set<String> lookups,
    Set<String> secrets) {

  /** Nothing. */
  public static final Needs NONE =
      new Needs(
          Names.NONE, Names.NONE, Names.NONE, Names.NONE, false, Map.of(), Set.of(), Set.of());

  public Needs {
    ancestors = Collections.unmodifiableMap(new TreeMap<>(ancestors));
    lookups = Collections.unmodifiableSet(new TreeSet<>(lookups));
    secrets = Collections.unmodifiableSet(new TreeSet<>(secrets));
  }

  /**
   * Names, or all there are.
   *
   * @param all whether the whole set is used; the names are then of no interest
   */
  public record Names(boolean all, SortedSet<String> names) {

    /** No name. */
    public static final Names NONE = new Names(false, new TreeSet<>());

    /** Every name there is. */
    public static final Names ALL = new Names(true, new TreeSet<>());

    public Names {
      names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    }

    /** Whether nothing is needed. */
    public boolean isEmpty() {
      return !all && names.isEmpty();
    }

    private Names and(Names other) {
      SortedSet<String> both = new TreeSet<>(names);
      both.addAll(other.names);
      return new Names(all || other.all, both);
    }
  }

  /** Fields used of the ancestor of a kind. Its id and name are always there. */
  public record OfAncestor(Names tags, Names properties) {}

  /** The needs of both. */
  public Needs and(Needs other) {
    SortedMap<String, OfAncestor> both = new TreeMap<>(ancestors);
    other.ancestors.forEach(
        (kind, need) ->
            both.merge(
                kind,
                need,
                (a, b) -> new OfAncestor(a.tags.and(b.tags), a.properties.and(b.properties))));
    return new Needs(
        metrics.and(other.metrics),
        superMetrics.and(other.superMetrics),
        properties.and(other.properties),
        tags.and(other.tags),
        parents || other.parents,
        both,
        both(lookups, other.lookups),
        both(secrets, other.secrets));
  }

  private static Set<String> both(Set<String> a, Set<String> b) {
    Set<String> both = new TreeSet<>(a);
    both.addAll(b);
    return both;
  }

  static Needs lookup(String table) {
    return new Needs(
        Names.NONE, Names.NONE, Names.NONE, Names.NONE, false, Map.of(), Set.of(table), Set.of());
  }

  static Needs secret(String name) {
    return new Needs(
        Names.NONE, Names.NONE, Names.NONE, Names.NONE, false, Map.of(), Set.of(), Set.of(name));
  }

  /**
   * The needs of one value.
   *
   * @param names from the outside in; * stands for every element
   */
  static Needs path(List<String> names) {
    List<String> path = names;
    if (path.getFirst().equals("group") && path.size() < 4) {
      return path.size() == 1 || path.get(1).equals("alerts") ? object(List.of()) : NONE;
    }
    if (path.size() > 3 && path.subList(0, 2).equals(List.of("group", "alerts"))) {
      path = path.subList(3, path.size());
    }
    return path.getFirst().equals("object") ? object(path.subList(1, path.size())) : NONE;
  }

  private static Needs object(List<String> rest) {
    if (rest.isEmpty() || rest.getFirst().equals("*")) {
      return new Needs(
          Names.ALL,
          Names.ALL,
          Names.ALL,
          Names.ALL,
          true,
          Map.of("*", new OfAncestor(Names.ALL, Names.ALL)),
          Set.of(),
          Set.of());
    }
    Names none = Names.NONE;
    Names names = names(rest);
    return switch (rest.getFirst()) {
      case "metrics" -> of(names, none, none, none, false, Map.of());
      case "superMetrics" -> of(none, names, none, none, false, Map.of());
      case "properties" -> of(none, none, names, none, false, Map.of());
      case "tags" -> of(none, none, none, names, false, Map.of());
      case "parents" -> of(none, none, none, none, true, Map.of());
      case "ancestors" -> of(none, none, none, none, false, ancestor(rest.subList(1, rest.size())));
      default -> NONE;
    };
  }

  private static Map<String, OfAncestor> ancestor(List<String> rest) {
    if (rest.isEmpty()) {
      return Map.of("*", new OfAncestor(Names.ALL, Names.ALL));
    }
    List<String> below = rest.subList(1, rest.size());
    OfAncestor need =
        switch (below.isEmpty() ? "*" : below.getFirst()) {
          case "*" -> new OfAncestor(Names.ALL, Names.ALL);
          case "tags" -> new OfAncestor(names(below), Names.NONE);
          case "properties" -> new OfAncestor(Names.NONE, names(below));
          default -> new OfAncestor(Names.NONE, Names.NONE);
        };
    return Map.of(rest.getFirst(), need);
  }

  private static Names names(List<String> rest) {
    return rest.size() < 2 || rest.get(1).equals("*")
        ? Names.ALL
        : new Names(false, new TreeSet<>(Set.of(rest.get(1))));
  }

  private static Needs of(
      Names metrics,
      Names superMetrics,
      Names properties,
      Names tags,
      boolean parents,
      Map<String, OfAncestor> ancestors) {
    return new Needs(
        metrics, superMetrics, properties, tags, parents, ancestors, Set.of(), Set.of());
  }
}
