package io.peerlens.words;

import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Names and units of metric keys, cached until {@link #forget}. Not thread-safe. */
public final class MetricNames {

  private record KindKey(ObjectKind kind, String key) {}

  private final BiFunction<ObjectKind, String, @Nullable String> unitOf;
  private final UnaryOperator<String> wordsOf;
  private final Map<KindKey, Optional<String>> units = new HashMap<>();
  private final Map<String, String> words = new HashMap<>();

  public MetricNames(MetricNameQueries queries) {
    this(queries::unit, queries::name);
  }

  public MetricNames(
      BiFunction<ObjectKind, String, @Nullable String> unitOf, UnaryOperator<String> wordsOf) {
    this.unitOf = unitOf;
    this.wordsOf = wordsOf;
  }

  /** Looks everything up anew. */
  public void forget() {
    units.clear();
    words.clear();
  }

  /** Units of keys, in order; null = none is known. */
  public List<@Nullable String> units(ObjectKind kind, List<String> keys) {
    List<@Nullable String> found = new ArrayList<>();
    keys.forEach(key -> found.add(unit(kind, key)));
    return found;
  }

  /** The unit of a key; null = none is known. */
  public @Nullable String unit(ObjectKind kind, String key) {
    return units
        .computeIfAbsent(new KindKey(kind, key), k -> Optional.ofNullable(read(k.kind(), k.key())))
        .orElse(null);
  }

  /** The unit of a flow metric is known before the first flow is. */
  private @Nullable String read(ObjectKind kind, String key) {
    FlowMetric.Of flow = FlowMetric.parse(key);
    return flow == null ? unitOf.apply(kind, key) : flow.metric().unit();
  }

  /** A key in words. */
  public String words(String key) {
    return words.computeIfAbsent(key, wordsOf);
  }
}
