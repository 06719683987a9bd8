package io.peerlens.outlier.preview;

import static java.util.Objects.requireNonNull;

import io.peerlens.frame.Frames;
import io.peerlens.outlier.group.Mark;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Members that are compared when the past of a group is judged: those in scope now. */
final class PreviewMembers {

  private final PreviewQueries queries;
  private final Frames frames;
  private final ScopeFlags scopes;

  PreviewMembers(PreviewQueries queries, Frames frames, ScopeFlags scopes) {
    this.queries = queries;
    this.frames = frames;
    this.scopes = scopes;
  }

  /**
   * Members of a group.
   *
   * @param ids of those in scope that nobody has excluded, sorted
   * @param marked by people, the earliest first
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Members(int[] ids, List<PreviewQueries.Marked> marked) {

    /** What is said of members now, by object. */
    Map<Integer, Mark> marks() {
      Map<Integer, Mark> marks = new HashMap<>();
      marked.forEach(one -> marks.put(one.object(), one.mark()));
      return marks;
    }

    /** Marks the members that are expected to differ, from when somebody said so. */
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

  /** Finds the members of a group. */
  Members of(OutlierGroup group) {
    List<PreviewQueries.Marked> marked = queries.marked(group.id());
    ObjectGraph graph = frames.objects();
    boolean[] flags = scopes.flags(group.scope(), group.kind(), graph);
    Set<Integer> excluded =
        marked.stream()
            .filter(one -> one.mark().excludes())
            .map(PreviewQueries.Marked::object)
            .collect(Collectors.toSet());
    return new Members(
        IntStream.range(0, graph.count(group.kind()))
            .filter(number -> flags == null || flags[number])
            .map(number -> graph.id(group.kind(), number))
            .filter(member -> !excluded.contains(member))
            .sorted()
            .toArray(),
        marked);
  }
}
