package io.peerlens.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/**
 * Linter of the contract: the rules that keep it one API, beside those of the OpenAPI Style
 * Validator (pom.xml). Each message begins with the place.
 */
class ContractStyleTest {

  private static final String LOCATION = "https://peerlens.test/openapi.yaml";
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private static final Map<String, Object> CONTRACT = new Yaml().load(read());
  private static final Map<String, Object> SCHEMAS =
      map(map(CONTRACT.get("components")).get("schemas"));

  /** Operations by method and path: {@code get /alerts}. */
  private static final Map<String, Map<String, Object>> OPERATIONS = operations();

  private static final String MOMENT = "#/components/schemas/TimeInstant";

  /** Ends of something else than time, or of days and clock times. */
  private static final Set<String> OTHER_BOUNDS =
      Set.of("EmailSettings", "NotificationWindow", "PlaylistDim", "Recurrence", "TimeSpan");

  /** Words of notifications, as vRealize Operations has them, and of SNMP. */
  private static final Set<String> FOREIGN_WORDS =
      Set.of("DeliveryEvent", "NotificationEvent", "SnmpAuthProtocol", "SnmpPrivProtocol");

  private final List<String> findings = new ArrayList<>();

  // Operations ------------------------------------------------------------------------------------

  @Test
  void operationsSayTheirNameTagAndRole() {
    Set<Object> tags =
        list(CONTRACT.get("tags")).stream()
            .map(tag -> map(tag).get("name"))
            .collect(Collectors.toSet());
    Set<Object> ids = new HashSet<>();
    OPERATIONS.forEach(
        (place, operation) -> {
          Object id = operation.get("operationId");
          check(
              place,
              String.valueOf(id).matches("[a-z]+([A-Z][a-z0-9]*)+"),
              "its operationId " + id + " is no verb with a noun, such as listAlerts");
          check(place, ids.add(id), "its operationId " + id + " is another one's, too");
          List<Object> own = list(operation.get("tags"));
          check(
              place,
              own.size() == 1 && tags.contains(own.getFirst()),
              "it has not one of the tags: " + own);
          Object role = operation.get("x-role");
          check(
              place,
              Set.of("viewer", "operator", "admin", "none").contains(role),
              "its x-role is " + role);
          String description = String.valueOf(operation.get("description")).replaceAll("\\s+", " ");
          check(
              place,
              role.equals("none") || description.contains("Least role: " + role + "."),
              "its description does not say \"Least role: " + role + ".\"");
          check(
              place,
              !operation.containsKey("x-also")
                  || (role.equals("viewer")
                      && Set.of(List.of("screen"), List.of("screen", "link"))
                          .contains(operation.get("x-also"))
                      && description.contains(
                          list(operation.get("x-also")).size() == 1
                              ? "Also for screens."
                              : "Also for screens and links.")),
              "x-also is not screen, or screen and link, or its description does not say so");
          check(
              place,
              !operation.containsKey("x-audit")
                  || (operation.get("x-audit").equals("none") && place.startsWith("post ")),
              "x-audit is none, and for a POST that only reads");
        });
    report();
  }

  @Test
  void errorsAreProblems() {
    OPERATIONS.forEach(
        (place, operation) -> {
          Map<String, Object> responses = map(operation.get("responses"));
          responses.forEach(
              (status, response) -> {
                if (status.equals("default") || status.startsWith("4") || status.startsWith("5")) {
                  check(
                      place + " " + status,
                      "#/components/schemas/Problem"
                          .equals(
                              pointed(
                                  resolved(response),
                                  "content",
                                  "application/problem+json",
                                  "schema",
                                  "$ref")),
                      "it is not application/problem+json with the schema Problem");
                }
              });
          Set<String> expected = new TreeSet<>(Set.of("default"));
          if (!operation.get("x-role").equals("none")) {
            expected.add("401");
          }
          if (operation.containsKey("requestBody") || operation.containsKey("parameters")) {
            expected.add("400");
          }
          if (names(operation, "header").contains("If-Match")) {
            expected.addAll(Set.of("412", "428"));
          }
          expected.removeAll(responses.keySet());
          check(place, expected.isEmpty(), "it has no response for " + expected);
        });
    report();
  }

