package io.peerlens.source;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * Addresses of a host that collectors may connect to. Connect to what comes from here, never to the
 * name: a second look-up might give other addresses.
 */
@FunctionalInterface
public interface HostAddresses {

  /**
   * Looks a host up.
   *
   * @return at least one
   * @throws java.net.UnknownHostException if the name is not known, which may pass
   * @throws IOException if collectors must not go there; the message says why, and how to allow it
   */
  List<InetAddress> of(String host, int port) throws IOException;
}
