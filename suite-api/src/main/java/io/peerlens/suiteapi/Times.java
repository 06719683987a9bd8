package io.peerlens.suiteapi;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * Times of a series in epoch milliseconds. They are most of an answer, and most series have the
 * same ones: those that share this object are written from one text. Not thread-safe.
 */
final class Times extends AbstractList<Long> implements RandomAccess {

  private final long[] millis;
  private @Nullable SerializableString text;
  private boolean written;

  private Times(long[] millis) {
    this.millis = millis;
  }

  static Times of(long[] millis) {
    return new Times(millis);
  }

  /** These times, or others that are the same. */
  Times orElse(@Nullable Times others) {
    return others != null && Arrays.equals(millis, others.millis) ? others : this;
  }

  /** Writes times as an array. */
  static void write(JsonGenerator json, String name, List<Long> times) {
    if (times instanceof Times known && known.isShared()) {
      json.writeName(name);
      json.writeRawValue(known.text());
    } else {
      json.writeArrayPropertyStart(name);
      for (long time : times) {
        json.writeNumber(time);
      }
      json.writeEndArray();
    }
  }

  /** Whether they have been written before; what is written once needs no text. */
  private boolean isShared() {
    boolean shared = written;
    written = true;
    return shared;
  }

  private SerializableString text() {
    SerializableString known = text;
    if (known == null) {
      known =
          new SerializedString(
              Arrays.stream(millis)
                  .mapToObj(Long::toString)
                  .collect(Collectors.joining(",", "[", "]")));
      text = known;
    }
    return known;
  }

  @Override
  public Long get(int index) {
    return millis[index];
  }

  @Override
  public int size() {
    return millis.length;
  }
}
