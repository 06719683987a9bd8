package io.peerlens.notify.dispatch;

import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Drop;
import io.peerlens.notify.delivery.TargetSubject;
import io.peerlens.notify.render.EventType;
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
   * @param made the message; null = none
   */
  void add(Batch batch, Route route, Decision decision, RenderStage.@Nullable Result made) {
    StateRow state = route.state;
    Decision.Tell tell = decision.tell();
    String outcome = Trace.label(decision.outcome());
    String words = decision.words();
    UUID delivery = null;
    if (decision.dropsWaiting()) {
      batch.drop(new Drop(new TargetSubject(route.target.id(), route.item.alert), true, words));
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
          state.current = NotificationState.NONE; // the target knows nothing of it
        }
      }
    }
    state.changed |=
        !state.current.equals(route.before)
            || tell != null
            || decision.inGroup() != null
            || route.item.isLook();
    if (state.current.phase() != Phase.NONE || !route.before.equals(state.current)) {
      batch.put(state);
    }
    boolean quietLook =
        route.item.isLook() && delivery == null && route.before.phase() == state.current.phase();
    if (!quietLook) {
      route.trace.targets.add(
          new Trace.OfTarget(route.target.id(), route.target.name(), outcome, words, delivery));
    }
  }
}
