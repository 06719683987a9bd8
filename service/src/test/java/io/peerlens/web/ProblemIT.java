package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.ObjectsApi;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;

class ProblemIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/objects/7                     | id       | is not an id (a UUID)",
        "/objects?limit=0               | limit    | must be greater than or equal to 1",
        "/objects?limit=abc             | limit    | is not a whole number in range",
        "/objects?limit=99999999999     | limit    | is not a whole number in range",
        "/objects?sort=size             | sort     | is not one of name, -name, objectKind",
        "/objects?silent=perhaps        | silent   | is not true or false",
        "/objects?parent=x              | parent   | is not an id (a UUID)",
        "/objects?property=guest        | property | has no value",
        "/objects?tag=%3Dx              | tag      | has no key",
        "/objects?objectKnd=HostSystem  | objectKnd| no such parameter",
        "/objects?name=                 | name     | size must be between 1 and 200",
        "/changes?from=yesterday        | from     | is not a moment",
        "/changes?kind=new-object,x     | kind     | is not one of new-object, name",
      })
  void aWrongParameterIsNamed(String path, String field, String reason) {
    Answer answer = API.get(path);
    assertThat(answer.status()).isEqualTo(400);
    JsonNode problem = answer.json();
    assertThat(problem.path("code").asString()).isEqualTo("invalid-parameter");
    assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
    assertThat(problem.path("errors").path(0).path("reason").asString()).contains(reason);
    assertThat(problem.path("instance").asString())
        .isEqualTo("/api/v1" + path.replaceFirst("\\?.*", ""));
  }

  @Test
  void aMisspeltParameterGetsASuggestion() {
    assertThat(API.get("/objects?objectKnd=x").json().path("hint").asString())
        .isEqualTo("Did you mean objectKind?");
    assertThat(API.get("/objects?foo=x").json().path("hint").asString()).startsWith("It has: ");
    assertThat(API.get("/status?x=1").json().path("hint").asString()).isEqualTo("It has none.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"limit\": 5               | ''       | is no valid JSON (line 1, column 12)",
        "''                          | ''       | The body is missing",
        "[]                          | ''       | The body is not an object",
        "{\"objectKnd\": []}         | objectKnd| there is no such field",
        "{\"limit\": \"many\"}       | limit    | is not a whole number in range",
        "{\"limit\": 100000}         | limit    | must be less than or equal to 1000",
        "{\"sort\": \"size\"}        | sort     | is not one of name, -name",
        "{\"ids\": [\"7\"]}          | ids[0]   | is not an id (a UUID)",
        "{\"tag\": {}}               | tag      | is not a list",
        "{\"property\": [\"guest\"]} | property | has no value",
      })
  void aWrongBodyIsNamedWithFieldAndPlace(String body, String field, String reason) {
    Answer answer = API.post("/objects/query", body);
    assertThat(answer.status()).isEqualTo(400);
    JsonNode problem = answer.json();
    assertThat(problem.path("code").asString()).isEqualTo("invalid-body");
    assertThat(problem.path("detail").asString()).contains(reason);
    assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
  }

  @Test
  void aMisspeltFieldGetsASuggestionAndItsPlace() {
    JsonNode problem = API.post("/objects/query", "{\n  \"objectKnd\": []\n}").json();
    assertThat(problem.path("hint").asString()).isEqualTo("Did you mean objectKind?");
    assertThat(problem.path("detail").asString()).contains("(line 2, column ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/top-talkers?by=vm&ports=22/&limit=1 | ports[0] | is not a service: write port/protocol, such as 443/tcp",
        "/top-talkers?by=vm&scope=web-1       | scope[0] | is not an end of traffic: write the id of an object",
        "/lookups/.hidden                     | name     | is not a name of a table: write up to 100 letters",
      })
  void aMalformedValueIsDescribedInWords(String path, String field, String reason) {
    JsonNode error = API.get(path).json().path("errors").path(0);
    assertThat(error.path("field").asString()).isEqualTo(field);
    assertThat(error.path("reason").asString()).startsWith(reason).doesNotContain("^");
  }

  /** The generator makes the message of a check of it; without one, callers see the pattern. */
  @Test
  void everyPatternOfTheContractHasItsWords() throws IOException {
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      List<String> without = new ArrayList<>();
      patterns(new Yaml().load(Objects.requireNonNull(in)), without);
      assertThat(without).isEmpty();
    }
  }

  private static void patterns(Object yaml, List<String> without) {
    if (yaml instanceof Map<?, ?> map) {
      if (map.get("pattern") instanceof String pattern && map.get("x-pattern-message") == null) {
        without.add(pattern);
      }
      map.values().forEach(value -> patterns(value, without));
    } else if (yaml instanceof List<?> list) {
      list.forEach(value -> patterns(value, without));
    }
  }

  @Test
  void allWrongFieldsAreNamedAtOnce() {
    JsonNode problem = API.post("/tokens", "{\"name\":\"\"}").json();
    assertThat(problem.path("errors").valueStream().map(e -> e.path("field").asString()))
        .containsExactly("name", "role");
  }

  @Test
  void anotherMethodIsNotAllowedAndTheAllowedOnesAreNamed() {
    Answer answer = API.send("PATCH", "/tokens", "{}");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.json().path("code").asString()).isEqualTo("method-not-allowed");
    assertThat(answer.header("Allow")).contains("GET", "POST");
  }

  @Test
  void anotherFormatIsNotAcceptable() {
    Answer answer = API.with("Accept", "text/csv").get("/status");
    assertThat(answer.status()).isEqualTo(406);
    assertThat(answer.json().path("code").asString()).isEqualTo("not-acceptable");
  }

  @Test
  void whoeverAcceptsJsonMayCallWhatAnswersWithoutABody() {
    for (String accept : new String[] {"application/json", "application/problem+json", "*/*"}) {
      Answer made = API.post("/tokens", "{\"name\": \"To be deleted\", \"role\": \"viewer\"}");
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      String id = made.json().at("/token/id").asString();
      Answer deleted = API.with("Accept", accept).delete("/tokens/" + id);
      assertThat(deleted.status()).as(accept + " " + deleted.body()).isEqualTo(204);
      Answer again = API.with("Accept", accept).delete("/tokens/" + id);
      assertThat(again.status()).isEqualTo(404);
      assertThat(again.json().path("code").asString()).isEqualTo("not-found");
    }
  }

  @Test
  void anotherMediaTypeIsNotSupported() {
    Answer answer = API.with("Content-Type", "text/plain").post("/objects/query", "{}");
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.json().path("code").asString()).isEqualTo("unsupported-media-type");
  }

  @Test
  void aBodyOverTheLimitIsRefusedWhetherAnnouncedOrNot() throws Exception {
    String body = "{\"q\": \"" + "x".repeat(1 << 20) + "\"}";
    Answer announced = API.post("/objects/query", body);
    assertThat(announced.status()).isEqualTo(413);
    assertThat(announced.json().path("code").asString()).isEqualTo("body-too-large");

    HttpRequest chunked =
        HttpRequest.newBuilder(URI.create(SERVER.url() + "/api/v1/objects/query"))
            .header("Authorization", "Bearer " + SERVER.adminToken())
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response = http.send(chunked, BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(413);
      assertThat(response.body()).contains("body-too-large");
    }
  }

  @Test
  void anInvalidHttpRequestGetsAProblem() throws IOException {
    assertThat(raw("GET /api/v1/objects?q=[<>] HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "\"code\":\"bad-request\"")
        .doesNotContain("Tomcat", "org.apache");
    assertThat(
            raw(
                "GET /api/v1/objects HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: "
                    + "x".repeat(20_000)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 4")
        .contains("\"code\":\"bad-request\"");
    assertThat(raw("GET /api/v1/..;/objects HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 4")
        .contains("application/problem+json");
  }

  @Test
  void longAnswersAreCompressed() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(SERVER.url() + "/api/v1/tokens"))
              .header("Authorization", "Bearer " + SERVER.adminToken())
              .header("Accept-Encoding", "gzip")
              .build();
      for (int i = 0; i < 10; i++) {
        API.post("/tokens", "{\"name\":\"filler " + i + "\",\"role\":\"viewer\"}");
      }
      HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
      assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
      try (InputStream body = new GZIPInputStream(response.body())) {
        assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).contains("filler 9");
      }
    }
  }

  @Test
  void everyAddressOfAPageGivesThePage() {
    ApiClient anonymous = SERVER.anonymous();
    Answer page = anonymous.get("//explorer/some/view");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("<!doctype html>");
    assertThat(page.header("Cache-Control")).contains("no-cache");
    assertThat(anonymous.get("//").body()).contains("<!doctype html>");
    assertThat(anonymous.get("//missing.js").status()).isEqualTo(404);
    Answer again = anonymous.with("If-None-Match", page.header("ETag")).get("//explorer");
    assertThat(again.status()).isEqualTo(304);
  }

  /** What a page is made of has its content in its name, so that it is asked for once. */
  @Test
  void bundlesAreKeptForAYearAndComeCompressed() {
    ApiClient anonymous = SERVER.anonymous().with("Accept-Encoding", "gzip");
    String page = SERVER.anonymous().get("//").body();
    List<String> bundles =
        Pattern.compile("\"/(bundles/[^\"]+)\"")
            .matcher(page)
            .results()
            .map(found -> found.group(1))
            .toList();
    // The program, the styles of all pages, and those that only some pages load.
    assertThat(bundles)
        .hasSize(2 + (int) Pattern.compile("disabled data-pages=").matcher(page).results().count())
        .filteredOn(one -> one.endsWith(".css"))
        .extracting(one -> one.replaceAll("bundles/|-[A-Z0-9]+[.]css", ""))
        .containsExactly(
            "styles", "dashboards", "capacity", "why-slow", "right-sizing", "benchmark-runs");
    for (String bundle : bundles) {
      Answer answer = anonymous.get("//" + bundle);
      assertThat(answer.status()).as(bundle).isEqualTo(200);
      assertThat(answer.header("Cache-Control")).isEqualTo("max-age=31536000, public, immutable");
      assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(answer.header("Content-Type")).startsWith("text/");
    }
    assertThat(anonymous.get("//bundles/main-00000000.js").status()).isEqualTo(404);
  }

  private static String raw(String request) throws IOException {
    URI uri = URI.create(SERVER.url());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
