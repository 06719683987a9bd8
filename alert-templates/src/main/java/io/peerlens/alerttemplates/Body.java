package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.Message.Header;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Body of a message, the second half of a template: what is sent, made of what the steps have left.
 */
sealed interface Body {

  Message render(Rendering rendering);

  /** Format in which a tree or a text becomes the body of a request. */
  enum Format {
    JSON("application/json"),
    XML("application/xml"),
    FORM("application/x-www-form-urlencoded"),
    TEXT("text/plain; charset=utf-8"),
    HTML("text/html; charset=utf-8");

    final String contentType;

    Format(String contentType) {
      this.contentType = contentType;
    }
  }

  /** A request. */
  record Request(Format format, TemplateNode body, String contentType, Deliver deliver)
      implements Body {
    @Override
    public Message render(Rendering rendering) {
      JsonNode tree = something("/render/body", body.render(rendering));
      String text =
          switch (format) {
            case JSON -> tree.toString();
            case XML -> XmlTree.write("/render/body", tree);
            case FORM -> form(tree);
            case TEXT, HTML -> tree.stringValue("");
          };
      return new Message.Http(
          something("/deliver/method", deliver.method().render(rendering)).stringValue(""),
          something("/deliver/path", deliver.path().render(rendering)).stringValue(""),
          rendered(deliver.headers(), rendering, Body::ascii),
          contentType,
          text,
          deliver.success(),
          deliver.capture());
    }
  }

  /**
   * Request of a delivery, and the answers that mean success.
   *
   * @param headers by their names; those that come to nothing are left out
   */
  record Deliver(
      TemplateNode method,
      TemplateNode path,
      Map<String, TemplateNode> headers,
      List<String> success,
      Map<String, String> capture) {}

  /**
   * An e-mail.
   *
   * @param text null = made of the HTML
   * @param chart whether a chart belongs to it
   */
  record Mail(
      TemplateNode subject,
      @Nullable TemplateNode text,
      @Nullable TemplateNode html,
      @Nullable Condition chart,
      Map<String, TemplateNode> headers)
      implements Body {

    /** What a line of a header can hold without being folded oddly. */
    private static final int SUBJECT = 250;

    @Override
    public Message render(Rendering rendering) {
      boolean withChart = chart != null && chart.test(rendering.context());
      rendering.let("chart", JsonNodeFactory.instance.booleanNode(withChart));
      String line =
          oneLine(something("/render/subject", subject.render(rendering)).stringValue(""));
      JsonNode markup = html == null ? null : html.render(rendering);
      String htmlText = markup == null ? null : markup.stringValue("");
      JsonNode plain = text == null ? null : text.render(rendering);
      if (plain == null && htmlText == null) {
        throw nothing("/render/text");
      }
      return new Message.Mail(
          Filters.cut(line, SUBJECT),
          lines(
              plain == null
                  ? HtmlText.plain(htmlText == null ? "" : htmlText)
                  : plain.stringValue("")),
          htmlText == null ? null : lines(htmlText),
          rendered(headers, rendering, Body::oneLine),
          withChart);
    }
  }

  /** An SNMP notification. */
  record Trap(TemplateNode trap, TemplateNode varBinds) implements Body {

    /** Room for the variables in one UDP packet, with the head of SNMPv3 beside them. */
    private static final int MAX_BYTES = 1_200;

    /** No text is cut below this. */
    private static final int LEAST = 24;

    static final Pattern OID = Pattern.compile("[0-2](\\.(0|[1-9][0-9]{0,9})){1,127}");

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,20}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    @Override
    public Message render(Rendering rendering) {
      String oid = something("/render/trap", trap.render(rendering)).stringValue("");
      if (!OID.matcher(oid).matches()) {
        throw new TemplateException("/render/trap", "'" + oid + "' is no object identifier");
      }
      List<Variable> variables = new ArrayList<>();
      for (JsonNode bind : something("/render/varBinds", varBinds.render(rendering))) {
        variables.add(variable("/render/varBinds/" + variables.size(), bind));
      }
      fit(variables);
      return new Message.Trap(
          oid, variables.stream().map(v -> new Message.VarBind(v.oid, v.type, v.value)).toList());
    }

