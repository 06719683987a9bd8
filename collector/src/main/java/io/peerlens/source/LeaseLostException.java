package io.peerlens.source;

/** Refusal of the journal: another node may collect from the source now, so this one must stop. */
public final class LeaseLostException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public LeaseLostException(String message) {
    super(message, null, false, false);
  }
}
