package io.peerlens.notify.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks up names; the system's resolver except in tests. */
@FunctionalInterface
public interface HostResolver {

  /** The system's resolver. */
  HostResolver SYSTEM = name -> List.of(InetAddress.getAllByName(name));

  /** All addresses of a name. */
  List<InetAddress> resolve(String name) throws UnknownHostException;
}
