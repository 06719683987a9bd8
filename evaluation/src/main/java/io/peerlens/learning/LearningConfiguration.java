package io.peerlens.learning;

import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.Frames;
import io.peerlens.maintenance.MaintenanceWindowConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of learned bounds that evaluators and the API share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LearningProperties.class)
@Import({
  FrameConfiguration.class,
  MaintenanceWindowConfiguration.class,
  BandQueries.class,
  BandStore.class,
  TroubleQueries.class,
  ExclusionSource.class,
  Learning.class,
  LearningJobs.class,
  PastBands.class,
  LearningQueries.class,
  UnusualPeriodStore.class,
  AnomalyScores.class
})
public class LearningConfiguration {

  @Bean
  StoredBands.Factory storedBands(Frames frames, BandQueries queries) {
    return () -> new StoredBands(frames, queries);
  }
}