    private static final class Variable {
      final String oid;
      final Message.SyntaxType type;
      final int keep;
      String value;

      Variable(String oid, Message.SyntaxType type, int keep, String value) {
        this.oid = oid;
        this.type = type;
        this.keep = keep;
        this.value = value;
      }

      /** The encoded length: the sequence around it, the identifier and the value. */
      int bytes() {
        int length = value.getBytes(StandardCharsets.UTF_8).length;
        return 4 + 2 + encoded(oid) + (length < 128 ? 2 : 4) + length;
      }

      /** The first two arcs share a byte, the others take one for each seven bits. */
      private static int encoded(String oid) {
        int bytes = 1;
        String[] arcs = oid.split("\\.");
        for (int i = 2; i < arcs.length; i++) {
          long arc = Long.parseLong(arcs[i]);
          do {
            bytes++;
            arc >>= 7;
          } while (arc > 0);
        }
        return bytes;
      }
    }

    private static Variable variable(String place, JsonNode bind) {
      String oid = bind.path("oid").stringValue("");
      if (!OID.matcher(oid).matches()) {
        throw new TemplateException(place + "/oid", "'" + oid + "' is no object identifier");
      }
      Message.SyntaxType type =
          Message.SyntaxType.of(bind.path("type").stringValue("octet-string"));
      if (type == null) {
        throw new TemplateException(
            place + "/type",
            "'"
                + bind.path("type").asString("")
                + "' is unknown; there are octet-string, integer, gauge, counter64, time-ticks,"
                + " object-identifier and ip-address");
      }
      String value = Placeholder.text(bind.path("value"));
      int max = bind.path("max").asInt(255);
      value =
          switch (type) {
            case OCTET_STRING -> bytes(UNSEEN.matcher(value).replaceAll(" "), max);
            case INTEGER, GAUGE, COUNTER64, TIME_TICKS -> whole(place, type, value);
            case OBJECT_IDENTIFIER -> fitting(place, value, OID, "no object identifier");
            case IP_ADDRESS -> fitting(place, value, ADDRESS, "no IPv4 address");
          };
      return new Variable(oid, type, bind.path("keep").asInt(1), value);
    }

    private static String fitting(String place, String value, Pattern pattern, String what) {
      if (!pattern.matcher(value).matches()) {
        throw new TemplateException(place + "/value", "'" + value + "' is " + what);
      }
      return value;
    }

    private static String whole(String place, Message.SyntaxType type, String value) {
      String number = value.isEmpty() ? "0" : value;
      if (!INTEGER.matcher(number).matches()) {
        throw new TemplateException(
            place + "/value", "'" + Filters.cut(value, 60) + "' is no whole number; use round: 0");
      }
      BigInteger whole = new BigInteger(number);
      BigInteger least =
          type == Message.SyntaxType.INTEGER ? BigInteger.TWO.pow(31).negate() : BigInteger.ZERO;
      int bits =
          type == Message.SyntaxType.INTEGER ? 31 : type == Message.SyntaxType.COUNTER64 ? 64 : 32;
      BigInteger most = BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
      if (whole.compareTo(least) < 0 || whole.compareTo(most) > 0) {
        throw new TemplateException(
            place + "/value", number + " is outside of " + least + " to " + most);
      }
      return whole.toString();
    }

