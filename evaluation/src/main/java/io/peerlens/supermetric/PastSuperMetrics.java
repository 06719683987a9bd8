package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values of super metrics before they were created, for previews of rules: computed from their
 * formulas wherever nothing of them is stored. Thread-safe.
 */
public final class PastSuperMetrics {

  private final SuperMetricStore store;
  private final Policies policies;
  private final PastFormulas formulas;

  PastSuperMetrics(SuperMetricStore store, Policies policies, PastFormulas formulas) {
    this.store = store;
    this.policies = policies;
    this.formulas = formulas;
  }

  /**
   * The super metrics among some inputs of which nothing is stored when a stretch of time begins.
   *
   * @param from the first moment
   * @param step between the moments
   * @return null = there is none, so what is stored is all there is to read
   */
  public @Nullable Run of(Set<Input> inputs, Instant from, Duration step) {
    Catalogue catalogue = store.catalogue();
    Map<UUID, Set<Input>> asked = new HashMap<>();
    for (Input input : inputs) {
      UUID id = Keys.superMetric(input.key());
      SuperMetricRule rule = id == null ? null : catalogue.byId().get(id);
      if (id != null && rule != null && rule.isComputed()) {
        asked.computeIfAbsent(id, i -> new HashSet<>()).add(input);
      }
    }
    if (asked.isEmpty()) {
      return null;
    }
    Set<UUID> missing = new LinkedHashSet<>(asked.keySet());
    Set<Input> first = new HashSet<>();
    asked.values().forEach(first::addAll);
    formulas
        .frames()
        .each(
            first,
            from,
            from.plus(step),
            step,
            frame ->
                asked.forEach(
                    (id, of) ->
                        of.stream()
                            .filter(i -> isThere(frame, i))
                            .findAny()
                            .ifPresent(i -> missing.remove(id))));
    if (missing.isEmpty()) {
      return null;
    }
    Set<UUID> all = new LinkedHashSet<>();
    missing.forEach(id -> addWithRead(id, catalogue, all));
    return new Run(all.stream().map(catalogue.byId()::get).toList(), missing, from);
  }

  private static void addWithRead(UUID id, Catalogue catalogue, Set<UUID> all) {
    SuperMetricRule rule = catalogue.byId().get(id);
    if (rule != null && rule.isComputed() && all.add(id)) {
      catalogue.dependencies().reads(id).forEach(one -> addWithRead(one, catalogue, all));
    }
  }

  private static boolean isThere(Frame frame, Input input) {
    Column column = frame.column(input.kind(), input.key());
    if (column != null) {
      for (double number : column.numbers()) {
        if (!Double.isNaN(number)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Moments one after the other; for one thread. */
  public final class Run {

    private final Set<UUID> missing;
    private final PastFormulas.Replay replay;
    private final Map<UUID, Policy> policyOf = new HashMap<>();
    private @Nullable Instant until;

    private Run(List<SuperMetricRule> rules, Set<UUID> missing, Instant from) {
      this.missing = missing;
      rules.forEach(rule -> policyOf.put(rule.id(), rule.policy()));
      this.replay = formulas.replay(rules.stream().map(SuperMetricRule::definition).toList(), from);
    }

    /** What frames must hold so that the formulas can be computed. */
    public Set<Input> inputs() {
      return replay.inputs();
    }

    /** The last moment at which something was computed; null = nothing was. */
    public @Nullable Instant until() {
      return until;
    }

    /** The frame with what formulas yield where nothing of a super metric is stored for a kind. */
    public Frame over(Frame stored) {
      Results results = replay.compute(stored, policies.enabled(policyOf, stored.objects()));
      List<Results.Result> absent = new ArrayList<>();
      for (Results.Result result : results.columns()) {
        Input input = new Input(result.kind(), Keys.superMetric(result.id()), false, false);
        if (missing.contains(result.id()) && !isThere(stored, input)) {
          absent.add(result);
        }
      }
      if (absent.isEmpty()) {
        return stored;
      }
      until = Instant.ofEpochMilli(stored.time());
      return new Results(absent).over(stored);
    }
  }
}
