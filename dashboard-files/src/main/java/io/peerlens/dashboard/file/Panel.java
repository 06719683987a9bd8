package io.peerlens.dashboard.file;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A place on a dashboard that shows the answer to a question.
 *
 * @param view the view whose question it shows; null = only its own
 * @param subject what {@code from: subject} is
 * @param question its own; it holds instead of what the view says
 * @param as of a distribution; null = bars
 * @param usual whether a chart shows what is usual; null = if it has few enough series
 * @param forecast how far ahead a chart shows what is expected
 * @param properties of properties; patterns in which {@code *} is any text; empty = all
 * @param severity the least one of alerts; null = any
 * @param up how many levels of relations upwards; null = the usual number
 * @param down likewise downwards
 * @param by of talkers
 * @param sets variables that a click sets, and to what
 */
public record Panel(
    Type type,
    @Nullable String title,
    @Nullable String note,
    @Nullable ViewRef view,
    Select.@Nullable Subject subject,
    Question question,
    @Nullable As as,
    boolean slider,
    @Nullable Boolean usual,
    @Nullable Duration forecast,
    @Nullable String markdown,
    List<String> properties,
    @Nullable String severity,
    @Nullable Integer up,
    @Nullable Integer down,
    @Nullable String by,
    Map<String, String> sets,
    List<Link> links) {

  public Panel {
    properties = List.copyOf(properties);
    sets = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(sets));
    links = List.copyOf(links);
  }

  /** A panel of which only the question is given. */
  public static Panel of(Type type, Question question) {
    return new Panel(
        type, null, null, null, null, question, null, false, null, null, null, List.of(), null,
        null, null, null, Map.of(), List.of());
  }

  /** The same panel with another question and no view. */
  public Panel asking(Question other) {
    return new Panel(
        type,
        title,
        note,
        null,
        subject,
        other,
        as,
        slider,
        usual,
        forecast,
        markdown,
        properties,
        severity,
        up,
        down,
        by,
        sets,
        links);
  }

  /** Kinds of panels. */
  public enum Type {
    TABLE,
    DISTRIBUTION,
    CHART,
    SCOREBOARD,
    TOP,
    HEATMAP,
    TIMELINE,
    TEXT,
    PROPERTIES,
    ALERTS,
    RELATIONS,
    SPARKLINES,
    OUTLIERS,
    TALKERS,
    IMPACT,
    CAPACITY,
    CHANGES;

    /** How files write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a distribution is drawn. */
  public enum As {
    BARS,
    DONUT,
    HISTOGRAM
  }

  /** A view by its id or its name; one of them is null. */
  public record ViewRef(@Nullable UUID id, @Nullable String name) {}

  /** A link to another dashboard by its name. */
  public record Link(@Nullable String title, String dashboard, Map<String, String> variables) {
    public Link {
      variables = Map.copyOf(variables);
    }
  }
}
