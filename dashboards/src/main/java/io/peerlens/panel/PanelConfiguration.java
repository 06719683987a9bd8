package io.peerlens.panel;

import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.Scopes;
import io.peerlens.series.SeriesService;
import io.peerlens.series.WindowStatistics;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.vocabulary.Vocabularies;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of the answers of panels. */
@Configuration(proxyBeanMethods = false)
@Import(PanelsController.class)
public class PanelConfiguration {

  @Bean
  PanelAnswers panelAnswers(
      Frames frames,
      FrameProperties properties,
      SampleReader reader,
      LevelStates levels,
      WindowStatistics statistics,
      SeriesService series,
      PastBands bands,
      Scopes scopes,
      Vocabularies vocabularies,
      SuperMetricStore superMetrics,
      Policies policies,
      JdbcClient jdbc) {
    return new PanelAnswers(
        new StoredPanelData(
            frames,
            properties,
            reader,
            levels,
            statistics,
            series,
            bands,
            scopes,
            vocabularies,
            new SuperMetricStates(superMetrics, policies),
            new StoredObjectQueries(jdbc),
            new StoredAlertQueries(jdbc)));
  }

  @Bean
  PanelRequests panelRequests(
      PanelAnswers answers, ObjectProvider<StoredViews> views, InstantSource clock) {
    return new PanelRequests(
        answers, () -> views.getIfAvailable(() -> view -> Optional.empty()), clock);
  }
}
