package io.peerlens.notify.dispatch;

import io.peerlens.notify.delivery.DeliveryQueue;
import io.peerlens.notify.dispatch.AlertSource.OpenAlert;
import io.peerlens.scope.Scope;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Stages between intake and queue, in their order; their names are Alertmanager's. The pipeline
 * runs them on what happens, {@link Simulation} on what happened.
 */
final class Stages {

  private static final Logger log = LoggerFactory.getLogger(Stages.class);

  private final ContextStage context;
  private final MatchStage match = new MatchStage();
  private final MuteStage mute;
  private final DedupStage dedup;
  private final GroupStage group;
  private final RenderStage render = new RenderStage();
  private final EnqueueStage enqueue = new EnqueueStage();
  private final GroupFlush flush;
  private final NotificationStates stateStore;
  private final DeliveryQueue queue;

  Stages(
      AlertSource alerts,
      BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes,
      Set<String> inhibitingKinds,
      Flow flow,
      NotificationStates stateStore,
      DeliveryQueue queue) {
    GroupFlow groupFlow = new GroupFlow(flow);
    this.context = new ContextStage(alerts, scopes, inhibitingKinds);
    this.mute = new MuteStage(context);
    this.dedup = new DedupStage(flow);
    this.group = new GroupStage(groupFlow, stateStore);
    this.flush = new GroupFlush(groupFlow, stateStore, alerts, render);
    this.stateStore = stateStore;
    this.queue = queue;
  }

  /** Decides on everything in a batch. */
  void run(Batch batch) {
    context.run(batch); // what templates, rules and conditions see
    stateStore(batch); // what targets have heard
    batch.items.forEach(item -> item(batch, item));
    stateStore.put(batch.states(), batch.now);
    batch.openings.putAll(queue.openings(batch.groups.keySet()));
    flush.run(batch); // groups whose time has come
    stateStore.putGroups(batch.groups.values());
  }

  /** One alert that nothing can be made of costs the others nothing. */
  private void item(Batch batch, Item item) {
    try {
      match.run(batch, item, route -> route(batch, route)); // which rules take it, for whom
    } catch (DataAccessException e) {
      throw e; // the transaction is over
    } catch (RuntimeException e) {
      log.error("Nothing can be made of {} of alert {}", item.arrival.change(), item.alert, e);
      match.settle(batch, item);
    }
  }

  private void route(Batch batch, Route route) {
    group.regroup(batch, route); // it has come into an incident
    List<MuteReason> muted = mute.reasons(batch, route); // what keeps it back
    Decision decision = dedup.decide(batch, route, muted); // what the target hears
    Decision.InGroup inGroup = decision.inGroup();
    if (inGroup != null) {
      group.assign(batch, route, inGroup); // told together with others
    }
    Decision.Tell tell = decision.tell();
    RenderStage.Result made = tell == null ? null : render.alert(batch, route, tell); // its message
    enqueue.add(batch, route, decision, made); // for the workers that deliver
  }

  private void stateStore(Batch batch) {
    Set<UUID> alerts = new HashSet<>();
    batch.items.forEach(item -> alerts.add(item.alert));
    Set<UUID> subjects = new HashSet<>(alerts);
    batch.above.values().stream().flatMap(List::stream).map(OpenAlert::id).forEach(alerts::add);
    stateStore.states(alerts).forEach(batch::put);
    batch.states().stream()
        .map(state -> state.group)
        .filter(Objects::nonNull)
        .forEach(subjects::add);
    batch.dueGroups.forEach(group -> subjects.add(group.id));
    batch.openings = queue.openings(subjects);
    batch.externalIds = stateStore.externalIds(subjects);
    batch.recent =
        queue.recent(
            batch.active.targets().values().stream()
                .filter(target -> target.digestAfter() != null)
                .map(ActiveConfig.Target::id)
                .toList(),
            batch.now);
  }
}
