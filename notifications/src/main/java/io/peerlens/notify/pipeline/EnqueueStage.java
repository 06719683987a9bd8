package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.EventType;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.QueueStore.Line;
import io.peerlens.notify.flow.Decision;
import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.flow.Standing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Enqueue: the delivery that comes of a decision, what it makes useless, and the trace of why. The
 * batch is written at its end.
 */
final class EnqueueStage {

  /**
   * Adds a decision to the batch.
   *
   * @param made the message; null = nothing is told
   */
  void add(Batch batch, Route route, Decision decision, RenderStage.@Nullable Made made) {
    State state = route.state;
    Decision.Tell tell = decision.tell();
    String outcome = Trace.label(decision.outcome());
    String words = decision.words();
    UUID delivery = null;
    if (decision.dropsWaiting()) {
      batch.drop(new Drop(new Line(route.target.id(), route.item.alert), true, words));
    }
    if (made != null && tell != null) {
      words = made.words() == null ? words : made.words();
      Draft draft = made.draft();
      if (draft != null) {
        batch.add(draft);
        delivery = draft.id();
      } else {
        outcome = "template-dropped";
        if (tell.event() == EventType.NEW) {
          state.standing = Standing.NONE; // the target knows nothing of it
        }
      }
    }
    state.changed |=
        !state.standing.equals(route.before)
            || tell != null
            || decision.inGroup() != null
            || route.item.isLook();
    if (state.standing.phase() != Phase.NONE || !route.before.equals(state.standing)) {
      batch.put(state);
    }
    boolean quietLook =
        route.item.isLook() && delivery == null && route.before.phase() == state.standing.phase();
    if (!quietLook) {
      route.trace.targets.add(
          new Trace.OfTarget(route.target.id(), route.target.name(), outcome, words, delivery));
    }
  }
}
