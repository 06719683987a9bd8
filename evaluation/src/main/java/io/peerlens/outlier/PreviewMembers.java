package io.peerlens.outlier;

import static java.util.Objects.requireNonNull;

import io.peerlens.outliers.PeerGroup;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Who is compared when the past of a group is judged: those who are in scope now. */
final class PreviewMembers {

  private final List<PreviewQueries.Marked> marked;

  /**
   * @param marked by people, the earliest first
   */
  PreviewMembers(List<PreviewQueries.Marked> marked) {
    this.marked = List.copyOf(marked);
  }

  /** Ids of those in scope that nobody has excluded, sorted. */
  int[] ids(OutlierGroup group, ScopeFlags scopes, ObjectGraph graph) {
    boolean[] flags = scopes.flags(group.scope(), group.kind(), graph);
    Set<Integer> excluded =
        marked.stream()
            .filter(one -> one.mark().excludes())
            .map(PreviewQueries.Marked::object)
            .collect(Collectors.toSet());
    return IntStream.range(0, graph.count(group.kind()))
        .filter(number -> flags == null || flags[number])
        .map(number -> graph.id(group.kind(), number))
        .filter(member -> !excluded.contains(member))
        .sorted()
        .toArray();
  }

  /** Tells the engine who is expected to differ, from when somebody said so. */
  LongConsumer expecting(PeerGroup engine) {
    List<PreviewQueries.Marked> expected =
        marked.stream().filter(one -> !one.mark().excludes()).toList();
    int[] members = expected.stream().mapToInt(PreviewQueries.Marked::object).toArray();
    long[] until =
        expected.stream()
            .mapToLong(one -> requireNonNull(one.mark().until()).toEpochMilli())
            .toArray();
    int[] known = {0};
    return end -> {
      int before = known[0];
      while (known[0] < members.length && expected.get(known[0]).at().toEpochMilli() < end) {
        known[0]++;
      }
      if (known[0] > before) {
        engine.expected(Arrays.copyOf(members, known[0]), Arrays.copyOf(until, known[0]));
      }
    };
  }
}
