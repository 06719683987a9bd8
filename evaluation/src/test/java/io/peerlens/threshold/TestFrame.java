package io.peerlens.threshold;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A frame of virtual machines {@code vm-0}, {@code vm-1}, ... with ids from 100 on. */
final class TestFrame implements Frame {

  static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  static final int FIRST_ID = 100;

  private final ObjectGraph graph;
  private final long time;
  private final Map<String, Column> columns = new HashMap<>();
  private final Map<String, List<Instances.Keyed>> instances = new HashMap<>();

  TestFrame(ObjectGraph graph, long time) {
    this.graph = graph;
    this.time = time;
  }

  static ObjectGraph machines(int count) {
    ObjectGraph.Builder builder = ObjectGraph.builder();
    for (int i = 0; i < count; i++) {
      builder.object(FIRST_ID + i, VM, "vm-" + i);
    }
    return builder.build();
  }

  /** Values that were all sampled at the moment itself. */
  TestFrame with(String key, double... values) {
    long[] times = new long[values.length];
    for (int i = 0; i < times.length; i++) {
      times[i] = Double.isNaN(values[i]) ? 0 : time;
    }
    return with(key, values, times);
  }

  TestFrame with(String key, double[] values, long[] times) {
    columns.put(key, new Column(values, null, null, times));
    return this;
  }

  TestFrame with(String key, @Nullable String... texts) {
    return with(key, Column.of(texts));
  }

  TestFrame with(String key, Column column) {
    columns.put(key, column);
    return this;
  }

  /** Values of one instance, NaN = the object does not have it. */
  TestFrame instance(String attribute, String key, double... values) {
    long[] times = new long[values.length];
    java.util.Arrays.fill(times, time);
    instances
        .computeIfAbsent(attribute, a -> new ArrayList<>())
        .add(
            new Instances.Keyed(key, key.equals(attribute), new Column(values, null, null, times)));
    return this;
  }

  @Override
  public long time() {
    return time;
  }

  @Override
  public ObjectGraph objects() {
    return graph;
  }

  @Override
  public @Nullable Column column(ObjectKind kind, String key) {
    return kind.equals(VM) ? columns.get(key) : null;
  }

  @Override
  public @Nullable Instances instances(ObjectKind kind, String attribute) {
    List<Instances.Keyed> keyed = instances.get(attribute);
    return keyed == null ? null : Instances.of(graph.count(kind), keyed);
  }
}
