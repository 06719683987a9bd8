package io.peerlens.alerttemplates;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks of a message against the limits of its receiver, before anything is sent: which members it
 * asks for, what they may hold, and how long they may be. A template names its receiver by the
 * member {@code receiver}; what no receiver is known for is not checked. Mails and traps are
 * checked by their kind, whatever the template says.
 *
 * <p>The limits, as the receivers' makers state them:
 *
 * <ul>
 *   <li>Slack, incoming webhook: text or blocks; 50 blocks; header 150 characters, text of a
 *       section 3,000, 10 fields of 2,000; about 13,000 characters in all blocks together.
 *   <li>Teams, Workflows: one message with Adaptive Cards, about 28 KB.
 *   <li>PagerDuty, Events v2: routing_key (32), event_action, dedup_key up to 255, payload with
 *       summary up to 1,024, source and severity, which only resolve and acknowledge can lack; 512
 *       KB.
 *   <li>Opsgenie and Jira Service Management: message up to 130 characters, alias 512, description
 *       15,000, 20 tags of 50, priority P1 to P5.
 *   <li>ServiceNow events: records; source, node, resource and the like up to 100 characters,
 *       severity 0 to 5, time_of_event in GMT as {@code yyyy-MM-dd HH:mm:ss}, additional_info as
 *       JSON in a text. Incidents: short_description up to 160, correlation_id up to 100.
 *   <li>Splunk, HTTP event collector: event; time in seconds; fields flat.
 *   <li>Alertmanager, API v2: a list; labels with names of letters, digits and _; times as RFC
 *       3339.
 *   <li>CloudEvents 1.0, structured: specversion, id, source and type; names of attributes in small
 *       letters and digits.
 *   <li>vRealize Operations' REST notification: alertId, status, criticality, and times as
 *       milliseconds.
 *   <li>Traps: one UDP packet of 1,472 bytes. Mails: a subject of one line.
 * </ul>
 */
public final class ReceiverCheck {

