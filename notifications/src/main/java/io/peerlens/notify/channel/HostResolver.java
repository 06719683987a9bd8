package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/** Resolver of host names; the system's resolver except in tests. */
@FunctionalInterface
public interface HostResolver {

  /** The system's resolver, which may take as long as it likes, with a limit of time. */
  HostResolver SYSTEM =
      new TimedResolver(
          name -> List.of(InetAddress.getAllByName(name)), Duration.ofSeconds(10), 32);

  /** All addresses of a name. */
  List<InetAddress> resolve(String name) throws UnknownHostException;
}
