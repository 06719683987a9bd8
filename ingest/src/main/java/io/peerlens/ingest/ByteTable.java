package io.peerlens.ingest;

import io.peerlens.ingest.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hash table by raw bytes that remembers which entry came after which. Senders write the same
 * things in the same order each time, so the next one is mostly found by one comparison. Bytes are
 * compared whole: two entries never mix.
 */
final class ByteTable<E extends ByteTable.Entry<E>> {

  /** Entries not met for this many batches are forgotten when the table must grow. */
  private static final long FORGET_AFTER = 100_000;

  /** An entry of a table. */
  abstract static class Entry<E extends Entry<E>> {
    private final byte[] key;
    private final int kind;
    private final long hash;
    private @Nullable E chained;
    private @Nullable E next;
    private long lastUse;

    /**
     * @param kind a number that is part of the key
     */
    Entry(byte[] key, int kind) {
      this.key = key;
      this.kind = kind;
      this.hash = hash(key, 0, key.length, kind);
    }

    boolean is(byte[] b, int from, int to, int other) {
      return kind == other && Arrays.equals(key, 0, key.length, b, from, to);
    }
  }

  private List<@Nullable E> buckets = empty(4);
  private int size;
  private @Nullable E first;
  private @Nullable E last;

  private static <E> List<@Nullable E> empty(int count) {
    List<@Nullable E> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(null);
    }
    return list;
  }

  private static long hash(byte[] b, int from, int to, int kind) {
    return Bytes.hash(b, from, to) + kind * 0x9E3779B97F4A7C15L;
  }

  int size() {
    return size;
  }

  /** To be called where the order of things begins anew. */
  void rewind() {
    last = null;
  }

  @Nullable E find(byte[] b, int from, int to, int kind, long batch) {
    E guess = last == null ? first : next(last);
    if (guess == null || !guess.is(b, from, to, kind)) {
      guess = lookUp(b, from, to, kind);
      if (guess == null) {
        return null;
      }
      comesNext(guess);
    }
    last = guess;
    used(guess, batch);
    return guess;
  }

  private static <E extends Entry<E>> @Nullable E next(Entry<E> entry) {
    return entry.next;
  }

  private static <E extends Entry<E>> void used(Entry<E> entry, long batch) {
    entry.lastUse = batch;
  }

  private void comesNext(E entry) {
    if (last == null) {
      first = entry;
    } else {
      Entry<E> before = last;
      before.next = entry;
    }
  }

  private @Nullable E lookUp(byte[] b, int from, int to, int kind) {
    long hash = hash(b, from, to, kind);
    for (Entry<E> entry = buckets.get((int) hash & (buckets.size() - 1));
        entry != null;
        entry = entry.chained) {
      if (entry.hash == hash && entry.is(b, from, to, kind)) {
        return self(entry);
      }
    }
    return null;
  }

  @SuppressWarnings("unchecked") // an entry is of its own kind
  private E self(Entry<E> entry) {
    return (E) entry;
  }

  /** Adds an entry, before others of the same key. */
  void add(E entry, long batch) {
    if (size >= buckets.size()) {
      grow(batch);
    }
    used(entry, batch);
    insert(buckets, entry);
    size++;
    comesNext(entry);
    last = entry;
  }

  private void insert(List<@Nullable E> into, E entry) {
    Entry<E> inserted = entry;
    int bucket = (int) inserted.hash & (into.size() - 1);
    inserted.chained = into.get(bucket);
    into.set(bucket, entry);
  }

  void remove(E entry) {
    Entry<E> removed = entry;
    int bucket = (int) removed.hash & (buckets.size() - 1);
    Entry<E> before = null;
    for (Entry<E> one = buckets.get(bucket); one != null; one = one.chained) {
      if (one == removed) {
        if (before == null) {
          buckets.set(bucket, one.chained);
        } else {
          before.chained = one.chained;
        }
        size--;
        return;
      }
      before = one;
    }
  }

  private void grow(long batch) {
    List<E> kept = new ArrayList<>();
    for (E bucket : buckets) {
      Entry<E> one = bucket;
      while (one != null) {
        if (batch - one.lastUse <= FORGET_AFTER) {
          kept.add(self(one));
        }
        one = one.chained;
      }
    }
    int length = buckets.size();
    while (kept.size() * 2 > length) {
      length *= 2;
    }
    buckets = empty(length);
    // The first of a chain stays the first.
    for (E entry : kept.reversed()) {
      insert(buckets, entry);
    }
    size = kept.size();
  }
}
