package io.peerlens.alerttemplates;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Message that a template made of an alert, ready to be sent. It is rendered once, kept as JSON and
 * sent as kept, so every attempt and every replay carries the same bytes. Secrets stand in it as
 * {@link SecretMarks}, never as values.
 */
public sealed interface Message {

  /** Ranges and numbers of statuses that mean success where a template names none. */
  List<String> ANY_SUCCESS = List.of("2xx");

  /**
   * A header.
   *
   * @param value printable ASCII without line breaks; may hold secret marks
   */
  record Header(String name, String value) {}

  /**
   * An HTTP request.
   *
   * @param path is appended to the target's URL; empty or beginning with / or ?
   * @param contentType of the body, also where the headers name none
   * @param success which statuses mean that it was accepted, such as 2xx or 201
   * @param capture names of values that the answer holds, and where: see {@link Capture}
   */
  record Http(
      String method,
      String path,
      List<Header> headers,
      String contentType,
      String body,
      List<String> success,
      Map<String, String> capture)
      implements Message {

    public Http {
      headers = List.copyOf(headers);
      success = List.copyOf(success);
      capture = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(capture));
    }

    /** A request that any 2xx answers and whose answer holds nothing to keep. */
    public Http(String method, String path, List<Header> headers, String contentType, String body) {
      this(method, path, headers, contentType, body, ANY_SUCCESS, Map.of());
    }

    /** Whether an answer's status means that the receiver has accepted the message. */
    public boolean succeeded(int status) {
      String digits = Integer.toString(status);
      return success.stream()
          .anyMatch(
              s ->
                  s.equals(digits)
                      || (s.endsWith("xx")
                          && digits.length() == 3
                          && s.charAt(0) == digits.charAt(0)));
    }

