package io.peerlens.supermetric;

import io.peerlens.api.model.SuperMetricSort;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetrics.SuperMetric;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which super metrics, in which order. As a text it is the scope of cursors, so equal filters must
 * be equal texts. Null and empty lists do not filter.
 *
 * @param words in lower case; all must occur
 */
record SuperMetricFilter(
    List<String> words,
    @Nullable List<String> adapterKinds,
    @Nullable List<String> objectKinds,
    @Nullable List<String> packs,
    @Nullable List<String> tags,
    SuperMetricSort sort) {

  static List<String> words(@Nullable String text) {
    String plain = text == null ? "" : text.strip().toLowerCase(Locale.ROOT);
    return plain.isEmpty() ? List.of() : List.of(plain.split("\\s+"));
  }

  boolean matches(Entry entry) {
    StoredSuperMetric stored = entry.stored();
    return (isFree(packs) || (stored.pack() != null && packs.contains(stored.pack())))
        && (isFree(tags) || stored.tags().stream().anyMatch(tags::contains))
        && ((isFree(adapterKinds) && isFree(objectKinds))
            || stored.kinds().stream()
                .anyMatch(
                    kind ->
                        (isFree(adapterKinds) || adapterKinds.contains(kind.adapterKind()))
                            && (isFree(objectKinds) || objectKinds.contains(kind.objectKind()))))
        && (words.isEmpty() || text(stored).containsAll(words));
  }

  /** The texts that are searched, as one that knows its parts. */
  private record Haystack(String text) {
    boolean containsAll(List<String> words) {
      return words.stream().allMatch(text::contains);
    }
  }

  private static Haystack text(StoredSuperMetric stored) {
    SuperMetric it = stored.definition();
    return new Haystack(
        String.join(
                "\n",
                it.name(),
                it.description() == null ? "" : it.description(),
                it.formula(),
                String.join("\n", stored.tags()),
                it.id().toString())
            .toLowerCase(Locale.ROOT));
  }

  private static boolean isFree(@Nullable List<String> values) {
    return values == null || values.isEmpty();
  }

  /** Sort keys of an entry: the value, and the id. */
  String[] keys(Entry entry) {
    StoredSuperMetric stored = entry.stored();
    String value =
        switch (sort) {
          case NAME, NAME_DESC -> stored.definition().name().toLowerCase(Locale.ROOT);
          case UPDATED_AT, UPDATED_AT_DESC -> "%020d".formatted(stored.updatedAt().toEpochMilli());
        };
    return new String[] {value, stored.definition().id().toString()};
  }

  Comparator<Entry> order() {
    return (a, b) -> compare(keys(a), keys(b));
  }

  /** Whether an entry comes after the one with these keys. */
  boolean isBehind(Entry entry, List<String> keys) {
    return compare(keys(entry), keys.toArray(String[]::new)) > 0;
  }

  private int compare(String[] a, String[] b) {
    boolean descending =
        sort == SuperMetricSort.NAME_DESC || sort == SuperMetricSort.UPDATED_AT_DESC;
    int byValue = descending ? b[0].compareTo(a[0]) : a[0].compareTo(b[0]);
    return byValue != 0 ? byValue : a[1].compareTo(b[1]);
  }
}
