package io.peerlens.web;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param nextCursor null = it is the last
 * @param total how many there are on all pages
 */
public record Page<T>(List<T> items, @Nullable String nextCursor, long total) {

  public Page {
    items = List.copyOf(items);
  }

  /**
   * A page of what is in memory.
   *
   * @param all in any order
   * @param keys sort keys of an item; no two items have the same
   * @param count how many keys an item has
   * @param scope filters and order of the list, in any fixed spelling
   * @param cursor null = the first page
   * @throws ApiException {@code invalid-cursor}
   */
  public static <T> Page<T> of(
      List<T> all,
      Function<T, String[]> keys,
      int count,
      Comparator<String[]> order,
      String scope,
      int limit,
      @Nullable String cursor) {
    List<T> sorted = all.stream().sorted(Comparator.comparing(keys, order)).toList();
    int start = 0;
    if (cursor != null) {
      String[] after = Cursor.keys(cursor, scope, count).toArray(String[]::new);
      start =
          (int)
              sorted.stream().takeWhile(one -> order.compare(keys.apply(one), after) <= 0).count();
    }
    List<T> page = sorted.subList(start, Math.min(sorted.size(), start + limit));
    return new Page<>(
        page,
        start + page.size() < sorted.size()
            ? Cursor.after(scope, keys.apply(page.getLast()))
            : null,
        sorted.size());
  }
}
