package io.peerlens.vcenter.keys;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reasons why a key that published dashboards use is not told. */
final class Reasons {

  /**
   * A reason.
   *
   * @param kinds pattern of kinds
   * @param keys pattern of keys
   */
  private record Reason(Pattern kinds, Pattern keys, String words) {}

  private static final List<Reason> ALL =
      List.of(
          reason(
              "VirtualMachine",
              "guest\\|.*|mem\\|guestOSMemNotCollecting",
              "statistics of VMware Tools within the guest; vCenter's API has no counter of them"),
          reason(
              "VirtualMachine",
              "cpu\\|(peak_vcpu_ready|peak_vcpu_usage|vcpu_usage_disparity)",
              "needs the counters of each virtual CPU, which are not read: they would double the samples of a machine"),
          reason(
              "VirtualMachine",
              "diskspace\\|snapshot\\|(creator|used)",
              "vim25 does not say who made a snapshot (the events do), nor how much of the disks' files one of several takes"),
          reason(
              "VirtualMachine",
              "mem\\|reservation_used",
              "no counter of a machine says how much of its reservation is used"),
          reason(
              "ClusterComputeResource",
              "configuration\\|dasConfig\\|admissionControlPolicyId",
              "a number of vROps' own; the policy itself is `configuration|dasConfig|activeAdmissionControlPolicy`"),
          reason(
              "ClusterComputeResource",
              "configuration\\|wpConfiguration\\|wpEnabled",
              "vSphere with Tanzu has an API of its own, which is not read"),
          reason(
              "ClusterComputeResource",
              "summary\\|type",
              "vROps' own sorting of clusters; vCenter does not have it"),
          reason(
              "ClusterComputeResource",
              "summary\\|(drs_unhappy_vms|number_drs_vmotion)",
              "vim25 has no such counts; it counts all moves together (`vmop|locationChange|numVMotion_latest`)"),
          reason(
              "ClusterComputeResource|HostSystem",
              "net\\|(droppedPct|received_average|transmitted_average|usage_average|packets.*)",
              "asked of the instances `physical` and `virtual`; the collector tells the whole and each card"),
          reason(
              "Datastore",
              "diskspace\\|snapshot",
              "what snapshots take is told of machines, which may have files on several datastores"),
          reason(
              "HostSystem|ResourcePool",
              "summary\\|folder",
              "hosts and pools stand in a cluster, which stands in a folder"),
          reason(
              "ClusterComputeResource",
              "mem\\|host_contention",
              "an amount that vROps computes; the share is `mem|host_contentionPct`"),
          reason(
              "Datacenter|VMwareAdapter Instance|vSphere World",
              "summary\\|number(SupervisorClusters|KubernetesClusters)",
              "vSphere with Tanzu has an API of its own, which is not read"),
          reason(
              "Datacenter",
              "cpu\\|usagemhz_average|disk\\|totalLatency_average|net\\|usage_average|mem\\|host_usagePct",
              "sums over hosts are told of clusters, not of datacenters"),
          reason(
              "vSphere World",
              "cpu\\|(usagemhz_average|capacity_usagepct_average)|disk\\|.*|net\\|.*|mem\\|host_usage(Pct)?",
              "sums over hosts are told of clusters, not of whole vCenters"),
          reason(
              "vSphere World",
              "summary\\|total_number_vcenters",
              "the collector of one vCenter does not know the others: count the objects of kind VMwareAdapter Instance"),
          reason("vSphere World", "vmop\\|snapshots\\|.*", "vCenter has no such counters"),
          reason(
              "Datastore",
              "datastore\\|(total(Read|Write)Latency_average|(read|write)_average|demand_oio)|devices\\|.*",
              "vCenter has reads and writes apart for a datastore of a host or machine alone (an instance there)"),
          reason(
              "Datastore",
              "summary\\|(max_vm_disk_latency|percentage_of_vms_facing_disk_latency)",
              "a machine's latency on one datastore of several is an instance of the machine; it is not joined to the datastore"),
          reason(
              "Datastore",
              "summary\\|aliasOf",
              "vROps' own: the same datastore in another vCenter"),
          reason(
              "HostSystem",
              "configuration\\|dasConfig\\|admissionControlPolicy\\|failoverHost",
              "the cluster names its failover hosts by reference; they are not joined to the hosts"),
          reason(
              "HostSystem",
              "config\\|security\\|has_lockdown_exception_users",
              "not a property but the answer to a method of the host (QueryLockdownExceptions), which is not called"),
          reason(
              "HostSystem",
              "config\\|security\\|requireSecureBoot",
              "a setting that ESXi has in its command line, not in vim25"),
          reason("HostSystem", "config\\|diskSpace", "vROps' own sum over the disks of a host"),
          reason(
              "DistributedVirtualPortgroup|VmwareDistributedVirtualSwitch",
              "network\\|port_statistics\\|.*|summary\\|(ports_down_pct|used_num_ports|num_blocked_ports)",
              "the state of single ports comes from a query of each switch (FetchDVPorts), which is not made"),
          reason(
              "VMFolder|DatastoreFolder",
              ".*",
              "folders of all types are told as kind Folder, where the key is"),
          reason("Pod", ".*", "vSphere Pods belong to vSphere with Tanzu, whose API is not read"),
          reason(
              "CustomDatacenter",
              ".*",
              "groups that somebody made in vROps; here a group of objects has them"));

  private Reasons() {}

  private static Reason reason(String kinds, String keys, String words) {
    return new Reason(Pattern.compile(kinds), Pattern.compile(keys), words);
  }

  static Optional<String> of(String kind, String key) {
    return ALL.stream()
        .filter(r -> r.kinds.matcher(kind).matches() && r.keys.matcher(key).matches())
        .map(Reason::words)
        .findFirst();
  }
}
