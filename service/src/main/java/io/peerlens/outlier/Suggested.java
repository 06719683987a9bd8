package io.peerlens.outlier;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierSuggestionKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group that could be made.
 *
 * @param reason why, in a sentence without a point at its end
 * @param members ids within the database, ascending
 * @param correlation how closely they move together; null = it was not asked
 */
record Suggested(
    UUID id,
    OutlierSuggestionKind kind,
    String reason,
    int[] members,
    @Nullable Double correlation,
    OutlierGroupEdit group) {

  /** From so large a part of common members on two groups are mostly the same. */
  private static final double SAME = 0.6;

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

  private static long common(int[] some, int[] others) {
    return Arrays.stream(some).filter(id -> Arrays.binarySearch(others, id) >= 0).count();
  }

  Suggested withId(UUID other) {
    return new Suggested(other, kind, reason, members, correlation, group);
  }

  static int[] sorted(Collection<Integer> ids) {
    return ids.stream().mapToInt(Integer::intValue).sorted().toArray();
  }
}
