package io.peerlens.source.state;

import io.peerlens.source.definition.SourceServiceConfiguration;
import io.peerlens.source.vcenter.VCenterConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The API of sources. */
@Configuration(proxyBeanMethods = false)
@Import({
  SourceServiceConfiguration.class,
  VCenterConfiguration.class,
  OwnStateQueries.class,
  SenderQueries.class,
  SourceErrorQueries.class,
  SourceOverview.class,
  SourcesController.class,
  SourceProbesController.class
})
public class SourceApiConfiguration {

  @Bean
  TimedProbes timedProbes() {
    return new TimedProbes();
  }
}
