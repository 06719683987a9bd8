package io.peerlens.flow.minute;

import io.peerlens.flow.network.Mix;
import java.util.Arrays;

/**
 * Endpoints met so far, by address and object, with their ids once they have some. An entry is
 * three words of one array, so that finding one reads memory once, not once for each of its parts.
 */
final class KnownEndpoints {

  private static final int HIGH = 0;
  private static final int LOW = 1;
  private static final int OBJECT_ID = 2; // the object above, the endpoint's id below
  private static final int WORDS = 3;

  private int size;
  private long[] words = new long[WORDS << 10];
  private int[] slots = new int[1 << 11]; // entry + 1, 0 = free

  /** The entry of an endpoint, made when it is new. */
  int entry(long high, long low, int object) {
    int mask = slots.length - 1;
    int slot = Mix.of(high, low, object) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int at = (found - 1) * WORDS;
      if (words[at + LOW] == low
          && words[at + HIGH] == high
          && (int) (words[at + OBJECT_ID] >> 32) == object) {
        return found - 1;
      }
    }
    int at = size * WORDS;
    if (at == words.length) {
      words = Arrays.copyOf(words, at * 2);
    }
    words[at + HIGH] = high;
    words[at + LOW] = low;
    words[at + OBJECT_ID] = (long) object << 32;
    int entry = size++;
    slots[slot] = size;
    if (size * 2 > slots.length) {
      rehash();
    }
    return entry;
  }

  private void rehash() {
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int entry = 0; entry < size; entry++) {
      int slot = Mix.of(high(entry), low(entry), objectId(entry)) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = entry + 1;
    }
  }

  void clear() {
    size = 0;
    Arrays.fill(slots, 0);
  }

  int size() {
    return size;
  }

  long high(int entry) {
    return words[entry * WORDS + HIGH];
  }

  long low(int entry) {
    return words[entry * WORDS + LOW];
  }

  int objectId(int entry) {
    return (int) (words[entry * WORDS + OBJECT_ID] >> 32);
  }

  int id(int entry) {
    return (int) words[entry * WORDS + OBJECT_ID];
  }

  void id(int entry, int itsId) {
    int at = entry * WORDS + OBJECT_ID;
    words[at] = words[at] & -1L << 32 | itsId & 0xFFFFFFFFL;
  }
}
