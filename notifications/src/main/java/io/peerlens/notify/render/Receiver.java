package io.peerlens.notify.render;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Part of a context that depends on who receives it.
 *
 * @param ruleId and the other ids are those of the API
 * @param vars of the rule
 * @param previous the last notification; null = none yet
 * @param notificationCount how often the target was notified of the alert, this time included
 * @param externalIds what the receiver calls the alert, by names that templates choose
 */
public record Receiver(
    String ruleId,
    String ruleName,
    String targetId,
    String targetName,
    Map<String, JsonNode> vars,
    @Nullable Previous previous,
    int notificationCount,
    Map<String, String> externalIds) {

  /** Previous notification of an alert. */
  public record Previous(String criticality, @Nullable String info) {}

  /** A copy of a context with this. */
  public ObjectNode in(ObjectNode context) {
    ObjectNode mine = context.deepCopy();
    mine.putObject("rule").put("id", ruleId).put("name", ruleName);
    mine.putObject("target").put("id", targetId).put("name", targetName);
    ObjectNode all = mine.putObject("vars");
    vars.forEach(all::set);
    if (previous == null) {
      mine.set("previous", JsonNodeFactory.instance.nullNode());
    } else {
      mine.putObject("previous")
          .put("criticality", previous.criticality())
          .put("info", previous.info());
    }
    if (mine.get("alert") instanceof ObjectNode alert) {
      alert.put("notificationCount", notificationCount);
      ObjectNode ids = alert.putObject("externalIds");
      externalIds.forEach(ids::put);
    }
    return mine;
  }
}
