package io.peerlens.alerttemplates;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import tools.jackson.databind.JsonNode;

/** Looks at messages as their receivers do: what would they refuse? */
final class Receivers {

  private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

  /** What they take at most, in bytes. */
  private static final Map<String, Integer> LARGEST =
      Map.of("teams-workflows", 28_000, "slack", 26_000, "pagerduty-events-v2", 512 * 1024);

  private Receivers() {}

  static Message render(AlertTemplate template, JsonNode context) {
    return template.render(template.modify(context, Lookups.NONE).context());
  }

  static List<String> mistakes(String id, JsonNode context, Message message) throws IOException {
    return switch (message) {
      case Message.Http http -> http(id, context, http);
      case Message.Mail mail -> mail(mail);
      case Message.Trap trap -> trap(trap);
    };
  }

  private static List<String> http(String id, JsonNode context, Message.Http http)
      throws IOException {
    List<String> mistakes = new ArrayList<>();
    if (!http.path().matches("(/[!-~]*)?") || http.path().contains("..")) {
      mistakes.add("path " + http.path());
    }
    int bytes = http.body().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LARGEST.getOrDefault(id, Rendering.MAX_CHARACTERS * 3)) {
      mistakes.add("a body of " + bytes + " bytes is too large");
    }
    for (Message.Header header : http.headers()) {
      if (!header.value().matches("[ -~\uE000\uE001]*")) {
        mistakes.add("header " + header);
      }
    }
    for (String secret : SecretMarks.names(http.body() + http.path())) {
      if (!secret.matches("(pd|jsm|opsgenie)-key|splunk-token")) {
        mistakes.add("a value of the alert names the secret " + secret);
      }
    }
    if (http.escape() == SecretMarks.Escape.XML) {
      Document document = xml(http.body());
      String alert = document.getElementsByTagName("alertId").item(0).getTextContent();
      if (!alert.equals(context.at("/alert/id").asString(""))) {
        mistakes.add("alertId " + alert);
      }
    } else {
      schema(id).validate(http.body(), InputFormat.JSON).forEach(m -> mistakes.add(m.toString()));
    }
    return mistakes;
  }

  static Document xml(String text) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(new InputSource(new StringReader(text)));
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new AssertionError("no XML: " + e.getMessage() + "\n" + text, e);
    }
  }

  private static List<String> mail(Message.Mail mail) {
    List<String> mistakes = new ArrayList<>();
    if (mail.subject().isBlank()
        || mail.subject().length() > 250
        || mail.subject().chars().anyMatch(c -> c < ' ' || c == 0x2028 || c == 0x2029)) {
      mistakes.add("subject " + mail.subject());
    }
    if (mail.text().indexOf('\r') >= 0 || mail.text().indexOf(0) >= 0) {
      mistakes.add("text holds control characters");
    }
    String html = mail.html() == null ? "" : mail.html();
    if (html.contains("<b>") || html.contains("<!channel>") || html.contains("<tag>")) {
      mistakes.add("a value came into the HTML as markup");
    }
    if (html.contains("cid:chart") != mail.chart()) {
      mistakes.add("the chart is shown but not there, or there but not shown");
    }
    return mistakes;
  }

  private static List<String> trap(Message.Trap trap) {
    List<String> mistakes = new ArrayList<>();
    int bytes = 0;
    for (Message.VarBind bind : trap.varBinds()) {
      bytes += bind.oid().length() + bind.value().getBytes(StandardCharsets.UTF_8).length;
      if (bind.value().indexOf('\r') >= 0 || bind.value().indexOf(0) >= 0) {
        mistakes.add(bind.oid() + " holds control characters");
      }
    }
    if (bytes > 1_472) {
      mistakes.add(bytes + " bytes do not fit into one packet");
    }
    return mistakes;
  }

  private static Schema schema(String id) {
    return SCHEMAS.computeIfAbsent(
        id,
        name -> {
          try (InputStream in =
              Receivers.class.getResourceAsStream("/receivers/" + name + ".schema.json")) {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8), InputFormat.JSON);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }
}
