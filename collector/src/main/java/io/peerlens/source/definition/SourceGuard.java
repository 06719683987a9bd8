package io.peerlens.source.definition;

import io.peerlens.notify.channel.AddressGuard;
import io.peerlens.notify.channel.HostResolver;
import io.peerlens.source.HostAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Egress guard of collectors: which addresses a source may have. Thread-safe. */
public final class SourceGuard implements HostAddresses {

  /** Port of an address that names none. */
  static final int USUAL_PORT = 443;

  private final AddressGuard guard;

  /** A guard with rules of the administrator. */
  public SourceGuard(SourceEgressProperties properties, HostResolver resolver) {
    this.guard = new AddressGuard(properties.rules(), resolver);
  }

  @Override
  public List<InetAddress> of(String host, int port) throws IOException {
    return guard.resolve(host, port).addresses();
  }

  /**
   * Why a source must not be at an address, as far as that is known without asking for the
   * addresses of a name.
   *
   * @return null = nothing is known against it
   */
  public @Nullable String refusal(URI address) {
    return guard.refusal(address.getHost(), port(address));
  }

  /** The port of an address, said or not. */
  public static int port(URI address) {
    return address.getPort() < 0 ? USUAL_PORT : address.getPort();
  }
}
