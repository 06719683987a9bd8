package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rule by which a target was notified; kept with the notification, so that the CANCEL can be sent
 * when the rule is gone.
 *
 * @param vars values for the template
 */
record SendingRule(UUID rule, String ruleName, String template, JsonNode vars) {

  static SendingRule of(NotificationRule rule) {
    ObjectNode vars = JsonMapper.shared().createObjectNode();
    rule.vars().forEach(vars::set);
    return new SendingRule(rule.id(), rule.name(), rule.template(), vars);
  }
}
