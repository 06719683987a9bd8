package io.peerlens.support;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.peerlens.api.ObjectsApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/**
 * Check of answers of the API, and of requests, against openapi.yaml: status, media type and every
 * field.
 */
public final class OpenApiResponses {

  private static final String LOCATION = "https://peerlens.test/openapi.yaml";
  private static final String TEXT = read();
  private static final Map<String, Object> CONTRACT = new Yaml().load(TEXT);

  /** The registry reads and keeps all of the document for each place that it is asked for. */
  private static final Schema DOCUMENT =
      SchemaRegistry.withDialect(
              Dialects.getOpenApi31(), builder -> builder.schemas(Map.of(LOCATION, TEXT)))
          .getSchema(SchemaLocation.of(LOCATION));

  private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

  private OpenApiResponses() {}

  /**
   * Fails when the contract does not describe the answer.
   *
   * @param path below the base path, with or without a query
   * @param contentType as in the header; empty = none
   */
  public static void verify(
      String method, String path, int status, String contentType, String body) {
    String call = method + " " + path + " -> " + status;
    Optional<String> template = template(path.replaceFirst("\\?.*", ""));
    Object operation =
        template
            .map(t -> map(map(CONTRACT.get("paths")).get(t)).get(method.toLowerCase(Locale.ROOT)))
            .orElse(null);
    String media = contentType.replaceFirst(";.*", "");
    if (operation == null) {
      // Not in the contract: only the general problems are to be expected.
      if (status < 400) {
        throw new AssertionError(call + ": the contract has no such operation");
      }
      expectMedia(call, "application/problem+json", media);
      validate(call, "#/components/schemas/Problem", body);
      return;
    }
    Map<String, Object> responses = map(map(operation).get("responses"));
    String key = responses.containsKey(String.valueOf(status)) ? String.valueOf(status) : "default";
    if (!responses.containsKey(key) || (key.equals("default") && status < 400)) {
      throw new AssertionError(call + ": the contract does not name this status");
    }
    String pointer =
        "#/paths/"
            + escape(template.orElseThrow())
            + "/"
            + method.toLowerCase(Locale.ROOT)
            + "/responses/"
            + key;
    Map<String, Object> response = map(responses.get(key));
    if (response.get("$ref") instanceof String reference) {
      pointer = reference;
      response = map(resolve(reference));
    }
    if (!(response.get("content") instanceof Map<?, ?> content)) {
      if (!body.isEmpty()) {
        throw new AssertionError(call + ": the contract has no body here, but got " + body);
      }
      return;
    }
    if (!content.containsKey(media)) {
      expectMedia(call, String.valueOf(content.keySet().iterator().next()), media);
    }
    if (media.endsWith("json")) {
      validate(call, pointer + "/content/" + escape(media) + "/schema", body);
    }
  }

  /**
   * Fails when the contract does not describe a request with this JSON body.
   *
   * @param path below the base path, with or without a query
   */
  public static void verifyRequest(String method, String path, String body) {
    String call = method + " " + path;
    String template =
        template(path.replaceFirst("\\?.*", ""))
            .orElseThrow(() -> new AssertionError(call + ": the contract has no such path"));
    String verb = method.toLowerCase(Locale.ROOT);
    if (!(map(map(CONTRACT.get("paths")).get(template)).get(verb) instanceof Map<?, ?> operation)
        || !operation.containsKey("requestBody")) {
      throw new AssertionError(call + ": the contract has no such operation with a body");
    }
    validate(
        call,
        "#/paths/"
            + escape(template)
            + "/"
            + verb
            + "/requestBody/content/application~1json/schema",
        body);
  }

  private static void expectMedia(String call, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError(call + ": expected " + expected + ", got \"" + actual + "\"");
    }
  }

  private static void validate(String call, String pointer, String body) {
    Schema schema =
        SCHEMAS.computeIfAbsent(
            pointer, p -> DOCUMENT.getRefSchema(SchemaLocation.of(LOCATION + p).getFragment()));
    List<Error> errors =
        schema.validate(
            body,
            InputFormat.JSON,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    if (!errors.isEmpty()) {
      throw new AssertionError(call + ": " + errors + "\nin " + body);
    }
  }

  /** The path of the contract that a request's path fits; one without variables first. */
  private static Optional<String> template(String path) {
    return map(CONTRACT.get("paths")).keySet().stream()
        .filter(t -> Pattern.matches(t.replaceAll("\\{[^}]+}", "[^/]+"), path))
        .min((a, b) -> Boolean.compare(a.contains("{"), b.contains("{")));
  }

  private static Object resolve(String reference) {
    Object node = CONTRACT;
    for (String step : reference.substring(2).split("/")) {
      node = Objects.requireNonNull(map(node).get(step), reference);
    }
    return node;
  }

  private static String escape(String step) {
    // JSON pointer in a URI fragment
    return step.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object yaml) {
    return (Map<String, Object>) Objects.requireNonNull(yaml);
  }

  private static String read() {
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
