package io.peerlens.profile;

import java.util.Set;

/**
 * Machine whose load is profiled.
 *
 * @param id unique among the machines of a profile
 * @param name what people call it
 * @param vcpus virtual processors; NaN = not known
 * @param memoryGb memory in GB; NaN = not known
 * @param diskGb provisioned disk in GB; NaN = not known
 * @param groups clusters, hosts or tags that it counts for, as the caller resolved them; may be
 *     empty, may be several
 */
public record Machine(
    String id, String name, double vcpus, double memoryGb, double diskGb, Set<String> groups) {

  public Machine {
    groups = Set.copyOf(groups);
    positive(id, "vCPUs", vcpus);
    positive(id, "memory", memoryGb);
    positive(id, "disk", diskGb);
  }

  private static void positive(String id, String what, double value) {
    if (value <= 0 || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          "Machine %s has %s %s: give a positive number, or NaN where it is not known"
              .formatted(id, what, value));
    }
  }
}