  private static final Pattern RFC3339 =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]{1,20}|data_base64");
  private static final Pattern GMT =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}");

  private static final Map<String, BiConsumer<ReceiverCheck, Message.Http>> RECEIVERS =
      Map.ofEntries(
          Map.entry("slack", ReceiverCheck::slack),
          Map.entry("teams-workflows", ReceiverCheck::teams),
          Map.entry("pagerduty-events-v2", ReceiverCheck::pagerDuty),
          Map.entry("opsgenie", ReceiverCheck::opsgenie),
          Map.entry("jira-service-management", ReceiverCheck::opsgenie),
          Map.entry("servicenow-event", ReceiverCheck::serviceNowEvent),
          Map.entry("servicenow-incident", ReceiverCheck::serviceNowIncident),
          Map.entry("splunk-hec", ReceiverCheck::splunk),
          Map.entry("alertmanager-v2", ReceiverCheck::alertmanager),
          Map.entry("cloudevents", ReceiverCheck::cloudEvents),
          Map.entry("vrops-rest", ReceiverCheck::vrops));

  /**
   * Finding: something that a receiver would refuse, or cut.
   *
   * @param place in the message, as a JSON pointer into the body, or such as {@code subject}
   * @param what is odd about it
   * @param hint how to mend it
   */
  public record Finding(String place, String what, String hint) {}

  private final List<Finding> findings = new ArrayList<>();

  private ReceiverCheck() {}

  /** Names of the receivers whose messages are checked, in order. */
  public static Set<String> receivers() {
    return new TreeSet<>(RECEIVERS.keySet());
  }

  /**
   * Looks at a message.
   *
   * @param receiver as the template names it; null = none
   * @return empty = it will be taken, as far as is known
   */
  public static List<Finding> findings(@Nullable String receiver, Message message) {
    ReceiverCheck check = new ReceiverCheck();
    switch (message) {
      case Message.Mail mail -> check.mail(mail);
      case Message.Trap trap -> check.trap(trap);
      case Message.Http http -> {
        BiConsumer<ReceiverCheck, Message.Http> known =
            receiver == null ? null : RECEIVERS.get(receiver);
        if (known != null) {
          known.accept(check, http);
        }
      }
    }
    return List.copyOf(check.findings);
  }

  // Receivers -------------------------------------------------------------------------------------

  private void slack(Message.Http http) {
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    if (!body.has("blocks") && !body.has("attachments")) {
      text(body, "", "text", 40_000);
    } else if (body.has("text")) {
      text(body, "", "text", 40_000);
    } else {
      add("/text", "is missing", "Slack shows it in notifications, where blocks cannot be shown.");
    }
    int[] characters = {0};
    int blocks = slackBlocks(body.path("blocks"), "/blocks", characters);
    JsonNode attachments = body.path("attachments");
    for (int i = 0; i < attachments.size(); i++) {
      String place = "/attachments/" + i + "/blocks";
      blocks += slackBlocks(attachments.path(i).path("blocks"), place, characters);
    }
    if (characters[0] > 13_000) {
      add(
          "/blocks",
          "hold %,d characters in %d blocks; Slack refuses more than about 13,000"
              .formatted(characters[0], blocks),
          "Cut long values with a truncate step, or list fewer symptoms.");
    }
  }

  private int slackBlocks(JsonNode blocks, String place, int[] characters) {
    if (blocks.size() > 50) {
      add(place, "are %d; Slack takes 50".formatted(blocks.size()), "List fewer.");
    }
    for (int i = 0; i < blocks.size(); i++) {
      JsonNode block = blocks.path(i);
      String at = place + "/" + i;
      String type = block.path("type").asString("");
      if (type.isEmpty()) {
        add(at + "/type", "is missing", "Blocks have a type, such as section or header.");
      }
      if (type.equals("section") && !block.has("text") && !block.has("fields")) {
        add(at, "is a section without text and fields", "Give it one of them.");
      }
      if (block.path("text").isObject()) {
        int most = type.equals("header") ? 150 : 3_000;
        characters[0] += slackText(block.path("text"), at + "/text", most);
      }
      JsonNode fields = block.path("fields");
      if (fields.size() > 10) {
        add(at + "/fields", "are %d; Slack takes 10".formatted(fields.size()), "Use two sections.");
      }
      for (int n = 0; n < fields.size(); n++) {
        characters[0] += slackText(fields.path(n), at + "/fields/" + n, 2_000);
      }
      JsonNode elements = block.path("elements");
      for (int n = 0; n < elements.size(); n++) {
        JsonNode element = elements.path(n);
        if (element.path("type").asString("").equals("button")) {
          slackText(element.path("text"), at + "/elements/" + n + "/text", 75);
          longest(element, at + "/elements/" + n, "url", 3_000);
        }
      }
    }
    return blocks.size();
  }

  private int slackText(JsonNode text, String place, int most) {
    String type = text.path("type").asString("");
    if (!type.equals("plain_text") && !type.equals("mrkdwn")) {
      add(place + "/type", "is '" + type + "'", "Slack knows plain_text and mrkdwn.");
    }
    text(text, place, "text", most);
    return text.path("text").asString("").length();
  }

  private void teams(Message.Http http) {
    tooLarge(http, 28_000, "Teams");
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    oneOf(body, "", "type", "message");
    JsonNode attachments = body.path("attachments");
    if (attachments.isEmpty()) {
      add("/attachments", "is missing or empty", "Teams shows the Adaptive Cards in it.");
    }
    for (int i = 0; i < attachments.size(); i++) {
      String at = "/attachments/" + i;
      oneOf(attachments.path(i), at, "contentType", "application/vnd.microsoft.card.adaptive");
      JsonNode card = attachments.path(i).path("content");
      oneOf(card, at + "/content", "type", "AdaptiveCard");
      text(card, at + "/content", "version", 10);
      if (card.path("body").isEmpty()) {
        add(at + "/content/body", "is missing or empty", "A card without elements shows nothing.");
      }
      for (int n = 0; n < card.path("body").size(); n++) {
        text(card.path("body").path(n), at + "/content/body/" + n, "type", 100);
      }
      for (int n = 0; n < card.path("actions").size(); n++) {
        JsonNode action = card.path("actions").path(n);
        if (action.path("type").asString("").equals("Action.OpenUrl")) {
          text(action, at + "/content/actions/" + n, "url", 8_000);
        }
      }
    }
  }

  private void pagerDuty(Message.Http http) {
    tooLarge(http, 512 * 1024, "PagerDuty");
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    String key = text(body, "", "routing_key", 1_000);
    if (!key.isEmpty() && key.length() != 32 && SecretMarks.names(key).isEmpty()) {
      add("/routing_key", "has %d characters".formatted(key.length()), "Integration keys have 32.");
    }
    oneOf(body, "", "event_action", "trigger", "acknowledge", "resolve");
    longest(body, "", "dedup_key", 255);
    if (body.path("event_action").asString("").equals("trigger")) {
      JsonNode payload = body.path("payload");
      if (!payload.isObject()) {
        add("/payload", "is missing", "A trigger needs payload with summary, source and severity.");
        return;
      }
      text(payload, "/payload", "summary", 1_024);
      text(payload, "/payload", "source", 1_024);
      oneOf(payload, "/payload", "severity", "critical", "error", "warning", "info");
      matching(payload, "/payload", "timestamp", RFC3339, "2026-11-21T10:00:00Z");
    } else if (!body.has("dedup_key")) {
      add(
          "/dedup_key",
          "is missing",
          "Without it PagerDuty does not know which incident is resolved.");
    }
  }

  /** Opsgenie's alerts, whose shape those of Jira Service Management have. */
  private void opsgenie(Message.Http http) {
    JsonNode body = object(http);
    if (body == null || !http.method().equals("POST")) {
      return;
    }
    if (http.path().replaceAll("\\?.*", "").matches(".*/(close|notes|acknowledge|snooze)")) {
      longest(body, "", "note", 25_000);
      longest(body, "", "source", 100);
      return;
    }
    text(body, "", "message", 130);
    longest(body, "", "alias", 512);
    longest(body, "", "description", 15_000);
    longest(body, "", "entity", 512);
    longest(body, "", "source", 100);
    if (body.has("priority")) {
      oneOf(body, "", "priority", "P1", "P2", "P3", "P4", "P5");
    }
    if (body.path("tags").size() > 20) {
      add("/tags", "are %d; 20 are taken".formatted(body.path("tags").size()), "Give fewer.");
    }
    for (int i = 0; i < body.path("tags").size(); i++) {
      cut("/tags/" + i, body.path("tags").path(i), 50);
    }
    for (Map.Entry<String, JsonNode> detail : body.path("details").properties()) {
      if (!detail.getValue().isString()) {
        add(
            "/details/" + TemplateParser.pointer(detail.getKey()),
            "is no text",
            "Write it within a longer text, or with the filter string; details hold texts alone.");
      }
    }
  }

  private void serviceNowEvent(Message.Http http) {
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    JsonNode records = body.path("records");
    if (records.isEmpty()) {
      add("/records", "is missing or empty", "Write {\"records\": [{...}]}.");
    }
    for (int i = 0; i < records.size(); i++) {
      JsonNode event = records.path(i);
      String at = "/records/" + i;
      text(event, at, "source", 100);
      for (String field : List.of("event_class", "node", "resource", "type", "metric_name")) {
        longest(event, at, field, 100);
      }
      longest(event, at, "message_key", 1_024);
      longest(event, at, "description", 4_000);
      JsonNode severity = event.path("severity");
      if (!severity.asString("").matches("[0-5]")) {
        add(
            at + "/severity",
            "is " + severity + ", not 0 to 5",
            "1 is critical, 5 is OK, 0 clears: use a mapSeverity step.");
      }
      if (event.has("resolution_state")) {
        oneOf(event, at, "resolution_state", "New", "Closing");
      }
      if (!event.path("time_of_event").asString("").isEmpty()) {
        matching(event, at, "time_of_event", GMT, "2026-11-21 10:00:00, in GMT");
      }
      JsonNode info = event.path("additional_info");
      if (!info.isMissingNode() && (!info.isString() || !isObject(info.stringValue()))) {
        add(
            at + "/additional_info",
            "is no text that holds a JSON object",
            "Use the filter json: '${... | json}'.");
      }
    }
  }

  private void serviceNowIncident(Message.Http http) {
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    if (http.method().equals("POST")) {
      text(body, "", "short_description", 160);
    } else {
      longest(body, "", "short_description", 160);
    }
    longest(body, "", "description", 4_000);
    longest(body, "", "close_notes", 4_000);
    longest(body, "", "correlation_id", 100);
    longest(body, "", "correlation_display", 100);
    for (String field : List.of("urgency", "impact")) {
      if (body.has(field)) {
        oneOf(body, "", field, "1", "2", "3");
      }
    }
  }

  private void splunk(Message.Http http) {
    int number = 0;
    try (MappingIterator<JsonNode> events =
        JsonMapper.shared().readerFor(JsonNode.class).readValues(http.body())) {
      while (events.hasNext()) {
        JsonNode event = events.next();
        String at = number == 0 ? "" : "/" + number;
        number++;
        JsonNode what = event.path("event");
        if (what.isMissingNode()
            || what.isNull()
            || what.isString() && what.stringValue().isEmpty()) {
          add(at + "/event", "is missing or empty", "Splunk refuses events without it.");
        }
        JsonNode time = event.path("time");
        if (time.isNumber()
            ? time.asDouble() > 100_000_000_000.0
            : !time.isMissingNode() && !time.asString("").matches("[0-9]{1,11}(\\.[0-9]+)?")) {
          add(
              at + "/time",
              "is no time in seconds since 1970",
              "Use the filter seconds for durations, or date: seconds for moments.");
        }
        for (Map.Entry<String, JsonNode> field : event.path("fields").properties()) {
          if (field.getValue().isContainer() && !field.getValue().isArray()) {
            add(
                at + "/fields/" + TemplateParser.pointer(field.getKey()),
                "is an object",
                "fields are flat: give each member a name of its own.");
          }
        }
      }
      if (number == 0) {
        add("", "is empty", "Write {\"event\": {...}}.");
      }
    } catch (JacksonException e) {
      noJson();
    }
  }

  private void alertmanager(Message.Http http) {
    JsonNode body = json(http);
    if (body == null) {
      return;
    }
    if (!body.isArray() || body.isEmpty()) {
      add("", "is no list of alerts", "Write [{\"labels\": {...}}].");
      return;
    }
    for (int i = 0; i < body.size(); i++) {
      JsonNode alert = body.path(i);
      text(alert.path("labels"), "/" + i + "/labels", "alertname", 10_000);
      for (String part : List.of("labels", "annotations")) {
        for (Map.Entry<String, JsonNode> label : alert.path(part).properties()) {
          String at = "/" + i + "/" + part + "/" + TemplateParser.pointer(label.getKey());
          if (!LABEL.matcher(label.getKey()).matches()) {
            add(
                at,
                "is no name of a label",
                "Names have letters, digits and _, and do not start with a digit.");
          }
          if (!label.getValue().isString()) {
            add(at, "is no text", "Labels and annotations hold texts alone.");
          }
        }
      }
      matching(alert, "/" + i, "startsAt", RFC3339, "2026-11-21T10:00:00Z");
      matching(alert, "/" + i, "endsAt", RFC3339, "2026-11-21T10:00:00Z");
    }
  }

  private void cloudEvents(Message.Http http) {
    String type = http.contentType().toLowerCase(java.util.Locale.ROOT);
    if (!type.startsWith("application/cloudevents+json")) {
      add(
          "Content-Type",
          "is " + http.contentType(),
          "Set render.contentType to application/cloudevents+json.");
    }
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    oneOf(body, "", "specversion", "1.0");
    for (String attribute : List.of("id", "source", "type")) {
      text(body, "", attribute, 10_000);
    }
    if (body.has("subject")) {
      text(body, "", "subject", 10_000);
    }
    matching(body, "", "time", RFC3339, "2026-11-21T10:00:00Z");
    for (String name : body.propertyNames()) {
      if (!ATTRIBUTE.matcher(name).matches()) {
        add(
            "/" + TemplateParser.pointer(name),
            "is no name of an attribute",
            "Names have up to 20 small letters and digits; everything else belongs into data.");
      }
    }
  }

  private void vrops(Message.Http http) {
    if (http.escape() == SecretMarks.Escape.XML) {
      Document document = xml(http.body());
      if (document == null) {
        add("", "is no XML", "Use the format xml, which cannot go wrong.");
        return;
      }
      for (String element : List.of("alertId", "status", "criticality")) {
        if (document.getElementsByTagName(element).getLength() == 0) {
          add("/" + element, "is missing", "Receivers made for vRealize Operations ask for it.");
        }
      }
      return;
    }
    JsonNode body = object(http);
    if (body == null) {
      return;
    }
    text(body, "", "alertId", 1_000);
    text(body, "", "criticality", 100);
    oneOf(body, "", "status", "ACTIVE", "CANCELED");
    for (String time : List.of("startDate", "updateDate", "cancelDate")) {
      if (!body.path(time).isMissingNode() && !body.path(time).isIntegralNumber()) {
        add(
            "/" + time,
            "is " + body.path(time) + ", no number",
            "These are milliseconds since 1970; 0 means none.");
      }
    }
  }

  private void mail(Message.Mail mail) {
    if (mail.subject().isBlank()) {
      add("subject", "is empty", "Many people delete mails without one.");
    } else if (mail.subject().length() > 250) {
      add(
          "subject",
          "has %d characters; more than 250 are cut".formatted(mail.subject().length()),
          "Use the filter truncate.");
    }
    String html = mail.html();
    if (mail.chart() && (html == null || !html.contains("cid:chart"))) {
      add("html", "does not show the chart", "Write <img src=\"cid:chart\"> where it belongs.");
    }
  }

  private void trap(Message.Trap trap) {
    int bytes = 0;
    for (Message.VarBind bind : trap.varBinds()) {
      bytes += bind.oid().length() + bind.value().getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > 1_472) {
      add(
          "variables",
          "have about %,d bytes; one packet holds 1,472".formatted(bytes),
          "Give long texts a max, and a low keep where they may be cut.");
    }
  }

  // Steps -----------------------------------------------------------------------------------------

  private void add(String place, String what, String hint) {
    findings.add(new Finding(place, what, hint));
  }

  private void noJson() {
    add("", "is no JSON", "Use the format json, which cannot go wrong.");
  }

  private void tooLarge(Message.Http http, int most, String who) {
    int bytes = http.body().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > most) {
      add(
          "",
          "has %,d bytes; %s takes %,d".formatted(bytes, who, most),
          "Cut long values with a truncate step, or list fewer symptoms.");
    }
  }

  private @Nullable JsonNode json(Message.Http http) {
    try {
      return JsonMapper.shared().readTree(http.body());
    } catch (JacksonException e) {
      noJson();
      return null;
    }
  }

  private @Nullable JsonNode object(Message.Http http) {
    JsonNode body = json(http);
    if (body != null && !body.isObject()) {
      add("", "is no object", "Write {...}.");
      return null;
    }
    return body;
  }

  /** A member that must be there; gives its text. */
  private String text(JsonNode parent, String place, String name, int most) {
    JsonNode value = parent.path(name);
    String at = place + "/" + name;
    if (value.isMissingNode() || value.isNull()) {
      add(at, "is missing", "The receiver asks for it.");
    } else if (!value.isString()) {
      add(at, "is " + value + ", no text", "Put it within quotes with other text.");
    } else if (value.stringValue().isBlank()) {
      add(at, "is empty", "Use the filter default for what may be missing.");
    } else {
      cut(at, value, most);
    }
    return value.asString("");
  }

  private void longest(JsonNode parent, String place, String name, int most) {
    cut(place + "/" + name, parent.path(name), most);
  }

  private void cut(String at, JsonNode value, int most) {
    int length = value.asString("").length();
    if (length > most) {
      add(
          at,
          "has %,d characters; %,d are taken".formatted(length, most),
          "Use the filter truncate: '${... | truncate: %d}'.".formatted(most));
    }
  }

  private void oneOf(JsonNode parent, String place, String name, String... known) {
    JsonNode value = parent.path(name);
    if (!value.isString() || !List.of(known).contains(value.stringValue())) {
      add(
          place + "/" + name,
          value.isMissingNode() ? "is missing" : "is " + value,
          "It must be " + String.join(" or ", known) + ".");
    }
  }

  private void matching(
      JsonNode parent, String place, String name, Pattern pattern, String example) {
    JsonNode value = parent.path(name);
    if (!value.isMissingNode() && !pattern.matcher(value.asString("")).matches()) {
      add(place + "/" + name, "is " + value, "Write it as " + example + ".");
    }
  }

  private static boolean isObject(String text) {
    try {
      return JsonMapper.shared().readTree(text).isObject();
    } catch (JacksonException e) {
      return false;
    }
  }

  private static @Nullable Document xml(String text) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(new InputSource(new StringReader(text)));
    } catch (SAXException e) {
      return null;
    } catch (IOException | ParserConfigurationException e) {
      throw new IllegalStateException("XML cannot be read here", e);
    }
  }
}
