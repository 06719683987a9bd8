package io.peerlens.talker.report;

import io.peerlens.definition.RuleConfiguration;
import io.peerlens.definition.RuleStore;
import io.peerlens.learning.LearnedTrafficConfiguration;
import io.peerlens.store.RollUpProperties;
import io.peerlens.talker.TalkerAnswers;
import io.peerlens.talker.TalkerAnswersConfiguration;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans of talker reports, for evaluators, notifiers and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({TalkerReportProperties.class, RollUpProperties.class})
@Import({
  RuleConfiguration.class,
  TalkerAnswersConfiguration.class,
  LearnedTrafficConfiguration.class
})
public class TalkerReportConfiguration {

  @Bean
  TalkerReportStore talkerReportStore(
      JdbcClient jdbc, RuleStore rules, InstantSource clock, TalkerReportProperties properties) {
    return new TalkerReportStore(jdbc, rules, clock, properties.history());
  }

  @Bean
  TalkerReportRunStore talkerReportRunStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, TalkerReportProperties properties) {
    return new TalkerReportRunStore(jdbc, new TransactionTemplate(transactions), properties.runs());
  }

  @Bean
  ReportAnswers reportAnswers(TalkerAnswers answers) {
    return ReportQuestions.answeredBy(answers);
  }
}
