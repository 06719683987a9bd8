package io.peerlens.notify.channel;

import java.io.IOException;

/**
 * Refusal of an address that nothing must go to; the message says why and what the administrator
 * can do.
 */
public final class EgressRefusedException extends IOException {

  EgressRefusedException(String message) {
    super(message);
  }
}
