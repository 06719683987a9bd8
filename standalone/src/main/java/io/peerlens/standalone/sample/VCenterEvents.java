package io.peerlens.standalone.sample;

import static io.peerlens.standalone.sample.Vim.number;
import static io.peerlens.standalone.sample.Vim.object;
import static io.peerlens.standalone.sample.Vim.text;
import static io.peerlens.standalone.sample.Vim.time;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Script.Change;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.List;

/**
 * Events and tasks of the sample's vCenter: of every change the task that made it and, where a
 * vCenter has one, the event that says so.
 */
final class VCenterEvents {

  /** Keys of a second: one for a change of each kind and machine. */
  private static final long KEYS_PER_SECOND = 4_000;

  private final Script script;

  VCenterEvents(Script script) {
    this.script = script;
  }

  /**
   * An event or a task.
   *
   * @param at the second in which the event was made, or the task ended
   */
  record Told(boolean isTask, XmlValue value, long at) {}

  /** What a vCenter tells of a change, in the order in which it does. */
  List<Told> of(Change change) {
    List<Told> told = new ArrayList<>();
    Host host = script.placement(change.time())[change.vm().index()];
    switch (change) {
      case Change.Move move -> {
        boolean byDrs = move.by().isEmpty();
        told.add(
            task(
                move,
                byDrs ? "Drm.ExecuteVMotionLRO" : "VirtualMachine.relocate",
                byDrs ? "Drm.ExecuteVMotionLRO" : "RelocateVM_Task",
                duration(move)));
        told.add(
            event(
                move,
                byDrs ? "DrsVmMigratedEvent" : "VmMigratedEvent",
                move.to(),
                "Migration of virtual machine %s from %s to %s completed"
                    .formatted(move.vm().name(), move.from().name(), move.to().name()),
                argument("sourceHost", "host", Vim.of(move.from()), move.from().name())));
      }
      case Change.Reconfiguration made -> {
        told.add(task(made, "VirtualMachine.reconfigure", "ReconfigVM_Task", 1));
        told.add(
            event(
                made,
                "VmReconfiguredEvent",
                host,
                "Reconfigured %s on %s. Modified: %s"
                    .formatted(made.vm().name(), host.name(), made.what().strip()),
                object("configChanges", text("modified", made.what()))));
      }
      case Change.Power power -> {
        boolean on = power.on();
        told.add(
            task(
                power,
                on ? "VirtualMachine.powerOn" : "VirtualMachine.powerOff",
                on ? "PowerOnVM_Task" : "PowerOffVM_Task",
                2));
        told.add(
            event(
                power,
                on ? "VmPoweredOnEvent" : "VmPoweredOffEvent",
                host,
                "%s on %s is powered %s"
                    .formatted(power.vm().name(), host.name(), on ? "on" : "off")));
      }
      case Change.Snapshot made ->
          told.add(task(made, "VirtualMachine.createSnapshot", "CreateSnapshot_Task", 4));
    }
    return told;
  }

  /** Memory is copied at some 800 MB/s. */
  private static long duration(Change.Move move) {
    return 4 + move.vm().tier().memoryMb() / 800;
  }

  private static long key(Change change) {
    int kind =
        switch (change) {
          case Change.Move move -> 0;
          case Change.Reconfiguration made -> 1;
          case Change.Power power -> 2;
          case Change.Snapshot made -> 3;
        };
    return change.time() * KEYS_PER_SECOND + kind * 1_000L + change.vm().index();
  }

  private static XmlValue argument(String name, String member, Moref moref, String called) {
    return object(name, text("name", called), XmlValue.ofReference(member, moref));
  }

  private static Told event(
      Change change, String type, Host host, String message, XmlValue... more) {
    Vm vm = change.vm();
    Cluster cluster = host.cluster();
    List<XmlValue> members = new ArrayList<>();
    members.add(number("key", key(change)));
    members.add(number("chainId", key(change)));
    members.add(time("createdTime", change.time()));
    members.add(text("userName", change.by()));
    members.add(
        argument(
            "datacenter", "datacenter", Vim.of(cluster.datacenter()), cluster.datacenter().name()));
    members.add(argument("computeResource", "computeResource", Vim.of(cluster), cluster.name()));
    members.add(argument("host", "host", Vim.of(host), host.name()));
    members.add(argument("vm", "vm", Vim.of(vm), vm.name()));
    members.add(text("fullFormattedMessage", message));
    members.addAll(List.of(more));
    return new Told(false, XmlValue.ofChildren("event", type, members), change.time());
  }

  private static Told task(Change change, String description, String name, long seconds) {
    Vm vm = change.vm();
    List<XmlValue> members = new ArrayList<>();
    members.add(text("key", "task-" + key(change)));
    members.add(text("name", name));
    members.add(text("descriptionId", description));
    members.add(XmlValue.ofReference("entity", Vim.of(vm)));
    members.add(text("entityName", vm.name()));
    members.add(text("state", "success"));
    members.add(
        change.by().isEmpty()
            ? object("reason", "TaskReasonSystem")
            : object("reason", "TaskReasonUser", text("userName", change.by())));
    members.add(time("queueTime", change.time() - seconds));
    members.add(time("startTime", change.time() - seconds));
    members.add(time("completeTime", change.time()));
    members.add(number("eventChainId", key(change)));
    return new Told(true, XmlValue.ofChildren("task", "TaskInfo", members), change.time());
  }
}
