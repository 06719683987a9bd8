package io.peerlens.notify.pipeline;

import io.peerlens.notify.rule.NotificationRule;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * By which rule a target is told; kept with what it was told, so that the end can be told when the
 * rule is gone.
 *
 * @param vars values for the template
 */
record Teller(UUID rule, String ruleName, String template, JsonNode vars) {

  static Teller of(NotificationRule rule) {
    ObjectNode vars = JsonMapper.shared().createObjectNode();
    rule.vars().forEach(vars::set);
    return new Teller(rule.id(), rule.name(), rule.template(), vars);
  }
}
