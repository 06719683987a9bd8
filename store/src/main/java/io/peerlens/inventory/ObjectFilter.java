package io.peerlens.inventory;

import io.peerlens.api.model.ObjectQuery;
import io.peerlens.api.model.ObjectSort;
import io.peerlens.web.ApiException;
import io.peerlens.web.Paging;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Filter and sort order of objects. Empty lists and nulls do not filter. As a text it is the scope
 * of cursors, so equal filters must be equal texts.
 *
 * @param adapterKinds in lower case
 * @param objectKinds in lower case
 * @param name a part of it, or a {@link io.peerlens.web.NamePattern} of the whole
 * @param words of the free text, in lower case; all must occur
 * @param removed only objects that their source removed, or only others; null = those that are
 *     named by their ids, and else only others
 */
record ObjectFilter(
    List<UUID> ids,
    List<String> adapterKinds,
    List<String> objectKinds,
    @Nullable String name,
    List<Pair> tags,
    List<Pair> properties,
    @Nullable UUID parent,
    @Nullable UUID ancestor,
    @Nullable UUID child,
    List<String> words,
    @Nullable Boolean silent,
    @Nullable Boolean removed,
    ObjectSort sort) {

  /**
   * A tag or property.
   *
   * @param value null = any
   */
  record Pair(String key, @Nullable String value) {}

  /** The filter in a request; {@code blame} makes the problem for a field and a reason. */
  static ObjectFilter of(ObjectQuery query, BiFunction<String, String, ApiException> blame) {
    List<Pair> properties = pairs(query.getProperty(), "property", blame);
    for (Pair property : properties) {
      if (property.value() == null) {
        throw blame
            .apply("property", "\"" + property.key() + "\" has no value")
            .hint("Give it as key=value.");
      }
    }
    return new ObjectFilter(
        list(query.getIds(), Function.identity()),
        list(query.getAdapterKind(), kind -> kind.toLowerCase(Locale.ROOT)),
        list(query.getObjectKind(), kind -> kind.toLowerCase(Locale.ROOT)),
        blankToNull(query.getName()),
        pairs(query.getTag(), "tag", blame),
        properties,
        query.getParent(),
        query.getAncestor(),
        null,
        Paging.words(query.getQ()),
        query.getSilent(),
        query.getRemoved(),
        query.getSort() == null ? ObjectSort.NAME : query.getSort());
  }

  /** Parents or children of an object, ordered by kind, then by name. */
  static ObjectFilter related(
      @Nullable UUID parent, @Nullable UUID child, @Nullable List<String> objectKinds) {
    return new ObjectFilter(
        List.of(),
        List.of(),
        list(objectKinds, kind -> kind.toLowerCase(Locale.ROOT)),
        null,
        List.of(),
        List.of(),
        parent,
        null,
        child,
        List.of(),
        null,
        null,
        ObjectSort.OBJECT_KIND);
  }

  /**
   * Whether the filter may mean addresses that flows have shown. There may be many times more of
   * them than of everything else, so who does not ask for them does not get them.
   */
  boolean namesAddresses() {
    return !ids.isEmpty()
        || !adapterKinds.isEmpty()
        || !objectKinds.isEmpty()
        || name != null
        || !words.isEmpty()
        || !tags.isEmpty()
        || !properties.isEmpty()
        || parent != null
        || ancestor != null
        || child != null;
  }

  private static <T, R> List<R> list(@Nullable List<T> given, Function<T, R> each) {
    return given == null ? List.of() : given.stream().map(each).toList();
  }

  private static List<Pair> pairs(
      @Nullable List<String> given, String field, BiFunction<String, String, ApiException> blame) {
    List<Pair> pairs = new ArrayList<>();
    for (String pair : given == null ? List.<String>of() : given) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      if (key.isEmpty()) {
        throw blame.apply(field, "\"" + pair + "\" has no key").hint("Give it as key=value.");
      }
      pairs.add(new Pair(key, equals < 0 ? null : pair.substring(equals + 1)));
    }
    return List.copyOf(pairs);
  }

  private static @Nullable String blankToNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
