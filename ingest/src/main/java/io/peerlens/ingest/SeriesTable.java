package io.peerlens.ingest;

import io.peerlens.ingest.bytes.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hash table of {@link Series} by the raw bytes of measurement and tags. Telegraf writes the tags
 * of a series the same way every time, so no tag is parsed for a series that was met before. Bytes
 * are compared whole: two series never mix.
 */
final class SeriesTable {

  /** Series not met for this many batches are forgotten when the table must grow. */
  private static final long FORGET_AFTER = 100_000;

  private long[] hashes = new long[1 << 12];
  private Series[] entries = new Series[1 << 12];
  private int size;

  int size() {
    return size;
  }

  @Nullable Series find(byte[] buffer, int from, int to, long hash) {
    int mask = entries.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Series entry = entries[i];
      if (entry == null) {
        return null;
      }
      if (hashes[i] == hash && Arrays.equals(entry.key, 0, entry.key.length, buffer, from, to)) {
        return entry;
      }
    }
  }

  void add(Series series, long batch) {
    if ((size + 1) * 2 > entries.length) {
      grow(batch);
    }
    insert(Bytes.hash(series.key, 0, series.key.length), series);
    size++;
  }

  private void grow(long batch) {
    Series[] old = entries;
    int kept = 0;
    for (Series series : old) {
      if (series != null && batch - series.lastUse <= FORGET_AFTER) {
        kept++;
      }
    }
    int length = old.length;
    while ((kept + 1) * 4 > length) {
      length *= 2;
    }
    entries = new Series[length];
    hashes = new long[length];
    for (Series series : old) {
      if (series != null && batch - series.lastUse <= FORGET_AFTER) {
        insert(Bytes.hash(series.key, 0, series.key.length), series);
      }
    }
    size = kept;
  }

  private void insert(long hash, Series series) {
    int mask = entries.length - 1;
    int i = (int) hash & mask;
    while (entries[i] != null) {
      i = (i + 1) & mask;
    }
    entries[i] = series;
    hashes[i] = hash;
  }
}
