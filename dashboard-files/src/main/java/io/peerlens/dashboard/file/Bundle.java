package io.peerlens.dashboard.file;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A file of dashboards and views.
 *
 * @param superMetrics as vRealize Operations exports them; null = none
 * @param views each with the JSON that it was read from
 * @param dashboards likewise
 */
public record Bundle(
    Needs needs,
    @Nullable JsonNode superMetrics,
    List<Item<View>> views,
    List<Item<Dashboard>> dashboards,
    List<Example> tests) {

  public Bundle {
    views = List.copyOf(views);
    dashboards = List.copyOf(dashboards);
    tests = List.copyOf(tests);
  }

  /** Something that was read, and what it was read from. */
  public record Item<T>(T read, JsonNode json) {}

  /** What is not in the file and has to be there. */
  public record Needs(List<Needed> superMetrics, List<Needed> groups, List<String> collectors) {
    /** Nothing. */
    public static final Needs NONE = new Needs(List.of(), List.of(), List.of());

    public Needs {
      superMetrics = List.copyOf(superMetrics);
      groups = List.copyOf(groups);
      collectors = List.copyOf(collectors);
    }
  }

  /** Something by its name; {@code pack} brings it. */
  public record Needed(@Nullable UUID id, String name, @Nullable String pack) {}

  /**
   * An example inventory, and what panels show of it.
   *
   * @param variables texts and numbers as texts; objects by their names
   */
  public record Example(
      String name,
      java.time.@Nullable Instant at,
      List<ExampleObject> objects,
      Map<String, String> variables,
      List<Expected> expected) {
    public Example {
      objects = List.copyOf(objects);
      variables = Map.copyOf(variables);
      expected = List.copyOf(expected);
    }
  }

  /**
   * An object of an example.
   *
   * @param metrics values by key: how long before now, and value
   */
  public record ExampleObject(
      String name,
      io.peerlens.supermetrics.formula.ObjectKind kind,
      List<String> parents,
      Map<String, String> tags,
      Map<String, String> properties,
      Map<String, List<Sample>> metrics) {
    public ExampleObject {
      parents = List.copyOf(parents);
      tags = Map.copyOf(tags);
      properties = Map.copyOf(properties);
      metrics = Map.copyOf(metrics);
    }
  }

  /**
   * A value of an example.
   *
   * @param before how long before now; null = at every minute of the window
   */
  public record Sample(java.time.@Nullable Duration before, double value) {}

  /**
   * What a panel or a view shows.
   *
   * @param rows null = nothing is said about them
   * @param empty why it shows nothing; null = it shows something
   */
  public record Expected(
      @Nullable String dashboard,
      @Nullable String panel,
      @Nullable String view,
      @Nullable List<ExpectedRow> rows,
      @Nullable String empty) {}

  /** A row; cells are a {@link Double}, a text, or null = no value. */
  public record ExpectedRow(
      String object, @Nullable String instance, Map<String, @Nullable Object> cells) {}
}
