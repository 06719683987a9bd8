package io.peerlens.web;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import io.peerlens.support.OpenApiResponses;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers in the place of the service, for what pages ask of notifications, traffic, sources or
 * right-sizing. What it answers and what it is asked are held against the contract; whoever uses it
 * looks at {@link #complaints}. An answer is kept by its call, such as {@code GET /flows}; one for
 * a value of the query, {@code GET /top-talkers?by=pair}, or for a media type, {@code GET /flows
 * text/csv}, comes before it.
 */
final class FakeApi {

  /** An answer that somebody wants in the place of the usual one. */
  private record Answer(int status, JsonNode body) {}

  /**
   * What a page sent; the query may be empty, the body is missing when there was none.
   *
   * @param text what was sent as it is; empty = nothing
   */
  record Asked(String method, String path, String query, JsonNode body, String text) {}

  /** Its attempts are those of every other delivery, too. */
  private static final String ANY_DELIVERY = "6b0f1b60-7c1e-4c52-8f0e-1d3a0000002a";

  /** What is known of it is known of every other alert, too. */
  private static final String ANY_ALERT = "6b0f1b60-7c1e-4c52-8f0e-1d3a00000001";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String BASE = "/api/v1";
  private static final Pattern NOTIFICATIONS =
      Pattern.compile(
          BASE
              + "/(notification-|silences|lookups|secrets|deliveries|alerts(\\?|$|/[0-9a-f-]{36}(/notifications)?(\\?|$)))");
  private static final Pattern TRAFFIC =
      Pattern.compile(
          BASE
              + "/(top-talkers|flows|networks|talker-reports|notification-targets|series/top|adapter-kinds|groups|objects/query)");
  private static final Pattern SOURCES = Pattern.compile(BASE + "/sources");
  private static final Pattern SLOWNESS = Pattern.compile(BASE + "/why-slow");
  private static final Pattern RIGHT_SIZING =
      Pattern.compile(BASE + "/(right-sizing|series/query)");
  private static final String CSV = "text/csv";
  private static final String YAML = "application/yaml";

  private final Pattern paths;

  private final Map<String, JsonNode> usual = new LinkedHashMap<>();
  private final Map<String, Answer> instead = new LinkedHashMap<>();
  private final List<Asked> asked = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();

  FakeApi() {
    this("/notifications/api.json", NOTIFICATIONS);
  }

  /** What pages about traffic ask. */
  static FakeApi ofTraffic() {
    return new FakeApi("/talkers/api.json", TRAFFIC);
  }

  /** What the page of sources asks. */
  static FakeApi ofSources() {
    return new FakeApi("/sources/api.json", SOURCES);
  }

  /** What the page that says why something is slow asks. */
  static FakeApi ofSlowness() {
    return new FakeApi("/why-slow/api.json", SLOWNESS);
  }

  /** What the page of right-sizing asks. */
  static FakeApi ofRightSizing() {
    return new FakeApi("/right-sizing/api.json", RIGHT_SIZING);
  }

  private FakeApi(String resource, Pattern paths) {
    this.paths = paths;
    try (InputStream in = FakeApi.class.getResourceAsStream(resource)) {
      JSON.readTree(Objects.requireNonNull(in))
          .properties()
          .forEach(e -> usual.put(e.getKey(), e.getValue()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void serve(Page page) {
    page.route(paths, this::answer);
  }

  void leave(Page page) {
    page.unroute(paths);
  }

  /** What the answer to a call usually is. */
  JsonNode usual(String call) {
    return Objects.requireNonNull(usual.get(call), call);
  }

  /** From now on, this answer. */
  void answer(String call, int status, String json) {
    instead.put(call, new Answer(status, JSON.readTree(json)));
  }

  void asUsual(String call) {
    instead.remove(call);
  }

  /** Nothing is there in any list. */
  void empty() {
    for (String call : List.copyOf(usual.keySet())) {
      if (usual.get(call) instanceof ObjectNode list && list.path("items").isArray()) {
        ObjectNode none = list.deepCopy();
        none.putArray("items");
        if (none.has("total")) {
          none.put("total", 0);
        }
        usual.put(call, none);
      }
    }
  }

  /** Bodies that were sent with this call, the first one first. */
  List<JsonNode> bodies(String call) {
    return asked.stream()
        .filter(a -> (a.method() + " " + a.path()).equals(call))
        .map(Asked::body)
        .toList();
  }

  /** Queries of the addresses that were asked with this call, the first one first. */
  List<String> queries(String call) {
    return asked.stream()
        .filter(a -> (a.method() + " " + a.path()).equals(call))
        .map(Asked::query)
        .toList();
  }

  /** What was sent as it is with this call, the first one first. */
  List<String> texts(String call) {
    return asked.stream()
        .filter(a -> (a.method() + " " + a.path()).equals(call))
        .map(Asked::text)
        .toList();
  }

  List<String> complaints() {
    return complaints;
  }

  private void answer(Route route) {
    Request request = route.request();
    URI address = URI.create(request.url());
    String path = address.getPath().substring(BASE.length());
    String call = request.method() + " " + path;
    try {
      JsonNode body = body(request);
      String query = Objects.requireNonNullElse(address.getQuery(), "");
      asked.add(
          new Asked(
              request.method(),
              path,
              query,
              body,
              Objects.requireNonNullElse(request.postData(), "")));
      if (!body.isMissingNode()) {
        OpenApiResponses.verifyRequest(request.method(), path, body.toString());
      }
      String special = special(call, query, request.headers().getOrDefault("accept", ""));
      Answer answer = instead.get(special);
      if (answer == null) {
        answer = usual(request.method(), path, special, body);
      }
      String media =
          answer.status() >= 400
              ? "application/problem+json"
              : special.endsWith(CSV) ? CSV : special.endsWith(YAML) ? YAML : "application/json";
      String text =
          answer.status() == 204
              ? ""
              : answer.body().isString() ? answer.body().asString() : answer.body().toString();
      OpenApiResponses.verify(request.method(), path, answer.status(), media, text);
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("Content-Type", media);
      headers.put("ETag", "\"" + answer.body().path("version").asInt(1) + "\"");
      route.fulfill(
          new Route.FulfillOptions().setStatus(answer.status()).setHeaders(headers).setBody(text));
    } catch (RuntimeException | AssertionError e) {
      complaints.add(call + ": " + e.getMessage());
      route.abort();
    }
  }

  /** The most special name under which something is kept for a call. */
  private String special(String call, String query, String accept) {
    for (String media : List.of(YAML, CSV)) {
      if (accept.contains(media) && knows(call + " " + media)) {
        return call + " " + media;
      }
    }
    for (String part : query.split("&", -1)) {
      if (knows(call + "?" + part)) {
        return call + "?" + part;
      }
    }
    return call;
  }

  private boolean knows(String call) {
    return usual.containsKey(call) || instead.containsKey(call);
  }

  /** JSON that was sent; a file, or nothing, is missing. */
  private static JsonNode body(Request request) {
    String type = request.headers().getOrDefault("content-type", "");
    String text = type.equals("application/json") ? request.postData() : null;
    return text == null ? JSON.missingNode() : JSON.readTree(text);
  }

  private Answer usual(String method, String path, String call, JsonNode body) {
    JsonNode known = usual.get(call);
    if (path.equals("/notification-templates/preview")) {
      return new Answer(200, preview((ObjectNode) known.deepCopy(), body));
    }
    if (known != null) {
      return new Answer(200, known);
    }
    if (call.startsWith("GET /alerts/")) {
      String of = path.replaceFirst("[0-9a-f-]{36}", ANY_ALERT);
      ObjectNode alert = (ObjectNode) usual("GET " + of).deepCopy();
      if (alert.has("id")) {
        alert.put("id", path.substring("/alerts/".length()));
      }
      return new Answer(200, alert);
    }
    if (call.startsWith("GET /notification-relays/") && path.endsWith("/alerts")) {
      return new Answer(
          200,
          JSON.createObjectNode()
              .put("total", 0)
              .putNull("nextCursor")
              .set("items", JSON.createArrayNode()));
    }
    if (call.startsWith("GET /deliveries/")) {
      return new Answer(200, usual("GET /deliveries/" + ANY_DELIVERY));
    }
    return switch (method) {
      case "DELETE" -> new Answer(204, JSON.createObjectNode());
      case "PUT" -> new Answer(path.startsWith("/secrets/") ? 204 : 200, put(path, body));
      case "POST" -> posted(path, body);
      default -> throw new IllegalStateException("there is no answer to it");
    };
  }

  private JsonNode put(String path, JsonNode body) {
    JsonNode before = usual.get("GET " + path);
    if (before == null) {
      return JSON.createObjectNode();
    }
    ObjectNode after = (ObjectNode) before.deepCopy();
    put(after, body);
    after.put("version", before.path("version").asLong() + 1);
    usual.put("GET " + path, after);
    return after;
  }

  private static void put(ObjectNode into, JsonNode body) {
    body.properties().forEach(e -> into.set(e.getKey(), e.getValue()));
    if (body.path("document").isString()) {
      into.set("yaml", body.get("document"));
      into.putObject("document");
    }
  }

  private Answer posted(String path, JsonNode body) {
    if (path.endsWith("/expire")) {
      ObjectNode silence = (ObjectNode) usual("GET " + path.replace("/expire", "")).deepCopy();
      return new Answer(200, silence.put("state", "expired"));
    }
    if (path.endsWith("/restore")) {
      String of = path.replaceAll("/history/.*", "");
      ObjectNode back = (ObjectNode) usual("GET " + of).deepCopy();
      back.put("version", back.path("version").asLong() + 1);
      usual.put("GET " + of, back);
      return new Answer(200, back);
    }
    if (path.endsWith("/clone")) {
      ObjectNode copy = (ObjectNode) usual("GET " + path.replace("/clone", "")).deepCopy();
      put(copy, body);
      copy.put("builtIn", false).put("version", 1);
      usual.put("GET /notification-templates/" + copy.get("id").asString(), copy);
      usual.put(
          "POST /notification-templates/" + copy.get("id").asString() + "/test-run",
          usual("POST /notification-templates/generic-json/test-run"));
      return new Answer(201, copy);
    }
    if (path.endsWith("/resume") || path.endsWith("/end")) {
      return new Answer(204, JSON.createObjectNode());
    }
    ObjectNode made = (ObjectNode) usual("GET " + path).at("/items/0").deepCopy();
    put(made, body);
    String id = "00000000-0000-4000-8000-000000000001";
    made.put("id", id).put("version", 1);
    usual.put("GET " + path + "/" + id, made);
    return new Answer(201, made);
  }

  /** The one preview that is kept, of the event that is asked for and by the kind of template. */
  private JsonNode preview(ObjectNode preview, JsonNode body) {
    preview.put("event", body.path("event").asString("NEW"));
    String document = body.path("document").asString(body.path("document").toString());
    @Nullable String other =
        document.contains("format: mail")
            ? "mail"
            : document.contains("format: snmp")
                ? "trap"
                : document.contains("\"enabled\":false") ? "bare" : null;
    if (other != null) {
      preview.set("message", usual(other));
    }
    if (preview.get("message") instanceof ObjectNode message
        && body.path("event").asString("").equals("CANCEL")) {
      message.put("body", message.path("body").asString("").replace("trigger", "resolve"));
    }
    if (document.contains("format: mail") || document.contains("format: snmp")) {
      preview.putArray("steps");
      preview.putArray("changes");
    }
    return preview;
  }
}
