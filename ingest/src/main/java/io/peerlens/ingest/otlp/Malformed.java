package io.peerlens.ingest.otlp;

/** Bytes that are no protobuf message of the expected form; the message says where and why. */
public final class Malformed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Malformed(String what, int at) {
    super(what + ", at byte " + (at + 1), null, false, false);
  }
}
