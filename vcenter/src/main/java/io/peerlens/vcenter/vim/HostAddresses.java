package io.peerlens.vcenter.vim;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Look-up of a host by the egress guard: the addresses that may be connected to. */
@FunctionalInterface
public interface HostAddresses {

  /**
   * The addresses of a host, all of them allowed; at least one.
   *
   * @throws UnknownHostException if the name is not known, which may pass
   * @throws NotAllowedException if connections must not go there
   */
  List<InetAddress> of(String host, int port) throws UnknownHostException;

  /** Refusal of the guard; the message is for people. */
  final class NotAllowedException extends RuntimeException {
    public NotAllowedException(String message) {
      super(message, null, false, false);
    }
  }
}
