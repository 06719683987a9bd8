package io.peerlens.learning;

import io.peerlens.frame.Frames;
import io.peerlens.talker.TalkerNameQueries;
import io.peerlens.talker.UsualTraffic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The usual traffic of talkers. */
@Configuration(proxyBeanMethods = false)
@Import(LearningConfiguration.class)
public class LearnedTrafficConfiguration {

  @Bean
  UsualTraffic usualTraffic(PastBands bands, Frames frames, TalkerNameQueries objects) {
    return new LearnedTraffic(bands, frames, objects);
  }
}
