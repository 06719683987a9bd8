package io.peerlens.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
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

  /** A page in the contract; every list has a schema of this shape. */
  @FunctionalInterface
  public interface Schema<T, P> {
    P of(List<T> items, @Nullable String nextCursor, Long total);
  }

  /** This page with other items, one for each. */
  public <R> Page<R> map(Function<T, R> each) {
    return new Page<>(items.stream().map(each).toList(), nextCursor, total);
  }

  /** This page as the contract writes it. */
  public <P> P as(Schema<T, P> schema) {
    return schema.of(items, nextCursor, total);
  }

  /**
   * Below which number the items of a page lie, for {@link #newestFirst}.
   *
   * @param cursor null = the first page
   * @throws ApiException {@code invalid-cursor}
   */
  public static long before(String scope, @Nullable String cursor) {
    return cursor == null
        ? Long.MAX_VALUE
        : Long.parseLong(Cursor.keys(cursor, scope, 1).getFirst());
  }

  /**
   * A page of items that have numbers, the highest first.
   *
   * @param found items below {@link #before}, one more than the page where there are more
   * @param number of an item
   */
  public static <T> Page<T> newestFirst(
      List<T> found, ToLongFunction<T> number, String scope, int limit, long total) {
    return cut(
        found, one -> new String[] {Long.toString(number.applyAsLong(one))}, scope, limit, total);
  }

  /**
   * A page of items that were read from the database.
   *
   * @param found in order, one more than the page where there are more
   * @param keys sort keys of an item, from which the next page goes on
   */
  public static <T> Page<T> cut(
      List<T> found, Function<T, String[]> keys, String scope, int limit, long total) {
    boolean more = found.size() > limit;
    List<T> page = more ? found.subList(0, limit) : found;
    return new Page<>(page, more ? Cursor.after(scope, keys.apply(page.getLast())) : null, total);
  }

  /**
   * Like {@link #newestFirst}, of versions, each with the one before it.
   *
   * @param each an item of a version and the one before; null = there is none, or it is not kept
   */
  public static <T, R> Page<R> versions(
      List<T> found,
      BiFunction<T, @Nullable T, R> each,
      ToLongFunction<T> number,
      String scope,
      int limit,
      long total) {
    Page<T> page = newestFirst(found, number, scope, limit, total);
    List<R> items = new ArrayList<>();
    for (int i = 0; i < page.items().size(); i++) {
      items.add(each.apply(found.get(i), i + 1 < found.size() ? found.get(i + 1) : null));
    }
    return new Page<>(items, page.nextCursor(), total);
  }
}
