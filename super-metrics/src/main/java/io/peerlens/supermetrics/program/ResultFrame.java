package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Frame overlaid with the results of a run. */
final class ResultFrame implements Frame {

  private record KindKey(ObjectKind kind, String key) {}

  private final Frame stored;
  private final Results results;
  private final Map<KindKey, Column> columns = new HashMap<>();

  ResultFrame(Frame stored, Results results) {
    this.stored = stored;
    this.results = results;
  }

  @Override
  public long time() {
    return stored.time();
  }

  @Override
  public ObjectGraph objects() {
    return stored.objects();
  }

  @Override
  public @Nullable Column column(ObjectKind kind, String key) {
    Column computed = computed(kind, key);
    return computed == null ? stored.column(kind, key) : computed;
  }

  @Override
  public @Nullable Instances instances(ObjectKind kind, String attribute) {
    Column computed = computed(kind, attribute);
    return computed == null ? stored.instances(kind, attribute) : Instances.of(attribute, computed);
  }

  @Override
  public @Nullable Instances instancesWithOld(ObjectKind kind, String attribute) {
    Column computed = computed(kind, attribute);
    return computed == null
        ? stored.instancesWithOld(kind, attribute)
        : Instances.of(attribute, computed);
  }

  private @Nullable Column computed(ObjectKind kind, String key) {
    UUID id = Keys.superMetric(key);
    Results.Result result = id == null ? null : results.of(id, kind);
    return result == null
        ? null
        : columns.computeIfAbsent(
            new KindKey(kind, key),
            k -> Column.computed(result.values(), stored.time(), stored.column(kind, key)));
  }
}
