package io.peerlens.suiteapi;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The vendor's contract of suite-api: its operations, with the members, types and words that
 * requests and answers may have. NOTICE beside the resource says where it is from.
 */
final class SuiteApiContract {

  private static final String ANSWERS = "https://peerlens.test/suite-api/answers.json";
  private static final String REQUESTS = "https://peerlens.test/suite-api/requests.json";
  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * What we give beyond the contract, by model: the Grafana plug-in reads the key of a source, and
   * the lists that the contract does not page have pages like the others.
   */
  private static final Map<String, List<String>> BEYOND =
      Map.of(
          "AuthSource",
          List.of("key"),
          "Cgroups",
          List.of("pageInfo", "links"),
          "Recommendations",
          List.of("pageInfo", "links"));

  private final JsonNode operations;
  private final SchemaRegistry registry;
  private final Map<String, Schema> documents = new ConcurrentHashMap<>();
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  SuiteApiContract() {
    JsonNode requests = JSON.readTree(read());
    JsonNode answers = JSON.readTree(read());
    answers
        .get("$defs")
        .properties()
        .forEach(
            model -> {
              ObjectNode schema = (ObjectNode) model.getValue();
              if (schema.has("x-required-of-answers")) {
                schema.set("required", schema.get("x-required-of-answers"));
              }
              BEYOND
                  .getOrDefault(model.getKey(), List.of())
                  .forEach(more -> schema.withObjectProperty("properties").putObject(more));
            });
    operations = requests.get("operations");
    registry =
        SchemaRegistry.withDialect(
            Dialects.getDraft202012(),
            builder ->
                builder.schemas(
                    Map.of(ANSWERS, answers.toString(), REQUESTS, requests.toString())));
  }

  private static String read() {
    try (InputStream in = SuiteApiContract.class.getResourceAsStream("/suite-api/schemas.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A route in the form of the contract: variables have no names. */
  static String operation(Routes.Route route) {
    return route.method() + " /" + String.join("/", route.parts()).replaceAll("\\{[^}]*}", "{}");
  }

  /** Whether the vendor has the operation. */
  boolean has(String operation) {
    return operations.has(operation);
  }

  /**
   * Fails when the contract has no such request.
   *
   * @param query names of parameters
   * @param body null = none
   */
  void verifyRequest(String operation, Set<String> query, @Nullable String body) {
    JsonNode known = operation(operation);
    Set<String> unknown = new HashSet<>(query);
    known.get("query").forEach(name -> unknown.remove(name.stringValue()));
    if (!unknown.isEmpty()) {
      throw new AssertionError(operation + ": the contract has no parameters " + unknown);
    }
    if ((body != null) != known.has("request")) {
      throw new AssertionError(
          operation + (body == null ? ": the contract has a body" : ": the contract has no body"));
    }
    if (body != null) {
      validate(operation, REQUESTS, "request", body);
    }
  }

  /** Fails when the contract has no such answer. */
  void verifyAnswer(String operation, String body) {
    JsonNode answer = operation(operation).get("response");
    if (answer.isEmpty() != body.isEmpty()) {
      throw new AssertionError(
          operation
              + (body.isEmpty() ? ": the answer has no body" : ": the contract has no body in")
              + " "
              + body);
    }
    if (!body.isEmpty()) {
      validate(operation, ANSWERS, "response", body);
    }
  }

  private JsonNode operation(String operation) {
    JsonNode known = operations.get(operation);
    if (known == null) {
      throw new AssertionError(
          operation
              + ": is not in schemas.json; add it to operations.txt beside schemas.py, and run that");
    }
    return known;
  }

  private void validate(String operation, String document, String part, String body) {
    String pointer =
        document
            + "#/operations/"
            + operation
                .replace("~", "~0")
                .replace("/", "~1")
                .replace("{", "%7B")
                .replace("}", "%7D")
                .replace(" ", "%20")
            + "/"
            + part;
    SchemaLocation place = SchemaLocation.of(pointer);
    // The registry reads and keeps all of a document for each place that it is asked for.
    Schema whole =
        documents.computeIfAbsent(document, name -> registry.getSchema(SchemaLocation.of(name)));
    Schema schema = schemas.computeIfAbsent(pointer, p -> whole.getRefSchema(place.getFragment()));
    List<Error> errors = schema.validate(body, InputFormat.JSON);
    if (!errors.isEmpty()) {
      throw new AssertionError(operation + ": " + errors + "\nin the " + part + " " + body);
    }
  }
}