    /** How a secret must be escaped within the body. */
    public SecretMarks.Escape escape() {
      String type = contentType.toLowerCase(Locale.ROOT).replaceAll("\\s*;.*", "");
      if (type.equals("application/x-www-form-urlencoded")) {
        return SecretMarks.Escape.FORM;
      }
      if (type.endsWith("json")) {
        return SecretMarks.Escape.JSON;
      }
      return type.endsWith("xml") ? SecretMarks.Escape.XML : SecretMarks.Escape.NONE;
    }
  }

  /**
   * An e-mail.
   *
   * @param subject one line
   * @param text plain text, always there
   * @param html the same as HTML; null = none
   * @param headers further headers, one line each
   * @param chart whether a chart of the metric belongs to it, shown where the HTML says {@code
   *     cid:chart}
   * @param picture that chart; null = it was not drawn yet
   * @param files texts that it carries
   * @param attachments what else it carries
   */
  record Mail(
      String subject,
      String text,
      @Nullable String html,
      List<Header> headers,
      boolean chart,
      @Nullable Picture picture,
      List<TextFile> files,
      List<Attachment> attachments)
      implements Message {
    public Mail {
      headers = List.copyOf(headers);
      files = List.copyOf(files);
      attachments = List.copyOf(attachments);
    }

    /** A mail whose chart was not drawn yet. */
    public Mail(
        String subject, String text, @Nullable String html, List<Header> headers, boolean chart) {
      this(subject, text, html, headers, chart, null, List.of(), List.of());
    }

    /** The same with its chart. */
    public Mail with(Picture drawn) {
      return new Mail(subject, text, html, headers, chart, drawn, files, attachments);
    }

    /** The same that carries files. */
    public Mail with(List<TextFile> carried) {
      return new Mail(subject, text, html, headers, chart, picture, carried, attachments);
    }

    /** The same that carries attachments. */
    public Mail carrying(List<Attachment> carried) {
      return new Mail(subject, text, html, headers, chart, picture, files, carried);
    }
  }

  /**
   * A file that a mail carries.
   *
   * @param name such as {@code report.csv}
   * @param contentType such as {@code text/csv}
   */
  record TextFile(String name, String contentType, String text) {}

  /**
   * A file of any kind that a mail carries, or a picture that its HTML shows.
   *
   * @param name such as {@code report.pdf}
   * @param contentType such as {@code application/pdf}
   * @param base64 its bytes
   * @param contentId the HTML shows it as {@code cid:} and this; null = it is a file beside the
   *     text
   */
  record Attachment(String name, String contentType, String base64, @Nullable String contentId) {}

  /**
   * A picture, or that there is none.
   *
   * @param png in base64; null = there is none
   * @param words what it shows, for those who do not see it, or why there is none; empty = there
   *     was nothing to draw
   */
  record Picture(@Nullable String png, String words) {}

  /**
   * An SNMP notification.
   *
   * @param trapOid value of snmpTrapOID.0
   * @param varBinds in the order of the PDU, without sysUpTime.0 and snmpTrapOID.0
   */
  record Trap(String trapOid, List<VarBind> varBinds) implements Message {
    public Trap {
      varBinds = List.copyOf(varBinds);
    }
  }

  /** SNMP type of a variable's value on the wire. */
  enum SyntaxType {
    /** OCTET STRING, UTF-8. */
    OCTET_STRING("octet-string"),
    /** Integer32. */
    INTEGER("integer"),
    /** Gauge32 (Unsigned32). */
    GAUGE("gauge"),
    /** Counter64. */
    COUNTER64("counter64"),
    /** TimeTicks, hundredths of a second. */
    TIME_TICKS("time-ticks"),
    /** OBJECT IDENTIFIER. */
    OBJECT_IDENTIFIER("object-identifier"),
    /** IpAddress, dotted decimal. */
    IP_ADDRESS("ip-address");

    private final String word;

    SyntaxType(String word) {
      this.word = word;
    }

    /** As templates and kept messages write it. */
    public String word() {
      return word;
    }

    static @Nullable SyntaxType of(String word) {
      for (SyntaxType type : values()) {
        if (type.word.equals(word)) {
          return type;
        }
      }
      return null;
    }
  }

  /**
   * A variable of an SNMP notification.
   *
   * @param oid with the instance, such as 1.3.6.1.4.1.6876.4.50.1.2.8.0
   * @param value as text; numbers in decimal
   */
  record VarBind(String oid, SyntaxType type, String value) {}

  /** The form that is kept. {@link #fromJson} reads it. */
  default ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (this) {
      case Http http -> {
        json.put("channel", "http").put("method", http.method()).put("path", http.path());
        headers(json, http.headers());
        json.put("contentType", http.contentType()).put("body", http.body());
        ArrayNode success = json.putArray("success");
        http.success().forEach(success::add);
        ObjectNode capture = json.putObject("capture");
        http.capture().forEach(capture::put);
      }
      case Mail mail -> {
        json.put("channel", "mail").put("subject", mail.subject()).put("text", mail.text());
        json.put("html", mail.html());
        headers(json, mail.headers());
        json.put("chart", mail.chart());
        Picture picture = mail.picture();
        if (picture != null) {
          json.putObject("picture").put("png", picture.png()).put("words", picture.words());
        }
        if (!mail.files().isEmpty()) {
          ArrayNode files = json.putArray("files");
          mail.files()
              .forEach(
                  file ->
                      files
                          .addObject()
                          .put("name", file.name())
                          .put("contentType", file.contentType())
                          .put("text", file.text()));
        }
        if (!mail.attachments().isEmpty()) {
          ArrayNode attachments = json.putArray("attachments");
          mail.attachments()
              .forEach(
                  one ->
                      attachments
                          .addObject()
                          .put("name", one.name())
                          .put("contentType", one.contentType())
                          .put("base64", one.base64())
                          .put("contentId", one.contentId()));
        }
      }
      case Trap trap -> {
        json.put("channel", "trap").put("trapOid", trap.trapOid());
        ArrayNode binds = json.putArray("varBinds");
        for (VarBind bind : trap.varBinds()) {
          binds
              .addObject()
              .put("oid", bind.oid())
              .put("type", bind.type().word())
              .put("value", bind.value());
        }
      }
    }
    return json;
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Message fromJson(JsonNode json) {
    return switch (json.path("channel").stringValue("")) {
      case "http" -> {
        List<String> success = new ArrayList<>();
        json.path("success").forEach(s -> success.add(s.stringValue("")));
        Map<String, String> capture = new LinkedHashMap<>();
        json.path("capture")
            .properties()
            .forEach(e -> capture.put(e.getKey(), e.getValue().stringValue("")));
        yield new Http(
            text(json, "method"),
            text(json, "path"),
            headers(json),
            text(json, "contentType"),
            text(json, "body"),
            success,
            capture);
      }
      case "mail" ->
          new Mail(
              text(json, "subject"),
              text(json, "text"),
              json.path("html").isString() ? json.path("html").stringValue() : null,
              headers(json),
              json.path("chart").booleanValue(false),
              json.path("picture").isObject() ? picture(json.path("picture")) : null,
              files(json),
              attachments(json));
      case "trap" -> {
        List<VarBind> binds = new ArrayList<>();
        for (JsonNode bind : json.path("varBinds")) {
          SyntaxType type = SyntaxType.of(text(bind, "type"));
          if (type == null) {
            throw new IllegalArgumentException("no message: the type of a variable is unknown");
          }
          binds.add(new VarBind(text(bind, "oid"), type, text(bind, "value")));
        }
        yield new Trap(text(json, "trapOid"), binds);
      }
      default -> throw new IllegalArgumentException("no message: channel is missing or unknown");
    };
  }

  private static void headers(ObjectNode json, List<Header> headers) {
    ArrayNode array = json.putArray("headers");
    headers.forEach(h -> array.addObject().put("name", h.name()).put("value", h.value()));
  }

  private static List<Header> headers(JsonNode json) {
    List<Header> headers = new ArrayList<>();
    json.path("headers").forEach(h -> headers.add(new Header(text(h, "name"), text(h, "value"))));
    return headers;
  }

  private static List<TextFile> files(JsonNode json) {
    List<TextFile> files = new ArrayList<>();
    json.path("files")
        .forEach(
            file ->
                files.add(
                    new TextFile(
                        text(file, "name"), text(file, "contentType"), text(file, "text"))));
    return files;
  }

  private static List<Attachment> attachments(JsonNode json) {
    List<Attachment> attachments = new ArrayList<>();
    json.path("attachments")
        .forEach(
            one ->
                attachments.add(
                    new Attachment(
                        text(one, "name"),
                        text(one, "contentType"),
                        text(one, "base64"),
                        one.path("contentId").stringValue(null))));
    return attachments;
  }

  private static Picture picture(JsonNode json) {
    JsonNode png = json.path("png");
    return new Picture(png.isString() ? png.stringValue() : null, text(json, "words"));
  }

  private static String text(JsonNode json, String name) {
    JsonNode value = json.path(name);
    if (!value.isString()) {
      throw new IllegalArgumentException("no message: " + name + " is missing or no text");
    }
    return value.stringValue();
  }
}
