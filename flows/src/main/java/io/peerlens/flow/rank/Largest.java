package io.peerlens.flow.rank;

import java.util.Arrays;

/**
 * Selection of the first few of many by some order, without sorting all and without an object for
 * each.
 */
final class Largest {

  /** A total order of numbers from 0. */
  interface Order {

    /** Whether {@code a} comes before {@code b}; of two different numbers exactly one does. */
    boolean before(int a, int b);
  }

  private final Order order;
  private final int[] heap; // the last of those that were kept is at 0
  private int size;

  private Largest(int most, Order order) {
    this.order = order;
    heap = new int[most];
  }

  /**
   * Picks.
   *
   * @param count picks from the numbers from 0 to below this
   * @param most how many to pick at most
   * @return the first ones, the first one first
   */
  static int[] of(int count, int most, Order order) {
    Largest largest = new Largest(Math.min(count, most), order);
    for (int i = 0; i < count; i++) {
      largest.offer(i);
    }
    return largest.take();
  }

  private void offer(int candidate) {
    if (size < heap.length) {
      int at = size++;
      while (at > 0 && order.before(heap[(at - 1) / 2], candidate)) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
      }
      heap[at] = candidate;
    } else if (size > 0 && order.before(candidate, heap[0])) {
      sink(candidate);
    }
  }

  /** Puts a number in the place of the last one. */
  private void sink(int number) {
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && order.before(heap[child], heap[child + 1])) {
        child++;
      }
      if (!order.before(number, heap[child])) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = number;
  }

  private int[] take() {
    int[] picked = new int[size];
    while (size > 0) {
      int last = heap[0];
      picked[--size] = last;
      if (size > 0) {
        sink(heap[size]);
      }
    }
    return picked;
  }

  /** Marks what {@link #of} picks. */
  static boolean[] marks(int count, int most, Order order) {
    boolean[] marks = new boolean[count];
    if (count <= most) {
      Arrays.fill(marks, true);
      return marks;
    }
    for (int picked : of(count, most, order)) {
      marks[picked] = true;
    }
    return marks;
  }
}
