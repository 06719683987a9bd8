package io.peerlens.supermetric;

import io.peerlens.api.model.SuperMetricSort;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.web.Paging;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Filter and order of a list of super metrics. As a text it is the scope of cursors, so equal
 * filters must be equal texts. Empty lists do not filter, but what was deleted is found only by
 * that state.
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

  boolean matches(StoredRule<StoredSuperMetric, SuperMetricRule> stored) {
    SuperMetric it = stored.edit().definition();
    return (packs.isEmpty() || (stored.pack() != null && packs.contains(stored.pack())))
        && (tags.isEmpty() || stored.edit().tags().stream().anyMatch(tags::contains))
        && ((adapterKinds.isEmpty() && objectKinds.isEmpty())
            || stored.rule().kinds().stream()
                .anyMatch(
                    kind ->
                        (adapterKinds.isEmpty() || adapterKinds.contains(kind.adapterKind()))
                            && (objectKinds.isEmpty() || objectKinds.contains(kind.objectKind()))))
        && Paging.holds(
            words,
            it.name(),
            it.description(),
            it.formula(),
            String.join("\n", stored.edit().tags()),
            it.id().toString());
  }

  /** Sort keys: the value, and the id. */
  String[] keys(StoredRule<StoredSuperMetric, SuperMetricRule> stored) {
    String value =
        switch (sort) {
          case NAME, NAME_DESC -> stored.name().toLowerCase(Locale.ROOT);
          case UPDATED_AT, UPDATED_AT_DESC -> "%020d".formatted(stored.updatedAt().toEpochMilli());
        };
    return new String[] {value, stored.id().toString()};
  }

  Comparator<String[]> order() {
    Comparator<String[]> byValue = Comparator.comparing(keys -> keys[0]);
    boolean descending =
        sort == SuperMetricSort.NAME_DESC || sort == SuperMetricSort.UPDATED_AT_DESC;
    return (descending ? byValue.reversed() : byValue).thenComparing(keys -> keys[1]);
  }
}
