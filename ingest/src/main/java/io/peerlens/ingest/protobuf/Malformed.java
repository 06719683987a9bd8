package io.peerlens.ingest.protobuf;

/** Bytes that are no protobuf message of the expected form; the message says where and why. */
public final class Malformed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Bytes that are wrong.
   *
   * @param what is wrong
   * @param at index of the byte
   */
  public Malformed(String what, int at) {
    super(what + ", at byte " + (at + 1), null, false, false);
  }
}