  @Test
  void pagesHaveOneShape() {
    SCHEMAS.forEach(
        (name, schema) -> {
          if (name.endsWith("Page")) {
            Set<String> missing = new TreeSet<>(Set.of("items", "nextCursor", "total"));
            missing.removeAll(map(map(schema).get("properties")).keySet());
            missing.removeIf(member -> name.equals("DeliveryPage") && member.equals("total"));
            check(name, missing.isEmpty(), "a page has " + missing + ", too");
            check(
                name,
                list(map(schema).get("required")).contains("nextCursor"),
                "nextCursor is not required: null = the last page");
          }
        });
    OPERATIONS.forEach(
        (place, operation) -> {
          Object answer =
              pointed(
                  resolved(map(operation.get("responses")).getOrDefault("200", Map.of())),
                  "content",
                  "application/json",
                  "schema",
                  "$ref");
          if (answer instanceof String page
              && page.endsWith("Page")
              && !operation.containsKey("requestBody")) {
            check(
                place,
                names(operation, "query").containsAll(Set.of("limit", "cursor")),
                "it gives a page and has no limit or no cursor");
          }
        });
    report();
  }

  @Test
  void versionsOfDefinitionsHaveOneShape() {
    SCHEMAS.forEach(
        (name, schema) -> {
          if (name.endsWith("Version") && map(schema).get("properties") instanceof Map<?, ?> of) {
            Set<String> missing = new TreeSet<>(Set.of("version", "at", "by", "changes"));
            missing.removeAll(map(of).keySet());
            check(name, missing.isEmpty(), "a version has " + missing + ", too");
          }
        });
    report();
  }

  // Words -----------------------------------------------------------------------------------------

  @Test
  void everythingIsDescribed() {
    SCHEMAS.forEach((name, schema) -> check(name, described(schema), "it has no description"));
    members(
        (place, member) -> {
          check(place, described(member) || member.containsKey("$ref"), "it has no description");
          check(place, place.matches("\\w+\\.[a-z][A-Za-z0-9]*"), "its name is not in camelCase");
        });
    map(map(CONTRACT.get("components")).get("parameters"))
        .forEach((name, parameter) -> check(name, described(parameter), "it has no description"));
    OPERATIONS.forEach(
        (place, operation) -> {
          for (Object parameter : list(operation.getOrDefault("parameters", List.of()))) {
            check(
                place,
                described(resolved(parameter)),
                "its parameter " + resolved(parameter).get("name") + " has no description");
          }
        });
    report();
  }

  /** A text with a comma in {@code {...}} must be quoted, or YAML makes members of its parts. */
  @Test
  void noDescriptionIsCutOffAtAComma() {
    walk(
        "#",
        CONTRACT,
        (place, node) ->
            node.keySet()
                .forEach(
                    key -> check(place, !key.contains(" "), "it has a member \"" + key + "\"")));
    report();
  }

  /** A state is what a thing is in; a status is that of HTTP. Texts are searched with q. */
  @Test
  void oneThingHasOneName() {
    OPERATIONS.forEach(
        (place, operation) ->
            names(operation, "query")
                .forEach(
                    name -> {
                      check(
                          place,
                          !Set.of("search", "query", "text", "filter").contains(name),
                          "its parameter " + name + " is called q elsewhere");
                      check(
                          place,
                          !name.equals("status"),
                          "its parameter status is called state elsewhere");
                      check(
                          place,
                          !Set.of("since", "until", "start", "end", "begin").contains(name),
                          "its parameter " + name + " is called from or to elsewhere");
                    }));
    members(
        (place, member) -> {
          if (place.endsWith(".status")) {
            Object type = member.get("type");
            boolean isNumber =
                "integer".equals(type) || (type instanceof List<?> all && all.contains("integer"));
            check(place, isNumber, "what is no status of HTTP is called state elsewhere");
          }
          check(
              place,
              !place.matches("\\w+\\.search") || !requested().contains(schema(place)),
              "what is searched for is called q elsewhere");
        });
    report();
  }

