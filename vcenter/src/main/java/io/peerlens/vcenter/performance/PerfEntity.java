package io.peerlens.vcenter.performance;

import io.peerlens.vcenter.vim.Moref;
import java.util.List;

/**
 * Managed object whose performance is read, with what {@link Figure figures} need of it.
 *
 * @param holders the objects that it counts for: the host and the cluster of a machine, the cluster
 *     of a host
 * @param cpus virtual CPUs of a machine, cores of a host; NaN when unknown
 * @param mhz speed of one core of the host; NaN when unknown
 * @param memoryKb memory of a machine or host; NaN when unknown
 */
public record PerfEntity(
    Moref moref, List<Moref> holders, double cpus, double mhz, double memoryKb) {

  public PerfEntity {
    holders = List.copyOf(holders);
  }

  /** One of which nothing is known but itself. */
  public static PerfEntity of(Moref moref) {
    return new PerfEntity(moref, List.of(), Double.NaN, Double.NaN, Double.NaN);
  }
}
