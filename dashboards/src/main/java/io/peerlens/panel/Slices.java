package io.peerlens.panel;

import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Instance;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Column.What;
import io.peerlens.dashboard.file.Select.Condition;
import io.peerlens.dashboard.file.Select.Op;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Slices of a distribution: the conditions that the rows of a bucket meet, as the text that a
 * variable of the type slice holds. It is written as conditions in files are.
 */
final class Slices {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Slices() {}

  /**
   * Conditions on a column.
   *
   * @param pairs operator and value in turn; the value of {@code notExists} is null
   */
  static String write(Column column, @Nullable Object... pairs) {
    ArrayNode conditions = JSON.createArrayNode();
    for (int i = 0; i < pairs.length; i += 2) {
      ObjectNode condition = conditions.addObject();
      what(condition, column.what());
      Duration window = column.window();
      if (window != null) {
        condition.put("window", Durations.print(window));
      }
      condition.put("op", ((Op) Objects.requireNonNull(pairs[i])).word());
      Object value = pairs[i + 1];
      if (value instanceof Double number) {
        condition.put("value", number);
      } else if (value != null) {
        condition.put("value", value.toString());
      }
    }
    return conditions.toString();
  }

  private static void what(ObjectNode condition, What what) {
    switch (what) {
      case Column.Property property -> condition.put("property", property.key());
      case Column.Tag tag -> condition.put("tag", tag.key());
      case Column.Attribute attribute -> condition.put("attribute", camel(attribute.name()));
      case Column.OfMetric of -> {
        ObjectNode metric = condition.putObject("metric");
        ArrayNode any = metric.putArray("any");
        of.metric().any().forEach(any::add);
        switch (of.metric().instance()) {
          case Instance.Over over ->
              metric.put("instance", over.statistic().name().toLowerCase(Locale.ROOT));
          case Instance.Named named -> metric.putObject("instance").put("name", named.name());
          case Instance.Aggregate aggregate -> {}
          case Instance.Each each -> metric.put("instance", "max");
        }
        switch (of.transform()) {
          case Transform.Plain plain -> condition.put("transform", camel(plain.name()));
          case Transform.Percentile percentile ->
              condition.putObject("transform").put("percentile", percentile.percent());
          case Transform.Forecast forecast ->
              condition.putObject("transform").put("forecast", Durations.print(forecast.ahead()));
          case Transform.Reaches reaches ->
              condition.putObject("transform").put("reaches", reaches.value());
          case Transform.Change change -> {
            Duration earlier = change.earlier();
            condition
                .putObject("transform")
                .put("change", earlier == null ? "before" : Durations.print(earlier))
                .put("of", camel(change.of().name()));
          }
          case Transform.Outside outside ->
              condition.putObject("transform").put("outside", "usual");
        }
      }
      case Column.Related related -> condition.put("attribute", "name");
      case Column.Computed computed -> condition.put("attribute", "name");
    }
  }

  /** Whether a condition on single objects can say what a column shows. */
  static boolean canBeWritten(Column column) {
    return !(column.what() instanceof Column.Related)
        && !(column.what() instanceof Column.Computed);
  }

  /**
   * Whether a slice is one of these columns: whatever it compares with, it looks at nothing that
   * they do not show.
   */
  static boolean isOf(List<Column> columns, String variable, String text) {
    List<Condition> shown = new ArrayList<>();
    for (Column column : columns) {
      if (canBeWritten(column)) {
        shown.addAll(read(variable, write(column, Op.NOT_EXISTS, null)));
      }
    }
    return read(variable, text).stream()
        .allMatch(
            one ->
                !(one.value() instanceof String value && value.contains("$"))
                    && shown.stream()
                        .anyMatch(
                            column ->
                                column.what().equals(one.what())
                                    && Objects.equals(column.window(), one.window())));
  }

  private static String camel(String constant) {
    StringBuilder word = new StringBuilder();
    for (String part : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
      word.append(
          word.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    return word.toString();
  }

  /**
   * The conditions of a slice.
   *
   * @param variable that holds it
   * @throws ApiException if it is none
   */
  static List<Condition> read(String variable, String text) {
    String path = "variables." + variable;
    try {
      BundleReader.Result<List<Condition>> read = BundleReader.slice(JSON.readTree(text), path);
      if (read.value() == null) {
        throw PanelRequests.mistakes(read.mistakes());
      }
      return read.value();
    } catch (JacksonException e) {
      throw ApiException.invalidField(path, "is no slice")
          .hint("Take the slice of a bucket that POST /panels/query gives.");
    }
  }
}
