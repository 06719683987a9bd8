package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretValues;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** Targets, messages and secrets that tests of webhooks share. */
final class WebhookTargets {

  static final UUID TARGET = UUID.fromString("0d8f8f6c-5d15-4f61-a9f6-2f1de2b6f0aa");
  static final UUID DELIVERY = UUID.fromString("01931d6c-5d15-7f61-a9f6-2f1de2b6f0aa");
  static final UUID ALERT = UUID.fromString("3f0c9d36-5a0b-5a55-9c0e-0f6f3f8f2c11");

  private WebhookTargets() {}

  /** A target of the webhook settings, written with single quotes. */
  static ActiveTarget target(String webhook) {
    return target(webhook, "{}");
  }

  static ActiveTarget target(String webhook, String limits) {
    return ActiveTarget.read(
        TARGET,
        "",
        Definitions.of(
            JsonMapper.shared()
                .readTree(
                    "{\"name\": \"Test\", \"type\": \"webhook\", \"webhook\": %s, \"limits\": %s}"
                        .formatted(webhook.replace('\'', '"'), limits.replace('\'', '"'))),
            NotificationTargetEdit.class));
  }

  static Attempt attempt() {
    return new Attempt(DELIVERY, ALERT, 1, 1, Instant.parse("2026-11-21T12:00:00Z"));
  }

  static Message.Http post(String path, String body) {
    return new Message.Http("POST", path, List.of(), "application/json", body);
  }

  static SecretValues secrets(Map<String, String> values) {
    return name -> {
      String value = values.get(name);
      if (value == null) {
        throw new SecretException("The secret " + name + " does not exist");
      }
      return value;
    };
  }

  /** Everything that is kept of an exchange, as one text. */
  static String everything(Exchange exchange) {
    StringBuilder all = new StringBuilder(exchange.toString());
    all.append(JsonMapper.shared().writeValueAsString(exchange));
    all.append(exchange.sent().line()).append(exchange.sent().body());
    for (HeaderLine header : exchange.sent().headers()) {
      all.append(header.name()).append(": ").append(header.value()).append('\n');
    }
    if (exchange.answer() != null) {
      all.append(exchange.answer().line()).append(exchange.answer().body());
      all.append(exchange.answer().head());
      for (HeaderLine header : exchange.answer().headers()) {
        all.append(header.name()).append(": ").append(header.value()).append('\n');
      }
    }
    return all.append(exchange.verdict().reason()).toString();
  }
}
