package io.peerlens.intake;

import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import io.peerlens.ingest.protobuf.ProtoWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cutter of OTLP metrics in protobuf: what one resource reports goes into the same records, with a
 * key of the resource, so its series stay in their order. Field numbers are those of
 * opentelemetry/proto/metrics/v1/metrics.proto.
 */
final class OtlpCutter {

  /** Which field repeats at each level: ResourceMetrics, ScopeMetrics, Metric, its data, points. */
  private static final int[][] REPEATED = {{1}, {2}, {2}, {5, 7, 9, 10, 11}, {1}};

  /** What the longer length of a message around another takes. */
  private static final int ROOM = 16;

  private final int limit;
  private final List<Piece> pieces = new ArrayList<>();
  private final Map<ByteBuffer, ProtoWriter> open = new LinkedHashMap<>();

  private OtlpCutter(int limit) {
    this.limit = limit;
  }

  /**
   * Pieces of at most {@code limit} bytes, each of which is MetricsData of one resource.
   *
   * @throws Refusal when it is no protobuf, or one point is longer
   */
  static List<Piece> cut(byte[] body, int limit) throws Refusal {
    try {
      return parts(body, limit);
    } catch (Malformed e) {
      throw Refusal.malformed(e);
    }
  }

  private static List<Piece> parts(byte[] body, int limit) throws Refusal {
    OtlpCutter cutter = new OtlpCutter(limit);
    ProtoReader fields = new ProtoReader().on(body);
    while (fields.next()) {
      if (fields.number() == 1) {
        cutter.resource(fields.message());
      }
    }
    for (ByteBuffer resource : cutter.open.keySet()) {
      cutter.flush(resource);
    }
    return cutter.pieces;
  }

  private void resource(ProtoReader message) throws Refusal {
    byte[] bytes = message.bytes();
    int from = -1;
    int to = -1;
    int begin = -1;
    int end = -1;
    while (message.next()) {
      begin = begin < 0 ? message.start() : begin;
      end = message.to();
      if (message.number() == 1) {
        message.message();
        from = message.from();
        to = message.to();
      }
    }
    if (begin < 0) {
      return;
    }
    ByteBuffer resource =
        from < 0 ? ByteBuffer.allocate(0) : ByteBuffer.wrap(bytes, from, to - from);
    if (end - begin + ROOM <= limit) {
      add(resource, bytes, begin, end);
    } else {
      for (byte[] part : split(bytes, begin, end, 1, limit - ROOM)) {
        add(resource, part, 0, part.length);
      }
    }
  }

  private void add(ByteBuffer resource, byte[] bytes, int from, int to) {
    ProtoWriter writer = open.computeIfAbsent(resource, r -> new ProtoWriter());
    if (writer.length() + to - from + ROOM > limit) {
      flush(resource);
    }
    writer.bytes(1, bytes, from, to);
  }

  private void flush(ByteBuffer resource) {
    ProtoWriter writer = open.get(resource);
    if (writer != null && writer.length() > 0) {
      pieces.add(new Piece(Keys.of(resource), writer.toBytes()));
      writer.clear();
    }
  }

  /** Messages of at most {@code most} bytes that together say what a longer one says. */
  private static List<byte[]> split(byte[] bytes, int from, int to, int level, int most)
      throws Refusal {
    if (level == REPEATED.length) {
      throw Refusal.tooLarge(
          "A data point of %,d bytes is longer than %,d.".formatted(to - from, most));
    }
    ProtoWriter head = new ProtoWriter();
    ProtoReader fields = new ProtoReader().on(bytes, from, to);
    while (fields.next()) {
      if (!repeats(level, fields)) {
        head.raw(bytes, fields.start(), fields.to());
      }
    }
    int left = most - head.length() - ROOM;
    if (left <= 0) {
      throw Refusal.tooLarge(
          "Attributes of %,d bytes are longer than a record may be, %,d."
              .formatted(head.length(), most));
    }
    List<byte[]> messages = new ArrayList<>();
    ProtoWriter message = new ProtoWriter();
    fields = new ProtoReader().on(bytes, from, to);
    while (fields.next()) {
      if (repeats(level, fields)) {
        List<byte[]> parts =
            fields.to() - fields.from() <= left
                ? List.of()
                : split(bytes, fields.from(), fields.to(), level + 1, left);
        if (parts.isEmpty()) {
          add(messages, message, head, most, fields.number(), bytes, fields.from(), fields.to());
        }
        for (byte[] part : parts) {
          add(messages, message, head, most, fields.number(), part, 0, part.length);
        }
      }
    }
    if (message.length() > 0) {
      messages.add(message.toBytes());
    }
    return messages;
  }

  private static void add(
      List<byte[]> messages,
      ProtoWriter message,
      ProtoWriter head,
      int most,
      int number,
      byte[] bytes,
      int from,
      int to) {
    if (message.length() > 0 && message.length() + to - from + ROOM > most) {
      messages.add(message.toBytes());
      message.clear();
    }
    if (message.length() == 0) {
      message.fields(head);
    }
    message.bytes(number, bytes, from, to);
  }

  private static boolean repeats(int level, ProtoReader field) {
    for (int number : REPEATED[level]) {
      if (field.number() == number && field.is(ProtoReader.LENGTH)) {
        return true;
      }
    }
    return false;
  }
}
