package io.peerlens.capacity;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resource of a kind of objects that fills up; vRealize Operations calls it a resource container.
 *
 * @param name as in the key of its time remaining, {@code diskspace} or {@code mem}
 * @param used key of the metric that says how much is used; of all its instances if {@code
 *     instances}
 * @param instances whether each instance, such as a file system, is a container of its own
 * @param capacity key of the metric that is the limit; null = {@code limit} is
 * @param limit the limit in the unit of {@code used}, where no metric is; else NaN
 */
record Container(
    ObjectKind kind,
    String name,
    MetricKey used,
    boolean instances,
    @Nullable MetricKey capacity,
    double limit) {

  /** All that is known to fill up. */
  static final List<Container> ALL =
      List.of(
          upTo("VMWARE", "Datastore", "diskspace", "disk|used_latest", "disk|capacity_latest"),
          percent("VMWARE", "HostSystem", "mem", "mem|usage_average", false),
          percent("VMWARE", "ClusterComputeResource", "mem", "mem|usage_average", false),
          percent("Telegraf", "Host", "mem", "mem|used_percent", false),
          percent("Telegraf", "Host", "diskspace", "disk|used_percent", true));

  private static Container upTo(
      String adapterKind, String kind, String name, String used, String capacity) {
    return new Container(
        new ObjectKind(adapterKind, kind),
        name,
        MetricKey.parse(used),
        false,
        MetricKey.parse(capacity),
        Double.NaN);
  }

  private static Container percent(
      String adapterKind, String kind, String name, String used, boolean instances) {
    return new Container(
        new ObjectKind(adapterKind, kind), name, MetricKey.parse(used), instances, null, 100);
  }
}
