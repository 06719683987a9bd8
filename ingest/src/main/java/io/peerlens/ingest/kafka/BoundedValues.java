package io.peerlens.ingest.kafka;

import io.peerlens.ingest.RecordDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Deserializer of record values that bounds what one poll can hold. A few kilobytes unpack to
 * hundreds of megabytes, and Kafka's client bounds a poll by the number of its records alone.
 *
 * <p>A value that is larger than any that is stored is cut to its beginning. When the values of a
 * poll are as large together as they may be, the rest of it comes as {@link #LATER}. Of the headers
 * only those that are read are kept, because each keeps all bytes of its record in memory.
 */
final class BoundedValues implements Deserializer<byte[]> {

  /** Stands for a value that must be read by another poll. */
  static final byte[] LATER = {};

  /** So much is kept of a value that is too large. */
  static final int KEPT = 64 << 10;

  private static final Set<String> HEADERS =
      Set.of(
          "content-type",
          "replay-of",
          RecordDecoder.SOURCE_HEADER,
          RecordDecoder.PRECISION_HEADER,
          "otelcol.signal",
          // Attributes of a CloudEvent whose value is its data alone.
          "ce_specversion",
          "ce_id",
          "ce_source",
          "ce_type",
          "ce_time",
          "ce_subject");
  private static final int MAX_HEADERS = 1_000;
  private static final int MAX_HEADER_BYTES = 1_000;

  private final IntSupplier maxValueBytes;
  private final long maxPollBytes;
  private long taken;

  /**
   * @param maxValueBytes a longer value is cut
   * @param maxPollBytes the first value that does not fit comes later, as do all behind it
   */
  BoundedValues(IntSupplier maxValueBytes, long maxPollBytes) {
    this.maxValueBytes = maxValueBytes;
    this.maxPollBytes = maxPollBytes;
  }

  /** What comes next is of another poll. */
  void begin() {
    taken = 0;
  }

  @Override
  public byte @Nullable [] deserialize(String topic, byte @Nullable [] data) {
    return data;
  }

  @Override
  public byte @Nullable [] deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
    keepFew(headers);
    if (data == null) {
      return null;
    }
    int size = data.remaining();
    int kept = size > maxValueBytes.getAsInt() ? Math.min(size, KEPT) : size;
    if (taken > 0 && taken + kept > maxPollBytes) {
      taken = maxPollBytes; // whatever comes behind it must wait, too
      return LATER;
    }
    taken += Math.max(1, kept);
    byte[] value = new byte[kept];
    data.get(data.position(), value);
    return value;
  }

  /** Forgets headers that nobody reads. So many that it takes long are left to the careful way. */
  private static void keepFew(Headers headers) {
    Header[] all = headers.toArray();
    if (all.length == 0 || all.length > MAX_HEADERS) {
      return;
    }
    List<Header> kept = new ArrayList<>();
    for (Header header : all) {
      byte[] value = HEADERS.contains(header.key()) ? header.value() : null;
      if (value != null && value.length <= MAX_HEADER_BYTES) {
        kept.add(new RecordHeader(header.key(), value));
      }
    }
    for (Header header : all) {
      headers.remove(header.key());
    }
    kept.forEach(headers::add);
  }

  /** Deserializer that reads no keys: nobody asks for them, and they can be as large as values. */
  static final class NoKeys implements Deserializer<byte[]> {

    private static final byte[] NONE = {};

    @Override
    public byte[] deserialize(String topic, byte @Nullable [] data) {
      return NONE;
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
      return NONE;
    }
  }
}
