package io.peerlens.standalone.sample;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Line protocol of one object at one moment, written without garbage. Reused, not thread-safe. */
final class LineBuffer {

  private byte[] bytes = new byte[8_192];
  private int size;
  private int lines;
  private boolean firstField;
  private int[] ends = new int[64];

  void clear() {
    size = 0;
    lines = 0;
  }

  int lines() {
    return lines;
  }

  /** All lines, each ended by a newline. */
  byte[] all() {
    return Arrays.copyOf(bytes, size);
  }

  /** One line with its newline. */
  byte[] line(int index) {
    return Arrays.copyOfRange(bytes, index == 0 ? 0 : ends[index - 1], ends[index]);
  }

  /** Begins a line with its measurement and tags, ready made. */
  LineBuffer begin(byte[] series) {
    append(series);
    firstField = true;
    return this;
  }

  /** An integer field. */
  LineBuffer whole(String name, double value) {
    field(name);
    number(Math.round(value));
    append('i');
    return this;
  }

  /** A float field with three decimals. */
  LineBuffer real(String name, double value) {
    field(name);
    long thousandths = Math.round(value * 1000);
    if (thousandths < 0) {
      append('-');
      thousandths = -thousandths;
    }
    number(thousandths / 1000);
    int rest = (int) (thousandths % 1000);
    if (rest != 0) {
      append('.');
      append('0' + rest / 100);
      if (rest % 100 != 0) {
        append('0' + rest / 10 % 10);
        if (rest % 10 != 0) {
          append('0' + rest % 10);
        }
      }
    }
    return this;
  }

  /** A string field; the text must need no escapes. */
  LineBuffer text(String name, String value) {
    field(name);
    append('"');
    append(value);
    append('"');
    return this;
  }

  /** Ends the line with its time in seconds, written in nanoseconds. */
  void end(long seconds) {
    append(' ');
    number(seconds);
    append("000000000");
    append('\n');
    if (lines == ends.length) {
      ends = Arrays.copyOf(ends, lines * 2);
    }
    ends[lines++] = size;
  }

  private void field(String name) {
    append(firstField ? ' ' : ',');
    firstField = false;
    append(name);
    append('=');
  }

  private void number(long value) {
    long v = value;
    if (v < 0) {
      append('-');
      v = -v;
    }
    int digits = 1;
    for (long p = v; p >= 10; p /= 10) {
      digits++;
    }
    reserve(digits);
    for (int i = size + digits - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + v % 10);
      v /= 10;
    }
    size += digits;
  }

  private void append(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
  }

  @SuppressWarnings("deprecation") // copies ASCII without an encoder, which is what this is for
  private void append(String text) {
    int length = text.length();
    reserve(length);
    text.getBytes(0, length, bytes, size);
    size += length;
  }

  private void append(int character) {
    reserve(1);
    bytes[size++] = (byte) character;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }

  @Override
  public String toString() {
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }
}
