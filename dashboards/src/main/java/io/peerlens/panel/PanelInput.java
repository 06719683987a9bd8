package io.peerlens.panel;

import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A panel to be answered.
 *
 * @param panel with the question of its view in it
 * @param variables values of variables by name; objects by their ids
 * @param from start of the dashboard's range
 * @param to end of the range: the moment that is asked for
 * @param asOf a past moment at which alerts and properties count; null = now
 * @param compareBy how much earlier the compared window is; null = nothing is compared, zero = by
 *     its length
 * @param sort order instead of the panel's; empty = the panel's
 * @param limit rows instead of the panel's
 * @param points how many points a series has at most
 */
record PanelInput(
    Panel panel,
    Map<String, String> variables,
    Instant from,
    Instant to,
    @Nullable Instant asOf,
    @Nullable Duration compareBy,
    List<Question.Sort> sort,
    @Nullable Integer limit,
    int points) {

  PanelInput {
    variables = Map.copyOf(variables);
    sort = List.copyOf(sort);
  }

  /**
   * The same with numbers in place of the variables that say which percentile is meant.
   *
   * @throws EmptyPanel if one has to be chosen first
   * @throws ApiException if one is no percentile
   */
  PanelInput withPercentiles(VariableTexts texts) {
    List<String> names = question().percentiles();
    if (names.isEmpty()) {
      return this;
    }
    Map<String, Double> percents = new HashMap<>();
    for (String name : names) {
      String text = texts.value(name);
      percents.put(
          name,
          Column.Transform.Percentile.parse(text)
              .orElseThrow(
                  () ->
                      ApiException.invalidField(
                              "variables." + name,
                              "is \"" + text + "\", which is no percentile of a column")
                          .hint("Give a number between 0 and 100, such as 95.")));
    }
    return new PanelInput(
        panel.asking(question().withPercentiles(percents)),
        variables,
        from,
        to,
        asOf,
        compareBy,
        sort,
        limit,
        points);
  }

  Question question() {
    return panel.question();
  }

  /** The range of the panel: its own window before the moment, or that of the dashboard. */
  Instant start() {
    Duration window = question().window();
    return window == null ? from : to.minus(window);
  }

  List<Question.Sort> order() {
    return sort.isEmpty() ? question().sort() : sort;
  }

  int rows(int usual) {
    Integer own = question().limit();
    return limit != null ? limit : own != null ? own : usual;
  }
}
