package io.peerlens.dashboard;

import io.peerlens.api.model.UseKind;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.definition.StoredRule;
import io.peerlens.security.Caller;
import io.peerlens.supermetric.RuleTrial;
import io.peerlens.supermetric.SuperMetricFiles;
import io.peerlens.supermetric.SuperMetricUser;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Dashboards or views that show super metrics, or choose objects by them, as far as the caller may
 * know of them. A dashboard that shows a view of a super metric is found by way of the view.
 */
final class SuperMetricReaders<R extends Owned> implements SuperMetricUser {

  private final UseKind kind;
  private final DefinitionStore<?, R> store;
  private final Function<R, Stream<Question>> questions;
  private final SuperMetricFiles superMetrics;

  private SuperMetricReaders(
      UseKind kind,
      DefinitionStore<?, R> store,
      Function<R, Stream<Question>> questions,
      SuperMetricFiles superMetrics) {
    this.kind = kind;
    this.store = store;
    this.questions = questions;
    this.superMetrics = superMetrics;
  }

  static SuperMetricReaders<OwnedDashboard> dashboards(
      DashboardStore store, SuperMetricFiles superMetrics) {
    return new SuperMetricReaders<>(
        UseKind.DASHBOARD,
        store,
        one -> one.dashboard().panels().values().stream().map(Panel::question),
        superMetrics);
  }

  static SuperMetricReaders<OwnedView> views(ViewStore store, SuperMetricFiles superMetrics) {
    return new SuperMetricReaders<>(
        UseKind.VIEW, store, one -> Stream.of(one.view().question()), superMetrics);
  }

  @Override
  public UseKind kind() {
    return kind;
  }

  @Override
  public List<Use> uses(UUID superMetric) {
    Caller caller = Caller.current();
    SuperMetricKeys names = new SuperMetricKeys(superMetrics.names(), null);
    return store.byId().values().stream()
        .map(StoredRule::rule)
        .filter(one -> Owners.sees(caller, one))
        .filter(
            one ->
                questions
                    .apply(one)
                    .flatMap(SuperMetricReaders::keys)
                    .filter(SuperMetricKeys::isOne)
                    .anyMatch(key -> superMetric.equals(names.find(key).id())))
        .sorted(Comparator.comparing(Owned::name, String.CASE_INSENSITIVE_ORDER))
        .map(one -> new Use(one.id(), one.name(), true))
        .toList();
  }

  private static Stream<String> keys(Question question) {
    Select select = question.select();
    Stream<Column.What> conditions =
        select == null
            ? Stream.empty()
            : select.where().stream().flatMap(List::stream).map(Select.Condition::what);
    return Stream.concat(question.columns().stream().map(Column::what), conditions)
        .flatMap(
            what ->
                what instanceof Column.OfMetric metric
                    ? metric.metric().any().stream()
                    : Stream.empty());
  }

  /** None: a panel decides nothing, so there is nothing to follow through the past. */
  @Override
  public List<RuleTrial> trials(Set<UUID> superMetrics, PreviewLimits.Range range) {
    return List.of();
  }
}
