package io.peerlens.standalone.esxtop;

/** Reason why a file cannot be taken in at all; the message says what, where and how to mend it. */
public final class EsxtopException extends RuntimeException {

  private static final long serialVersionUID = 1;

  EsxtopException(String message) {
    super(message);
  }
}
