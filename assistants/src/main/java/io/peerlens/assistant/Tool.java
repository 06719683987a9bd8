package io.peerlens.assistant;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A tool that a model may call. It reads and changes nothing.
 *
 * @param name a verb and what it is about
 * @param title for people
 * @param description when to use it and what it answers, for the model
 */
record Tool(String name, String title, String description, List<Parameter> parameters, Work work) {

  /** What it does when it is called. */
  @FunctionalInterface
  interface Work {
    /**
     * Answers a call.
     *
     * @throws ToolProblem when it cannot be answered as asked
     */
    Answer answer(Arguments arguments);
  }

  /** JSON schema of the arguments. */
  Map<String, Object> schema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    parameters.forEach(one -> properties.put(one.name(), one.schema()));
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    List<String> required =
        parameters.stream().filter(Parameter::required).map(Parameter::name).toList();
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    schema.put("additionalProperties", false);
    return schema;
  }
}
