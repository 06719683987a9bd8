package io.peerlens.dashboard.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Variables that a panel sets and reads. Each must be one of its dashboard; one that says which
 * percentile must hold numbers.
 */
final class PanelVariables {

  private final Node node;
  private final Map<String, Variable> variables;

  /**
   * Creates a check of one panel.
   *
   * @param node the panel, for mistakes
   * @param variables those of its dashboard by name
   */
  PanelVariables(Node node, Map<String, Variable> variables) {
    this.node = node;
    this.variables = variables;
  }

  /** Notes names of variables that are not there, and variables that cannot be percentiles. */
  void check(Panel panel) {
    for (String name : panel.sets().keySet()) {
      known("sets", name);
    }
    if (panel.subject() instanceof Select.Subject.Variable subject) {
      known("reads", subject.name());
    }
    Question question = panel.question();
    if (question.select() != null) {
      question.select().slices().forEach(name -> known("reads", name));
      for (Select.Subject ancestor : question.select().scope().ancestors()) {
        if (ancestor instanceof Select.Subject.Variable variable) {
          known("reads", variable.name());
        }
      }
    }
    for (String name : question.percentiles()) {
      known("reads", name);
      Variable variable = variables.get(name);
      if (variable != null) {
        percentile(variable);
      }
    }
  }

  private void known(String does, String name) {
    if (!variables.containsKey(name)) {
      node.wrong(
          does + " the variable " + name + ", which there is not",
          variables.isEmpty()
              ? "Add it to variables."
              : "Add it to variables, or take one of "
                  + String.join(", ", variables.keySet())
                  + ".");
    }
  }

  /** A variable that says which percentile holds one whenever it holds a value. */
  private void percentile(Variable variable) {
    if (variable.type() != Variable.Type.NUMBER && variable.type() != Variable.Type.TEXT) {
      node.wrong(
          "reads the variable %s as a percentile, and its type is %s"
              .formatted(variable.name(), variable.type().name().toLowerCase(Locale.ROOT)),
          "Let it be of the type number or text.");
      return;
    }
    List<String> values = new ArrayList<>(variable.choices());
    if (variable.initial() instanceof Variable.Default.Value value) {
      values.add(value.text());
    }
    for (String value : values) {
      if (Column.Transform.Percentile.parse(value).isEmpty()) {
        node.wrong(
            "reads the variable %s as a percentile, and it can be \"%s\""
                .formatted(variable.name(), value),
            "Let its default and choices be numbers between 0 and 100, such as 95.");
      }
    }
  }
}
