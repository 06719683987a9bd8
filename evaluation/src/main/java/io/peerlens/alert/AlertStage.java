package io.peerlens.alert;

import static java.util.Objects.requireNonNull;

import io.peerlens.alert.AlertStateQueries.Asked;
import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.maintenance.MaintenanceWindows;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Symptom;
import io.peerlens.threshold.Symptoms;
import io.peerlens.threshold.Threshold;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alert stage of a tick: which alerts of a shard open, change and end. It remembers those that are
 * open, and they are what the database holds: who takes the shard over reads them there and goes on
 * the same way. When a tick cannot be stored, the stage that ran it is to be thrown away. Not
 * thread-safe.
 */
public final class AlertStage {

  private static final Logger log = LoggerFactory.getLogger(AlertStage.class);

  /** How often it is asked which objects are gone. */
  private static final Duration GONE_HOLDS = Duration.ofMinutes(10);

  private final AlertStateQueries states;
  private final MaintenanceWindows windows;
  private final ScopeFlags scopes;
  private final Explanations explanations;
  private final Nearby nearby;
  private final AlertProperties properties;
  private final AlertStateMachine machine;
  private final Map<AlertKey, AlertState> alerts = new HashMap<>();
  private final Map<AlertKey, Pending> pending = new HashMap<>();
  private final Map<UUID, String> errors = new HashMap<>();
  private AlertRules rules = AlertRules.NONE;
  private Map<UUID, Raised> raised = Map.of();
  private Function<UUID, @Nullable CancelReason> retired = definition -> null;
  private Set<Integer> gone = Set.of();
  private @Nullable Instant goneAt;
  private Set<Integer> removed = Set.of();

  /** The objects when it was last asked which were removed: with each that is, they are others. */
  private WeakReference<ObjectGraph> removedFrom = new WeakReference<>(null);

  AlertStage(
      AlertStateQueries states,
      MaintenanceWindows windows,
      ScopeFlags scopes,
      Explanations explanations,
      Nearby nearby,
      AlertProperties properties) {
    this.states = states;
    this.windows = windows;
    this.scopes = scopes;
    this.explanations = explanations;
    this.nearby = nearby;
    this.properties = properties;
    this.machine = new AlertStateMachine(properties.flapWindow());
  }

  /**
   * Says by which rules the shard finds alerts from now on: to be called before the first tick, and
   * when rules have changed. The alerts are read from the database, since another shard may have
   * had them.
   *
   * @param tick the next tick
   */
  public void assign(AlertRules rules, Instant tick) {
    this.rules = rules;
    this.raised = rules.raised();
    AlertStateQueries.Loaded loaded =
        states.load(
            raised.keySet(),
            rules.orphans() ? rules.elsewhere() : null,
            tick.minus(properties.flapWindow()));
    alerts.clear();
    pending.clear();
    loaded.alerts().forEach(alert -> alerts.put(alert.key(), alert));
    loaded.pending().forEach(one -> pending.put(one.key(), one));
    Map<UUID, CancelReason> reasons = loaded.retired();
    retired = definition -> raised.containsKey(definition) ? null : reasons.get(definition);
    explanations.forget();
    errors.keySet().retainAll(raised.keySet());
  }

  /**
   * Finds out what a tick changes.
   *
   * @param symptoms as they are after the tick
   * @param thresholds those that are due
   * @param definitions those that are due; ones that lack a threshold are left out
   * @param others what else found something at this tick, or found that it is over
   */
  public AlertChanges run(
      ObjectGraph graph,
      Symptoms symptoms,
      Collection<Threshold> thresholds,
      Collection<AlertDefinition> definitions,
      Collection<Outcome> others,
      Instant tick) {
    List<Outcome> outcomes = new ArrayList<>(others);
    for (Threshold threshold : thresholds) {
      // One that could not be judged says nothing.
      if (threshold.alert() != null && symptoms.judged(threshold.id())) {
        outcomes.add(outcome(threshold, symptoms, tick));
      }
    }
    ConditionEvaluator conditions =
        new ConditionEvaluator(symptoms, graph, id -> requireNonNull(rules.thresholds().get(id)));
    for (AlertDefinition definition : definitions) {
      if (!raised.containsKey(definition.id())) {
        continue;
      }
      Outcome outcome = outcome(definition, conditions, graph, tick);
      if (outcome != null) {
        outcomes.add(outcome);
      }
    }
    refreshGone(tick);
    refreshRemoved(graph);
    Asked asked = alerts.isEmpty() ? Asked.NOTHING : states.asked();
    TickInput present =
        new TickInput(
            alerts,
            pending,
            retired,
            asked.suspended(),
            asked.unwanted(),
            windows.at(tick, graph),
            object ->
                removed.contains(object)
                    ? CancelReason.OBJECT_REMOVED
                    : gone.contains(object) ? CancelReason.OBJECT_GONE : null);
    return take(machine.next(present, outcomes, tick), graph, symptoms, tick);
  }

