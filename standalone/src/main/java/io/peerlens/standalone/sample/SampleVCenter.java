package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.vcenter.events.CloudEvents;
import io.peerlens.vcenter.events.TaskDurations;
import io.peerlens.vcenter.inventory.PropertyTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The vCenter of the sample datacentre together with the collector that reads it. The managed
 * objects are made up; what becomes of them, and of events and tasks, is decided by the classes
 * that read a real vCenter, so keys, units, ids and forms are theirs. Not thread-safe.
 */
final class SampleVCenter {

  static final String PRODUCT = "VMware vCenter Server 8.0.3 build-24022515";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int MAX_BYTES = 1 << 20;
  private static final long LISTED_EVERY = Duration.ofDays(1).toSeconds();

  private final Inventory inventory;
  private final Script script;
  private final long tellDurationsFrom;
  private final VCenterObjects objects;
  private final DatastoreFiles files;
  private final VCenterEvents events;
  private final PropertyTable table = PropertyTable.shipped();
  private final io.peerlens.vcenter.inventory.Inventory collected =
      new io.peerlens.vcenter.inventory.Inventory(table, Inventory.VCENTER, PRODUCT);
  private final CloudEvents cloudEvents = new CloudEvents(Inventory.VCENTER, MAX_BYTES);
  private final TaskDurations durations = new TaskDurations(Inventory.VCENTER, table);
  private @Nullable Settings told;
  private long listed = Long.MIN_VALUE;

  /**
   * @param tellDurationsFrom tasks that ended earlier have no duration, as there is no metric of
   *     their objects from then
   */
  SampleVCenter(Inventory inventory, Script script, long firstStart, long tellDurationsFrom) {
    this.inventory = inventory;
    this.script = script;
    this.tellDurationsFrom = tellDurationsFrom;
    objects = new VCenterObjects(inventory, script, firstStart);
    files = new DatastoreFiles(inventory, firstStart);
    events = new VCenterEvents(script);
  }

  /**
   * Sends what is configured otherwise than before; the first time all of it.
   *
   * @param sink takes records with the moid of their object, by which Telegraf's lines are keyed,
   *     too, so that both stay in order
   */
  void tellChanges(long time, BiConsumer<String, byte[]> sink) {
    Settings now = new Settings(inventory, script, time);
    Settings before = told;
    if (before == null) {
      collected.customFields(VCenterObjects.ATTRIBUTES);
      objects.all(now, time).forEach(collected::apply);
    } else {
      for (Vm vm : inventory.vms) {
        Settings.OfMachine settings = now.of(vm);
        if (!settings.equals(before.of(vm))) {
          collected.apply(objects.changed(vm, settings));
        }
      }
      for (Host host : inventory.hosts) {
        int depth = now.queueDepth(host);
        if (depth != before.queueDepth(host)) {
          collected.apply(objects.devices(host, depth));
        }
      }
    }
    collected.storagePolicies(objects.policies(now));
    told = now;
    if (listed < time - LISTED_EVERY) {
      listed = time;
      collected.unreferencedDisks(files.list(collected, Instant.ofEpochSecond(time)));
    }
    flush(time, before == null, sink);
  }

  /** Sends everything, as a collector does every hour. */
  void tellEverything(long time, BiConsumer<String, byte[]> sink) {
    boolean first = told == null;
    tellChanges(time, sink);
    if (first) {
      return;
    }
    objects.slow(time).forEach(collected::apply);
    collected.resend();
    flush(time, true, sink);
  }

  private void flush(long time, boolean allMetrics, BiConsumer<String, byte[]> sink) {
    collected.flush(
        Instant.ofEpochSecond(time),
        allMetrics,
        (id, record) -> sink.accept(key(id), JSON.writeValueAsBytes(record)));
  }

  private static String key(String id) {
    return id.substring(id.indexOf('/') + 1);
  }

  /**
   * Sends the events and tasks of a stretch of time, in order.
   *
   * @param toEvents takes CloudEvents
   * @param toMetrics takes the durations of tasks
   */
  void tellEvents(
      long from,
      long to,
      BiConsumer<String, byte[]> toEvents,
      BiConsumer<String, byte[]> toMetrics) {
    for (Script.Change change : script.changes(from, to)) {
      for (VCenterEvents.Told one : events.of(change)) {
        Instant at = Instant.ofEpochSecond(one.at());
        toEvents.accept(
            change.vm().moid(),
            one.isTask() ? cloudEvents.task(one.value(), at) : cloudEvents.event(one.value(), at));
        if (one.isTask() && one.at() >= tellDurationsFrom) {
          TaskDurations.Sample sample = Objects.requireNonNull(durations.of(one.value(), at));
          toMetrics.accept(key(sample.object()), sample.value());
        }
      }
    }
  }
}
