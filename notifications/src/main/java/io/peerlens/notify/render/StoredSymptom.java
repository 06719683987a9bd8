package io.peerlens.notify.render;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.threshold.Condition;
import io.peerlens.words.Figures;
import io.peerlens.words.MetricWords;
import org.jspecify.annotations.Nullable;

/**
 * A symptom of an alert as it is stored with it, and the sentence that says it.
 *
 * @param name of the threshold; null = unknown, as with the others
 * @param object its row in the inventory; 0 = unknown
 * @param key of the metric
 * @param value null = there is none, or it is a text
 * @param bound what the value was compared with; the lower end of a range
 * @param upper null = no range
 */
record StoredSymptom(
    @Nullable String name,
    int object,
    @Nullable String key,
    @Nullable String unit,
    @Nullable String operator,
    @Nullable Double value,
    @Nullable String text,
    @Nullable Double bound,
    @Nullable Double upper) {

  /** The same with the values of an earlier moment. */
  StoredSymptom was(
      @Nullable Double value,
      @Nullable String text,
      @Nullable Double bound,
      @Nullable Double upper) {
    return new StoredSymptom(name, object, key, unit, operator, value, text, bound, upper);
  }

  String keyOrEmpty() {
    return key == null ? "" : key;
  }

  boolean isNoData() {
    return Condition.NO_DATA.equals(operator);
  }

  boolean isRange() {
    return upper != null && bound != null;
  }

  /** The end of the range that the value is beyond, or the bound; null = beyond neither. */
  @Nullable Double crossed() {
    if (upper == null || bound == null) {
      return bound;
    }
    return value == null || "inside".equals(operator)
        ? null
        : value > upper ? upper : value < bound ? bound : null;
  }

  /**
   * The symptom in words.
   *
   * @param newest value of the metric, if the alert is over
   * @param subject the object of the alert; another one is named
   */
  String message(@Nullable Double newest, boolean over, int subject, @Nullable String objectName) {
    StringBuilder message = new StringBuilder(name == null ? "" : name);
    if (objectName != null && object != subject) {
      message.append(" on ").append(objectName);
    }
    String metric = keyOrEmpty();
    message
        .append(": ")
        .append(
            Keys.superMetric(metric) != null
                ? "its super metric"
                : text != null ? MetricWords.ofProperty(metric) : MetricWords.of(metric));
    String verb = over ? " was " : " is ";
    if (text != null) {
      message.append(verb).append(text);
    } else if (value != null) {
      message.append(verb).append(figure(value));
    } else {
      message.append(over ? " had no value" : " has no value");
    }
    Double crossed = crossed();
    if (crossed != null) {
      message.append(", limit ").append(figure(crossed));
    }
    if (bound != null && upper != null) {
      String range = figure(bound) + " to " + figure(upper) + accepted();
      message.append(crossed == null ? ", " + range : " (" + range + ")");
    }
    if (newest != null && !isNoData()) {
      message.append(", now ").append(figure(newest));
    }
    return message.toString();
  }

  private String accepted() {
    if (operator != null && operator.endsWith("-usual")) {
      return " is usual";
    }
    return "inside".equals(operator) ? " is not accepted" : " is accepted";
  }

  private String figure(double number) {
    return Figures.withUnit(number, unit == null ? "" : unit, keyOrEmpty().startsWith("net"));
  }
}
