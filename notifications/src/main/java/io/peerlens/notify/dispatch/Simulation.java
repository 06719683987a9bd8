package io.peerlens.notify.dispatch;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.Silence;
import io.peerlens.notify.delivery.DeliveryQueue;
import io.peerlens.notify.delivery.Draft;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.delivery.TargetSubject;
import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.EventType;
import io.peerlens.scope.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulation of the pipeline on the past: the same stages, a clock that goes from step to step, and
 * nothing that is stored. So what it finds is what the pipeline would have made of these steps with
 * one rule, if every notification had been taken at once: delays, silences, maintenance, quiet
 * times, inhibition, damping, repetitions, groups and digests among it.
 *
 * <p>Objects and metrics are taken as they are now; silences as they are stored now. Thread-safe.
 */
public final class Simulation {

  /** So many decisions at most: repetitions without end over a month would take as long. */
  private static final int MOST_DECISIONS = 50_000;

  /** What is kept back without a known end is looked at so often at most. */
  private static final int MOST_LOOKS = 3_000;

  private final Flow.Damping damping;
  private final Duration look;
  private final Contexts contexts;
  private final BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes;
  private final Set<String> inhibitingKinds;
  private final Supplier<List<NotificationTarget>> targets;
  private final Function<String, Optional<AlertTemplate>> templates;
  private final Lookups lookups;
  private final Supplier<List<Silence>> silences;

  Simulation(
      Flow.Damping damping,
      Duration look,
      Contexts contexts,
      BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes,
      Set<String> inhibitingKinds,
      Supplier<List<NotificationTarget>> targets,
      Function<String, Optional<AlertTemplate>> templates,
      Lookups lookups,
      Supplier<List<Silence>> silences) {
    this.damping = damping;
    this.look = look;
    this.contexts = contexts;
    this.scopes = scopes;
    this.inhibitingKinds = Set.copyOf(inhibitingKinds);
    this.targets = targets;
    this.templates = templates;
    this.lookups = lookups;
    this.silences = silences;
  }

  /**
   * Step of an alert's history.
   *
   * @param history row of the alert's history
   * @param change as in the history
   */
  public record Step(UUID alert, long history, String change, Instant at) {}

  /**
   * Outcome of a step, or of a look, for one target; in the words of traces.
   *
   * @param delivery the notification; null = none
   */
  public record Told(UUID target, String outcome, String words, @Nullable UUID delivery) {}

  /**
   * Judgement of the rule on a step or on a look.
   *
   * @param history row of the alert's history; 0 = a look
   */
  public record Judged(
      Instant at,
      UUID alert,
      long history,
      boolean matched,
      String words,
      List<Match.Check> checks,
      List<Told> told) {}

  /**
   * Notification that would have been sent.
   *
   * @param subject the alert, or the group
   * @param failure why it could not have been made; null = it could
   * @param members alerts of the group; empty = it is about one alert
   */
  public record Sent(
      UUID id,
      Instant at,
      UUID target,
      UUID subject,
      EventType event,
      String change,
      @Nullable String failure,
      List<UUID> members) {}

  /**
   * Result of a simulation.
   *
   * @param judged in order
   * @param sent in order
   * @param until how far it went; before the end when there was too much
   */
  public record Result(List<Judged> judged, List<Sent> sent, Instant until) {}

  /**
   * Goes through steps.
   *
   * @param rule taken as enabled; its targets, too
   * @param steps in order
   * @param to looks go on until then
   * @param today the present
   */
  public Result run(NotificationRule rule, List<Step> steps, Instant to, Instant today) {
    return new Run(rule, steps, to, today).go();
  }

  private ActiveConfig active(NotificationRule rule) {
    ActiveConfig now =
        new StoredDefinitions(
                () -> 0,
                () -> List.of(rule),
                id -> Optional.empty(),
                targets,
                templates,
                lookups,
                silences)
            .now();
    Map<UUID, ActiveConfig.Target> all = new LinkedHashMap<>(now.targets());
    for (UUID target : rule.targets()) {
      all.computeIfAbsent(
          target, id -> new ActiveConfig.Target(id, id.toString(), Duration.ofDays(1), null));
    }
    return new ActiveConfig(now.rules(), all, now.wanted(), now.renderer(), now.silences());
  }

