package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.AlertTemplate.Var;
import io.peerlens.alerttemplates.Body.Deliver;
import io.peerlens.alerttemplates.Body.Format;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reader of a template document, from top to bottom, which gathers all of its mistakes. */
final class TemplateReader {

  private static final Pattern ID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final Pattern VERSION =
      Pattern.compile("(0|[1-9][0-9]{0,8})(\\.(0|[1-9][0-9]{0,8})){2}");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
  private static final Pattern CONTENT_TYPE =
      Pattern.compile(
          "[a-zA-Z0-9!#$&^_.+-]{1,60}/[a-zA-Z0-9!#$&^_.+-]{1,60}(;"
              + " *[a-zA-Z0-9-]+=\"?[a-zA-Z0-9._:/-]+\"?)*");

  /** Headers that belong to the connection, or to the body. */
  private static final Set<String> NOT_FOR_REQUESTS =
      Set.of(
          "host",
          "content-length",
          "content-type",
          "transfer-encoding",
          "connection",
          "keep-alive",
          "upgrade",
          "te",
          "trailer",
          "expect",
          "proxy-authorization",
          "proxy-connection",
          "http2-settings");

  /** Headers that belong to the mail's way, its people or its body. */
  private static final Set<String> NOT_FOR_MAILS =
      Set.of(
          "from",
          "to",
          "cc",
          "bcc",
          "sender",
          "reply-to",
          "subject",
          "date",
          "message-id",
          "in-reply-to",
          "references",
          "mime-version",
          "return-path",
          "received",
          "auto-submitted",
          "dkim-signature");

  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE", "GET");

  private final JsonNode document;
  private final TemplateParser parser = new TemplateParser();

  TemplateReader(JsonNode document) {
    this.document = document;
  }

  /** Parts of a template that a document holds. */
  record Parts(
      String id,
      String version,
      String description,
      @Nullable String receiver,
      String format,
      List<Var> vars,
      List<Step> steps,
      Body body,
      Needs needs,
      Set<String> secretVars) {}

  Parts read() {
    if (!document.isObject()) {
      throw new TemplateException("", "a template is an object with apiVersion, id and so on");
    }
    String apiVersion = document.path("apiVersion").asString("");
    if (!apiVersion.equals("alert-templates/v1")) {
      // A document of another kind would only make misleading mistakes below.
      throw new TemplateException(
          "/apiVersion", "is '" + apiVersion + "'; only 'alert-templates/v1' is known");
    }
    only(
        "",
        document,
        "apiVersion",
        "id",
        "version",
        "description",
        "receiver",
        "vars",
        "modify",
        "render",
        "deliver");
    String id = matching("/id", document.path("id"), ID, 64, "small letters, digits and single -");
    String version =
        matching("/version", document.path("version"), VERSION, 32, "a version such as 1.0.0");
    String description = document.path("description").asString("");
    if (description.isBlank() || description.length() > 500) {
      parser.mistake("/description", "must say in 1 to 500 characters what the template is for");
    }
    String receiver =
        document.has("receiver")
            ? matching(
                "/receiver", document.path("receiver"), ID, 64, "a name such as slack or opsgenie")
            : null;
    List<Var> vars = vars(document.path("vars"));
    parser.secrets(false);
    List<Step> steps = new StepReader(parser).read(document.path("modify"));
    parser.secrets(true);
    JsonNode render = document.path("render");
    String format = render.path("format").asString("");
    Body body = parser.attempt(() -> body(format, render));
    if (body == null || !parser.mistakes().isEmpty()) {
      throw new TemplateException(parser.mistakes());
    }
    for (Var var : vars) {
      String name = var.instead().asString("");
      if (parser.secretVars().contains(var.name()) && SecretMarks.NAME.matcher(name).matches()) {
        parser.need(Needs.secret(name));
      }
    }
    return new Parts(
        id,
        version,
        description,
        receiver,
        format,
        vars,
        steps,
        body,
        parser.needs(),
        parser.secretVars());
  }