  /** Durations are texts such as 10m in requests, and numbers that name their unit in answers. */
  @Test
  void durationsHaveOneForm() {
    walk(
        "#",
        CONTRACT,
        (place, node) -> {
          if (node.get("pattern") instanceof String pattern
              && pattern.matches(".*[smhd]]\\)?\\$")) {
            check(
                place,
                pattern.matches("\\^(\\(auto\\|)?(\\[1-9])?\\[0-9]\\{\\d,\\d}\\[s?m?h?d?]\\)?\\$"),
                "its pattern " + pattern + " is none of durations");
            check(
                place,
                String.valueOf(node.get("x-pattern-message")).startsWith("is not a duration")
                    || pattern.contains("auto"),
                "its x-pattern-message does not say that it is a duration");
          }
        });
    members(
        (place, member) -> {
          check(
              place,
              !place.matches("(?i).*\\.(ms|millis|seconds|took|duration(Millis|Seconds))")
                  && !place.matches(".*(Ms|Sec|Secs|Mins)"),
              "a number names what it measures and its unit, such as tookMillis");
          check(
              place,
              !place.matches(".*(Millis|Seconds|Minutes|Hours|Days)")
                  || !requested().contains(schema(place)),
              "a duration in a request is a text such as 10m");
        });
    report();
  }

  /** Bounds of windows are from and to, of one type in all requests. */
  @Test
  void boundsOfWindowsHaveOneType() {
    OPERATIONS.forEach(
        (place, operation) -> {
          for (Object one : list(operation.getOrDefault("parameters", List.of()))) {
            Map<String, Object> parameter = resolved(one);
            if (Set.of("from", "to").contains(parameter.get("name"))) {
              check(
                  place,
                  MOMENT.equals(map(parameter.get("schema")).get("$ref")),
                  "its parameter " + parameter.get("name") + " is no TimeInstant");
            }
          }
        });
    members(
        (place, member) -> {
          if (place.matches("\\w+\\.(from|to)")
              && requested().contains(schema(place))
              && !OTHER_BOUNDS.contains(schema(place))) {
            boolean isMoment =
                MOMENT.equals(member.get("$ref"))
                    || Map.of("type", "string", "minLength", 1, "maxLength", 40).entrySet().stream()
                        .allMatch(one -> one.getValue().equals(member.get(one.getKey())));
            check(place, isMoment, "it is no TimeInstant");
          }
        });
    report();
  }

  /** Severities are in small letters; what other systems say is not bound to that. */
  @Test
  void wordsAreInSmallLetters() {
    SCHEMAS.forEach(
        (name, schema) -> {
          if (map(schema).get("enum") instanceof List<?> words && !FOREIGN_WORDS.contains(name)) {
            words.forEach(
                word ->
                    check(
                        name,
                        String.valueOf(word)
                            .matches(
                                "[a-z0-9]+([-_.][a-z0-9]+)*|-[a-zA-Z]+|[a-z]+[A-Z][a-zA-Z]*|null"),
                        word + " is not in small letters"));
          }
        });
    report();
  }

  // Examples --------------------------------------------------------------------------------------

