package io.peerlens.learning;

import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.Frames;
import io.peerlens.maintenance.MaintenanceWindowConfiguration;
import io.peerlens.maintenance.MaintenanceWindows;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of learned bounds. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LearningProperties.class)
@Import({
  FrameConfiguration.class,
  MaintenanceWindowConfiguration.class,
  BandQueries.class,
  Learning.class,
  LearningJobs.class,
  PastBands.class
})
public class LearningConfiguration {

  @Bean
  BandStore bandStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, InstantSource clock) {
    return new BandStore(jdbc, new TransactionTemplate(transactions), clock);
  }

  @Bean
  ExclusionSource learningExclusions(JdbcClient jdbc, MaintenanceWindows windows, Frames frames) {
    return new ExclusionSource(new TroubleQueries(jdbc), windows, frames);
  }

  @Bean
  StoredBands.Factory storedBands(Frames frames, BandQueries queries) {
    return () -> new StoredBands(frames, queries);
  }
}
