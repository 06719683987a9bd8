package io.peerlens.benchmarks;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A loaded frame of a made-up fleet: datacenters of 16 clusters, of 16 hosts, of 20 virtual
 * machines, which lie on one or two of the datastores of their cluster. One value in twenty is
 * missing, one in ten is not fresh.
 */
final class Fleet implements Frame {

  static final ObjectKind DATACENTER = new ObjectKind("VMWARE", "Datacenter");
  static final ObjectKind CLUSTER = new ObjectKind("VMWARE", "ClusterComputeResource");
  static final ObjectKind HOST = new ObjectKind("VMWARE", "HostSystem");
  static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  static final ObjectKind DATASTORE = new ObjectKind("VMWARE", "Datastore");

  private record KindKey(ObjectKind kind, String key) {}

  private final ObjectGraph graph;
  private final Map<KindKey, Column> columns = new HashMap<>();
  private final Map<KindKey, Instances> instances = new HashMap<>();
  private final Random random = new Random(7);

  Fleet(int objects) {
    ObjectGraph.Builder builder = ObjectGraph.builder();
    int vms = objects * 100 / 108;
    int hosts = Math.max(1, vms / 20);
    int clusters = Math.max(1, hosts / 16);
    int datacenters = Math.max(1, clusters / 16);
    int datastores = objects - vms - hosts - clusters - datacenters;
    List<int[]> ranges = new ArrayList<>();
    int next = 1;
    for (int count : new int[] {datacenters, clusters, hosts, vms, datastores}) {
      ranges.add(new int[] {next, count});
      next += count;
    }
    List<ObjectKind> kinds = List.of(DATACENTER, CLUSTER, HOST, VM, DATASTORE);
    for (int level = 0; level < kinds.size(); level++) {
      int[] range = ranges.get(level);
      for (int i = 0; i < range[1]; i++) {
        builder.object(range[0] + i, kinds.get(level), kinds.get(level).objectKind() + "-" + i);
        if (level > 0 && level < 4) {
          int[] above = ranges.get(level - 1);
          builder.relation(above[0] + (int) ((long) i * above[1] / range[1]), range[0] + i);
        }
      }
    }
    int[] vm = ranges.get(3);
    int[] datastore = ranges.get(4);
    for (int i = 0; i < vm[1]; i++) {
      int own = (int) ((long) i * datastore[1] / vm[1]);
      builder.relation(vm[0] + i, datastore[0] + own);
      if (i % 4 == 0) {
        builder.relation(vm[0] + i, datastore[0] + (own + 1) % datastore[1]);
      }
    }
    graph = builder.build();
  }

  @Override
  public long time() {
    return 1_763_683_200_000L;
  }

  @Override
  public ObjectGraph objects() {
    return graph;
  }

  @Override
  public @Nullable Column column(ObjectKind kind, String key) {
    return columns.computeIfAbsent(new KindKey(kind, key), k -> column(graph.count(kind), key));
  }

  private Column column(int length, String key) {
    if (key.startsWith("config|name") || key.endsWith("powerState") || key.endsWith("fullName")) {
      List<String> texts = List.of("web server", "db-server", "Microsoft Windows", "Linux", "On");
      @Nullable String[] values = new String[length];
      for (int i = 0; i < length; i++) {
        values[i] = random.nextInt(20) == 0 ? null : texts.get(random.nextInt(5));
      }
      return Column.of(values);
    }
    double[] numbers = new double[length];
    boolean[] fresh = new boolean[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = random.nextInt(20) == 0 ? Double.NaN : random.nextInt(10_000) / 100.0;
      fresh[i] = random.nextInt(10) > 0;
    }
    return new Column(numbers, null, fresh);
  }

  @Override
  public @Nullable Instances instances(ObjectKind kind, String attribute) {
    return instances.computeIfAbsent(
        new KindKey(kind, attribute), k -> instances(graph.count(kind), attribute));
  }

  private Instances instances(int length, String attribute) {
    int bar = attribute.indexOf('|');
    List<Instances.Keyed> keyed = new ArrayList<>();
    for (String instance : List.of("0", "1", Keys.AGGREGATE_INSTANCE)) {
      String key = attribute.substring(0, bar) + ":" + instance + attribute.substring(bar);
      keyed.add(new Instances.Keyed(key, false, column(length, key)));
    }
    return Instances.of(length, keyed);
  }
}
