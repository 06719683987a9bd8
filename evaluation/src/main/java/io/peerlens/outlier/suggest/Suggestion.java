package io.peerlens.outlier.suggest;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierSuggestionKind;
import io.peerlens.outlier.group.OutlierGroup;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group that could be made.
 *
 * @param reason why, in a sentence without a point at its end
 * @param members ids within the database, ascending
 * @param correlation how closely they move together; null = it was not asked
 */
record Suggestion(
    UUID id,
    OutlierSuggestionKind kind,
    String reason,
    int[] members,
    @Nullable Double correlation,
    OutlierGroupEdit group) {

  /** From so large a part of common members on two groups are mostly the same. */
  private static final double SAME = 0.6;

  /** A part that is larger is nearly the whole. */
  private static final double MOST_OF_IT = 0.75;

  /** The id of what is only found once under this name. */
  static UUID id(String name) {
    return UUID.nameUUIDFromBytes(("suggestion " + name).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the members are mostly the same as these, ascending. */
  boolean isLike(int[] others) {
    long common = common(members, others);
    return common >= SAME * (members.length + others.length - common);
  }

  /** Whether nearly all members are among these, ascending. */
  boolean isCoveredBy(int[] others) {
    return common(members, others) >= 0.8 * members.length;
  }

  /**
   * Whether the members are several groups' put together, such as all that one team owns: then they
   * are no peers. Two groups or more that lie within, apart from each other, make up most of it.
   *
   * @param groups that exist or are suggested, by their members, each ascending
   */
  boolean isMixtureOf(Collection<int[]> groups) {
    List<int[]> within =
        groups.stream()
            .filter(group -> group.length >= OutlierGroup.FEWEST_MEMBERS)
            .filter(group -> group.length < MOST_OF_IT * members.length)
            .filter(group -> common(group, members) >= 0.8 * group.length)
            .sorted(Comparator.comparingInt((int[] group) -> -group.length))
            .toList();
    Set<Integer> taken = new HashSet<>();
    int parts = 0;
    for (int[] group : within) {
      long anew = Arrays.stream(group).filter(id -> !taken.contains(id)).count();
      if (anew >= 0.8 * group.length) {
        Arrays.stream(group).forEach(taken::add);
        parts++;
      }
    }
    return parts > 1 && common(members, sorted(taken)) >= SAME * members.length;
  }

  /** Whether another holds mostly the same objects and names by a tag or place what they share. */
  boolean isSaidBetterBy(Suggestion other) {
    return kind == OutlierSuggestionKind.CORRELATED
        && other.kind == OutlierSuggestionKind.STARTER
        && other.isLike(members);
  }

  private static long common(int[] some, int[] others) {
    return Arrays.stream(some).filter(id -> Arrays.binarySearch(others, id) >= 0).count();
  }

  Suggestion withId(UUID other) {
    return new Suggestion(other, kind, reason, members, correlation, group);
  }

  static int[] sorted(Collection<Integer> ids) {
    return ids.stream().mapToInt(Integer::intValue).sorted().toArray();
  }
}
