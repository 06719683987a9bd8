package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every place of the API where a user writes a pattern gets patterns that would take a matcher or a
 * compiler very long, and answers soon with what is wrong.
 */
class HostilePatternsIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Patterns that cannot be bounded; all of them are refused. */
  private static final List<String> REFUSED =
      List.of("((a{100}){100}){100}", "(.{1000,}){11}", "x".repeat(501), "[z-a]", "(?=a)b");

  /** What takes a backtracking matcher for ever, and RE2 no time. */
  private static final List<String> TAKEN = List.of("^(a*)*$", "(a|aa)+$", "(.*)(.*)(.*)(.*)x");

  private static final String SILENCE =
      "{\"comment\": \"x\", \"to\": \"2199-01-01T00:00:00Z\", %s}";
  private static final String MATCHER =
      "\"matchers\": [{\"path\": \"alert.name\", \"operator\": \"matches\", \"value\": PATTERN}]";
  private static final String WHEN = "\"when\": CEL";
  private static final String THRESHOLD =
      """
      {"name": "hostile pattern", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
       "condition": {"type": "property", "key": "x", "operator": "%s",
        "levels": [{"severity": "warning", "text": PATTERN}]}}
      """;
  private static final String DOCUMENT =
      """
      {"apiVersion": "alert-templates/v1", "id": "hostile", "version": "1.0.0", "description": "x", "modify": [%s],
       "render": {"format": "json", "body": {"event": "${event}"}}}
      """;
  private static final String RULE =
      """
      {"name": "hostile pattern", "template": "generic-json", "targets": ["00000000-0000-0000-0000-000000000001"], "when": CEL}
      """;

  /** By name: path and body; PATTERN and CEL stand for the pattern and a condition with it. */
  private static Map<String, List<String>> places() {
    Map<String, List<String>> places = new TreeMap<>();
    for (String what : List.of(MATCHER, WHEN)) {
      String name = what.equals(WHEN) ? " when" : " matcher";
      places.put("silence" + name, List.of("/silences", SILENCE.formatted(what)));
      places.put("silence preview" + name, List.of("/silences/preview", "{" + what + "}"));
    }
    for (String operator : List.of("matches", "not-matches")) {
      String threshold = THRESHOLD.formatted(operator);
      places.put("threshold " + operator, List.of("/thresholds", threshold));
      places.put(
          "threshold preview " + operator,
          List.of("/thresholds/preview", "{\"threshold\": " + threshold + "}"));
    }
    Map.of(
            "replace",
            "{\"regexReplace\": {\"field\": \"alert.name\", \"pattern\": PATTERN, \"with\": \"\"}}",
            "redact",
            "{\"redact\": {\"fields\": [\"alert.name\"], \"patterns\": [PATTERN]}}",
            "compute",
            "{\"compute\": {\"to\": \"x\", \"cel\": CEL, \"default\": false}}")
        .forEach(
            (step, text) -> {
              String document = "{\"document\": " + DOCUMENT.formatted(text) + "}";
              places.put("template " + step, List.of("/notification-templates", document));
              places.put(
                  "template preview " + step, List.of("/notification-templates/preview", document));
            });
    places.put("rule", List.of("/notification-rules", RULE));
    places.put(
        "simulation",
        List.of(
            "/notification-rules/simulate",
            "{\"from\": \"2026-11-20T00:00:00Z\", \"to\": \"2026-11-21T00:00:00Z\", \"rule\": "
                + RULE
                + "}"));
    return places;
  }

  private static Stream<Arguments> each() {
    return places().entrySet().stream()
        .map(
            place ->
                Arguments.of(place.getKey(), place.getValue().get(0), place.getValue().get(1)));
  }

  private static String with(String body, String pattern) {
    String cel = "alert.name.matches(" + JSON.writeValueAsString(pattern) + ")";
    return body.replace("PATTERN", JSON.writeValueAsString(pattern))
        .replace("CEL", JSON.writeValueAsString(cel));
  }

  private static Answer soon(String path, String body) {
    ApiClient api = PeerlensServer.shared().admin();
    long start = System.nanoTime();
    Answer answer = api.post(path, body);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).as(body).isLessThan(SOON);
    return answer;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("each")
  void aPatternWithoutABoundIsRefusedSoonWithItsPlace(String name, String path, String body) {
    for (String pattern : REFUSED) {
      Answer answer = soon(path, with(body, pattern));

      assertThat(answer.status()).as(pattern + ": " + answer.body()).isEqualTo(400);
      assertThat(answer.json().path("errors").size()).as(answer.body()).isPositive();
      assertThat(answer.body()).containsPattern("pattern|RE2|characters");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("each")
  void aPatternThatIsSlowElsewhereIsAcceptedAndFast(String name, String path, String body) {
    for (String pattern : TAKEN) {
      Answer answer = soon(path, with(body, pattern));

      assertThat(answer.status()).as(pattern + ": " + answer.body()).isLessThan(500);
      assertThat(answer.body()).doesNotContain("RE2");
      remove(path, answer);
    }
  }

  /** A file of rules has the same thresholds. */
  @ParameterizedTest
  @MethodSource("refused")
  void aFileOfRulesWithSuchAThresholdIsRefused(String pattern) {
    ApiClient api = PeerlensServer.shared().admin();
    ObjectNode file = (ObjectNode) api.get("/rules/export").json();
    file.putArray("thresholds").add(JSON.readTree(with(THRESHOLD.formatted("matches"), pattern)));
    long start = System.nanoTime();
    Answer answer =
        api.upload(
            "/rules/import", "application/json", file.toString().getBytes(StandardCharsets.UTF_8));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    JsonNode said = answer.json();
    assertThat(said.toString()).containsPattern("pattern|RE2|characters");
    assertThat(api.get("/thresholds?q=hostile").json().path("items").size()).isZero();
  }

  private static Stream<String> refused() {
    return REFUSED.stream();
  }

  private static void remove(String path, Answer answer) {
    String id = answer.json().path("id").asString("");
    if (answer.status() == 201) {
      PeerlensServer.shared()
          .admin()
          .with("If-Match", answer.header("ETag"))
          .delete(path + "/" + id);
    }
  }
}
