package io.peerlens.threshold;

import io.peerlens.api.ThresholdsApi;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ThresholdPage;
import io.peerlens.api.model.ThresholdPreview;
import io.peerlens.api.model.ThresholdPreviewRequest;
import io.peerlens.api.model.ThresholdSort;
import io.peerlens.api.model.ThresholdStatus;
import io.peerlens.api.model.ThresholdVersion;
import io.peerlens.api.model.ThresholdVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.threshold.ThresholdQueries.KindKey;
import io.peerlens.threshold.ThresholdQueries.LastTick;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ThresholdController implements ThresholdsApi {

  private static final int[] NEVER = new int[PastAlerts.WEEKS];

  private final ThresholdStore store;
  private final ThresholdService service;
  private final ThresholdQueries queries;
  private final ThresholdChecks checks;
  private final SuperMetricStore superMetrics;
  private final ThresholdPreviews previews;
  private final PastAlerts alerts;
  private final InstantSource clock;
  private final DefinitionEndpoints<ThresholdEdit, Threshold, io.peerlens.api.model.Threshold>
      endpoints;

  ThresholdController(
      ThresholdStore store,
      ThresholdService service,
      ThresholdQueries queries,
      ThresholdChecks checks,
      SuperMetricStore superMetrics,
      ThresholdPreviews previews,
      PastAlerts alerts,
      InstantSource clock) {
    this.store = store;
    this.service = service;
    this.queries = queries;
    this.checks = checks;
    this.superMetrics = superMetrics;
    this.previews = previews;
    this.alerts = alerts;
    this.clock = clock;
    this.endpoints =
        new DefinitionEndpoints<>(
            service, one -> answers(List.of(one), queries.ticks(List.of(one.id()))).getFirst());
  }

  @Override
  public ResponseEntity<ThresholdPage> listThresholds(
      @Nullable String q,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable List<String> pack,
      @Nullable List<String> tag,
      @Nullable List<ThresholdStatus> state,
      @Nullable Boolean enabled,
      @Nullable ThresholdSort sort,
      Integer limit,
      @Nullable String cursor) {
    ThresholdFilter filter =
        new ThresholdFilter(
            Paging.words(q),
            Paging.list(adapterKind),
            Paging.list(objectKind),
            Paging.list(pack),
            Paging.list(tag),
            Paging.list(state),
            enabled,
            Objects.requireNonNullElse(sort, ThresholdSort.NAME));
    List<StoredRule<ThresholdEdit, Threshold>> matching =
        store.byId().values().stream().filter(filter::matches).toList();
    Map<UUID, LastTick> ticks = queries.ticks(ids(matching));
    Page<StoredRule<ThresholdEdit, Threshold>> page =
        Page.of(
            matching.stream()
                .filter(
                    one ->
                        filter.states().isEmpty()
                            || filter
                                .states()
                                .contains(ThresholdAnswers.status(one.rule(), ticks.get(one.id()))))
                .toList(),
            one -> keys(filter, one, ticks),
            2,
            filter.order(),
            filter.toString(),
            limit,
            cursor);
    return ResponseEntity.ok(
        new ThresholdPage(answers(page.items(), ticks), page.nextCursor(), page.total()));
  }

  private static String[] keys(
      ThresholdFilter filter,
      StoredRule<ThresholdEdit, Threshold> stored,
      Map<UUID, LastTick> ticks) {
    return filter.keys(stored, ThresholdAnswers.open(ticks.get(stored.id())));
  }

  private static List<UUID> ids(Collection<StoredRule<ThresholdEdit, Threshold>> thresholds) {
    return thresholds.stream().map(StoredRule::id).toList();
  }

  private List<io.peerlens.api.model.Threshold> answers(
      List<StoredRule<ThresholdEdit, Threshold>> page, Map<UUID, LastTick> ticks) {
    Map<UUID, List<RuleIssue>> issues = checks.issues(page.stream().map(StoredRule::rule).toList());
    Map<KindKey, String> units = queries.units(page.stream().map(one -> key(one.rule())).toList());
    Map<UUID, int[]> fires = alerts.perWeek(ids(page), clock.instant());
    return page.stream()
        .map(
            one ->
                ThresholdAnswers.threshold(
                    one,
                    ticks.get(one.id()),
                    issues.getOrDefault(one.id(), List.of()),
                    unit(one.rule(), units),
                    fires.getOrDefault(one.id(), NEVER)))
        .toList();
  }

  private static KindKey key(Threshold threshold) {
    return KindKey.of(threshold.kind(), threshold.condition().key());
  }

  private @Nullable String unit(Threshold threshold, Map<KindKey, String> units) {
    if (threshold.condition().type() == Condition.Type.NO_DATA) {
      return "s";
    }
    UUID superMetric = Keys.superMetric(threshold.condition().key());
    return superMetric == null
        ? units.get(key(threshold))
        : superMetrics.enabled().stream()
            .filter(one -> one.id().equals(superMetric))
            .map(SuperMetricRule::unit)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Threshold> createThreshold(ThresholdEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Threshold> getThreshold(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Threshold> putThreshold(
      UUID id, ThresholdEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteThreshold(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<ThresholdVersionPage> listThresholdHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, ThresholdVersion::new, ThresholdVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Threshold> restoreThreshold(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<ThresholdPreview> previewThreshold(ThresholdPreviewRequest request) {
    return ResponseEntity.ok(previews.preview(request));
  }
}
