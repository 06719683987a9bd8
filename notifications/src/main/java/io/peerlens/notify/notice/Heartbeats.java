package io.peerlens.notify.notice;

import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRuleStore;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.dispatch.DirectMessages;
import io.peerlens.notify.render.EventType;
import io.peerlens.threshold.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Heartbeats: a message to a target now and then that notifications work, so that it can tell
 * silence from well-being. It is sent as an end, which opens nothing anywhere.
 */
final class Heartbeats {

  private final HeartbeatStore store;
  private final NotificationTargetStore targets;
  private final NotificationRuleStore rules;
  private final DirectMessages messages;

  Heartbeats(
      HeartbeatStore store,
      NotificationTargetStore targets,
      NotificationRuleStore rules,
      DirectMessages messages) {
    this.store = store;
    this.targets = targets;
    this.rules = rules;
    this.messages = messages;
  }

  /** Sends those that are due. */
  void beat(Instant now) {
    for (NotificationTarget target : targets.enabled()) {
      Duration every = target.heartbeat();
      if (every != null && !store.had(target.id(), every, now)) {
        messages.send(
            target.id(),
            template(target),
            context(now),
            EventType.CANCEL,
            "heartbeat",
            List.of(),
            now);
      }
    }
  }

  /** What the target gets anyway; where no rule names it, what fits its type. */
  private String template(NotificationTarget target) {
    UUID id = target.id();
    return rules.inOrder().stream()
        .filter(rule -> rule.targets().contains(id))
        .map(NotificationRule::template)
        .findFirst()
        .orElseGet(() -> target.active().type().usualTemplate());
  }

  private static ObjectNode context(Instant now) {
    ObjectNode context = JsonMapper.shared().createObjectNode();
    context.put("source", Notices.SOURCE);
    context.put("now", now.toEpochMilli());
    ObjectNode alert = context.putObject("alert");
    alert.put("id", UUID.nameUUIDFromBytes(new byte[] {'h', 'e', 'a', 'r', 't'}).toString());
    alert.put("name", "Heartbeat of Peerlens");
    alert.put("definitionId", "heartbeat");
    alert.put("status", "CANCELED");
    alert.put("controlState", "OPEN");
    alert.put("criticality", Severity.INFORMATION.name());
    alert.put("startTime", now.toEpochMilli());
    alert.put("updateTime", now.toEpochMilli());
    alert.put("cancelTime", now.toEpochMilli());
    alert.put("info", "Notifications work.");
    alert.putArray("symptoms");
    alert.putArray("recommendations");
    alert.putObject("externalIds");
    context.putNull("object");
    return context;
  }
}