  /** One way through the past. */
  private final class Run implements DeliveryQueue {
    private final ActiveConfig active;
    private final List<Step> steps;
    private final Instant to;
    private final SimulatedStates stateStore = new SimulatedStates();
    private final SimulatedAlerts alerts;
    private final Stages stages;
    private final List<Judged> judged = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private final Map<UUID, Deque<Instant>> openings = new HashMap<>();

    Run(NotificationRule rule, List<Step> steps, Instant to, Instant today) {
      this.active = active(rule);
      this.steps = steps;
      this.to = to;
      this.alerts = new SimulatedAlerts(contexts, active.wanted(), steps, today);
      Instant from = steps.isEmpty() ? to : steps.getFirst().at();
      Duration coarse = Duration.between(from, to).dividedBy(MOST_LOOKS);
      Flow flow = new Flow(damping, coarse.compareTo(look) > 0 ? coarse : look);
      this.stages = new Stages(alerts, scopes, inhibitingKinds, flow, stateStore, this);
    }

    Result go() {
      int at = 0;
      int decisions = 0;
      Instant now = Instant.MIN;
      while (decisions < MOST_DECISIONS) {
        Instant due = stateStore.next();
        Instant step = at < steps.size() ? steps.get(at).at() : null;
        Instant next = due == null || step != null && step.isBefore(due) ? step : due;
        if (next == null || next.isAfter(to)) {
          return new Result(judged, sent, to);
        }
        now = next.isAfter(now) ? next : now;
        List<Item> items = new ArrayList<>();
        while (at < steps.size() && !steps.get(at).at().isAfter(now)) {
          items.add(item(steps.get(at)));
          at++;
        }
        for (StateRow state : stateStore.due(now)) {
          items.add(
              new Item(
                  state.alert,
                  new Arrival(Arrival.Kind.LOOK, "look"),
                  now,
                  0,
                  false,
                  state.target,
                  null));
        }
        Batch batch = new Batch(now, active, items, stateStore.groupsDue(now, Integer.MAX_VALUE));
        decisions += batch.size();
        stages.run(batch);
        note(batch);
      }
      return new Result(judged, sent, now);
    }

    private Item item(Step step) {
      alerts.happens(step);
      return new Item(
          step.alert(),
          Arrival.ofStep(step.change()),
          step.at(),
          step.history(),
          false,
          null,
          null);
    }

    private void note(Batch batch) {
      for (Draft draft : batch.drafts) {
        if (draft.event() == EventType.NEW) {
          openings
              .computeIfAbsent(draft.target(), target -> new ArrayDeque<>())
              .add(draft.createdAt());
        }
        sent.add(
            new Sent(
                draft.id(),
                batch.now,
                draft.target(),
                draft.subject(),
                draft.event(),
                draft.change(),
                draft.failure(),
                draft.members()));
      }
      for (Trace trace : batch.traces) {
        judged.add(
            new Judged(
                batch.now,
                trace.alert,
                trace.history,
                trace.matched,
                trace.words,
                trace.checks,
                trace.targets.stream()
                    .map(of -> new Told(of.id(), of.outcome(), of.words(), of.delivery()))
                    .toList()));
      }
    }

    /** All that was sent before has left at once. */
    @Override
    public Map<TargetSubject, Fate> openings(Collection<UUID> subjects) {
      return new HashMap<>();
    }

    @Override
    public Map<UUID, Integer> recent(Collection<UUID> of, Instant now) {
      Map<UUID, Integer> recent = new HashMap<>();
      for (UUID target : of) {
        Deque<Instant> all = openings.getOrDefault(target, new ArrayDeque<>());
        while (!all.isEmpty() && !all.getFirst().isAfter(now.minusSeconds(60))) {
          all.removeFirst();
        }
        recent.put(target, all.size());
      }
      return recent;
    }
  }
}
