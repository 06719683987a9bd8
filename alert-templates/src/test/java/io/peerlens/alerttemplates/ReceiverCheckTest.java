package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.ReceiverCheck.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Each message that a shipped template makes is spoilt in one place, and that place is named. */
class ReceiverCheckTest {

  private static Message.Http made(String template) {
    return (Message.Http)
        Receivers.render(
            BuiltInTemplates.of(template).template(), BuiltInTemplates.contexts().get("new"));
  }

  private static Message.Http with(Message.Http http, String body) {
    return new Message.Http(http.method(), http.path(), http.headers(), http.contentType(), body);
  }

  private static List<String> places(String template, Message message) {
    return ReceiverCheck.findings(BuiltInTemplates.of(template).template().receiver(), message)
        .stream()
        .map(Finding::place)
        .toList();
  }

  /** A value is JSON, remove, or a number of letters. */
  @ParameterizedTest(name = "{0} {1} = {2}")
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '~',
      value = {
        "slack /text remove",
        "slack /attachments/0/blocks/0/text/text letters:151",
        "slack /attachments/0/blocks/0/text/type ~\"html\"~",
        "slack /attachments/0/blocks/0/type remove",
        "teams-workflows /type ~\"card\"~",
        "teams-workflows /attachments/0/content/version remove",
        "teams-workflows /attachments/0/content/body []",
        "pagerduty-events-v2 /routing_key ~\"short\"~",
        "pagerduty-events-v2 /event_action ~\"open\"~",
        "pagerduty-events-v2 /dedup_key letters:256",
        "pagerduty-events-v2 /payload remove",
        "pagerduty-events-v2 /payload/summary letters:1025",
        "pagerduty-events-v2 /payload/severity ~\"high\"~",
        "pagerduty-events-v2 /payload/timestamp ~\"yesterday\"~",
        "opsgenie /message letters:131",
        "opsgenie /message remove",
        "opsgenie /priority ~\"P0\"~",
        "opsgenie /details/owner 7",
        "jira-service-management /alias letters:513",
        "servicenow-event /records []",
        "servicenow-event /records/0/source remove",
        "servicenow-event /records/0/node letters:101",
        "servicenow-event /records/0/severity ~\"9\"~",
        "servicenow-event /records/0/additional_info {}",
        "servicenow-event /records/0/time_of_event ~\"2026-11-21T10:00:00Z\"~",
        "servicenow-incident /short_description letters:161",
        "servicenow-incident /urgency ~\"high\"~",
        "splunk-hec /event remove",
        "splunk-hec /time 1763719200000",
        "splunk-hec /fields/a {}",
        "alertmanager-v2 /0/labels/alertname remove",
        "alertmanager-v2 /0/labels/a-b ~\"x\"~",
        "alertmanager-v2 /0/annotations/count 7",
        "alertmanager-v2 /0/startsAt ~\"now\"~",
        "cloudevents /id remove",
        "cloudevents /specversion ~\"0.3\"~",
        "cloudevents /alertName ~\"x\"~",
        "vrops-rest-json /alertId remove",
        "vrops-rest-json /status ~\"OPEN\"~",
        "vrops-rest-json /startDate ~\"2026\"~",
      })
  void membersThatTheReceiverWouldRefuseAreFound(String template, String place, String value) {
    Message.Http fine = made(template);
    assertThat(places(template, fine)).isEmpty();
    JsonNode body = JsonMapper.shared().readTree(fine.body());
    int slash = place.lastIndexOf('/');
    JsonNode parent = body.at(place.substring(0, slash));
    String name = place.substring(slash + 1);
    if (value.equals("remove")) {
      ((ObjectNode) parent).remove(name);
    } else {
      JsonNode put =
          value.startsWith("letters:")
              ? JsonNodeFactory.instance.stringNode(
                  "x".repeat(Integer.parseInt(value.substring(8))))
              : JsonMapper.shared().readTree(value);
      ((ObjectNode) parent).set(name, put);
    }

    List<Finding> findings =
        ReceiverCheck.findings(
            BuiltInTemplates.of(template).template().receiver(), with(fine, body.toString()));

    assertThat(findings).extracting(Finding::place).containsExactly(place);
    assertThat(findings.getFirst().what()).isNotBlank();
    assertThat(findings.getFirst().hint()).endsWith(".");
  }

  @Test
  void aMessageOverTheTotalSizeIsFound() {
    Message.Http slack = made("slack");
    ObjectNode body = (ObjectNode) JsonMapper.shared().readTree(slack.body());
    ArrayNode blocks = body.putArray("blocks");
    for (int i = 0; i < 51; i++) {
      ObjectNode text = blocks.addObject().put("type", "section").putObject("text");
      text.put("type", "mrkdwn").put("text", "x".repeat(300));
    }
    assertThat(places("slack", with(slack, body.toString()))).containsExactly("/blocks", "/blocks");

    Message.Http teams = made("teams-workflows");
    ObjectNode card = (ObjectNode) JsonMapper.shared().readTree(teams.body());
    card.put("more", "é".repeat(14_000));
    assertThat(ReceiverCheck.findings("teams-workflows", with(teams, card.toString())))
        .singleElement()
        .satisfies(f -> assertThat(f.what()).contains("Teams takes 28,000"));
  }

  @Test
  void invalidJsonAndXmlAreFound() {
    for (String template : List.of("slack", "splunk-hec", "vrops-rest-json", "vrops-rest-xml")) {
      assertThat(places(template, with(made(template), "<a>{"))).containsExactly("");
    }
    assertThat(places("vrops-rest-xml", with(made("vrops-rest-xml"), "<alert/>")))
        .containsExactly("/alertId", "/status", "/criticality");
    assertThat(
            ReceiverCheck.findings("cloudevents", with(made("slack"), made("cloudevents").body())))
        .extracting(Finding::place)
        .containsExactly("Content-Type");
  }

  @Test
  void anUnknownReceiverIsNotChecked() {
    Message.Http odd = with(made("slack"), "anything");
    assertThat(ReceiverCheck.findings(null, odd)).isEmpty();
    assertThat(ReceiverCheck.findings("pager", odd)).isEmpty();
  }

  @Test
  void mailsAndTrapsAreCheckedByTheirKind() {
    assertThat(
            ReceiverCheck.findings(
                null, new Message.Mail("x".repeat(251), "t", "<p>", List.of(), true)))
        .extracting(Finding::place)
        .containsExactly("subject", "html");
    assertThat(
            ReceiverCheck.findings(
                null,
                new Message.Trap(
                    "1.3.6.1",
                    List.of(
                        new Message.VarBind(
                            "1.3.6.1.1", Message.SyntaxType.OCTET_STRING, "x".repeat(1500))))))
        .extracting(Finding::place)
        .containsExactly("variables");
  }
}