  @Test
  void examplesFitTheirSchemas() {
    // One schema with a member for each example: the contract is large, and read once so.
    List<String> places = new ArrayList<>();
    Map<String, Object> schemas = new HashMap<>();
    Map<String, Object> examples = new HashMap<>();
    walk(
        "#",
        CONTRACT,
        (place, node) -> {
          if (node.get("schema") instanceof Map<?, ?> schema && node.containsKey("example")) {
            String member = String.valueOf(places.size());
            places.add(place);
            schemas.put(member, schema);
            examples.put(member, Objects.requireNonNull(node.get("example")));
          }
        });
    Map<String, Object> all =
        Map.of(
            "properties",
            schemas,
            "components",
            Objects.requireNonNull(CONTRACT.get("components")));
    SchemaRegistry.withDialect(
            Dialects.getOpenApi31(),
            builder ->
                builder.schemas(Map.of(LOCATION, JsonMapper.shared().writeValueAsString(all))))
        .getSchema(SchemaLocation.of(LOCATION))
        .validate(
            JsonMapper.shared().writeValueAsString(examples),
            InputFormat.JSON,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
        .forEach(
            error -> {
              String place = error.getInstanceLocation().toString().substring(1);
              String member = place.replaceFirst("/.*", "");
              check(
                  places.get(Integer.parseInt(member)),
                  false,
                  "its example does not fit: " + error);
            });
    report();
  }

  @Test
  void definitionsAreCreatedWithAnExample() {
    OPERATIONS.forEach(
        (place, operation) -> {
          if (place.startsWith("post ")
              && OPERATIONS.containsKey(place.replace("post ", "get "))
              && operation.containsKey("requestBody")
              // Files have none.
              && !"binary"
                  .equals(
                      pointed(
                          resolved(operation.get("requestBody")),
                          "content",
                          "application/json",
                          "schema",
                          "format"))) {
            check(
                place,
                pointed(
                        resolved(operation.get("requestBody")),
                        "content",
                        "application/json",
                        "example")
                    != null,
                "its body has no example");
          }
        });
    report();
  }

  // Reading ---------------------------------------------------------------------------------------

  private void check(String place, boolean holds, String otherwise) {
    if (!holds) {
      findings.add(place + ": " + otherwise);
    }
  }

  private void report() {
    assertThat(findings).as("what the contract has against its rules").isEmpty();
  }

  private static boolean described(Object node) {
    return map(node).get("description") instanceof String text && !text.isBlank();
  }

  private static String schema(String place) {
    return place.substring(0, place.indexOf('.'));
  }

  /** Schemas that requests are made of. */
  private static Set<String> requested() {
    return Once.REQUESTED;
  }

  private static final class Once {
    static final Set<String> REQUESTED = new HashSet<>();

    static {
      OPERATIONS
          .values()
          .forEach(operation -> reach(operation.getOrDefault("requestBody", Map.of())));
    }

    private static void reach(Object node) {
      walk(
          "",
          node,
          (place, of) -> {
            if (of.get("$ref") instanceof String reference
                && (!reference.startsWith("#/components/schemas/")
                    || REQUESTED.add(reference.substring(reference.lastIndexOf('/') + 1)))) {
              reach(resolved(of));
            }
          });
    }
  }

  /** Members of all schemas, at any depth, by schema and name. */
  private static void members(BiConsumer<String, Map<String, Object>> visitor) {
    SCHEMAS.forEach(
        (name, schema) ->
            walk(
                name,
                map(schema),
                (place, node) -> {
                  if (node.get("properties") instanceof Map<?, ?> properties
                      && !place.endsWith("/properties")) {
                    map(properties)
                        .forEach((member, of) -> visitor.accept(name + "." + member, map(of)));
                  }
                }));
  }

  private static void walk(
      String place, @Nullable Object node, BiConsumer<String, Map<String, Object>> visitor) {
    if (node instanceof Map<?, ?>) {
      visitor.accept(place, map(node));
      map(node)
          .forEach(
              (key, value) -> {
                if (!Set.of("example", "enum", "default").contains(key)) {
                  walk(
                      place
                          + "/"
                          + key.replace("~", "~0")
                              .replace("/", "~1")
                              .replace("{", "%7B")
                              .replace("}", "%7D"),
                      value,
                      visitor);
                }
              });
    } else if (node instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        walk(place + "/" + i, items.get(i), visitor);
      }
    }
  }

  private static Set<String> names(Map<String, Object> operation, String in) {
    return list(operation.getOrDefault("parameters", List.of())).stream()
        .map(ContractStyleTest::resolved)
        .filter(parameter -> in.equals(parameter.get("in")))
        .map(parameter -> String.valueOf(parameter.get("name")))
        .collect(Collectors.toSet());
  }

  private static @Nullable Object pointed(@Nullable Object node, String... steps) {
    for (String step : steps) {
      node = node instanceof Map<?, ?> ? map(node).get(step) : null;
    }
    return node;
  }

  private static Map<String, Object> resolved(Object node) {
    return map(node).get("$ref") instanceof String reference
        ? map(pointed(CONTRACT, reference.substring(2).split("/")))
        : map(node);
  }

  private static Map<String, Map<String, Object>> operations() {
    Map<String, Map<String, Object>> operations = new TreeMap<>();
    map(CONTRACT.get("paths"))
        .forEach(
            (path, item) ->
                map(item)
                    .forEach(
                        (method, operation) -> {
                          if (METHODS.contains(method)) {
                            operations.put(method + " " + path, map(operation));
                          }
                        }));
    return operations;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object yaml) {
    return (Map<String, Object>) Objects.requireNonNull(yaml);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(@Nullable Object yaml) {
    return (List<Object>) Objects.requireNonNull(yaml);
  }

  private static String read() {
    try {
      return Files.readString(Path.of("openapi.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