    /**
     * Cuts texts until all fit into one packet: first those that matter least, then the longest.
     */
    private static void fit(List<Variable> variables) {
      int total = variables.stream().mapToInt(Variable::bytes).sum();
      List<Variable> texts =
          variables.stream()
              .filter(v -> v.type == Message.SyntaxType.OCTET_STRING)
              .sorted(
                  Comparator.<Variable>comparingInt(v -> v.keep)
                      .thenComparing(Comparator.<Variable>comparingInt(Variable::bytes).reversed()))
              .toList();
      for (Variable text : texts) {
        if (total <= MAX_BYTES) {
          return;
        }
        int length = text.value.getBytes(StandardCharsets.UTF_8).length;
        int wanted = Math.max(LEAST, length - (total - MAX_BYTES));
        if (wanted < length) {
          text.value = bytes(text.value, wanted);
          total -= length - text.value.getBytes(StandardCharsets.UTF_8).length;
        }
      }
      if (total > MAX_BYTES) {
        throw new TemplateException(
            "/render/varBinds",
            "the variables come to "
                + total
                + " bytes, but only "
                + MAX_BYTES
                + " fit into one packet; send fewer");
      }
    }
  }

  /** At most so many bytes of UTF-8, never half a character. */
  static String bytes(String text, int max) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= max) {
      return text;
    }
    int room = Math.max(0, max - 3);
    int at = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      int size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      if (size > room) {
        break;
      }
      room -= size;
      at += Character.charCount(c);
    }
    return max < 3 ? text.substring(0, at) : text.substring(0, at) + "…";
  }

  private static JsonNode something(String place, @Nullable JsonNode rendered) {
    if (rendered == null) {
      throw nothing(place);
    }
    return rendered;
  }

  private static TemplateException nothing(String place) {
    return new TemplateException(
        place,
        "nothing to send, as no member of $switch fits or $if does not hold; add $default or $else,"
            + " or a step drop for these events");
  }

  private static List<Header> rendered(
      Map<String, TemplateNode> nodes, Rendering rendering, UnaryOperator<String> clean) {
    List<Header> headers = new ArrayList<>();
    nodes.forEach(
        (name, node) -> {
          JsonNode value = node.render(rendering);
          String text = value == null ? "" : clean.apply(Placeholder.text(value));
          if (!text.isEmpty()) {
            headers.add(new Header(name, text));
          }
        });
    return headers;
  }

  Pattern BREAK = Pattern.compile("\\r\\n?");
  Pattern UNSEEN = Pattern.compile("[\\p{Cntrl}&&[^\\n\\t]]");

  /** One kind of line break, and no other control characters. */
  private static String lines(String text) {
    return UNSEEN.matcher(BREAK.matcher(text).replaceAll("\n")).replaceAll("");
  }

  /** Line breaks and other control characters would begin a header of their own. */
  private static String oneLine(String value) {
    return value.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ").strip();
  }

  /** Headers of requests are ASCII; the rest is percent-encoded, but for marks of secrets. */
  private static String ascii(String value) {
    StringBuilder ascii = new StringBuilder();
    oneLine(value)
        .codePoints()
        .forEach(
            c -> {
              if (c < 0x7f || c == SecretMarks.BEGIN || c == SecretMarks.END) {
                ascii.appendCodePoint(c);
              } else {
                ascii.append(Filters.percent(Character.toString(c)));
              }
            });
    return ascii.toString();
  }

  /** Pairs of names and values; several of one name for an array, JSON for an object. */
  private static String form(JsonNode tree) {
    if (!tree.isObject()) {
      throw new TemplateException("/render/body", "a form is an object of names and values");
    }
    List<String> pairs = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : tree.properties()) {
      Iterable<JsonNode> values =
          member.getValue().isArray() ? member.getValue() : List.of(member.getValue());
      for (JsonNode value : values) {
        if (!value.isNull()) {
          pairs.add(field(member.getKey()) + "=" + field(Placeholder.text(value)));
        }
      }
    }
    return String.join("&", pairs);
  }

  /** Percent-encoding around the marks of secrets. */
  private static String field(String text) {
    StringBuilder field = new StringBuilder();
    int from = 0;
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == SecretMarks.BEGIN) {
        int end = text.indexOf(SecretMarks.END, at);
        field.append(Filters.percent(text.substring(from, at))).append(text, at, end + 1);
        from = end + 1;
        at = end;
      }
    }
    return field.append(Filters.percent(text.substring(from))).toString();
  }
}
