package io.peerlens.web;

import io.peerlens.api.ObjectsApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Everything that can be defined through the API, with the contract's examples. */
final class ContractDefinitions {

  /** The id of some other definition in the examples. */
  static final String OTHER = "6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Map<String, Map<String, Object>> CONTRACT = read();

  private ContractDefinitions() {}

  private static Map<String, Map<String, Object>> read() {
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      Map<String, Map<String, Map<String, Object>>> contract =
          new Yaml().load(Objects.requireNonNull(in));
      return Objects.requireNonNull(contract.get("paths"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Operations by path. */
  static Map<String, Map<String, Object>> contract() {
    return CONTRACT;
  }

  /** The part of a body that holds its name: dashboards and views have theirs in the definition. */
  static ObjectNode named(ObjectNode body) {
    return body.path("definition") instanceof ObjectNode definition && definition.has("name")
        ? definition
        : body;
  }

  /** Paths to POST to, and to read and to PUT what is there; those that refer to others last. */
  static List<String> paths() {
    List<String> found = new ArrayList<>();
    List<String> last = new ArrayList<>();
    CONTRACT.forEach(
        (path, item) -> {
          int variable = path.lastIndexOf("/{");
          String above = variable < 0 ? "" : path.substring(0, variable);
          boolean atEnd = path.indexOf('/', variable + 1) < 0;
          if (atEnd
              && item.containsKey("get")
              && item.containsKey("put")
              && CONTRACT.getOrDefault(above, Map.of()).containsKey("post")) {
            (example(above).contains(OTHER) ? last : found).add(above);
          }
        });
    found.addAll(last);
    return found;
  }

  static String example(String path) {
    Object yaml = Objects.requireNonNull(CONTRACT.get(path)).get("post");
    for (String key : List.of("requestBody", "content", "application/json", "example")) {
      yaml = ((Map<?, ?>) Objects.requireNonNull(yaml, path + " has no example")).get(key);
    }
    JsonNode example = JSON.valueToTree(Objects.requireNonNull(yaml, path + " has no example"));
    if (path.equals("/silences")) {
      Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      ((ObjectNode) example).put("from", now.plus(1, ChronoUnit.HOURS).toString());
      ((ObjectNode) example).put("to", now.plus(2, ChronoUnit.HOURS).toString());
    }
    return example.toString();
  }
}
