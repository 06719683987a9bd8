package io.peerlens.standalone.esxtop;

import java.util.List;

/**
 * Directory of the hosts and virtual machines that the service knows: esxtop names them, samples
 * need their ids.
 */
public interface ObjectDirectory {

  /**
   * A host or virtual machine.
   *
   * @param id the service's own id
   * @param externalId vCenter and moid
   * @param silent whether it reports no more
   */
  record Found(String id, String externalId, String name, boolean silent) {}

  /** Hosts whose name holds a text; case does not matter. */
  List<Found> hosts(String text);

  /** The virtual machines of a host, by {@link Found#id}. */
  List<Found> machinesOf(String hostId);

  /** Virtual machines anywhere whose name holds a text; case does not matter. */
  List<Found> machines(String text);
}
