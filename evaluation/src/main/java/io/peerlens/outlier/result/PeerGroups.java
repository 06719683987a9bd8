package io.peerlens.outlier.result;

import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierGroupPage;
import io.peerlens.api.model.OutlierGroupSort;
import io.peerlens.definition.StoredRule;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.web.Page;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The groups that compare some objects. Thread-safe. */
public final class PeerGroups {

  private final OutlierGroupStore store;
  private final GroupStateQueries states;
  private final OutlierGroupAnswers answers;

  PeerGroups(OutlierGroupStore store, GroupStateQueries states, OutlierGroupAnswers answers) {
    this.store = store;
    this.states = states;
    this.answers = answers;
  }

  /**
   * Enabled groups that had at least one of the objects as a member in their last bucket, in the
   * order of attention.
   *
   * @param objects internal ids; null = all enabled groups
   */
  public OutlierGroupPage with(int @Nullable [] objects, int limit) {
    OutlierGroupFilter filter =
        new OutlierGroupFilter(
            List.of(), List.of(), List.of(), List.of(), true, null, null, OutlierGroupSort.STATE);
    Set<UUID> of = objects == null ? null : states.groupsWith(objects);
    List<StoredRule<OutlierGroupEdit, OutlierGroup>> matching =
        store.byId().values().stream()
            .filter(one -> filter.matches(one) && (of == null || of.contains(one.id())))
            .toList();
    Map<UUID, GroupStateQueries.Brief> brief =
        states.brief(matching.stream().map(StoredRule::rule).toList());
    Page<StoredRule<OutlierGroupEdit, OutlierGroup>> page =
        Page.of(
            matching,
            one -> filter.keys(one, requireNonNull(brief.get(one.id()))),
            3,
            filter.order(),
            filter.toString(),
            limit,
            null);
    return new OutlierGroupPage(answers.of(page.items()), null, page.total());
  }
}
