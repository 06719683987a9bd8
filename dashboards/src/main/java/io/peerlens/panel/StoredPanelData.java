package io.peerlens.panel;

import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.frame.KeySets;
import io.peerlens.frame.ObjectProperties;
import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.Scope;
import io.peerlens.scope.Scopes;
import io.peerlens.series.SeriesService;
import io.peerlens.series.WindowStatistics;
import io.peerlens.store.Coverage;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.vocabulary.Vocabularies;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What this installation has stored.
 *
 * @param frameProperties how old a current value may be
 */
record StoredPanelData(
    Frames frames,
    FrameProperties frameProperties,
    SampleReader samples,
    LevelStates levels,
    WindowStatistics statistics,
    SeriesService series,
    PastBands pastBands,
    Scopes scopes,
    Vocabularies vocabularies,
    SuperMetricStates superMetrics,
    PanelObjectQueries objects,
    PanelAlertQueries alerts,
    Findings findings)
    implements PanelData {

  @Override
  public ObjectGraph graph() {
    return frames.objects();
  }

  @Override
  public ObjectProperties properties() {
    return frames.properties();
  }

  @Override
  public Set<Integer> members(Scope scope) {
    return scopes.members(scope);
  }

  @Override
  public @Nullable KeySets keySets(ObjectKind kind, String key, boolean allInstances) {
    return frames.keySets(kind, key, allInstances);
  }

  @Override
  public Duration metricAge() {
    return frameProperties.metricAge();
  }

  @Override
  public Coverage coverage() {
    return levels.read();
  }

  @Override
  public LearnedBands bands(Instant from, Instant to, IntPredicate wanted) {
    return pastBands.during(from, to, wanted);
  }

  @Override
  public @Nullable UUID superMetric(String name) {
    return vocabularies.known().superMetric(name);
  }

  @Override
  public Optional<String> superMetricName(UUID id) {
    return superMetrics.name(id);
  }

  @Override
  public boolean isOn(UUID superMetric, ObjectKind kind, ObjectGraph graph) {
    return superMetrics.isOn(superMetric, kind, graph);
  }
}
