package io.peerlens.notify.dispatch;

import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.TargetSubject;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.dispatch.Decision.Tell;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Receiver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Render: the message of a notification. It is made once; every attempt sends the same. */
final class RenderStage {

  /**
   * Result of rendering.
   *
   * @param draft null = the template says that nothing is to be sent
   * @param words null = nothing to remark
   */
  record Result(@Nullable Draft draft, @Nullable String words) {}

  /** The message of one alert. */
  Result alert(Batch batch, Route route, Tell tell) {
    StateRow state = route.state;
    return render(
        batch,
        route.context.tree(),
        route.target,
        state.sendingRule,
        state.alert,
        state.sent,
        tell,
        List.of());
  }

  /** The message of a group. */
  Result group(
      Batch batch,
      ObjectNode context,
      Target target,
      GroupRow group,
      Tell tell,
      List<UUID> members) {
    return render(batch, context, target, group.sendingRule, group.id, group.sent, tell, members);
  }

  /**
   * Renders a message, and notes it as the last one of its subject.
   *
   * @param subject the alert or group
   */
  private static Result render(
      Batch batch,
      ObjectNode given,
      Target target,
      SendingRule rule,
      UUID subject,
      LastSent last,
      Tell tell,
      List<UUID> members) {
    boolean isNew = tell.event() == EventType.NEW;
    int number = isNew ? 1 : last.notified + 1;
    String criticality = isNew ? null : last.criticality;
    Map<String, JsonNode> vars = new HashMap<>();
    rule.vars().properties().forEach(entry -> vars.put(entry.getKey(), entry.getValue()));
    ObjectNode context =
        new Receiver(
                rule.rule().toString(),
                rule.ruleName(),
                target.id().toString(),
                target.name(),
                vars,
                criticality == null ? null : new Receiver.Previous(criticality, last.info),
                number,
                batch.externalIds.getOrDefault(new TargetSubject(target.id(), subject), Map.of()))
            .in(given);
    context.put("event", tell.event().name());
    context.put("change", tell.change());
    Renderer renderer = batch.active.renderer();
    Draft draft;
    switch (renderer.render(rule.template(), context)) {
      case Rendered.Dropped(String words) -> {
        return new Result(null, words);
      }
      case Rendered.Failed(String version, String hash, String words) ->
          draft =
              draft(batch, context, target, rule, subject, tell, last.sequence + 1, members)
                  .failed(version, hash, words);
      case Rendered.Ready(String version, String hash, JsonNode message) -> {
        // The receiver's own id may come with its answer to what is before it in the queue.
        boolean later =
            !isNew
                && context.path("alert").path("externalIds").isEmpty()
                && renderer.needsExternalIds(rule.template());
        Draft made = draft(batch, context, target, rule, subject, tell, last.sequence + 1, members);
        draft = later ? made.later(version, hash, context) : made.ready(version, hash, message);
      }
    }
    last.sequence++;
    last.notified = number;
    last.criticality = given.path("alert").path("criticality").asString(null);
    last.info = given.path("alert").path("info").asString(null);
    return new Result(draft, draft.failure());
  }

  private static Draft draft(
      Batch batch,
      ObjectNode context,
      Target target,
      SendingRule rule,
      UUID subject,
      Tell tell,
      int sequence,
      List<UUID> members) {
    return Draft.of(
        target.id(),
        target.name(),
        rule.rule(),
        rule.ruleName(),
        subject,
        context,
        tell.event(),
        tell.change(),
        sequence,
        rule.template(),
        batch.now,
        target.maxAge(),
        members);
  }
}
