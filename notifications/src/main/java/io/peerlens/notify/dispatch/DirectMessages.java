package io.peerlens.notify.dispatch;

import io.peerlens.alerttemplates.Message;
import io.peerlens.database.Uuid7;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Receiver;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Messages to one target that no rule asks for: heartbeats and reports. */
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
    ActiveConfig active = definitions.now();
    ActiveConfig.Target to = active.targets().get(target);
    if (to == null) {
      return Optional.empty();
    }
    ObjectNode context =
        new Receiver("", change, target.toString(), to.name(), Map.of(), null, 1, Map.of())
            .in(given);
    context.put("event", event.name());
    context.put("change", change);
    Draft of =
        Draft.of(
            to.id(),
            to.name(),
            null,
            null,
            Uuid7.at(now),
            context,
            event,
            change,
            1,
            template,
            now,
            to.maxAge(),
            List.of());
    Draft draft =
        switch (active.renderer().render(template, context)) {
          case Rendered.Dropped dropped -> null;
          case Rendered.Ready(String version, String hash, JsonNode message) ->
              of.ready(version, hash, carrying(message, files));
          case Rendered.Failed(String version, String hash, String words) ->
              of.failed(version, hash, words);
        };
    if (draft == null) {
      return Optional.empty();
    }
    queue.put(List.of(draft));
    return Optional.of(draft.id());
  }

  /**
   * Queues a message that is made already; in the caller's transaction, if there is one.
   *
   * @param name of what it is about
   * @param template what it was made by, for the delivery log
   * @return its entry in the delivery log; empty = the target is disabled
   */
  public Optional<UUID> send(
      UUID target,
      String name,
      Message message,
      String template,
      EventType event,
      String change,
      Instant now) {
    ActiveConfig.Target to = definitions.now().targets().get(target);
    if (to == null) {
      return Optional.empty();
    }
    ObjectNode context = JsonNodeFactory.instance.objectNode();
    context.putObject("alert").put("name", name);
    Draft draft =
        Draft.of(
                to.id(),
                to.name(),
                null,
                null,
                Uuid7.at(now),
                context,
                event,
                change,
                1,
                template,
                now,
                to.maxAge(),
                List.of())
            .ready("1", "", message.toJson());
    queue.put(List.of(draft));
    return Optional.of(draft.id());
  }

  private static JsonNode carrying(JsonNode message, List<Message.TextFile> files) {
    return !files.isEmpty() && Message.fromJson(message) instanceof Message.Mail mail
        ? mail.with(files).toJson()
        : message;
  }
}
