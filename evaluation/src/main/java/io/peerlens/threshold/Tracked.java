package io.peerlens.threshold;

import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Symptom of one object, or instance of it, that is not at rest. Not thread-safe. */
final class Tracked {

  final int objectId;

  /** Whole key; empty = no instances are judged. */
  final String instance;

  final SymptomState state;

  /** Another instance of the same object. */
  @Nullable Tracked next;

  /** Of the sample that was counted last. */
  double value = Double.NaN;

  @Nullable String text;
  double bound = Double.NaN;
  double upper = Double.NaN;
  int of = 1;

  boolean unknown;

  /** Whether there is a row of it. */
  boolean stored;

  /** The tick that it was looked at last. */
  long seen = SymptomState.NEVER;

  private @Nullable ObjectGraph graph;
  private int number;

  Tracked(int objectId, String instance, SymptomState state) {
    this.objectId = objectId;
    this.instance = instance;
    this.state = state;
  }

  /** Number of the object within its kind; -1 = it is gone. */
  int number(Threshold threshold, ObjectGraph graph) {
    if (graph != this.graph) {
      number = graph.number(threshold.kind(), objectId);
      this.graph = graph;
    }
    return number;
  }

  /** As others see it; null = it is not open. */
  @Nullable Symptom symptom(Threshold threshold) {
    Severity severity = Severity.of(state.severity());
    if (severity == null) {
      return null;
    }
    return new Symptom(
        threshold.id(),
        objectId,
        instance.isEmpty() ? "" : Places.name(instance),
        instance.isEmpty() ? threshold.condition().key() : instance,
        severity,
        value,
        text,
        bound,
        upper,
        Instant.ofEpochMilli(state.since()),
        state.violations(state.severity()),
        of,
        unknown);
  }
}
