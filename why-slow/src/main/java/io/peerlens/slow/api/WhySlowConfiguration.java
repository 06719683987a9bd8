package io.peerlens.slow.api;

import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.learning.LearningProperties;
import io.peerlens.learning.PastBands;
import io.peerlens.talker.FlowPartners;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of why something is slow. */
@Configuration(proxyBeanMethods = false)
@Import({FrameConfiguration.class, SlowQueries.class})
public class WhySlowConfiguration {

  @Bean
  WaitingMachines waitingMachines(
      FlowPartners flows,
      SlowQueries queries,
      Frames frames,
      Means means,
      LearningProperties learning) {
    return new WaitingMachines(flows, queries, frames, means, learning.zone());
  }

  @Bean
  WhySlows whySlows(
      SlowQueries queries, Frames frames, Means means, PastBands bands, WaitingMachines waiting) {
    return new WhySlows(queries, frames, means, bands, waiting);
  }

  @Bean
  WhySlowController whySlowController(
      WhySlows slows,
      SlowQueries queries,
      JdbcClient jdbc,
      ChangeQueries changes,
      InstantSource clock) {
    return new WhySlowController(slows, queries, new ObjectLookup(jdbc), changes, clock);
  }
}
