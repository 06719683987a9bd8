package io.peerlens.ingest.otlp;

import io.peerlens.ingest.protobuf.ProtoWriter;

/** A message with one point alone, so that it can be kept and read again. */
public final class SinglePoint {

  private SinglePoint() {}

  /**
   * Makes a message of one point out of the parts of another. Messages of one resource each can be
   * joined to one by writing them one behind the other.
   */
  public static byte[] of(
      byte[] b,
      int resourceFrom,
      int resourceTo,
      int scopeFrom,
      int scopeTo,
      PointKind kind,
      int temporality,
      boolean monotonic,
      int nameFrom,
      int nameTo,
      int unitFrom,
      int unitTo,
      int pointFrom,
      int pointTo) {
    ProtoWriter data = new ProtoWriter().bytes(1, b, pointFrom, pointTo);
    if (temporality != 0) {
      data.varint(2, temporality);
    }
    if (monotonic) {
      data.varint(3, 1);
    }
    ProtoWriter metric =
        new ProtoWriter()
            .bytes(1, b, nameFrom, nameTo)
            .bytes(3, b, unitFrom, unitTo)
            .message(kind.field, data);
    ProtoWriter scope = new ProtoWriter().bytes(1, b, scopeFrom, scopeTo).message(2, metric);
    ProtoWriter resource =
        new ProtoWriter().bytes(1, b, resourceFrom, resourceTo).message(2, scope);
    return new ProtoWriter().message(1, resource).toBytes();
  }
}
