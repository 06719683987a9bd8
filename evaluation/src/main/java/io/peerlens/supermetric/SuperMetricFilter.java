package io.peerlens.supermetric;

import io.peerlens.api.model.SuperMetricSort;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetrics.SuperMetric;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which super metrics, in which order. As a text it is the scope of cursors, so equal filters must
 * be equal texts. Empty lists do not filter, but what was deleted is found only by that state.
 *
 * @param words in lower case; all must occur
 * @param states {@link #matches} does not ask for them
 */
record SuperMetricFilter(
    List<String> words,
    List<String> adapterKinds,
    List<String> objectKinds,
    List<String> packs,
    List<String> tags,
    List<SuperMetricState> states,
    SuperMetricSort sort) {

  static List<String> list(@Nullable List<String> given) {
    return given == null ? List.of() : List.copyOf(given);
  }

  static List<String> words(@Nullable String text) {
    String plain = text == null ? "" : text.strip().toLowerCase(Locale.ROOT);
    return plain.isEmpty() ? List.of() : List.of(plain.split("\\s+"));
  }

  boolean matches(Entry entry) {
    StoredSuperMetric stored = entry.stored();
    return (packs.isEmpty() || (stored.pack() != null && packs.contains(stored.pack())))
        && (tags.isEmpty() || stored.tags().stream().anyMatch(tags::contains))
        && ((adapterKinds.isEmpty() && objectKinds.isEmpty())
            || stored.kinds().stream()
                .anyMatch(
                    kind ->
                        (adapterKinds.isEmpty() || adapterKinds.contains(kind.adapterKind()))
                            && (objectKinds.isEmpty() || objectKinds.contains(kind.objectKind()))))
        && (words.isEmpty() || words.stream().allMatch(text(stored)::contains));
  }

  /** The texts that are searched, in lower case. */
  private static String text(StoredSuperMetric stored) {
    SuperMetric it = stored.definition();
    return String.join(
            "\n",
            it.name(),
            it.description() == null ? "" : it.description(),
            it.formula(),
            String.join("\n", stored.tags()),
            it.id().toString())
        .toLowerCase(Locale.ROOT);
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
