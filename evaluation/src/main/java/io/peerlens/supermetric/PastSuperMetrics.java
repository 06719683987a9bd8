package io.peerlens.supermetric;

import io.peerlens.frame.Frames;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Program;
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
 * What super metrics would have been before they were made, for those who judge the past: computed
 * from their formulas wherever nothing of them is stored. Thread-safe.
 */
public final class PastSuperMetrics {

  private final SuperMetricStore store;
  private final Policies policies;
  private final Frames frames;
  private final Duration metricAge;
  private final Program.Options options;

  PastSuperMetrics(
      SuperMetricStore store,
      Policies policies,
      Frames frames,
      Duration metricAge,
      Program.Options options) {
    this.store = store;
    this.policies = policies;
    this.frames = frames;
    this.metricAge = metricAge;
    this.options = options;
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
      Entry entry = id == null ? null : catalogue.byId().get(id);
      if (id != null && entry != null && entry.isComputed()) {
        asked.computeIfAbsent(id, i -> new HashSet<>()).add(input);
      }
    }
    if (asked.isEmpty()) {
      return null;
    }
    Set<UUID> missing = new LinkedHashSet<>(asked.keySet());
    Set<Input> first = new HashSet<>();
    asked.values().forEach(first::addAll);
    frames.each(
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
    Entry entry = catalogue.byId().get(id);
    if (entry != null && entry.isComputed() && all.add(id)) {
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
    private final Program program;
    private final Program.Workspace workspace = new Program.Workspace();
    private final List<SelfMemory> memories = new ArrayList<>();
    private final Map<UUID, Policy> policyOf = new HashMap<>();
    private @Nullable Instant until;

    private Run(List<Entry> entries, Set<UUID> missing, Instant from) {
      this.missing = missing;
      List<Definition> definitions = new ArrayList<>();
      for (Entry entry : entries) {
        StoredSuperMetric of = entry.stored();
        Definition definition = new Definition(of.definition().id(), entry.formula(), of.kinds());
        definitions.add(definition);
        policyOf.put(definition.id(), of.policy());
        SelfMemory memory = SelfMemory.of(definition, frames, from, metricAge);
        if (memory != null) {
          memories.add(memory);
        }
      }
      this.program = Program.of(definitions, options);
    }

    /** What frames must hold so that the formulas can be computed. */
    public Set<Input> inputs() {
      return program.inputs();
    }

    /** The last moment at which something was computed; null = nothing was. */
    public @Nullable Instant until() {
      return until;
    }

    /** The frame with what formulas yield where nothing of a super metric is stored for a kind. */
    public Frame over(Frame stored) {
      Frame read = stored;
      for (SelfMemory memory : memories) {
        read = memory.over(read);
      }
      Results results =
          program.run(
              read,
              (id, kind) ->
                  policies.flags(policyOf.getOrDefault(id, Policy.ALL), kind, stored.objects()),
              workspace);
      memories.forEach(memory -> memory.remember(stored, results));
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
