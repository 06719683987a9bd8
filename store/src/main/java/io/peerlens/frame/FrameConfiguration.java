package io.peerlens.frame;

import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleReader;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Frames, for evaluators and for the API's previews. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FrameProperties.class)
@Import({Means.class})
public class FrameConfiguration {

  @Bean
  Frames frames(
      JdbcClient jdbc,
      SampleReader reader,
      LevelStates levels,
      FrameProperties properties,
      RollUpProperties rollUps) {
    Duration flowAge = Level.FIVE_MINUTES.width().plus(rollUps.flowDelay());
    return new Frames(jdbc, reader, levels, properties, flowAge);
  }
}
