package io.peerlens.outlier;

import io.peerlens.alert.AlertConfiguration;
import io.peerlens.alert.AlertProperties;
import io.peerlens.alert.MetricNameQueries;
import io.peerlens.definition.RuleStore;
import io.peerlens.flow.FlowDemand;
import io.peerlens.flow.FlowHistoryQueries;
import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.learning.LearningProperties;
import io.peerlens.maintenance.MaintenanceWindows;
import io.peerlens.scope.Scopes;
import io.peerlens.store.RollUpProperties;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of groups of peers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({OutlierProperties.class, LearningProperties.class})
@Import({
  AlertConfiguration.class,
  FrameConfiguration.class,
  OutlierStore.class,
  ApartStore.class,
  OutlierUpkeepStore.class
})
public class OutlierConfiguration {

  @Bean
  OutlierEventStore outlierEventStore(JdbcClient jdbc, InstantSource clock) {
    return new OutlierEventStore(jdbc, clock);
  }

  @Bean
  OutlierGroupStore outlierGroupStore(
      JdbcClient jdbc, RuleStore rules, OutlierEventStore events, OutlierProperties properties) {
    return new OutlierGroupStore(jdbc, rules, events, properties.history());
  }

  @Bean
  OutlierExplanations.Factory outlierExplanations(
      JdbcClient jdbc, Means means, LearningProperties learning) {
    return () ->
        new PeerExplanations(
            new Names(new MetricNameQueries(jdbc)),
            new ExplanationQueries(jdbc, means),
            learning.zone());
  }

  @Bean
  Apart outlierApart(JdbcClient jdbc, Frames frames, Means means, MaintenanceWindows maintenance) {
    return new PeerApartQueries(
        jdbc,
        new AttributeQueries(jdbc),
        new NearbyChangeQueries(jdbc, frames, maintenance),
        new OtherMetricQueries(jdbc, means));
  }

  @Bean
  Suggestions outlierSuggestions(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      OutlierGroupStore groups,
      Frames frames,
      Means means,
      Scopes scopes,
      InstantSource clock) {
    return new Suggestions(
        new SuggestionStore(jdbc, new TransactionTemplate(transactions)),
        new Suggesting(new SuggestionQueries(jdbc), means),
        groups,
        frames,
        scopes,
        new ObjectLookup(jdbc),
        clock);
  }

  @Bean
  PeerValues outlierPast(Means means, DataSource dataSource) {
    return new PeerValues(means, new FlowHistoryQueries(dataSource));
  }

  @Bean
  FlowDemand outlierFlowDemand(OutlierGroupStore groups, Frames frames, Scopes scopes) {
    return new GroupFlowDemand(groups, frames, scopes);
  }

  /** Each shard has a stage of its own. */
  @Bean
  OutlierStages outlierStages(
      OutlierStore store,
      Means means,
      PeerValues past,
      Scopes scopes,
      JdbcClient jdbc,
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
            new Names(new MetricNameQueries(jdbc)),
            explanations.create(),
            new UsualMedians(
                new MedianQueries(jdbc), new UsualLearner(learning.zone(), learning.historyDays())),
            properties,
            alerts.forgetAfter(),
            rollUps.flowDelay(),
            System::nanoTime);
  }
}
