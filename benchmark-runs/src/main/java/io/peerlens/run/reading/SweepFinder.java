package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import io.peerlens.run.reading.Sweeps.Group;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Search for sweeps through groups of equal settings; {@link Sweeps} says what one is. Values are
 * looked up as numbers, one of each distinct text, so that ten thousand runs take seconds.
 */
final class SweepFinder {

  /** With fewer values, one to one may be chance. */
  private static final int FOLLOWS_FROM = 3;

  /** What follows from a parameter by its meaning. */
  private static final Map<String, List<String>> PRODUCTS =
      Map.of(
          Parameter.QUEUE_DEPTH, List.of(Parameter.OUTSTANDING),
          Parameter.THREADS, List.of(Parameter.OUTSTANDING),
          Parameter.DISKS, List.of(Parameter.OUTSTANDING, Parameter.WORKING_SET),
          Parameter.MACHINES, List.of(Parameter.OUTSTANDING, Parameter.WORKING_SET));

  private final List<Group> all;

  /** Names whose values differ. */
  private final List<String> varying;

  /** By group and place in {@code varying}; 0 = the group does not say. */
  private final int[][] codes;

  /** By code, what was seen in the round {@code round}. */
  private final int[] seen;

  private final int[] partner;
  private int round;

  /** By the groups they are made of: the same set is told once, by its best name. */
  private final Map<List<Integer>, Sweep> found = new LinkedHashMap<>();

  SweepFinder(List<Group> all) {
    this.all = all;
    TreeSet<String> names = new TreeSet<>();
    for (Group group : all) {
      names.addAll(group.settings().keySet());
    }
    names.removeIf(
        name -> all.stream().allMatch(group -> group.get(name).equals(all.getFirst().get(name))));
    varying = List.copyOf(names);
    codes = new int[all.size()][varying.size()];
    for (int n = 0; n < varying.size(); n++) {
      Map<String, Integer> known = new HashMap<>();
      known.put("", 0);
      for (Group group : all) {
        String value = group.get(varying.get(n));
        known.putIfAbsent(value, known.size());
        codes[group.index()][n] = known.get(value);
      }
    }
    seen = new int[all.size() + 1];
    partner = new int[all.size() + 1];
  }

  Collection<Sweep> find() {
    List<Integer> turned = new ArrayList<>();
    for (int n = 0; n < varying.size(); n++) {
      if (!varying.get(n).equals(Settings.TOOL)) {
        turned.add(n);
      }
    }
    turned.sort(Comparator.comparingInt(n -> Settings.rank(varying.get(n))));
    for (int parameter : turned) {
      List<String> products = PRODUCTS.getOrDefault(varying.get(parameter), List.of());
      List<Integer> equal = new ArrayList<>();
      for (int n = 0; n < varying.size(); n++) {
        String name = varying.get(n);
        if (n != parameter
            && !products.contains(name)
            && (Settings.COMMON.contains(name) || name.equals(Settings.TOOL))) {
          equal.add(n);
        }
      }
      List<Group> groups =
          all.stream()
              .filter(group -> codes[group.index()][parameter] != 0 || unlimited(parameter))
              .toList();
      for (List<Group> alike : parted(groups, equal)) {
        divide(parameter, products, alike);
      }
    }
    return found.values();
  }

  /** A run without a limit is the last point of those with one. */
  private boolean unlimited(int parameter) {
    return varying.get(parameter).equals(Parameter.RATE_LIMIT);
  }

  private Collection<List<Group>> parted(List<Group> groups, List<Integer> by) {
    return groups.stream()
        .collect(
            Collectors.groupingBy(
                group -> by.stream().map(n -> codes[group.index()][n]).toList(),
                LinkedHashMap::new,
                Collectors.toList()))
        .values();
  }

  /** Parts groups until all that differs between them follows from the parameter. */
  private void divide(int parameter, List<String> products, List<Group> groups) {
    if (groups.size() < 2) {
      return;
    }
    List<Integer> parting = new ArrayList<>();
    int fewest = Integer.MAX_VALUE;
    List<String> following = new ArrayList<>();
    int of = distinct(groups, parameter);
    for (int n = 0; n < varying.size(); n++) {
      int values = distinct(groups, n);
      if (n == parameter || values == 1) {
        continue;
      }
      if (follows(parameter, of, n, values, products, groups)) {
        following.add(varying.get(n));
      } else if (values <= fewest) {
        // What has few values parts the rest; what names single runs would leave nothing.
        if (values < fewest) {
          parting.clear();
        }
        fewest = values;
        parting.add(n);
      }
    }
    if (parting.isEmpty()) {
      add(varying.get(parameter), following, groups);
    } else {
      parted(groups, parting).forEach(part -> divide(parameter, products, part));
    }
  }

  private int distinct(List<Group> groups, int n) {
    round++;
    int count = 0;
    for (Group group : groups) {
      int code = codes[group.index()][n];
      if (seen[code] != round) {
        seen[code] = round;
        count++;
      }
    }
    return count;
  }

  /**
   * Whether one parameter follows from another.
   *
   * @param of how many values the other has
   * @param values how many this one has
   */
  private boolean follows(
      int parameter, int of, int n, int values, List<String> products, List<Group> groups) {
    round++;
    for (Group group : groups) {
      int from = codes[group.index()][parameter];
      int to = codes[group.index()][n];
      if (seen[from] == round && partner[from] != to) {
        return false;
      }
      seen[from] = round;
      partner[from] = to;
    }
    if (products.contains(varying.get(n))) {
      return true;
    }
    // A function of the other with as many values is one to one.
    return values == of
        && (of >= FOLLOWS_FROM
            || groups.stream()
                .allMatch(group -> names(group, varying.get(parameter), varying.get(n))));
  }

  /** Whether a text holds the value of the parameter, such as {@code depth-16}. */
  private static boolean names(Group group, String parameter, String name) {
    return Arrays.asList(group.get(name).split("[^0-9A-Za-z.]+|(?<=[A-Za-z])(?=[0-9])", 100))
        .contains(group.get(parameter));
  }

  private void add(String turned, List<String> following, List<Group> groups) {
    // One group for each value, for all else follows from it.
    boolean outstanding =
        following.contains(Parameter.OUTSTANDING)
            && (turned.equals(Parameter.QUEUE_DEPTH) || turned.equals(Parameter.THREADS))
            && distinct(groups, varying.indexOf(Parameter.OUTSTANDING)) == groups.size();
    String parameter = outstanding ? Parameter.OUTSTANDING : turned;
    List<String> others = new ArrayList<>(following);
    others.remove(parameter);
    List<Sweep.Point> points = new ArrayList<>();
    for (Group group : groups) {
      String value = group.get(parameter);
      points.add(new Sweep.Point(value, Settings.number(value), group.runs()));
    }
    points.sort(
        Comparator.comparing(Sweep.Point::number, Comparator.nullsLast(Double::compare))
            .thenComparing(Sweep.Point::value));
    SortedMap<String, String> fixed = new TreeMap<>(groups.getFirst().settings());
    for (Group group : groups) {
      fixed.entrySet().removeIf(entry -> !group.get(entry.getKey()).equals(entry.getValue()));
    }
    List<Integer> key = groups.stream().map(Group::index).sorted().toList();
    found.putIfAbsent(
        key, new Sweep(parameter, outstanding ? turned : null, others, fixed, points));
  }
}
