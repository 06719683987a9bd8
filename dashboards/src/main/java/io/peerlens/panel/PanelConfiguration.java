package io.peerlens.panel;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.capacity.CapacityAnswers;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.impact.ChangeImpacts;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.learning.PastBands;
import io.peerlens.outlier.event.OutlierEventQueries;
import io.peerlens.outlier.result.PeerGroups;
import io.peerlens.scope.Scopes;
import io.peerlens.series.SeriesService;
import io.peerlens.series.WindowStatistics;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.talker.TalkerAnswers;
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
      Findings findings,
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
            new StoredAlertQueries(jdbc),
            findings));
  }

  @Bean
  Findings findings(
      OutlierEventQueries outliers,
      PeerGroups groups,
      TalkerAnswers talkers,
      ChangeQueries changes,
      ChangeImpacts impacts,
      CapacityAnswers capacity) {
    return new Findings(outliers, groups, talkers, changes, impacts, capacity);
  }

  @Bean
  PanelRequests panelRequests(
      PanelAnswers answers,
      ObjectProvider<StoredViews> views,
      InstantSource clock,
      MeterRegistry meters) {
    PanelRequests requests =
        new PanelRequests(
            answers, () -> views.getIfAvailable(() -> view -> Optional.empty()), clock);
    FunctionCounter.builder("peerlens.panels.computed", requests, PanelRequests::computed)
        .description("Answers of panels that were computed")
        .register(meters);
    FunctionCounter.builder("peerlens.panels.shared", requests, PanelRequests::given)
        .description("Answers of panels for walls and links, which share them")
        .register(meters);
    return requests;
  }
}
