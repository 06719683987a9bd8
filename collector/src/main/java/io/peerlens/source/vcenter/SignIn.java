package io.peerlens.source.vcenter;

import io.peerlens.source.ActiveSource;
import io.peerlens.vcenter.vim.HostAddresses;
import io.peerlens.vcenter.vim.Trust;
import io.peerlens.vcenter.vim.VimAddress;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Sign-in to one vCenter for all that is read from it. After a password was refused twice, it waits
 * a quarter of an hour, so that vCenter does not lock the account.
 */
final class SignIn {

  static final Duration LONG_WAIT = Duration.ofMinutes(15);
  private static final int REFUSALS = 2;

  private final ActiveSource source;
  private final VimAddress address;
  private final HostAddresses addresses;
  private final Trust trust;
  private final InstantSource clock;
  private int refusals;
  private Instant notBefore = Instant.MIN;
  private VimException.@Nullable Fault refusal;

  SignIn(ActiveSource source, HostAddresses addresses, Trust trust, InstantSource clock) {
    this.source = source;
    this.address = VimAddress.of(source.address());
    this.addresses = addresses;
    this.trust = trust;
    this.clock = clock;
  }

  VimAddress address() {
    return address;
  }

  /**
   * A session of its own.
   *
   * @throws VimException if there is none to be had; the last refusal as long as it is waited
   */
  VimClient client() throws VimException {
    VimClient client = VimClient.connect(address, addresses, trust);
    try {
      login(client);
      return client;
    } catch (VimException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /** One at a time: three parts that find out together would lock an account at once. */
  private synchronized void login(VimClient client) throws VimException {
    if (refusal != null && clock.instant().isBefore(notBefore)) {
      throw refusal;
    }
    try {
      client.login(source.username(), source.password().get());
      refusals = 0;
      refusal = null;
    } catch (VimException.Fault e) {
      if (e.type().equals("InvalidLogin")) {
        refusals++;
        refusal = e;
        notBefore = clock.instant().plus(refusals < REFUSALS ? Duration.ofSeconds(20) : LONG_WAIT);
      }
      throw e;
    }
  }
}
