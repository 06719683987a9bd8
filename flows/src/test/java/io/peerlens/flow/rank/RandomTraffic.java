package io.peerlens.flow.rank;

import io.peerlens.flow.minute.MinuteRows;
import java.util.SplittableRandom;

/**
 * Partial rows as they come: a few heavy keys, a long tail, two observers, several rows of a key.
 */
final class RandomTraffic implements FlowEnds {

  static final int MINUTES = 5;
  static final int FIRST = 29_000_000 / MINUTES * MINUTES;
  static final int ENDPOINTS = 40;

  final SplittableRandom random;

  RandomTraffic(long seed) {
    random = new SplittableRandom(seed);
  }

  MinuteRows rows(int count, int firstMinute) {
    MinuteRows rows = new MinuteRows();
    for (int i = 0; i < count; i++) {
      add(
          rows,
          firstMinute + random.nextInt(MINUTES),
          random.nextInt(1, 3),
          random.nextInt(1, ENDPOINTS),
          random.nextInt(1, ENDPOINTS));
    }
    return rows;
  }

  void add(MinuteRows rows, int minute, int observer, int src, int dst) {
    boolean tcp = random.nextBoolean();
    int row =
        rows.append(
            minute,
            observer,
            random.nextInt(4) == 0,
            src,
            dst,
            tcp ? 443 + random.nextInt(4) : 53,
            tcp ? 6 : 17,
            random.nextBoolean());
    // Many equal small ones, so that there are ties, and a few large ones.
    long bytes = random.nextInt(10) == 0 ? random.nextLong(1, 1L << 36) : random.nextLong(3) * 100;
    rows.addTraffic(row, bytes, bytes / 100);
    rows.addFlows(row, random.nextInt(3), random.nextInt(2), random.nextInt(2));
    if (random.nextInt(5) == 0) {
      rows.addDrops(row, random.nextInt(1, 9));
    }
  }

  /** The same rows in another order. */
  MinuteRows shuffled(MinuteRows rows) {
    int[] order = new int[rows.size()];
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    MinuteRows out = new MinuteRows();
    for (int row : order) {
      copy(rows, row, out);
    }
    return out;
  }

  static void copy(MinuteRows rows, int row, MinuteRows out) {
    int to =
        out.append(
            rows.minute(row),
            rows.observer(row),
            rows.egress(row),
            rows.src(row),
            rows.dst(row),
            rows.port(row),
            rows.protocol(row),
            rows.towardsService(row));
    out.addTraffic(to, rows.bytes(row), rows.packets(row));
    out.addDrops(to, rows.drops(row));
    out.addFlows(to, rows.flows(row), rows.sessions(row), rows.resets(row));
  }

  @Override
  public boolean internal(int endpoint) {
    return endpoint % 4 != 0;
  }

  @Override
  public int talker(TalkerDimension dimension, int endpoint) {
    return switch (dimension) {
      case VM -> endpoint % 4 == 0 ? NO_TALKER : endpoint / 2; // several addresses of a VM
      case HOST -> endpoint % 4 == 0 ? NO_TALKER : endpoint / 2 % 7;
      case CLUSTER -> endpoint % 4 == 0 ? NO_TALKER : endpoint / 2 % 7 % 3;
      case TIER -> endpoint % 3 == 0 ? endpoint / 2 % 5 : NO_TALKER;
      case NETWORK -> endpoint % 6;
      case PAIR -> endpoint;
      case PORT, PROTOCOL -> throw new IllegalArgumentException("Not of an end: " + dimension);
    };
  }
}
