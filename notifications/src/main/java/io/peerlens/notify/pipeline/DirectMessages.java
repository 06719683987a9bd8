package io.peerlens.notify.pipeline;

import io.peerlens.alerttemplates.Message;
import io.peerlens.database.Uuid7;
import io.peerlens.notify.context.EventType;
import io.peerlens.notify.context.Receiver;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Queues a message to one target that no rule asks for. */
public final class DirectMessages {

  private final StoredDefinitions definitions;
  private final QueueStore queue;

  DirectMessages(StoredDefinitions definitions, QueueStore queue) {
    this.definitions = definitions;
    this.queue = queue;
  }

  /**
   * Queues it; in the caller's transaction, if there is one.
   *
   * @param template id of what it looks like
   * @param files that a mail carries
   * @return its entry in the delivery log; empty = the target is disabled, or the template says
   *     that nothing is to be sent
   */
  public Optional<UUID> send(
      UUID target,
      String template,
      ObjectNode given,
      EventType event,
      String change,
      List<Message.TextFile> files,
      Instant now) {
    InForce inForce = definitions.now();
    InForce.Target to = inForce.targets().get(target);
    if (to == null) {
      return Optional.empty();
    }
    ObjectNode context =
        new Receiver("", change, target.toString(), to.name(), Map.of(), null, 1, Map.of())
            .in(given);
    context.put("event", event.name());
    context.put("change", change);
    Draft draft =
        switch (inForce.renderer().render(template, context)) {
          case Rendered.Dropped dropped -> null;
          case Rendered.Ready(String version, String hash, JsonNode message) ->
              draft(
                  to,
                  template,
                  version,
                  hash,
                  context,
                  event,
                  change,
                  carrying(message, files),
                  null,
                  now);
          case Rendered.Failed(String version, String hash, String words) ->
              draft(to, template, version, hash, context, event, change, null, words, now);
        };
    if (draft == null) {
      return Optional.empty();
    }
    queue.put(List.of(draft));
    return Optional.of(draft.id());
  }

  private static JsonNode carrying(JsonNode message, List<Message.TextFile> files) {
    return !files.isEmpty() && Message.fromJson(message) instanceof Message.Mail mail
        ? mail.with(files).toJson()
        : message;
  }

  private static Draft draft(
      InForce.Target to,
      String template,
      String version,
      String hash,
      ObjectNode context,
      EventType event,
      String change,
      @Nullable JsonNode message,
      @Nullable String failure,
      Instant now) {
    JsonNode alert = context.path("alert");
    return new Draft(
        Uuid7.at(now),
        to.id(),
        to.name(),
        null,
        null,
        Uuid7.at(now),
        null,
        alert.path("name").asString(""),
        null,
        alert.path("criticality").asString(null),
        event,
        change,
        1,
        template,
        version,
        hash,
        message,
        null,
        failure,
        now,
        now.plus(to.maxAge()),
        List.of());
  }
}
