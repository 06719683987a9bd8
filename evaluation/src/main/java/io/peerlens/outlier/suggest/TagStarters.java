package io.peerlens.outlier.suggest;

import static java.util.Objects.requireNonNull;

import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.suggest.SuggestionQueries.Candidate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Groups of objects that share the value of a tag; or of two tags, where one alone holds objects of
 * several sorts: {@code tier=db} holds the databases of every application, {@code app=shop} all
 * that the shop consists of, both together those that are peers.
 *
 * <p>How much the objects of a group are alike is told by their size, their operating system and
 * their names without numbers: for each of these, the part of the objects that have what most of
 * them have; and the mean of that. Two tags are offered if they part the objects that have both
 * better than either of them does, and of their groups those that are more alike than what either
 * tag makes.
 */
final class TagStarters {

  private static final int FEWEST = OutlierGroup.FEWEST_MEMBERS;
  private static final int MOST = 200;

  /** So many tags are combined, those that most objects have. */
  private static final int MOST_TAGS = 12;

  /** So many combinations are offered, the best. */
  private static final int MOST_PAIRS = 3;

  private static final int MOST_GROUPS = 200;

  /** So much better than one tag two have to part the objects, and each group has to be. */
  private static final double BETTER = 0.01;

  private static final double MORE_ALIKE = 0.1;

