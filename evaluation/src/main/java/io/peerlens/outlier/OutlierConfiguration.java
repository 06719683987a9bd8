package io.peerlens.outlier;

import io.peerlens.alert.AlertConfiguration;
import io.peerlens.alert.AlertProperties;
import io.peerlens.definition.RuleStore;
import io.peerlens.flow.FlowHistoryQueries;
import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.learning.LearningProperties;
import io.peerlens.outlier.event.ApartStore;
import io.peerlens.outlier.event.OutlierUpkeepStore;
import io.peerlens.outlier.explain.AttributeQueries;
import io.peerlens.outlier.explain.ExplanationQueries;
import io.peerlens.outlier.explain.NearbyChangeQueries;
import io.peerlens.outlier.explain.OtherMetricQueries;
import io.peerlens.outlier.explain.PeerApartQueries;
import io.peerlens.outlier.explain.PeerExplanations;
import io.peerlens.outlier.group.GroupFlowDemand;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.outlier.group.OutlierProperties;
import io.peerlens.outlier.judge.MedianQueries;
import io.peerlens.outlier.judge.OutlierEventStore;
import io.peerlens.outlier.judge.OutlierExplanations;
import io.peerlens.outlier.judge.OutlierStage;
import io.peerlens.outlier.judge.OutlierStages;
import io.peerlens.outlier.judge.OutlierStore;
import io.peerlens.outlier.judge.PeerValues;
import io.peerlens.outlier.judge.UsualLearner;
import io.peerlens.outlier.judge.UsualMedians;
import io.peerlens.scope.Scopes;
import io.peerlens.store.RollUpProperties;
import io.peerlens.words.MetricNameQueries;
import io.peerlens.words.MetricNames;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of outlier groups for evaluators and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({OutlierProperties.class, LearningProperties.class})
@Import({
  AlertConfiguration.class,
  FrameConfiguration.class,
  OutlierStore.class,
  ApartStore.class,
  OutlierUpkeepStore.class,
  MetricNameQueries.class,
  OutlierEventStore.class,
  AttributeQueries.class,
  NearbyChangeQueries.class,
  OtherMetricQueries.class,
  PeerApartQueries.class,
  FlowHistoryQueries.class,
  PeerValues.class,
  GroupFlowDemand.class,
  MedianQueries.class
})
public class OutlierConfiguration {

  @Bean
  OutlierGroupStore outlierGroupStore(
      JdbcClient jdbc, RuleStore rules, OutlierEventStore events, OutlierProperties properties) {
    return new OutlierGroupStore(jdbc, rules, events, properties.history());
  }

  @Bean
  OutlierExplanations.Factory outlierExplanations(
      MetricNameQueries names, JdbcClient jdbc, Means means, LearningProperties learning) {
    return () ->
        new PeerExplanations(
            new MetricNames(names), new ExplanationQueries(jdbc, means), learning.zone());
  }

  /** Each shard has a stage of its own. */
  @Bean
  OutlierStages outlierStages(
      OutlierStore store,
      Means means,
      PeerValues past,
      Scopes scopes,
      MetricNameQueries names,
      MedianQueries medians,
      Frames frames,
      OutlierExplanations.Factory explanations,
      OutlierProperties properties,
      LearningProperties learning,
      AlertProperties alerts,
      RollUpProperties rollUps) {
    return () ->
        new OutlierStage(
            store,
            means,
            past,
            scopes,
            new MetricNames(names),
            explanations.create(),
            new UsualMedians(medians, new UsualLearner(learning.zone(), learning.historyDays())),
            frames::properties,
            properties,
            alerts.forgetAfter(),
            rollUps.flowDelay(),
            System::nanoTime);
  }
}
