package io.peerlens.notify.egress;

import java.io.IOException;

/** Notifications must not go there; the message says why and what the administrator can do. */
public final class EgressRefusedException extends IOException {

  EgressRefusedException(String message) {
    super(message);
  }
}
