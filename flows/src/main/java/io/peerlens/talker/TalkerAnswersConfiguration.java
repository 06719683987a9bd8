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

/** What answers questions for talkers, for the API and for reports that are sent. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TalkerProperties.class)
@Import({
  ScopeConfiguration.class,
  TalkerQueries.class,
  TalkerNameQueries.class,
  TalkerAnswers.class
})
public class TalkerAnswersConfiguration {

  @Bean
  FlowSumQueries flowSumQueries(
      DataSource dataSource, TalkerQueries lists, Scopes scopes, TalkerProperties properties) {
    // The statement ends on the server, too, so that nothing goes on that nobody waits for.
    JdbcTemplate timed = new JdbcTemplate(dataSource);
    timed.setQueryTimeout((int) properties.queryTimeout().toSeconds());
    JdbcClient jdbc = JdbcClient.create(timed);
    return new FlowSumQueries(jdbc, lists, new EndQueries(jdbc, scopes), properties.deduplicate());
  }

  @Bean
  TalkerNames talkerNames(JdbcClient jdbc, TalkerNameQueries queries) {
    return new TalkerNames(new ObjectLookup(jdbc), queries);
  }
}
