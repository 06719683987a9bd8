package io.peerlens.notify.pipeline;

import io.peerlens.database.Uuid7;
import io.peerlens.notify.context.EventType;
import io.peerlens.notify.context.Receiver;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.flow.Decision.Tell;
import io.peerlens.notify.pipeline.InForce.Target;
import io.peerlens.notify.pipeline.StandingStore.Pair;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Render: the message of what is told. It is made once; every attempt sends the same. */
final class RenderStage {

  /**
   * What was made.
   *
   * @param draft null = the template says that nothing is to be sent
   * @param words null = nothing to remark
   */
  record Made(@Nullable Draft draft, @Nullable String words) {}

  /** What a target was told before. */
  private record Before(
      Teller teller,
      UUID subject,
      int sequence,
      int notified,
      @Nullable String criticality,
      @Nullable String info) {}

  /** The message of one alert. */
  Made alert(Batch batch, Route route, Tell tell) {
    ObjectNode context = route.context.tree();
    Target target = route.target;
    State state = route.state;
    boolean isNew = tell.event() == EventType.NEW;
    Before before =
        new Before(
            state.teller,
            state.alert,
            state.sequence,
            isNew ? 0 : state.notified,
            isNew ? null : state.criticality,
            isNew ? null : state.info);
    Made made = make(batch, context, target, before, tell, List.of());
    if (made.draft() != null) {
      state.sequence++;
      state.notified = before.notified() + 1;
      state.criticality = context.path("alert").path("criticality").asString(null);
      state.info = context.path("alert").path("info").asString(null);
    }
    return made;
  }

  /** The message of a group. */
  Made group(
      Batch batch,
      ObjectNode context,
      Target target,
      GroupState group,
      Tell tell,
      List<UUID> members) {
    boolean isNew = tell.event() == EventType.NEW;
    Before before =
        new Before(
            group.teller,
            group.id,
            group.sequence,
            isNew ? 0 : group.notified,
            isNew ? null : group.criticality,
            isNew ? null : group.info);
    Made made = make(batch, context, target, before, tell, members);
    if (made.draft() != null) {
      group.sequence++;
      group.notified = before.notified() + 1;
      group.criticality = context.path("alert").path("criticality").asString(null);
      group.info = context.path("alert").path("info").asString(null);
    }
    return made;
  }

  private static Made make(
      Batch batch, ObjectNode given, Target target, Before before, Tell tell, List<UUID> members) {
    Teller teller = before.teller();
    Map<String, JsonNode> vars = new HashMap<>();
    teller.vars().properties().forEach(entry -> vars.put(entry.getKey(), entry.getValue()));
    String criticality = before.criticality();
    ObjectNode context =
        new Receiver(
                teller.rule().toString(),
                teller.ruleName(),
                target.id().toString(),
                target.name(),
                vars,
                criticality == null ? null : new Receiver.Previous(criticality, before.info()),
                before.notified() + 1,
                batch.externalIds.getOrDefault(new Pair(target.id(), before.subject()), Map.of()))
            .in(given);
    context.put("event", tell.event().name());
    context.put("change", tell.change());
    Renderer renderer = batch.inForce.renderer();
    Rendered rendered = renderer.render(teller.template(), context);
    // The receiver's own id may come with its answer to what is before it in the queue.
    boolean later =
        tell.event() != EventType.NEW
            && context.path("alert").path("externalIds").isEmpty()
            && renderer.needsExternalIds(teller.template());
    return switch (rendered) {
      case Rendered.Dropped(String words) -> new Made(null, words);
      case Rendered.Failed(String version, String hash, String words) ->
          new Made(
              draft(
                  batch, context, target, before, tell, members, version, hash, null, null, words),
              words);
      case Rendered.Ready(String version, String hash, JsonNode message) ->
          new Made(
              draft(
                  batch,
                  context,
                  target,
                  before,
                  tell,
                  members,
                  version,
                  hash,
                  later ? null : message,
                  later ? context : null,
                  null),
              null);
    };
  }

  private static Draft draft(
      Batch batch,
      ObjectNode context,
      Target target,
      Before before,
      Tell tell,
      List<UUID> members,
      String version,
      String hash,
      @Nullable JsonNode message,
      @Nullable JsonNode later,
      @Nullable String failure) {
    JsonNode alert = context.path("alert");
    JsonNode number = alert.path("number");
    return new Draft(
        Uuid7.at(batch.now),
        target.id(),
        target.name(),
        before.teller().rule(),
        before.teller().ruleName(),
        before.subject(),
        number.isIntegralNumber() ? number.asLong() : null,
        Objects.requireNonNullElse(alert.path("name").asString(null), ""),
        context.path("object").path("name").asString(null),
        alert.path("criticality").asString(null),
        tell.event(),
        tell.change(),
        before.sequence() + 1,
        before.teller().template(),
        version,
        hash,
        message,
        later,
        failure,
        batch.now,
        batch.now.plus(target.maxAge()),
        members);
  }
}
