package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.Moref;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Counts of what an object holds: machines, hosts, cores, space. */
final class Tally {

  private int machines;
  private int running;
  private int templates;
  private double cores;
  private double runningCores;
  private double memory;
  private double runningMemory;
  private int hosts;
  private int runningHosts;
  private double packages;
  private double hostCores;
  private double hostMemory;
  private int clusters;
  private int datacenters;
  private double capacity;
  private double used;
  private double provisioned;
  private final Set<Moref> datastores = new HashSet<>();
  private final Set<Moref> clustersOfHosts = new HashSet<>();

  /** The tallies of all objects that hold others. */
  static Map<Moref, Tally> all(Entities entities) {
    Map<Moref, Tally> tallies = new HashMap<>();
    for (Entity entity : entities.all()) {
      switch (entity.kind()) {
        case "VirtualMachine" ->
            holdersOfMachine(entities, entity)
                .forEach(holder -> of(tallies, holder).machine(entity));
        case "HostSystem" ->
            holdersOfHost(entities, entity)
                .forEach(holder -> of(tallies, holder).host(entities, entity));
        case "ClusterComputeResource" ->
            above(entities, entity).forEach(holder -> of(tallies, holder).clusters++);
        case "Datacenter" -> of(tallies, entities.vcenter()).datacenters++;
        default -> {}
      }
    }
    Map<Moref, Entity> datastores = new HashMap<>();
    for (Entity entity : entities.all()) {
      if (entity.kind().equals("Datastore")) {
        datastores.put(entity.moref, entity);
        above(entities, entity).forEach(holder -> of(tallies, holder).datastores.add(entity.moref));
        entity.reference("parent").ifPresent(pod -> of(tallies, pod).datastores.add(entity.moref));
        Tally own = of(tallies, entity.moref);
        for (Moref host : entity.references("host")) {
          own.hosts++;
          entities
              .at(Optional.of(host))
              .flatMap(entities::cluster)
              .ifPresent(cluster -> own.clustersOfHosts.add(cluster.moref));
        }
      } else if (entity.kind().equals("VmwareDistributedVirtualSwitch")) {
        of(tallies, entity.moref).hosts = entity.references("summary.hostMember").size();
      }
    }
    tallies.values().forEach(tally -> tally.space(datastores));
    return tallies;
  }

  private static Tally of(Map<Moref, Tally> tallies, Moref moref) {
    return tallies.computeIfAbsent(moref, m -> new Tally());
  }

  private static Set<Moref> holdersOfMachine(Entities entities, Entity machine) {
    Set<Moref> holders = new LinkedHashSet<>(above(entities, machine));
    entities.host(machine).ifPresent(host -> holders.add(host.moref));
    entities.cluster(machine).ifPresent(cluster -> holders.add(cluster.moref));
    holders.addAll(machine.references("datastore"));
    holders.addAll(machine.references("network"));
    Optional<Entity> at = entities.at(machine.reference("resourcePool"));
    for (int i = 0; i < 64 && at.isPresent() && at.get().kind().equals("ResourcePool"); i++) {
      holders.add(at.get().moref);
      at = entities.at(at.get().reference("parent"));
    }
    at = entities.at(machine.reference("parent"));
    for (int i = 0; i < 64 && at.isPresent() && at.get().kind().equals("Folder"); i++) {
      holders.add(at.get().moref);
      at = entities.at(at.get().reference("parent"));
    }
    return holders;
  }

  private static Set<Moref> holdersOfHost(Entities entities, Entity host) {
    Set<Moref> holders = new LinkedHashSet<>(above(entities, host));
    holders.add(host.moref);
    entities.cluster(host).ifPresent(cluster -> holders.add(cluster.moref));
    return holders;
  }

  private static Set<Moref> above(Entities entities, Entity entity) {
    Set<Moref> above = new LinkedHashSet<>();
    entities.datacenter(entity).ifPresent(datacenter -> above.add(datacenter.moref));
    above.add(entities.vcenter());
    return above;
  }

  private void machine(Entity machine) {
    if (machine.property("summary|config|isTemplate").equals("true")) {
      templates++;
      return;
    }
    double vcpus = orZero(machine.metric("config|hardware|num_Cpu"));
    double kilobytes = orZero(machine.metric("mem|guest_provisioned"));
    machines++;
    cores += vcpus;
    memory += kilobytes;
    if (machine.metric("sys|poweredOn") > 0) {
      running++;
      runningCores += vcpus;
      runningMemory += kilobytes;
    }
  }

  private void host(Entities entities, Entity host) {
    hosts++;
    packages += orZero(host.metric("cpu|numpackages"));
    hostCores += orZero(host.metric("cpu|corecount_provisioned"));
    hostMemory += orZero(host.metric("mem|host_provisioned"));
    if (host.metric("sys|poweredOn") > 0
        && host.property("runtime|connectionState").equals("connected")) {
      runningHosts++;
    }
    for (Moref datastore : host.references("datastore")) {
      datastores.add(datastore);
    }
    entities.cluster(host).ifPresent(cluster -> clustersOfHosts.add(cluster.moref));
  }

