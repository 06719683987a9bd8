package io.peerlens.source;

import org.jspecify.annotations.Nullable;

/** Failure to get records to Kafka; the message is for people. */
public final class OutletException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public OutletException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
