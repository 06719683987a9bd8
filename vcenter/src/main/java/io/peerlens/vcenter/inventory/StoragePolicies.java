package io.peerlens.vcenter.inventory;

import java.util.Map;

/**
 * Storage policies of a virtual machine and whether it complies with them.
 *
 * @param home policy of the machine's own files; empty = none
 * @param compliance of these; empty = unknown
 * @param disks by the keys of the disks
 */
public record StoragePolicies(String home, String compliance, Map<String, Disk> disks) {

  /** Keeps a copy. */
  public StoragePolicies {
    disks = Map.copyOf(disks);
  }

  /**
   * Policy of a disk.
   *
   * @param compliance empty = unknown
   */
  public record Disk(String policy, String compliance) {}

  /** Tells them; names of a disk that has gone meanwhile are left out with it. */
  void tell(Map<String, String> properties) {
    put(properties, "config|storagePolicy", home);
    put(properties, "config|storagePolicyCompliance", compliance);
    disks.forEach(
        (key, disk) -> {
          put(properties, Devices.byKey(key) + "|storagePolicy", disk.policy);
          put(properties, Devices.byKey(key) + "|storagePolicyCompliance", disk.compliance);
        });
  }

  private static void put(Map<String, String> properties, String key, String text) {
    if (!text.isEmpty()) {
      properties.put(key, text);
    }
  }
}
