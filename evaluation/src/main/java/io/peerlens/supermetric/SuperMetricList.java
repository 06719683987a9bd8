package io.peerlens.supermetric;

import io.peerlens.api.model.SuperMetricPage;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetric.SuperMetricStateQueries.KindState;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.web.Cursor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds super metrics and tells each with its state. Thread-safe. */
final class SuperMetricList {

  private final SuperMetricStore store;
  private final Vocabularies vocabularies;
  private final SuperMetricStateQueries states;

  SuperMetricList(
      SuperMetricStore store, Vocabularies vocabularies, SuperMetricStateQueries states) {
    this.store = store;
    this.vocabularies = vocabularies;
    this.states = states;
  }

  /** What a moment's look at the store found. */
  private final class Look {

    private final Checks checks = checks(store.catalogue());
    private final Set<UUID> deleted = new HashSet<>();
    private final Map<UUID, List<KindState>> kindStates;

    Look(List<Entry> entries, Collection<Entry> deleted) {
      deleted.forEach(entry -> this.deleted.add(id(entry)));
      kindStates = states.of(entries.stream().map(SuperMetricList::id).toList());
    }

    SuperMetricState state(Entry entry) {
      return deleted.contains(id(entry))
          ? SuperMetricState.DELETED
          : SuperMetricAnswers.state(entry, kindStates.getOrDefault(id(entry), List.of()));
    }

    io.peerlens.api.model.SuperMetric answer(Entry entry) {
      SuperMetric it = entry.stored().definition();
      return SuperMetricAnswers.superMetric(
          entry,
          state(entry),
          checks.check(it.formula(), it.id(), entry.stored().kinds()),
          kindStates.getOrDefault(it.id(), List.of()));
    }
  }

  /**
   * One page of those that a filter leaves.
   *
   * @param cursor where the page before ended; null = the first page
   */
  SuperMetricPage page(SuperMetricFilter filter, int limit, @Nullable String cursor) {
    Map<UUID, Entry> stored = store.catalogue().byId();
    List<Entry> matching = new ArrayList<>();
    if (filter.states().contains(SuperMetricState.DELETED)) {
      matching.addAll(store.deleted());
      matching.removeIf(entry -> stored.containsKey(id(entry))); // restored just now
    }
    List<Entry> deleted = List.copyOf(matching);
    matching.addAll(stored.values());
    matching.removeIf(entry -> !filter.matches(entry));
    matching.sort(filter.order());
    if (!filter.states().isEmpty()) {
      Look look = new Look(matching, deleted);
      matching.removeIf(entry -> !filter.states().contains(look.state(entry)));
    }
    int start = 0;
    String scope = filter.toString();
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, scope, 2);
      start = (int) matching.stream().takeWhile(entry -> !filter.isBehind(entry, keys)).count();
    }
    List<Entry> page = matching.subList(start, Math.min(matching.size(), start + limit));
    Look look = new Look(page, deleted);
    return new SuperMetricPage(
        page.stream().map(look::answer).toList(),
        start + page.size() < matching.size()
            ? Cursor.after(scope, filter.keys(page.getLast()))
            : null,
        (long) matching.size());
  }

  /** One that is stored. */
  io.peerlens.api.model.SuperMetric one(Entry entry) {
    return new Look(List.of(entry), List.of()).answer(entry);
  }

  private Checks checks(Catalogue catalogue) {
    return new Checks(store.options(), vocabularies.current(), catalogue);
  }

  private static UUID id(Entry entry) {
    return entry.stored().definition().id();
  }
}
