package io.peerlens.supermetric;

import io.peerlens.frame.Frames;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Dependencies;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Last values of a formula that reads itself, when many moments of the past are computed in a row.
 * It starts with the values stored before the first of them; what is stored for those moments
 * themselves may be of another formula, and does not count.
 */
final class SelfMemory {

  /** The newest value of each object by its id, and when it was computed. */
  private record Last(double value, long time) {}

  private final UUID id;
  private final Duration metricAge;
  private final Map<ObjectKind, Map<Integer, Last>> last = new HashMap<>();

  private SelfMemory(Definition definition, Duration metricAge) {
    this.id = definition.id();
    this.metricAge = metricAge;
    definition.kinds().forEach(kind -> last.put(kind, new HashMap<>()));
  }

  /**
   * A memory for a super metric.
   *
   * @param from the first moment that is to be computed
   * @param metricAge for how long the last value of a metric counts
   * @return null = its formula does not read itself
   */
  static @Nullable SelfMemory of(
      Definition definition, Frames frames, Instant from, Duration metricAge) {
    if (!Dependencies.superMetrics(definition.formula().tree()).contains(definition.id())) {
      return null;
    }
    SelfMemory memory = new SelfMemory(definition, metricAge);
    Set<Input> inputs = new HashSet<>();
    definition.kinds().forEach(kind -> inputs.add(new Input(kind, definition.key(), false, false)));
    Frame before = frames.load(inputs, from.minusMillis(1));
    for (ObjectKind kind : definition.kinds()) {
      Column column = before.column(kind, definition.key());
      if (column != null) {
        memory.remember(
            before.objects(), kind, column.numbers(), i -> column.time(i), before.time());
      }
    }
    return memory;
  }

  private interface Times {
    /** When a value was computed; 0 = that is not known. */
    long at(int object);
  }

  /** Keeps the values of a moment; where there is none, the one before stays. */
  void remember(Frame frame, Results results) {
    for (Results.Result result : results.columns()) {
      if (result.id().equals(id)) {
        remember(frame.objects(), result.kind(), result.values(), i -> frame.time(), frame.time());
      }
    }
  }

  private void remember(
      ObjectGraph objects, ObjectKind kind, double[] values, Times times, long now) {
    Map<Integer, Last> of = last.computeIfAbsent(kind, k -> new HashMap<>());
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        of.put(objects.id(kind, i), new Last(values[i], times.at(i) == 0 ? now : times.at(i)));
      }
    }
  }

  /** A frame with remembered values in place of stored ones. */
  Frame over(Frame stored) {
    List<Results.Result> results = new ArrayList<>();
    last.forEach(
        (kind, of) -> {
          double[] values = new double[stored.objects().count(kind)];
          Arrays.fill(values, Double.NaN);
          of.forEach(
              (object, known) -> {
                int number = stored.objects().number(kind, object);
                if (number >= 0 && stored.time() - known.time() <= metricAge.toMillis()) {
                  values[number] = known.value();
                }
              });
          results.add(new Results.Result(id, kind, values, of.size(), Map.of(), 0, null));
        });
    return new Results(results).over(stored);
  }
}
