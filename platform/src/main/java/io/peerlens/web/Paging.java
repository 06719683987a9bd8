package io.peerlens.web;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Filters and pages of lists that are in memory. */
public final class Paging {

  private static final Comparator<String[]> ORDER =
      Comparator.comparing((String[] keys) -> keys[0])
          .thenComparing(keys -> keys[1])
          .thenComparing(keys -> keys[2]);

  private Paging() {}

  /** Keys of an order by name. */
  public static String[] byName(String name, UUID id) {
    return new String[] {name.toLowerCase(Locale.ROOT), name, id.toString()};
  }

  /**
   * The page behind a cursor.
   *
   * @param keys three texts that order the items
   * @param scope filters and order, as a text
   */
  public static <T> Page<T> page(
      Collection<T> matching,
      Function<T, String[]> keys,
      String scope,
      int limit,
      @Nullable String cursor) {
    return Page.of(List.copyOf(matching), keys, 3, ORDER, scope, limit, cursor);
  }

  /** A filter of a request; left out = it does not filter. */
  public static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : List.copyOf(given);
  }

  /** Words of a free text, in lower case; null or blank = none. */
  public static List<String> words(@Nullable String text) {
    String plain = text == null ? "" : text.strip().toLowerCase(Locale.ROOT);
    return plain.isEmpty() ? List.of() : Arrays.asList(plain.split("\\s+"));
  }

  /** Whether every word occurs in one of the texts. */
  public static boolean holds(List<String> words, @Nullable String... texts) {
    StringBuilder all = new StringBuilder();
    for (String text : texts) {
      all.append(text == null ? "" : text).append('\n');
    }
    String lower = all.toString().toLowerCase(Locale.ROOT);
    return words.stream().allMatch(lower::contains);
  }
}
