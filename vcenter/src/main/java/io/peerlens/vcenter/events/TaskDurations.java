package io.peerlens.vcenter.events;

import io.peerlens.vcenter.inventory.Inventory;
import io.peerlens.vcenter.inventory.PropertyTable;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Durations of tasks that ended well, as the metric {@code task:CloneVM_Task|duration} of their
 * object, in seconds from start to end, at the time of the end.
 */
public final class TaskDurations {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final String vcenter;
  private final PropertyTable table;

  /**
   * @param vcenter what the vCenter is called in ids of objects
   */
  public TaskDurations(String vcenter, PropertyTable table) {
    this.vcenter = vcenter;
    this.table = table;
  }

  /**
   * Record of samples.
   *
   * @param object id of the object, the key of the record
   */
  public record Sample(String object, byte[] value) {}

  /**
   * The sample of a task. A task that ends its object, such as Destroy_Task, is told of the
   * vCenter.
   *
   * @return null when it failed, was never started, or belongs to no object that is told
   */
  public @Nullable Sample of(XmlValue task, Instant ended) {
    XmlValue start = task.at("startTime");
    Optional<Instant> started = start == null ? Optional.empty() : start.time();
    Optional<Moref> entity = task.moref("entity");
    String name = task.text("name").isEmpty() ? task.text("descriptionId") : task.text("name");
    if (!task.text("state").equals("success")
        || started.isEmpty()
        || entity.isEmpty()
        || name.isEmpty()) {
      return null;
    }
    String what = task.text("descriptionId").toLowerCase(Locale.ROOT);
    boolean ends = what.endsWith(".destroy") || what.endsWith(".unregister");
    String kind = ends ? Inventory.VCENTER_KIND : table.kind(entity.get().type());
    if (kind.isEmpty()) {
      return null;
    }
    String object = ends ? vcenter : vcenter + "/" + entity.get().value();
    double seconds = Duration.between(started.get(), ended).toMillis() / 1000.0;
    ObjectNode sample = JSON.createObjectNode();
    sample.put("adapterKind", "VMWARE");
    sample.put("objectKind", kind);
    sample.put("id", object);
    sample.put("time", ended.toString());
    sample.putObject("metrics").put("task:" + name + "|duration", Math.max(0, seconds));
    sample.putObject("units").put("task|duration", "s");
    return new Sample(object, JSON.writeValueAsBytes(sample));
  }
}
