package io.peerlens.learning;

import java.util.Arrays;

/**
 * Series to be learned together: some positions that follow one another, of some sets of a group.
 *
 * @param sets ids, ascending
 * @param objects id of each set's object
 * @param instances instance of each set; empty = the aggregate
 * @param first first position, from 0
 * @param width number of positions
 */
record SetRange(
    MetricGroup group, int[] sets, int[] objects, String[] instances, int first, int width) {

  int size() {
    return sets.length;
  }

  long series() {
    return (long) sets.length * width;
  }

  /** Some of the sets. */
  SetRange part(int from, int to) {
    return new SetRange(
        group,
        Arrays.copyOfRange(sets, from, to),
        Arrays.copyOfRange(objects, from, to),
        Arrays.copyOfRange(instances, from, to),
        first,
        width);
  }
}
