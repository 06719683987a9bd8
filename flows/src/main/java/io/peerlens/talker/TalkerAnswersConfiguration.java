package io.peerlens.talker;

import io.peerlens.inventory.ObjectLookup;
import io.peerlens.scope.ScopeConfiguration;
import io.peerlens.scope.Scopes;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans that answer questions for talkers, for the API and for reports. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TalkerProperties.class)
@Import({
  ScopeConfiguration.class,
  TalkerQueries.class,
  TalkerNameQueries.class,
  FlowPartners.class,
  TalkerAnswers.class
})
public class TalkerAnswersConfiguration {

  @Bean
  EndQueries endQueries(DataSource dataSource, Scopes scopes, TalkerProperties properties) {
    return new EndQueries(timed(dataSource, properties), scopes);
  }

  @Bean
  RankingQueries rankingQueries(
      DataSource dataSource, TalkerQueries lists, TalkerProperties properties) {
    return new RankingQueries(timed(dataSource, properties), lists, properties.deduplicate());
  }

  @Bean
  FlowListQueries flowListQueries(
      DataSource dataSource, TalkerQueries lists, TalkerProperties properties) {
    return new FlowListQueries(timed(dataSource, properties), lists, properties.deduplicate());
  }

  @Bean
  ShareQueries shareQueries(DataSource dataSource, TalkerProperties properties) {
    return new ShareQueries(timed(dataSource, properties));
  }

  /** The statement ends on the server, too, so that nothing goes on that nobody waits for. */
  private static JdbcClient timed(DataSource dataSource, TalkerProperties properties) {
    JdbcTemplate timed = new JdbcTemplate(dataSource);
    timed.setQueryTimeout((int) properties.queryTimeout().toSeconds());
    return JdbcClient.create(timed);
  }

  @Bean
  TalkerNames talkerNames(JdbcClient jdbc, TalkerNameQueries queries) {
    return new TalkerNames(new ObjectLookup(jdbc), queries);
  }
}
