package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.TemplateNode.Part;
import java.math.BigDecimal;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Placeholder between <code>${</code> and <code>}</code>: a path and the filters behind it.
 *
 * @param place where it stands in the document
 */
record Placeholder(String place, Path path, List<Filters.Filter> filters) implements Part {

  JsonNode resolve(Rendering rendering) {
    JsonNode value = rendering.outside(rendering.value(path));
    for (Filters.Filter filter : filters) {
      try {
        value = filter.apply(value);
        if (value.isString() && value.stringValue().length() > Rendering.MAX_CHARACTERS) {
          throw new Filters.Unfit("grows beyond " + Rendering.MAX_CHARACTERS / 1024 + " KB");
        }
      } catch (Filters.Unfit | JacksonException | ArithmeticException e) {
        throw new TemplateException(place, "${" + path + "}: " + e.getMessage(), e);
      }
    }
    if (value.isString()) {
      rendering.count(value.stringValue().length());
    }
    return value;
  }

  @Override
  public String text(Rendering rendering) {
    return text(resolve(rendering));
  }

  /** A value within a text: nothing for null, plain decimals, JSON for arrays and objects. */
  static String text(JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return "";
    }
    if (value.isFloatingPointNumber()) {
      double number = value.asDouble(Double.NaN);
      return Double.isFinite(number) && Math.abs(number) < 1e15 && Math.abs(number) >= 1e-9
          ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
          : number == 0 ? "0" : value.toString();
    }
    return value.isString() ? value.stringValue() : value.toString();
  }
}
