package io.peerlens.ingest.flow;

import io.peerlens.ingest.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Table of words and the numbers that they stand for, by the bytes of the word. Immutable. */
public final class WordTable {

  /** Answer of {@link #find} for a word that is not there. */
  static final int ABSENT = -1;

  private final byte[] @Nullable [] words;
  private final int[] numbers;
  private final int mask;

  public WordTable(Map<String, Integer> content) {
    int capacity = Math.max(16, Integer.highestOneBit(content.size() * 4));
    words = new byte[capacity][];
    numbers = new int[capacity];
    mask = capacity - 1;
    content.forEach(
        (text, number) -> {
          byte[] word = text.getBytes(StandardCharsets.UTF_8);
          int slot = (int) Bytes.hash(word, 0, word.length) & mask;
          while (words[slot] != null) {
            slot = (slot + 1) & mask;
          }
          words[slot] = word;
          numbers[slot] = number;
        });
  }

  public int find(byte[] b, int from, int to) {
    int slot = (int) Bytes.hash(b, from, to) & mask;
    for (byte[] word; (word = words[slot]) != null; slot = (slot + 1) & mask) {
      if (word.length == to - from && Arrays.equals(b, from, to, word, 0, word.length)) {
        return numbers[slot];
      }
    }
    return ABSENT;
  }
}
