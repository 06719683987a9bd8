package io.peerlens.summary;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The summary and the timeline of the API. */
@Configuration(proxyBeanMethods = false)
@Import({SummaryController.class, TimelineController.class, TimelineQueries.class})
public class SummaryConfiguration {

  @Bean
  SummaryQueries summaryQueries(
      JdbcClient jdbc, @Value("${peerlens.notify.url:}") String configuredUrl) {
    return new SummaryQueries(jdbc, configuredUrl);
  }
}
