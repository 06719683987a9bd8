package io.peerlens.dashboard.file;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard.
 *
 * @param refresh how often its panels ask anew; null = once a minute
 * @param panels by name
 * @param layout sections from top to bottom
 */
public record Dashboard(
    @Nullable UUID id,
    String name,
    @Nullable String folder,
    String description,
    @Nullable Time time,
    @Nullable Duration refresh,
    List<Variable> variables,
    Map<String, Panel> panels,
    List<Section> layout) {

  public Dashboard {
    variables = List.copyOf(variables);
    panels = Collections.unmodifiableMap(new LinkedHashMap<>(panels));
    layout = List.copyOf(layout);
  }

  /** Kinds of objects that it is about: those that can be chosen. */
  public List<ObjectKind> kinds() {
    return variables.stream()
        .filter(variable -> variable.type() == Variable.Type.OBJECT)
        .flatMap(variable -> variable.kinds().stream())
        .distinct()
        .toList();
  }

  /** Range of time. */
  public sealed interface Time {
    /** Up to now. */
    record Last(Duration length) implements Time {}

    /** Of the past; {@code to} is exclusive. */
    record Range(Instant from, Instant to) implements Time {}
  }

  /** A section; without a title it is just the grid. */
  public record Section(@Nullable String title, boolean collapsed, List<Item> items) {
    public Section {
      items = List.copyOf(items);
    }
  }

  /** The place of a panel on a grid of 12 columns; x and y count from 1. */
  public record Item(String panel, int x, int y, int w, int h) {}
}