  private Body body(String format, JsonNode render) {
    return switch (format) {
      case "json", "xml", "form" -> {
        only("/render", render, "format", "contentType", "body");
        JsonNode tree = needed("/render", render, "body", "it is what the receiver gets");
        TemplateNode body =
            format.equals("xml")
                ? parser.xml("/render/body", tree)
                : parser.node("/render/body", tree);
        yield request(Format.valueOf(format.toUpperCase(Locale.ROOT)), body, render);
      }
      case "text", "html" -> {
        only("/render", render, "format", "contentType", "escape", "mustache", "body");
        JsonNode text = needed("/render", render, "body", "it is what the receiver gets");
        String escape = render.path("escape").asString(format.equals("html") ? "html" : "none");
        boolean sections = render.path("mustache").asBoolean(true);
        TemplateNode body = parser.text("/render/body", text, escape, sections);
        yield request(Format.valueOf(format.toUpperCase(Locale.ROOT)), body, render);
      }
      case "mail" -> mail(render);
      case "snmp" -> trap(render);
      default ->
          throw new TemplateException(
              "/render/format",
              "is '" + format + "'; there are json, xml, form, text, html, mail and snmp");
    };
  }

  private Body request(Format format, TemplateNode body, JsonNode render) {
    String type = render.path("contentType").asString(format.contentType);
    if (!CONTENT_TYPE.matcher(type).matches()) {
      parser.mistake(
          "/render/contentType", "'" + type + "' is no media type, such as application/json");
    }
    JsonNode deliver = document.path("deliver");
    only("/deliver", deliver, "method", "path", "headers", "success", "capture");
    TemplateNode method =
        parser.attempt(
            () -> parser.word("/deliver/method", or(deliver, "method", "POST"), METHODS));
    TemplateNode path =
        parser.attempt(() -> parser.urlPath("/deliver/path", or(deliver, "path", "")));
    TemplateNode none = new TemplateNode.Literal(Rendering.NULL);
    return new Body.Request(
        format,
        body,
        type,
        new Deliver(
            method == null ? none : method,
            path == null ? none : path,
            headers(deliver.path("headers"), NOT_FOR_REQUESTS),
            success(deliver.path("success")),
            capture(deliver.path("capture"))));
  }

  private Body mail(JsonNode render) {
    only("/render", render, "format", "subject", "text", "html", "chart", "mustache");
    boolean sections = render.path("mustache").asBoolean(true);
    parser.secrets(false);
    JsonNode subject = needed("/render", render, "subject", "it is the mail's headline");
    if (!render.has("text") && !render.has("html")) {
      throw new TemplateException("/render", "needs text or html, better both");
    }
    JsonNode chart = render.path("chart");
    JsonNode deliver = document.path("deliver");
    only("/deliver", deliver, "headers");
    parser.name("chart");
    return new Body.Mail(
        parser.text("/render/subject", subject, "none", sections),
        render.has("text")
            ? parser.text("/render/text", render.path("text"), "none", sections)
            : null,
        render.has("html")
            ? parser.text("/render/html", render.path("html"), "html", sections)
            : null,
        chart.isMissingNode()
            ? null
            : parser.attempt(
                () ->
                    parser.condition(
                        "/render/chart",
                        chart.isBoolean()
                            ? JsonNodeFactory.instance.stringNode(chart.toString())
                            : chart)),
        headers(deliver.path("headers"), NOT_FOR_MAILS));
  }

  private Body trap(JsonNode render) {
    only("/render", render, "format", "trap", "varBinds");
    parser.secrets(false);
    only("/deliver", document.path("deliver"));
    JsonNode trap = needed("/render", render, "trap", "it is the trap's object identifier");
    JsonNode binds = needed("/render", render, "varBinds", "it lists the variables");
    oids("/render/varBinds", binds);
    return new Body.Trap(
        parser.text("/render/trap", trap, "none", false), parser.node("/render/varBinds", binds));
  }

