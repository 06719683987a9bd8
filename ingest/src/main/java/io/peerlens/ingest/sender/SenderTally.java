package io.peerlens.ingest.sender;

import java.util.HashSet;
import java.util.Set;

/** Tally of what one sender sent in a batch. Filled by one thread, then read by another. */
public final class SenderTally {

  /** More plugins than these are not told one by one. */
  static final int MOST_PLUGINS = 12;

  final long arrivedMillis;
  long lines;
  long newestMicros = Long.MIN_VALUE;
  final Set<Integer> objects = new HashSet<>();
  final Set<String> plugins = new HashSet<>();

  /**
   * @param arrivedMillis when the batch was read, by the clock of this node
   */
  public SenderTally(long arrivedMillis) {
    this.arrivedMillis = arrivedMillis;
  }

  /** Counts what carries one time. */
  public void add(long count, long timeMicros) {
    lines += count;
    if (timeMicros > newestMicros) {
      newestMicros = timeMicros;
    }
  }

  /** Notes an object that it told of; once in a while for each is enough. */
  public void object(int id) {
    objects.add(id);
  }

  /** Notes what a measurement begins with. */
  public void plugin(String name) {
    if (plugins.size() < MOST_PLUGINS) {
      plugins.add(name);
    }
  }
}
