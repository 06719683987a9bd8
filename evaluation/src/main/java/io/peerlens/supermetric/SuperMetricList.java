package io.peerlens.supermetric;

import io.peerlens.api.model.SuperMetricPage;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetric.SuperMetricStateQueries.KindState;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.web.Page;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Super metrics as the API lists them, each with its state. Thread-safe. */
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

  /** State of the stores at one moment. */
  private final class Look {

    private final Checks checks =
        new Checks(store.options(), vocabularies.current(), store.catalogue());
    private final Set<UUID> deleted = new HashSet<>();
    private final Map<UUID, List<KindState>> kindStates;

    Look(
        List<StoredRule<StoredSuperMetric, SuperMetricRule>> all,
        Collection<StoredRule<StoredSuperMetric, SuperMetricRule>> deleted) {
      deleted.forEach(one -> this.deleted.add(one.id()));
      kindStates = states.of(all.stream().map(StoredRule::id).toList());
    }

    SuperMetricState state(StoredRule<StoredSuperMetric, SuperMetricRule> stored) {
      return deleted.contains(stored.id())
          ? SuperMetricState.DELETED
          : SuperMetricAnswers.state(
              stored.rule(), kindStates.getOrDefault(stored.id(), List.of()));
    }

    io.peerlens.api.model.SuperMetric answer(
        StoredRule<StoredSuperMetric, SuperMetricRule> stored) {
      return SuperMetricAnswers.superMetric(
          stored,
          state(stored),
          checks.check(stored.rule().formula().text(), stored.id(), stored.rule().kinds()),
          kindStates.getOrDefault(stored.id(), List.of()));
    }
  }

  /**
   * One page of those that a filter leaves.
   *
   * @param cursor where the page before ended; null = the first page
   */
  SuperMetricPage page(SuperMetricFilter filter, int limit, @Nullable String cursor) {
    Map<UUID, StoredRule<StoredSuperMetric, SuperMetricRule>> stored = store.byId();
    List<StoredRule<StoredSuperMetric, SuperMetricRule>> matching = new ArrayList<>();
    if (filter.states().contains(SuperMetricState.DELETED)) {
      matching.addAll(store.deleted());
      matching.removeIf(one -> stored.containsKey(one.id())); // restored just now
    }
    var deleted = List.copyOf(matching);
    matching.addAll(stored.values());
    matching.removeIf(one -> !filter.matches(one));
    if (!filter.states().isEmpty()) {
      Look look = new Look(matching, deleted);
      matching.removeIf(one -> !filter.states().contains(look.state(one)));
    }
    var page = Page.of(matching, filter::keys, 2, filter.order(), filter.toString(), limit, cursor);
    return page.map(new Look(page.items(), deleted)::answer).as(SuperMetricPage::new);
  }

  /** One that is stored. */
  io.peerlens.api.model.SuperMetric one(StoredRule<StoredSuperMetric, SuperMetricRule> stored) {
    return new Look(List.of(stored), List.of()).answer(stored);
  }
}
