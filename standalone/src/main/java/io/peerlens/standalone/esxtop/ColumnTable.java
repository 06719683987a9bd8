package io.peerlens.standalone.esxtop;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Table of the columns that are sent, read from {@code esxtop/columns.yaml}. */
final class ColumnTable {

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * The columns of one kind of thing.
   *
   * @param group of columns that name none
   * @param columns by counter
   * @param others group of all other columns; null = they are not sent
   */
  record Section(
      List<String> objects,
      InstanceForm instances,
      String group,
      Map<String, Column> columns,
      @Nullable String others) {}

  /**
   * What becomes of a column.
   *
   * @param group null = that of the section
   * @param times null = 1
   */
  record Column(@Nullable String group, String metric, @Nullable Double times) {}

  /**
   * Where the values of a column go.
   *
   * @param certain whether the owner is a host or surely a virtual machine, and no other group
   * @param instance empty = the value over all instances
   */
  record Target(
      Owner owner, boolean certain, String group, String instance, String metric, double times) {}

  private record Entry(Section section, Map<String, Column> columns) {}

  private final List<Section> sections;
  private final Map<String, List<Entry>> byObject = new HashMap<>();

  private ColumnTable(List<Section> sections) {
    this.sections = sections;
    for (Section section : sections) {
      Map<String, Column> columns = new HashMap<>();
      section.columns.forEach((counter, column) -> columns.put(lower(counter), column));
      for (String object : section.objects) {
        byObject
            .computeIfAbsent(lower(object), o -> new ArrayList<>())
            .add(new Entry(section, columns));
      }
    }
  }

  /** The table that is part of the jar. */
  static ColumnTable shipped() {
    try (InputStream in = ColumnTable.class.getResourceAsStream("/esxtop/columns.yaml")) {
      return new ColumnTable(
          List.of(YAML.readValue(Objects.requireNonNull(in).readAllBytes(), Section[].class)));
    } catch (IOException e) {
      throw new IllegalStateException("The table of columns cannot be read", e);
    }
  }

  List<Section> sections() {
    return sections;
  }

  /** Where a column goes; null when it is not sent. */
  @Nullable Target target(ColumnName name) {
    for (Entry entry : byObject.getOrDefault(lower(name.object()), List.of())) {
      InstanceForm.Place place = entry.section.instances.read(name.instance());
      if (place == null) {
        continue;
      }
      Column column = entry.columns.get(lower(name.counter()));
      if (column != null) {
        return new Target(
            place.owner(),
            entry.section.instances.isCertain(),
            column.group == null ? entry.section.group : column.group,
            place.instance(),
            column.metric,
            column.times == null ? 1 : column.times);
      }
      if (entry.section.others != null) {
        return new Target(
            place.owner(),
            entry.section.instances.isCertain(),
            entry.section.others,
            place.instance(),
            plain(name.counter()),
            1);
      }
    }
    return null;
  }

  /** The name of a metric that nobody has named: {@code % Remote, a/sec} is remoteAPerSec. */
  private static String plain(String counter) {
    StringBuilder plain = new StringBuilder();
    boolean upper = false;
    for (char c : counter.replace("/", " per ").toCharArray()) {
      if (!Character.isLetterOrDigit(c)) {
        upper = !plain.isEmpty();
      } else {
        plain.append(
            upper ? Character.toUpperCase(c) : plain.isEmpty() ? Character.toLowerCase(c) : c);
        upper = false;
      }
    }
    return plain.isEmpty() ? "value" : plain.toString();
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