  private static Outcome outcome(Threshold threshold, Symptoms symptoms, Instant tick) {
    Map<Integer, List<Member>> byObject = new HashMap<>();
    for (Symptom symptom : symptoms.open(threshold.id())) {
      byObject
          .computeIfAbsent(symptom.objectId(), object -> new ArrayList<>())
          .add(Members.of(threshold, symptom));
    }
    Map<Integer, Finding> fires = new HashMap<>();
    byObject.forEach(
        (object, members) ->
            fires.put(object, Finding.of(ConditionEvaluator.worst(members), members, tick)));
    return new Outcome(
        threshold.id(),
        1,
        1,
        fires,
        object ->
            !symptoms.inScope(threshold.id(), object)
                ? Verdict.OUT_OF_SCOPE
                : symptoms.unknown(threshold.id(), object) ? Verdict.UNKNOWN : Verdict.CLEAR);
  }

  private @Nullable Outcome outcome(
      AlertDefinition definition, ConditionEvaluator conditions, ObjectGraph graph, Instant tick) {
    try {
      Outcome outcome = evaluate(definition, conditions, graph, tick);
      errors.remove(definition.id());
      return outcome;
    } catch (ObjectGraph.TooManyObjects e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(errors.put(definition.id(), reason))) {
        log.error("Alert definition {} cannot be evaluated: {}", definition.name(), reason);
      }
      return null;
    }
  }

  private Outcome evaluate(
      AlertDefinition definition, ConditionEvaluator conditions, ObjectGraph graph, Instant tick) {
    boolean[] scope = scopes.flags(definition.scope(), definition.kind(), graph);
    Map<Integer, Finding> fires = new HashMap<>();
    BitSet candidates = conditions.candidates(definition.condition(), definition.kind());
    for (int number = candidates.nextSetBit(0);
        number >= 0;
        number = candidates.nextSetBit(number + 1)) {
      if (scope != null && !scope[number]) {
        continue;
      }
      Map<Member.Key, Member> members = new LinkedHashMap<>();
      if (conditions.test(definition.condition(), definition.kind(), number, members)
          == Truth.YES) {
        Severity fixed = definition.severity();
        fires.put(
            graph.id(definition.kind(), number),
            Finding.of(
                fixed == null ? ConditionEvaluator.worst(members.values()) : fixed,
                List.copyOf(members.values()),
                tick));
      }
    }
    return new Outcome(
        definition.id(),
        definition.waitCycles(),
        definition.cancelCycles(),
        fires,
        object -> {
          int number = graph.number(definition.kind(), object);
          if (number < 0 || scope != null && !scope[number]) {
            return Verdict.OUT_OF_SCOPE;
          }
          return conditions.test(
                      definition.condition(), definition.kind(), number, new LinkedHashMap<>())
                  == Truth.UNKNOWN
              ? Verdict.UNKNOWN
              : Verdict.CLEAR;
        });
  }

  private void refreshGone(Instant tick) {
    if (goneAt == null || Duration.between(goneAt, tick).abs().compareTo(GONE_HOLDS) > 0) {
      gone = states.gone(tick.minus(properties.forgetAfter()));
      goneAt = tick;
    }
  }

  private void refreshRemoved(ObjectGraph graph) {
    if (removedFrom.get() != graph) {
      removed = states.removed();
      removedFrom = new WeakReference<>(graph);
    }
  }

  /** Remembers what has changed, and makes what is to be written of it. */
  private AlertChanges take(
      Transitions transitions, ObjectGraph graph, Symptoms symptoms, Instant tick) {
    List<Transition> explained =
        transitions.alerts().stream().filter(one -> one.finding() != null).toList();
    Map<UUID, Around> around = nearby.of(explained, graph, symptoms, rules.thresholds());
    Map<UUID, Detail> made = new HashMap<>();
    for (Transition transition : transitions.alerts()) {
      AlertState after = transition.after();
      alerts.put(after.key(), after);
      if (transition.finding() != null) {
        Raised by = requireNonNull(raised.get(after.key().definition()));
        made.put(
            after.id(),
            explanations.of(
                by,
                after,
                transition.finding(),
                around.getOrDefault(after.id(), Around.NOTHING),
                rules.thresholds()::get,
                graph,
                tick));
      }
    }
    transitions.forgotten().forEach(pending::remove);
    transitions.pending().forEach(one -> pending.put(one.key(), one));
    alerts.values().removeIf(alert -> machine.isOver(alert, tick));
    long open = alerts.values().stream().filter(AlertState::isOpen).count();
    return new AlertChanges(tick, transitions, raised, made, open);
  }
}