  /** Properties of these names say how large an object is, if they are numbers. */
  private static final Pattern SIZE =
      Pattern.compile("(cpu|core|memory|mem|ram)", Pattern.CASE_INSENSITIVE);

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,3})?");

  /** Properties of these names say what runs on it. */
  private static final Pattern SYSTEM =
      Pattern.compile(
          "guest_?(full_?name|id|family)$|(^|[|_. ])os([|_. ]|$)", Pattern.CASE_INSENSITIVE);

  private final List<Candidate> objects;

  /** Of each object its size, its system, and its name without numbers. */
  private final Map<Integer, List<String>> aspects = new HashMap<>();

  private final Map<String, Map<String, List<Candidate>>> byTag = new TreeMap<>();

  private TagStarters(List<Candidate> objects) {
    this.objects = objects;
    for (Candidate one : objects) {
      aspects.put(one.id(), List.of(size(one), system(one), stem(one)));
      one.tags()
          .forEach(
              (key, value) ->
                  byTag
                      .computeIfAbsent(key, k -> new TreeMap<>())
                      .computeIfAbsent(value, v -> new ArrayList<>())
                      .add(one));
    }
  }

  /**
   * A group that could be made.
   *
   * @param tags one or two, as scopes write them
   * @param members in the order in which they were given
   * @param alike from 0 to 1
   */
  record Found(List<String> tags, List<Candidate> members, double alike) {}

  private record Pair(String first, String second, double quality) {}

  /**
   * Finds them, the most alike first, then the largest.
   *
   * @param objects of one kind
   */
  static List<Found> of(List<Candidate> objects) {
    return new TagStarters(objects).find();
  }

  private List<Found> find() {
    List<Found> found = new ArrayList<>();
    Set<List<Candidate>> seen = new HashSet<>();
    byTag.forEach(
        (key, values) ->
            values.forEach(
                (value, members) -> {
                  // A tag that all objects have parts nothing.
                  if (isUsable(members) && members.size() < objects.size() && seen.add(members)) {
                    found.add(new Found(List.of(key + "=" + value), members, alike(members)));
                  }
                }));
    for (Pair pair : pairs()) {
      cells(objects, pair)
          .values()
          .forEach(
              members -> {
                if (isUsable(members) && isMoreAlike(members, pair) && seen.add(members)) {
                  String first = members.getFirst().tags().get(pair.first());
                  String second = members.getFirst().tags().get(pair.second());
                  found.add(
                      new Found(
                          List.of(pair.first() + "=" + first, pair.second() + "=" + second),
                          members,
                          alike(members)));
                }
              });
    }
    found.sort(
        Comparator.comparingLong((Found one) -> -Math.round(one.alike() * 10))
            .thenComparingInt(one -> -one.members().size())
            .thenComparing(one -> String.join(" ", one.tags())));
    return List.copyOf(found.subList(0, Math.min(MOST_GROUPS, found.size())));
  }

  private static boolean isUsable(List<Candidate> members) {
    return members.size() >= FEWEST && members.size() <= MOST;
  }

  // Two tags ------------------------------------------------------------------------------------

  /** Combinations that part objects better than their tags alone, the best first. */
  private List<Pair> pairs() {
    List<String> keys =
        byTag.entrySet().stream()
            // What hardly two objects share is an identifier.
            .filter(tag -> tag.getValue().size() > 1)
            .filter(tag -> tag.getValue().size() * FEWEST <= count(tag.getValue()))
            .sorted(
                Comparator.comparingInt(
                    (Map.Entry<String, Map<String, List<Candidate>>> tag) ->
                        -count(tag.getValue())))
            .limit(MOST_TAGS)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    List<Pair> pairs = new ArrayList<>();
    for (int a = 0; a < keys.size(); a++) {
      for (int b = a + 1; b < keys.size(); b++) {
        String first = keys.get(a);
        String second = keys.get(b);
        List<Candidate> both =
            objects.stream()
                .filter(one -> one.tags().containsKey(first) && one.tags().containsKey(second))
                .toList();
        Pair pair = new Pair(first, second, quality(cells(both, first, second).values(), both));
        double alone =
            Math.max(
                quality(by(both, one -> requireNonNull(one.tags().get(first))).values(), both),
                quality(by(both, one -> requireNonNull(one.tags().get(second))).values(), both));
        if (pair.quality() >= alone + BETTER) {
          pairs.add(pair);
        }
      }
    }
    pairs.sort(
        Comparator.comparingDouble((Pair pair) -> -pair.quality())
            .thenComparing(Pair::first)
            .thenComparing(Pair::second));
    return pairs.subList(0, Math.min(MOST_PAIRS, pairs.size()));
  }

  private static int count(Map<String, List<Candidate>> values) {
    return values.values().stream().mapToInt(List::size).sum();
  }

  private static Map<List<String>, List<Candidate>> cells(List<Candidate> objects, Pair pair) {
    return cells(objects, pair.first(), pair.second());
  }

  private static Map<List<String>, List<Candidate>> cells(
      List<Candidate> objects, String first, String second) {
    Map<List<String>, List<Candidate>> cells =
        new TreeMap<>(Comparator.comparing((List<String> key) -> String.join("\n", key)));
    for (Candidate one : objects) {
      String a = one.tags().get(first);
      String b = one.tags().get(second);
      if (a != null && b != null) {
        cells.computeIfAbsent(List.of(a, b), key -> new ArrayList<>()).add(one);
      }
    }
    return cells;
  }

  /** The part of the objects that would be in a group with those that they are like. */
  private double quality(Collection<List<Candidate>> cells, List<Candidate> all) {
    return cells.stream()
            .filter(TagStarters::isUsable)
            .mapToDouble(cell -> cell.size() * alike(cell))
            .sum()
        / Math.max(1, all.size());
  }

  private boolean isMoreAlike(List<Candidate> members, Pair pair) {
    double alike = alike(members);
    for (String key : List.of(pair.first(), pair.second())) {
      List<Candidate> all =
          byTag
              .getOrDefault(key, Map.of())
              .getOrDefault(members.getFirst().tags().get(key), List.of());
      if (isUsable(all) && alike < alike(all) + MORE_ALIKE) {
        return false;
      }
    }
    return true;
  }

  // Alike ---------------------------------------------------------------------------------------

  /** From 0 to 1; objects of which nothing is known are all alike. */
  private double alike(List<Candidate> members) {
    double sum = 0;
    int known = 0;
    for (int k = 0; k < 3; k++) {
      int aspect = k;
      Map<String, List<Candidate>> by =
          by(members, one -> requireNonNull(aspects.get(one.id())).get(aspect));
      if (by.size() > 1 || !by.containsKey("")) {
        sum += by.values().stream().mapToInt(List::size).max().orElse(0) / (double) members.size();
        known++;
      }
    }
    return known == 0 ? 1 : sum / known;
  }

  private static Map<String, List<Candidate>> by(
      List<Candidate> objects, Function<Candidate, String> what) {
    Map<String, List<Candidate>> by = new HashMap<>();
    for (Candidate one : objects) {
      by.computeIfAbsent(what.apply(one), key -> new ArrayList<>()).add(one);
    }
    return by;
  }

  /** What says how large an object is; empty = nothing does. */
  static String size(Candidate one) {
    return properties(one, SIZE, true);
  }

  private static String system(Candidate one) {
    return properties(one, SYSTEM, false);
  }

  private static String properties(Candidate one, Pattern named, boolean numbers) {
    StringBuilder found = new StringBuilder();
    one.properties()
        .forEach(
            (key, value) -> {
              if (named.matcher(key).find() && (!numbers || NUMBER.matcher(value).matches())) {
                found.append(found.isEmpty() ? "" : " ").append(key).append('=').append(value);
              }
            });
    return found.toString();
  }

  /** The name without numbers: {@code shop-web-07} is "shop-web-". */
  private static String stem(Candidate one) {
    return one.name().replaceAll("[0-9]+", "");
  }
}
