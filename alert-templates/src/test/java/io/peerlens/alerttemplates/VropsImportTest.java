package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class VropsImportTest {

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String WEBHOOK =
      """
      {"name": "Ticket für Netz", "pluginTypeId": "WebhookPlugin", "templateType": "ALERT", "description": "",
       "templateProperties": [{"key": "HOST_NAME", "name": "Host", "type": "STRING", "description": "The gateway"},
                              {"key": "PRIO", "type": "INTEGER"}],
       "contentConfigs": [{"stats": ["cpu|usage_average"]}],
       "formattingTemplate": {
         "newAlertTemplate": {"endpoint": "api/tickets/${ALERT_ID}", "method": "POST",
           "headers": [{"key": "Content-Type", "value": "application/json"}, {"key": "Authorization", "value": "Basic abc"},
                       {"key": "X-Object", "value": "${RESOURCE_NAME}"}],
           "payload": "{\\n \\"title\\": \\"${ALERT_DEFINITION} on ${RESOURCE_NAME}\\", \\"symptoms\\": \\"${SYMPTOMS}\\",\\n \\"health\\": ${OBJECT_HEALTH_STATE}, \\"risk\\": \\"${OBJECT_RISK_STATE}\\",\\n \\"ended\\": \\"${CANCEL_TIME}\\", \\"via\\": \\"${HOST_NAME}\\", \\"prio\\": ${PRIO}, \\"x\\": \\"${NOT_KNOWN} $${y}\\", \\"$type\\": [1, true, null]\\n}"},
         "updatedAlertTemplate": {"endpoint": "/api/tickets/${ALERT_ID}", "method": "PUT", "headers": [{"key": "Content-Type", "value": "application/json"}],
           "payload": "{\\"state\\": \\"${ALERT_CRITICALITY}\\"}"},
         "canceledAlertTemplate": {"endpoint": "/api/tickets/${ALERT_ID}", "method": "PUT", "headers": [],
           "payload": "{\\"state\\": \\"closed\\"}"},
         "actionTemplate": {"endpoint": "/x", "payload": "{}"}}}
      """;

  @Test
  void aJsonPayloadBecomesATree() {
    VropsImport.Imported imported = VropsImport.read(JSON.readTree(WEBHOOK)).getFirst();
    AlertTemplate template = imported.template();

    assertThat(template.id()).isEqualTo("ticket-fur-netz");
    assertThat(template.vars())
        .extracting(AlertTemplate.Var::name)
        .containsExactly("HOST_NAME", "PRIO");
    ObjectNode context = (ObjectNode) BuiltInTemplates.contexts().get("hostile");
    context.putObject("vars").put("HOST_NAME", "gw\"1").put("PRIO", 3);
    Message.Http message = (Message.Http) template.render(context);
    JsonNode body = JSON.readTree(message.body());

    assertThat(message.method()).isEqualTo("POST");
    assertThat(message.path()).isEqualTo("/api/tickets/5f0e6a52-9a54-4a43-8d3e-0f8a2f1b9c10");
    assertThat(message.headers()).extracting(Message.Header::name).containsExactly("X-Object");
    assertThat(body.path("title").stringValue())
        .contains("say \"hi\"")
        .contains("${alert.id} {{alert.id}} {{{x}}}");
    assertThat(body.path("health").isNull()).isTrue();
    assertThat(body.path("risk").stringValue()).isEmpty();
    assertThat(body.path("ended").stringValue()).isEmpty();
    assertThat(body.path("via").stringValue()).isEqualTo("gw\"1");
    assertThat(body.path("prio").intValue()).isEqualTo(3);
    assertThat(body.path("x").stringValue()).isEqualTo("${NOT_KNOWN} $${y}");
    assertThat(body.path("$type").toString()).isEqualTo("[1,true,null]");
    assertThat(imported.notes())
        .anyMatch(n -> n.contains("Authorization"))
        .anyMatch(n -> n.contains("cpu|usage_average"))
        .anyMatch(n -> n.contains("actions"))
        .anyMatch(n -> n.contains("${NOT_KNOWN}"))
        .anyMatch(n -> n.contains("HOST_NAME, PRIO"));
  }

  @Test
  void eachEventHasItsOwnMessage() {
    AlertTemplate template = VropsImport.read(JSON.readTree(WEBHOOK)).getFirst().template();
    Message.Http update = (Message.Http) template.render(BuiltInTemplates.contexts().get("update"));
    Message.Http cancel = (Message.Http) template.render(BuiltInTemplates.contexts().get("cancel"));

    assertThat(update.method()).isEqualTo("PUT");
    assertThat(update.body()).isEqualTo("{\"state\":\"CRITICAL\"}");
    assertThat(update.headers()).isEmpty();
    assertThat(cancel.body()).isEqualTo("{\"state\":\"closed\"}");
  }

  @Test
  void theTextOfANewAlertIsUsedForAllEventsByDefault() {
    ObjectNode one = (ObjectNode) JSON.readTree(WEBHOOK);

    ObjectNode formatting = (ObjectNode) one.path("formattingTemplate");
    formatting.remove("updatedAlertTemplate");
    formatting.remove("canceledAlertTemplate");

    JsonNode document = VropsImport.read(one).getFirst().document();

    assertThat(document.at("/deliver/method").stringValue()).isEqualTo("POST");
    assertThat(document.at("/render/body").has("$switch")).isFalse();
  }

  @Test
  void valuesInOtherPayloadsAreEscaped() {
    String payload = "<alert name='${ALERT_DEFINITION}'><info>${SYMPTOMS}</info>{{raw}}</alert>";
    ObjectNode source = JSON.createObjectNode().put("name", "X M L");
    source
        .putObject("formattingTemplate")
        .putObject("newAlertTemplate")
        .put("endpoint", "")
        .put("payload", payload)
        .putArray("headers")
        .addObject()
        .put("key", "content-type")
        .put("value", "text/xml");

    VropsImport.Imported imported =
        VropsImport.read(
                JSON.createObjectNode().set("templates", JSON.createArrayNode().add(source)))
            .getFirst();
    Message.Http message =
        (Message.Http) imported.template().render(BuiltInTemplates.contexts().get("hostile"));

    assertThat(message.contentType()).isEqualTo("text/xml");
    var root = Receivers.xml(message.body()).getDocumentElement();
    assertThat(root.getAttribute("name")).startsWith("say \"hi\" 'x'");
    assertThat(root.getTextContent()).endsWith("{{raw}}");
    assertThat(imported.notes()).anyMatch(n -> n.contains("XML"));
  }

  @Test
  void aPayloadWithValuesAsNamesStaysValid() {
    ObjectNode source = JSON.createObjectNode().put("name", "odd");
    source
        .putObject("formattingTemplate")
        .putObject("newAlertTemplate")
        .put("payload", "{\"${RESOURCE_NAME}\": \"${SYMPTOMS}\"}");

    Message.Http message =
        (Message.Http)
            VropsImport.read(source)
                .getFirst()
                .template()
                .render(BuiltInTemplates.contexts().get("hostile"));

    assertThat(JSON.readTree(message.body()).propertyNames().iterator().next())
        .startsWith("say \"hi\"");
  }

  @Test
  void mailTemplatesAreImported() {
    ObjectNode source = JSON.createObjectNode().put("name", "Mail");
    ObjectNode formatting = source.putObject("formattingTemplate");
    formatting
        .putObject("newAlertTemplate")
        .put("subject", "New: ${ALERT_DEFINITION}")
        .put("body", "<p>${SYMPTOMS}</p><a href=\"${LINK_TO_ALERT}\">more</a>");
    formatting
        .putObject("canceledAlertTemplate")
        .put("subject", "Over: ${ALERT_DEFINITION}")
        .put("body", "<p>over</p>");

    AlertTemplate template = VropsImport.read(source).getFirst().template();
    Message.Mail mail = (Message.Mail) template.render(BuiltInTemplates.contexts().get("hostile"));

    assertThat(template.targetType()).isEqualTo("email");
    assertThat(mail.subject()).startsWith("New: say \"hi\"").doesNotContain("\n");
    assertThat(mail.html())
        .contains("&lt;!channel&gt;")
        .contains("%22%3E?x=&lt;&gt;&amp;y=&quot;\"");
    assertThat(mail.text()).contains("<!channel>").contains("more");
    assertThat(
            ((Message.Mail) template.render(BuiltInTemplates.contexts().get("cancel"))).subject())
        .startsWith("Over: ");
  }

  @Test
  void partsThatCannotBeImportedAreNamed() {
    assertThatThrownBy(() -> VropsImport.read(JSON.readTree("{\"a\": 1}")))
        .hasMessageContaining("no payload template");
    assertThatThrownBy(
            () ->
                VropsImport.read(
                    JSON.readTree("{\"formattingTemplate\": {\"actionTemplate\": {}}}")))
        .hasMessageContaining("templates of actions");
  }
}
