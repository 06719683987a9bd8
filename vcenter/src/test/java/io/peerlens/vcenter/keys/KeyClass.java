package io.peerlens.vcenter.keys;

import java.util.regex.Pattern;

/**
 * Classes of keys, in the order in which they are tried: the first whose rule fits is the key's.
 * The rules go by the words of keys, since exports do not say where a figure comes from.
 */
enum KeyClass {
  OTHER_ADAPTERS(
      "other adapters",
      "the kind is of another adapter than VMWARE, or another solution adds the key to vSphere's objects"),
  SUPER_METRICS("super metrics", "`Super Metric|...`"),
  TELEGRAF(
      "counters that Telegraf sends", "Telegraf gives the key with docs/telegraf/vsphere.conf"),
  COST("cost", "`cost|`, metering, and the cost of what could be reclaimed"),
  CAPACITY(
      "capacity and badges",
      "what vROps' capacity engine and its alerts compute: remaining, recommended, reclaimable, workload, usable capacity, badges, counts of alerts"),
  CONFIGURATION(
      "configuration",
      "`config|`, `configuration|`, `hardware|`, `runtime|`, what the guest, snapshots, disks and cards say, places, tags"),
  COUNTERS(
      "other vCenter counters",
      "named as vCenter's counters are, with `_average`, `_summation` or `_latest`"),
  COUNTS(
      "counts and aliases",
      "other keys of vSphere's groups: counts over relations, ratios, sums, peaks"),
  REST("rest", "everything else");

  private static final Pattern FOREIGN =
      Pattern.compile(
          "(HRM |SOS |SRM |fastapi|vCommunity|Backup\\||Guest OS Services|DNS\\||vsan\\||CustomProperty"
              + "|Profiles\\|).*");
  private static final Pattern COSTS =
      Pattern.compile("(cost|metering)\\|.*|summary\\|metering.*|.*\\|cost");
  private static final Pattern CAPACITIES =
      Pattern.compile(
          "(OnlineCapacityAnalytics|badge|System Attributes|System Properties|performance|reclaimable"
              + "|compute_reclaimable|diskspace-waste)\\|.*"
              + "|summary\\|(oversized|undersized|idle|poweredOff|snapshotSpace)(\\|.*)?"
              + "|.*(\\|isIdle|usableCapacity|\\|workload|\\|haTotalCapacity_average|\\|total_need"
              + "|\\|haCorecount_provisioned|\\|host_usable|\\|max_host_workload|\\|slotSize"
              + "|\\|host_demand|\\|vmMemoryDemand|\\|guest_demand|\\|consumer_provisioned"
              + "|\\|total_provisioned_with_overhead)");
  private static final Pattern CONFIGURATIONS =
      Pattern.compile(
          "(config|configuration|hardware|runtime|capability|guestfilesystem)\\|.*"
              + "|virtualDisk\\|(compatibilityMode|configuredGB|datastore|diskMode|fileName|isRDM|label"
              + "|provisioning_type|scsi.*|sharing)"
              + "|summary\\|(config\\|.*|guest\\|.*|runtime\\|.*|parent.*|folder|tag|version|type|datastore|path"
              + "|accessible|isLocal|vmfs.*|dvs_uuid|active_uplink_ports|hostuuid|drsTunable|diskCapacity"
              + "|UUID|aliasOf|customTag.*)"
              + "|diskspace\\|snapshot.*|net\\|(ip_address|mac_address|portGroup|mgmt_address)"
              + "|cpu\\|(cpuModel|speed|numCpuSockets)|sys\\|(build|productString)");
  private static final Pattern COUNTER =
      Pattern.compile(
          "(cpu|mem|net|disk|virtualDisk|datastore|storageAdapter|storagePath|power|sys|rescpu|vmop"
              + "|clusterServices|guest|devices)\\|[A-Za-z.]+_(average|summation|latest|maximum|minimum)");
  private static final Pattern GROUPS =
      Pattern.compile(
          "(cpu|mem|net|disk|diskspace|virtualDisk|datastore|storage|storageAdapter|summary|capacity"
              + "|network|vmop|guest|sys|power|clusterServices)\\|.*");

  final String words;
  final String rule;

  KeyClass(String words, String rule) {
    this.words = words;
    this.rule = rule;
  }

  /** Whether vCenter's own data can answer it, so that the collector is judged by it. */
  boolean isJudged() {
    return this == CONFIGURATION || this == COUNTERS || this == COUNTS;
  }

  static KeyClass of(PublishedUses.Use use, TelegrafKeys telegraf) {
    String key = use.key();
    if (key.startsWith("Super Metric|")) {
      return SUPER_METRICS;
    }
    if (!use.adapter().equals("VMWARE") || FOREIGN.matcher(key).matches()) {
      return OTHER_ADAPTERS;
    }
    if (telegraf.has(use.kind(), key)) {
      return TELEGRAF;
    }
    if (COSTS.matcher(key).matches()) {
      return COST;
    }
    if (CAPACITIES.matcher(key).matches()) {
      return CAPACITY;
    }
    if (CONFIGURATIONS.matcher(key).matches()) {
      return CONFIGURATION;
    }
    if (COUNTER.matcher(key).matches()) {
      return COUNTERS;
    }
    return GROUPS.matcher(key).matches() ? COUNTS : REST;
  }
}
