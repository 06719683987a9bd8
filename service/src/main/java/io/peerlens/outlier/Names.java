package io.peerlens.outlier;

import io.peerlens.alert.MetricNameQueries;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What metric keys are called and in which unit they are, remembered. Not thread-safe. */
final class Names {

  private record KindKey(ObjectKind kind, String key) {}

  private final MetricNameQueries queries;
  private final Map<KindKey, Optional<String>> units = new HashMap<>();
  private final Map<String, String> words = new HashMap<>();

  Names(MetricNameQueries queries) {
    this.queries = queries;
  }

  /** Looks everything up anew. */
  void forget() {
    units.clear();
    words.clear();
  }

  /** Units of keys, in order; null = none is known. */
  List<@Nullable String> units(ObjectKind kind, List<String> keys) {
    List<@Nullable String> found = new ArrayList<>();
    keys.forEach(key -> found.add(unit(kind, key)));
    return found;
  }

  @Nullable String unit(ObjectKind kind, String key) {
    return units
        .computeIfAbsent(
            new KindKey(kind, key), k -> Optional.ofNullable(queries.unit(k.kind(), k.key())))
        .orElse(null);
  }

  /** A key in words. */
  String words(String key) {
    return words.computeIfAbsent(key, queries::name);
  }
}
