package io.peerlens.store;

import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What every role needs of the database. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RollUpProperties.class)
public class StoreConfiguration {

  @Bean
  SampleReader sampleReader(DataSource dataSource) {
    return new SampleReader(dataSource);
  }

  @Bean
  LevelStates levelStates(JdbcClient jdbc) {
    return new LevelStates(jdbc);
  }
}
