package io.peerlens.threshold;

import io.peerlens.api.model.UseKind;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.definition.StoredRule;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetric.RuleTrial;
import io.peerlens.supermetric.SuperMetricUser;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Thresholds that read super metrics: as the value that they judge, or as a bound. */
final class ThresholdUses implements SuperMetricUser {

  private final ThresholdStore store;
  private final Frames frames;
  private final ScopeFlags scopes;
  private final ThresholdProperties properties;
  private final Duration metricAge;
  private final PastBands bands;

  ThresholdUses(
      ThresholdStore store,
      Frames frames,
      Scopes scopes,
      ThresholdProperties properties,
      FrameProperties frameProperties,
      PastBands bands) {
    this.store = store;
    this.frames = frames;
    this.scopes = scopes;
    this.properties = properties;
    this.metricAge = frameProperties.metricAge();
    this.bands = bands;
  }

  @Override
  public UseKind kind() {
    return UseKind.THRESHOLD;
  }

  @Override
  public List<Use> uses(UUID superMetric) {
    String key = Keys.superMetric(superMetric);
    return store.byId().values().stream()
        .map(StoredRule::rule)
        .filter(threshold -> keys(threshold).contains(key))
        .sorted(Comparator.comparing(Threshold::name))
        .map(threshold -> new Use(threshold.id(), threshold.name(), threshold.enabled()))
        .toList();
  }

  @Override
  public List<RuleTrial> trials(Set<UUID> superMetrics, PreviewLimits.Range range) {
    ScopeFlags members = new FixedScopes(scopes, null);
    Duration length = Duration.between(range.from(), range.to());
    ObjectGraph objects = frames.objects();
    return store.enabled().stream()
        .filter(
            threshold ->
                keys(threshold).stream()
                    .map(Keys::superMetric)
                    .anyMatch(id -> id != null && superMetrics.contains(id)))
        .<RuleTrial>map(
            threshold ->
                new ThresholdTrial(
                    threshold,
                    range.from(),
                    ThresholdPreviews.step(
                        length,
                        threshold.interval(),
                        properties.moments(objects.count(threshold.kind()))),
                    () ->
                        new Tracker(
                            threshold,
                            members,
                            BandsOfScope.during(
                                range.from(), range.to(), bands, threshold, members),
                            metricAge,
                            properties.staleAfter())))
        .toList();
  }

  private static List<String> keys(Threshold threshold) {
    List<String> keys = new ArrayList<>(List.of(threshold.condition().key()));
    List<Level> levels = new ArrayList<>(threshold.condition().levels());
    threshold.special().stream()
        .map(Threshold.Special::levels)
        .filter(Objects::nonNull)
        .forEach(levels::addAll);
    levels.stream()
        .flatMap(
            level ->
                Arrays.asList(level.bound(), level.upper(), level.clear(), level.clearUpper())
                    .stream())
        .forEach(
            bound -> {
              if (bound instanceof Bound.OfKey ofKey) {
                keys.add(ofKey.key());
              }
            });
    return keys;
  }
}