  private void space(Map<Moref, Entity> all) {
    for (Moref moref : datastores) {
      Entity datastore = all.get(moref);
      if (datastore != null) {
        capacity += orZero(datastore.metric("diskspace|capacity"));
        used += orZero(datastore.metric("diskspace|disktotal"));
        provisioned += orZero(datastore.metric("diskspace|provisioned"));
      }
    }
  }

  private static double orZero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /** Tells the counts that vROps has of a kind. */
  void tell(String kind, BiConsumer<String, Double> teller, Units units) {
    Told told = new Told(teller, units);
    switch (kind) {
      case "HostSystem" -> {
        machines(told);
        allocated(told);
        told.count("summary|total_number_datastores", datastores.size(), "datastores");
        space(told);
      }
      case "ClusterComputeResource" -> {
        machines(told);
        allocated(told);
        hosts(told);
        told.count("summary|total_number_datastores", datastores.size(), "datastores");
        told.count("cpu|numpackages", packages, "sockets");
        ratios(told);
        space(told);
        if (hosts > 0) {
          told.count("summary|cluster_availability", 100.0 * runningHosts / hosts, "%");
        }
      }
      case "Datacenter", Inventory.VCENTER_KIND -> {
        machines(told);
        allocated(told);
        hosts(told);
        told.count("summary|total_number_clusters", clusters, "clusters");
        told.count("summary|total_number_datastores", datastores.size(), "datastores");
        told.count("cpu|corecount_provisioned", hostCores, "cores");
        told.count("cpu|numpackages", packages, "sockets");
        told.count("mem|host_provisioned", hostMemory, "KB");
        ratios(told);
        if (kind.equals(Inventory.VCENTER_KIND)) {
          told.count("summary|total_number_datacenters", datacenters, "datacenters");
        }
        space(told);
      }
      case "ResourcePool", "VirtualApp" -> {
        machines(told);
        told.count("cpu|corecount_provisioned", cores, "vCPU");
        told.count("mem|guest_provisioned", memory, "KB");
      }
      case "Folder", "Network", "DistributedVirtualPortgroup", "OpaqueNetwork" ->
          told.count("summary|total_number_vms", machines, "VMs");
      case "Datastore" -> {
        told.count("summary|total_number_vms", machines, "VMs");
        told.count("summary|number_vm_templates", templates, "templates");
        told.count("summary|total_number_hosts", hosts, "hosts");
        told.count("datastore|hostcount", hosts, "hosts");
        told.count("summary|total_number_clusters", clustersOfHosts.size(), "clusters");
      }
      case "StoragePod" -> {
        told.count("summary|total_number_datastores", datastores.size(), "datastores");
        if (capacity > 0) {
          told.count("capacity|provisioned", provisioned, "GB");
        }
      }
      case "VmwareDistributedVirtualSwitch" ->
          told.count("summary|total_number_hosts", hosts, "hosts");
      default -> {}
    }
  }

  private void machines(Told told) {
    told.count("summary|total_number_vms", machines, "VMs");
    told.count("summary|number_running_vms", running, "VMs");
    told.count("summary|number_poweredOff_vms", machines - running, "VMs");
    told.count("summary|number_vm_templates", templates, "templates");
    told.count("summary|number_running_vcpus", runningCores, "vCPU");
  }

  private void allocated(Told told) {
    told.count("cpu|vcpus_allocated_on_all_vms", cores, "vCPU");
    told.count("cpu|vcpus_allocated_on_all_powered_on_vms", runningCores, "vCPU");
    told.count("mem|memory_allocated_on_all_vms", memory, "KB");
    told.count("mem|memory_allocated_on_all_powered_on_vms", runningMemory, "KB");
  }

  /** Machines to hosts, and what they are given to what there is. */
  private void ratios(Told told) {
    if (hosts > 0) {
      told.count("summary|vm_count_per_host", (double) machines / hosts, "VMs");
    }
    if (runningHosts > 0) {
      told.count("summary|avg_vm_density", (double) running / runningHosts, "VMs");
    }
    if (hostCores > 0) {
      told.count("cpu|vcpus_to_cores_allocation_ratio", cores / hostCores, "");
    }
    if (hostMemory > 0) {
      told.count("mem|virtual_to_physical_memory_allocation_ratio", memory / hostMemory, "");
    }
  }

  private void hosts(Told told) {
    told.count("summary|total_number_hosts", hosts, "hosts");
    told.count("summary|number_running_hosts", runningHosts, "hosts");
  }

  private void space(Told told) {
    if (capacity > 0) {
      told.count("diskspace|total_capacity", capacity, "GB");
      told.count("diskspace|total_usage", used, "GB");
      told.count("diskspace|total_provisioned", provisioned, "GB");
      told.count("diskspace|diskspace_overcommit_ratio", provisioned / capacity, "");
    }
  }

  private record Told(BiConsumer<String, Double> teller, Units units) {
    void count(String key, double value, String unit) {
      teller.accept(key, value);
      units.put(key, unit);
    }
  }
}