  /** Finds mistyped identifiers when the template is read. */
  private void oids(String place, JsonNode node) {
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String oid = member.getValue().asString("");
      if (member.getKey().equals("oid")
          && !oid.contains("${")
          && !Body.Trap.OID.matcher(oid).matches()) {
        parser.mistake(
            place + "/oid", "'" + oid + "' is no object identifier, such as 1.3.6.1.4.1");
      }
      oids(place + "/" + TemplateParser.pointer(member.getKey()), member.getValue());
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        oids(place + "/" + i, node.get(i));
      }
    }
  }

  private Map<String, TemplateNode> headers(JsonNode headers, Set<String> refused) {
    Map<String, TemplateNode> read = new LinkedHashMap<>();
    Set<String> seen = new TreeSet<>();
    for (Map.Entry<String, JsonNode> header : headers.properties()) {
      String name = header.getKey();
      String place = "/deliver/headers/" + TemplateParser.pointer(name);
      String lower = name.toLowerCase(Locale.ROOT);
      if (!HEADER.matcher(name).matches()) {
        parser.mistake(place, "is no name of a header; write letters, digits and -");
      } else if (refused.contains(lower) || lower.startsWith("content-")) {
        parser.mistake(
            place,
            lower.equals("content-type")
                ? "is set by render.contentType"
                : "is not for templates to set: it belongs to the target or to the sending itself");
      } else if (!seen.add(lower)) {
        parser.mistake(place, "is there twice; names of headers do not differ by case");
      } else {
        TemplateNode value =
            parser.attempt(() -> parser.text(place, header.getValue(), "none", false));
        if (value != null) {
          read.put(name, value);
        }
      }
    }
    if (!headers.isMissingNode() && !headers.isObject()) {
      parser.mistake("/deliver/headers", "must be an object of names and values");
    }
    return read;
  }

  private List<String> success(JsonNode success) {
    List<String> read = new ArrayList<>();
    for (JsonNode status : success) {
      String text = status.asString("");
      if (text.matches("[1-5][0-9][0-9]|[2-5]xx")) {
        read.add(text);
      } else {
        parser.mistake(
            "/deliver/success", "'" + text + "' is no status; write 2xx or 201 for instance");
      }
    }
    return read.isEmpty() ? Message.ANY_SUCCESS : read;
  }

  private Map<String, String> capture(JsonNode capture) {
    Map<String, String> read = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> place : capture.properties()) {
      String at = "/deliver/capture/" + TemplateParser.pointer(place.getKey());
      String text = place.getValue().asString("");
      if (!Path.NAME.matcher(place.getKey()).matches()) {
        parser.mistake(at, "must be named by letters, digits and _");
      } else if (Capture.steps(text) == null) {
        parser.mistake(
            at, "'" + text + "' is no place in an answer; write $.result.sys_id or /result/sys_id");
      } else {
        read.put(place.getKey(), text);
      }
    }
    return read;
  }

  private List<Var> vars(JsonNode vars) {
    List<Var> read = new ArrayList<>();
    for (Map.Entry<String, JsonNode> var : vars.properties()) {
      String place = "/vars/" + TemplateParser.pointer(var.getKey());
      only(place, var.getValue(), "type", "description", "default");
      String type = var.getValue().path("type").asString("text");
      JsonNode instead = var.getValue().path("default");
      if (!Path.NAME.matcher(var.getKey()).matches()) {
        parser.mistake(place, "must be named by letters, digits and _");
      } else if (!type.equals("text") && !type.equals("number")) {
        parser.mistake(place + "/type", "is '" + type + "'; there are text and number");
      } else if (!instead.isMissingNode()
          && !(type.equals("text") ? instead.isString() : instead.isNumber())) {
        parser.mistake(place + "/default", "must be a " + type);
      }
      read.add(
          new Var(
              var.getKey(),
              type,
              var.getValue().path("description").asString(""),
              instead.isMissingNode() ? Rendering.NULL : instead));
    }
    return List.copyOf(read);
  }

  private String matching(String place, JsonNode value, Pattern pattern, int longest, String what) {
    String text = value.asString("");
    if (!pattern.matcher(text).matches() || text.length() > longest) {
      parser.mistake(
          place,
          (text.isEmpty() ? "is missing: it must be " : "is '" + text + "', but must be ") + what);
    }
    return text;
  }

  private static JsonNode needed(String place, JsonNode parent, String name, String why) {
    JsonNode value = parent.get(name);
    if (value == null) {
      throw new TemplateException(place + "/" + name, "is missing: " + why);
    }
    return value;
  }

  private static JsonNode or(JsonNode parent, String name, String instead) {
    JsonNode value = parent.get(name);
    return value == null ? JsonNodeFactory.instance.stringNode(instead) : value;
  }

  private void only(String place, @Nullable JsonNode node, String... known) {
    only(parser, place, node, known);
  }

  /** A misspelt member must not be passed over. */
  static void only(TemplateParser parser, String place, @Nullable JsonNode node, String... known) {
    if (node == null || node.isMissingNode()) {
      return;
    }
    if (!node.isObject()) {
      parser.mistake(place, "must be an object");
      return;
    }
    Set<String> names = Set.of(known);
    for (String name : node.propertyNames()) {
      if (!names.contains(name)) {
        parser.mistake(
            place + "/" + TemplateParser.pointer(name),
            names.isEmpty()
                ? "has no place here"
                : "is unknown here; there are " + String.join(", ", known));
      }
    }
  }
}
