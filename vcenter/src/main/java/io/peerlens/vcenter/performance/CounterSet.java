package io.peerlens.vcenter.performance;

import io.peerlens.vcenter.vim.PerfCounter;
import io.peerlens.vcenter.vim.PerfQuery;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Set of counters that are read of each type of managed object. */
public final class CounterSet {

  /** Part of a name, with few stars, so that no name takes long to be matched. */
  private static final Pattern PART = Pattern.compile("(?!$)\\w*+(?:\\*\\w*+){0,2}");

  private final Map<String, Wanted> byType = new LinkedHashMap<>();
  private final Set<Pattern> without = new LinkedHashSet<>();

  /**
   * What is wanted of a type.
   *
   * @param measurement part of the measurement's name, such as {@code vm}
   * @param intervalSeconds 20 or 300
   * @param total names with {@code *}, of the object as a whole
   * @param each names with {@code *}, of every instance
   */
  private record Wanted(
      String measurement, int intervalSeconds, List<Pattern> total, List<Pattern> each) {}

  /**
   * Counters of one vCenter that are read of a type.
   *
   * @param measurement such as {@code vm}
   * @param metrics counters with instances
   */
  public record Chosen(
      String type, String measurement, int intervalSeconds, List<PerfQuery.Metric> metrics) {

    public Chosen {
      metrics = List.copyOf(metrics);
    }
  }

  private CounterSet() {}

  /** The set that is shipped, documented in docs/vcenter.md. */
  public static CounterSet shipped() {
    try (InputStream in = CounterSet.class.getResourceAsStream("/vcenter/counters.yaml")) {
      CounterSet set = new CounterSet();
      JsonNode root = new YAMLMapper().readTree(Objects.requireNonNull(in));
      for (Map.Entry<String, JsonNode> type : root.properties()) {
        JsonNode wanted = type.getValue();
        set.byType.put(
            type.getKey(),
            new Wanted(
                wanted.path("measurement").asString(),
                wanted.path("interval").asInt(),
                patterns(wanted.path("total")),
                patterns(wanted.path("each"))));
      }
      return set;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Pattern> patterns(JsonNode names) {
    List<Pattern> patterns = new ArrayList<>();
    names.forEach(name -> patterns.add(pattern(name.asString())));
    return patterns;
  }

  private static Pattern pattern(String name) {
    return Pattern.compile(
        "\\Q" + name.strip().replace("*", "\\E[^.]*\\Q") + "\\E", Pattern.CASE_INSENSITIVE);
  }

  /**
   * This set with some counters more, and without some.
   *
   * @param changes names separated by commas, such as {@code cpu.ready.summation, -rescpu.*.*}; one
   *     with a minus is taken away, another is added, as a whole and of every instance, for virtual
   *     machines and hosts. {@code *} stands for any text without a dot. Empty changes nothing
   * @throws IllegalArgumentException naming the first that is no counter
   */
  public CounterSet with(String changes) {
    CounterSet changed = new CounterSet();
    List<Pattern> more = new ArrayList<>();
    List<Pattern> less = new ArrayList<>();
    for (String name : changes.split(",", -1)) {
      if (!name.isBlank()) {
        boolean minus = name.strip().startsWith("-");
        String counter = minus ? name.strip().substring(1) : name.strip();
        String[] parts = counter.split("\\.", -1);
        if (parts.length != 3 || !Stream.of(parts).allMatch(PART.asMatchPredicate())) {
          throw new IllegalArgumentException("\"" + counter + "\" is no counter");
        }
        (minus ? less : more).add(pattern(counter));
      }
    }
    byType.forEach((type, wanted) -> changed.byType.put(type, changed(wanted, more)));
    changed.without.addAll(without);
    changed.without.addAll(less);
    return changed;
  }

  private static Wanted changed(Wanted wanted, List<Pattern> more) {
    if (wanted.intervalSeconds != 20) {
      return wanted;
    }
    List<Pattern> total = new ArrayList<>(wanted.total);
    List<Pattern> each = new ArrayList<>(wanted.each);
    total.addAll(more);
    each.addAll(more);
    return new Wanted(wanted.measurement, wanted.intervalSeconds, total, each);
  }

  /** What is read of a vCenter that has some counters; what it does not have is left out. */
  public List<Chosen> of(Collection<PerfCounter> counters) {
    List<Chosen> all = new ArrayList<>();
    byType.forEach(
        (type, wanted) -> {
          List<PerfQuery.Metric> metrics = new ArrayList<>();
          for (PerfCounter counter : counters) {
            String name = counter.fullName();
            if (without.stream().anyMatch(pattern -> pattern.matcher(name).matches())) {
              continue;
            }
            if (wanted.total.stream().anyMatch(pattern -> pattern.matcher(name).matches())) {
              metrics.add(new PerfQuery.Metric(counter.id(), ""));
            }
            if (wanted.each.stream().anyMatch(pattern -> pattern.matcher(name).matches())) {
              metrics.add(new PerfQuery.Metric(counter.id(), "*"));
            }
          }
          if (!metrics.isEmpty()) {
            all.add(new Chosen(type, wanted.measurement, wanted.intervalSeconds, metrics));
          }
        });
    return all;
  }
}
