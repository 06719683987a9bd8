package io.peerlens.dashboard.file;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A named question, for panels, reports and the API.
 *
 * @param show how it is shown where nothing else is said
 */
public record View(
    @Nullable UUID id,
    String name,
    @Nullable String folder,
    String description,
    Show show,
    Question question) {

  /** How a view is shown. */
  public enum Show {
    TABLE,
    BARS,
    DONUT,
    HISTOGRAM,
    CHART,
    SCOREBOARD,
    TOP,
    HEATMAP,
    TIMELINE,
    SPARKLINES
  }
}
