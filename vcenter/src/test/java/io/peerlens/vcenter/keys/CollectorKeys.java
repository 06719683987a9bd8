package io.peerlens.vcenter.keys;

import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.vcenter.inventory.ExampleVCenter;
import io.peerlens.vcenter.performance.Figure;
import io.peerlens.vcenter.performance.Figures;
import io.peerlens.vcenter.performance.PerfLines;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PerfBlock;
import io.peerlens.vcenter.vim.PerfCounter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Keys that the collector of vCenter tells, found out by what it does: the inventory tells of an
 * example that has everything, counters go through the writer of lines and the mapping files.
 */
final class CollectorKeys {

  /** Kinds by the type of vim25 in counters.yaml and of figures. */
  private static final Map<String, String> KINDS =
      Map.of(Figures.VCENTER, "VMwareAdapter Instance");

  private static final long TIME = 1_800_000_000_000L;

  /**
   * How a key is told.
   *
   * @param what property, metric, or both
   * @param total whether of the object as a whole
   * @param instances whether of instances
   */
  record Told(String what, String unit, boolean total, boolean instances, String from) {

    Told and(Told other) {
      return new Told(
          what.equals(other.what) ? what : "property and metric",
          unit.isEmpty() ? other.unit : unit,
          total || other.total,
          instances || other.instances,
          from.equals(other.from) ? from : from + "; " + other.from);
    }
  }

  private final Mappings mappings = Mappings.shipped();
  private final Map<String, Map<String, Told>> byKind = new TreeMap<>();

  CollectorKeys() {
    new ExampleVCenter()
        .keys()
        .forEach(
            (kind, keys) ->
                keys.forEach(
                    (key, told) ->
                        add(
                            kind,
                            key,
                            new Told(
                                told.metric() ? "metric" : "property",
                                told.unit(),
                                told.total(),
                                told.instances(),
                                told.from().isEmpty()
                                    ? told.metric() ? "counted" : "relations, tags, attributes"
                                    : code(told.from())))));
    JsonNode counters = counters();
    counters
        .properties()
        .forEach(
            type -> {
              String measurement = type.getValue().path("measurement").asString();
              for (String part : List.of("total", "each")) {
                for (JsonNode name : type.getValue().path(part)) {
                  for (String counter : expanded(name.asString())) {
                    String[] words = words(counter);
                    series(
                        type.getKey(),
                        measurement,
                        new PerfCounter(1, words[0], words[1], words[2], "number", 1),
                        part.equals("each"),
                        "`" + counter + "`");
                  }
                }
              }
              figures(type.getKey(), measurement);
            });
    figures(Figures.VCENTER, "vcenter");
  }

  private static String code(Set<String> paths) {
    return "`" + String.join("`, `", paths) + "`";
  }

  static JsonNode counters() {
    try (InputStream in = CollectorKeys.class.getResourceAsStream("/vcenter/counters.yaml")) {
      return new YAMLMapper().readTree(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Counters that a pattern stands for; those of vmop are the ones that vSphere documents. */
  static List<String> expanded(String name) {
    if (!name.equals("vmop.*.latest")) {
      return List.of(name);
    }
    return Figures.told("Datacenter").stream()
        .filter(figure -> figure.key().startsWith("vmop|"))
        .map(figure -> "vmop." + figure.key().replaceAll(".*\\|(.*)_latest", "$1") + ".latest")
        .sorted()
        .toList();
  }

  static String[] words(String counter) {
    int first = counter.indexOf('.');
    int last = counter.lastIndexOf('.');
    return new String[] {
      counter.substring(0, first), counter.substring(first + 1, last), counter.substring(last + 1)
    };
  }

  private void figures(String type, String measurement) {
    for (Figure figure : Figures.told(type)) {
      int bar = figure.key().lastIndexOf('|');
      boolean instances =
          figure.key().startsWith("virtualDisk|")
              && List.of("commandsAveraged_average", "usage", "totalLatency", "vDiskOIO")
                  .contains(figure.key().substring(bar + 1));
      PerfCounter counter =
          new PerfCounter(
              1, figure.key().substring(0, bar), figure.key().substring(bar + 1), "", "percent", 1);
      series(type, measurement, counter, false, figure.rule().words());
      if (instances) {
        series(type, measurement, counter, true, figure.rule().words());
      }
    }
  }

  /** Writes a line of a counter, and asks the mapping files what it is. */
  private void series(
      String type, String measurement, PerfCounter counter, boolean each, String from) {
    PerfBlock block =
        new PerfBlock(
            new Moref(type, "m-1"),
            new long[] {TIME},
            List.of(new PerfBlock.Series(1, each ? "one" : "", new long[] {100})));
    String line =
        new String(
            new PerfLines("vc", List.of(counter)).of(block, measurement, 20, 0),
            StandardCharsets.UTF_8);
    String[] parts = line.strip().split(" ");
    String[] head = parts[0].split(",");
    Map<String, String> tags = new LinkedHashMap<>();
    for (int i = 1; i < head.length; i++) {
      tags.put(head[i].split("=")[0], head[i].split("=")[1]);
    }
    MappedSeries mapped = mappings.map(head[0], tags);
    FieldUse use = Objects.requireNonNull(mapped.fields()).number(parts[1].split("=")[0]);
    if (!(use instanceof FieldUse.Value value)) {
      throw new IllegalStateException(line + " is no metric but " + use);
    }
    String unit = value.unit();
    add(
        mapped.key().object().objectKind(),
        mapped.key().group() + "|" + value.metric(),
        new Told(
            "metric",
            unit == null ? "" : unit,
            mapped.key().instance().isEmpty(),
            !mapped.key().instance().isEmpty(),
            from));
  }

  private void add(String kind, String key, Told told) {
    byKind.computeIfAbsent(kind, k -> new TreeMap<>()).merge(key, told, Told::and);
  }

  /** Keys with how they are told, by kind. */
  Map<String, Map<String, Told>> byKind() {
    return byKind;
  }

  @Nullable Told find(String kind, String key) {
    return byKind.getOrDefault(kind, Map.of()).get(key);
  }

  /** Kind of objects of a type of vim25. */
  static String kind(String type) {
    return KINDS.getOrDefault(type, type);
  }

  /** All kinds that are told of. */
  List<String> kinds() {
    return new ArrayList<>(byKind.keySet());
  }
}
