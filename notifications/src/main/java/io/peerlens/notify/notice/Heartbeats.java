package io.peerlens.notify.notice;

import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.context.EventType;
import io.peerlens.notify.pipeline.DirectMessages;
import io.peerlens.notify.rule.NotificationRule;
import io.peerlens.notify.target.NotificationTarget;
import io.peerlens.threshold.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells targets now and then that notifications work, so that they can tell silence from
 * well-being. It is told as an end, which opens nothing anywhere.
 */
final class Heartbeats {

  private final HeartbeatStore store;
  private final Supplier<List<NotificationTarget>> targets;
  private final Supplier<List<NotificationRule>> rules;
  private final DirectMessages messages;

  Heartbeats(
      HeartbeatStore store,
      Supplier<List<NotificationTarget>> targets,
      Supplier<List<NotificationRule>> rules,
      DirectMessages messages) {
    this.store = store;
    this.targets = targets;
    this.rules = rules;
    this.messages = messages;
  }

  /** Sends those that are due. */
  void beat(Instant now) {
    for (NotificationTarget target : targets.get()) {
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
    return rules.get().stream()
        .filter(rule -> rule.targets().contains(id))
        .map(NotificationRule::template)
        .findFirst()
        .orElseGet(() -> usual(target.inForce().type()));
  }

  private static String usual(TargetType type) {
    return switch (type) {
      case WEBHOOK -> "generic-json";
      case EMAIL -> "email";
      case SNMP -> "snmp-peerlens";
    };
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
