package io.peerlens.ingest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writer of OTLP messages for tests, by the numbers of their fields. It writes them in ascending
 * or, as the Collector does, in descending order; what is repeated keeps its order.
 */
final class OtlpMessages {

  private record Field(int number, byte[] bytes) {}

  private final boolean descending;

  OtlpMessages(boolean descending) {
    this.descending = descending;
  }

  /** A message in the making. */
  final class Message {
    private final List<Field> fields = new ArrayList<>();

    private Message add(int number, int wire, byte[] content) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      raw(out, (long) number << 3 | wire);
      out.writeBytes(content);
      fields.add(new Field(number, out.toByteArray()));
      return this;
    }

    Message bytes(int number, byte[] value) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      raw(out, value.length);
      out.writeBytes(value);
      return add(number, 2, out.toByteArray());
    }

    Message text(int number, String value) {
      return bytes(number, value.getBytes(StandardCharsets.UTF_8));
    }

    Message message(int number, Message inner) {
      return bytes(number, inner.toBytes());
    }

    Message varint(int number, long value) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      raw(out, value);
      return add(number, 0, out.toByteArray());
    }

    Message fixed(int number, long bits) {
      return add(number, 1, fixed64(bits));
    }

    Message decimal(int number, double value) {
      return fixed(number, Double.doubleToRawLongBits(value));
    }

    Message packed(int number, long... bits) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (long one : bits) {
        out.writeBytes(fixed64(one));
      }
      return bytes(number, out.toByteArray());
    }

    Message packed(int number, double... values) {
      long[] bits = new long[values.length];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = Double.doubleToRawLongBits(values[i]);
      }
      return packed(number, bits);
    }

    Message packedVarint(int number, long... values) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (long one : values) {
        raw(out, one);
      }
      return bytes(number, out.toByteArray());
    }

    /** Attributes by name and value in turn. */
    Message attributes(int number, String... texts) {
      for (int i = 0; i < texts.length; i += 2) {
        message(
            number,
            new Message().text(1, texts[i]).message(2, new Message().text(1, texts[i + 1])));
      }
      return this;
    }

    byte[] toBytes() {
      List<Field> sorted = new ArrayList<>(fields);
      sorted.sort(
          (a, b) ->
              descending
                  ? Integer.compare(b.number, a.number)
                  : Integer.compare(a.number, b.number));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      sorted.forEach(field -> out.writeBytes(field.bytes));
      return out.toByteArray();
    }
  }

  Message message() {
    return new Message();
  }

  /** A point of a gauge or sum; time and start in seconds, start 0 = none. */
  Message number(long start, long time, double value, String... attributes) {
    Message point = message().fixed(3, time * 1_000_000_000L).decimal(4, value);
    if (start != 0) {
      point.fixed(2, start * 1_000_000_000L);
    }
    return point.attributes(7, attributes);
  }

  Message gauge(String name, String unit, Message... points) {
    Message data = message();
    for (Message point : points) {
      data.message(1, point);
    }
    return message().text(1, name).text(3, unit).message(5, data);
  }

  Message sum(String name, String unit, int temporality, boolean monotonic, Message... points) {
    Message data = message().varint(2, temporality);
    if (monotonic) {
      data.varint(3, 1);
    }
    for (Message point : points) {
      data.message(1, point);
    }
    return message().text(1, name).text(3, unit).message(7, data);
  }

  /** A histogram (field 9) or an exponential one (10). */
  Message histogram(int field, String name, int temporality, Message... points) {
    Message data = message().varint(2, temporality);
    for (Message point : points) {
      data.message(1, point);
    }
    return message().text(1, name).text(3, "s").message(field, data);
  }

  Message resource(String scope, List<Message> metrics, String... attributes) {
    Message scoped = message().message(1, message().text(1, scope).text(2, "1.0"));
    metrics.forEach(metric -> scoped.message(2, metric));
    return message().message(1, message().attributes(1, attributes)).message(2, scoped);
  }

  byte[] metrics(Message... resources) {
    Message all = message();
    for (Message resource : resources) {
      all.message(1, resource);
    }
    return all.toBytes();
  }

  private static byte[] fixed64(long bits) {
    byte[] b = new byte[8];
    for (int i = 0; i < 8; i++) {
      b[i] = (byte) (bits >>> (8 * i));
    }
    return b;
  }

  private static void raw(ByteArrayOutputStream out, long value) {
    long left = value;
    while ((left & ~0x7FL) != 0) {
      out.write((int) (left | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }
}
