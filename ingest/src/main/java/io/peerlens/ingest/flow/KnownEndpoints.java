package io.peerlens.ingest.flow;

import java.util.Arrays;

/** Endpoints met so far, by address and object, with their ids once they have some. */
final class KnownEndpoints {

  private int size;
  private long[] high = new long[1 << 10];
  private long[] low = new long[1 << 10];
  private int[] objectId = new int[1 << 10];
  private int[] id = new int[1 << 10];
  private int[] slots = new int[1 << 11]; // entry + 1, 0 = free

  /** The entry of an endpoint, made when it is new. */
  int entry(long addressHigh, long addressLow, int object) {
    int mask = slots.length - 1;
    int slot = Mix.of(addressHigh, addressLow, object) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int entry = found - 1;
      if (low[entry] == addressLow && high[entry] == addressHigh && objectId[entry] == object) {
        return entry;
      }
    }
    if (size == high.length) {
      high = Arrays.copyOf(high, size * 2);
      low = Arrays.copyOf(low, size * 2);
      objectId = Arrays.copyOf(objectId, size * 2);
      id = Arrays.copyOf(id, size * 2);
    }
    int entry = size++;
    high[entry] = addressHigh;
    low[entry] = addressLow;
    objectId[entry] = object;
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
      int slot = Mix.of(high[entry], low[entry], objectId[entry]) & mask;
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
    return high[entry];
  }

  long low(int entry) {
    return low[entry];
  }

  int objectId(int entry) {
    return objectId[entry];
  }

  int id(int entry) {
    return id[entry];
  }

  void id(int entry, int itsId) {
    id[entry] = itsId;
  }
}
