package io.peerlens.panel;

import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts with variables in them, such as {@code env=$env}. */
final class VariableTexts {

  private static final Pattern VARIABLE = Pattern.compile("\\$([A-Za-z][A-Za-z0-9_-]{0,39})");

  private final Map<String, String> values;

  VariableTexts(Map<String, String> values) {
    this.values = values;
  }

  /**
   * The value of a variable.
   *
   * @throws EmptyPanel if it has to be chosen first
   */
  String value(String name) {
    String value = values.get(name);
    if (value == null || value.isEmpty()) {
      throw new EmptyPanel(
          new PanelEmpty(
                  PanelEmptyReason.CHOOSE,
                  "Choose " + name,
                  "This panel shows what belongs to $" + name + ", and nothing is chosen yet.")
              .variable(name),
          0);
    }
    return value;
  }

  /**
   * A text with the values of its variables.
   *
   * @throws EmptyPanel if one has to be chosen first
   */
  String put(String text) {
    return replace(text, true);
  }

  /** The same for words: what is not chosen stays as it is written. */
  String show(String text) {
    return replace(text, false);
  }

  private String replace(String text, boolean needed) {
    if (text.indexOf('$') < 0) {
      return text;
    }
    Matcher matcher = VARIABLE.matcher(text);
    StringBuilder out = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      String value =
          needed ? value(name) : values.getOrDefault(name, String.valueOf(matcher.group()));
      matcher.appendReplacement(out, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(out).toString();
  }
}
