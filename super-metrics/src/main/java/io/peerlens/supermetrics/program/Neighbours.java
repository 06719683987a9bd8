package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.program.ObjectGraph.Near;
import io.peerlens.supermetrics.program.ObjectGraph.Range;
import io.peerlens.supermetrics.program.ObjectGraph.Related;
import io.peerlens.supermetrics.program.ObjectGraph.TooManyObjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Neighbours of all objects in one direction, and the ways along them. Objects are named by their
 * places in the graph. Thread-safe.
 */
final class Neighbours {

  private final int[] offsets;
  private final int[] members;

  private Neighbours(int[] offsets, int[] members) {
    this.offsets = offsets;
    this.members = members;
  }

  /**
   * Those of relations, of each object in the order of their places.
   *
   * @param count how many objects there are
   * @param begins whose neighbour an object is
   * @param ends which object that is; what is beyond {@code begins} does not count
   */
  static Neighbours of(int count, int[] begins, int[] ends) {
    int[] offsets = new int[count + 1];
    for (int begin : begins) {
      offsets[begin + 1]++;
    }
    Arrays.parallelPrefix(offsets, Integer::sum);
    int[] members = new int[offsets[count]];
    int[] next = Arrays.copyOf(offsets, count);
    for (int r = 0; r < begins.length; r++) {
      members[next[begins[r]]++] = ends[r];
    }
    for (int i = 0; i < count; i++) {
      Arrays.sort(members, offsets[i], offsets[i + 1]);
    }
    return new Neighbours(offsets, members);
  }

  /** Those of an object. */
  IntStream of(int index) {
    return Arrays.stream(members, offsets[index], offsets[index + 1]);
  }

  /**
   * Objects of a kind near one, nearest first.
   *
   * @param depth how many levels are followed; its sign is that of the levels that are told
   * @throws TooManyObjects if more relations would have to be followed than allowed
   */
  Near near(int index, Range to, int depth, long mostSteps) {
    Set<Integer> seen = new HashSet<>();
    List<Integer> level = List.of(index);
    seen.addAll(level);
    List<int[]> found = new ArrayList<>();
    long steps = 0;
    for (int away = 1; away <= Math.abs(depth) && !level.isEmpty(); away++) {
      List<Integer> further = new ArrayList<>();
      for (int object : level) {
        for (int n = offsets[object]; n < offsets[object + 1]; n++) {
          int neighbour = members[n];
          if (++steps > mostSteps) {
            throw new TooManyObjects("more than " + mostSteps + " relations from one object");
          }
          if (seen.add(neighbour)) {
            further.add(neighbour);
            if (to.holds(neighbour)) {
              found.add(new int[] {neighbour - to.from(), depth > 0 ? away : -away});
            }
          }
        }
      }
      level = further;
    }
    return new Near(
        found.stream().mapToInt(one -> one[0]).toArray(),
        found.stream().mapToInt(one -> one[1]).toArray());
  }

  /**
   * Objects of a kind at most so many levels away from each of another, each once however many ways
   * lead to it.
   *
   * @return null = more relations would have to be followed than allowed
   */
  @Nullable Related follow(Range from, Range to, int levels, Budget budget, long mostSteps) {
    int rows = from.to() - from.from();
    int objects = offsets.length - 1;
    int[] found = new int[Math.max(16, rows)];
    int count = 0;
    int[] behind = new int[rows + 1];
    int[] seen = new int[objects];
    int[] queue = new int[objects];
    long steps = 0;
    for (int row = 0; row < rows; row++) {
      int stamp = row + 1;
      int end = 1;
      queue[0] = from.from() + row;
      seen[queue[0]] = stamp;
      int level = 0;
      int levelEnd = 1;
      for (int at = 0; at < end; at++) {
        if (at == levelEnd) {
          level++;
          levelEnd = end;
        }
        if (level == levels) {
          break;
        }
        int object = queue[at];
        int last = offsets[object + 1];
        steps += last - offsets[object];
        budget.spent(last - offsets[object] + 1);
        for (int n = offsets[object]; n < last; n++) {
          int neighbour = members[n];
          if (seen[neighbour] != stamp) {
            seen[neighbour] = stamp;
            queue[end++] = neighbour;
            if (to.holds(neighbour)) {
              if (count == found.length) {
                found = Arrays.copyOf(found, count + (count >> 1));
              }
              found[count++] = neighbour - to.from();
            }
          }
        }
        if (steps > mostSteps) {
          return null;
        }
      }
      behind[row + 1] = count;
    }
    return new Related(behind, Arrays.copyOf(found, count));
  }
}
