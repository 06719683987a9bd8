package io.peerlens.source.vcenter;

import io.peerlens.source.definition.SourceConfiguration;
import io.peerlens.source.definition.SourceGuard;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Collectors of vCenters, for nodes that read them and for those that look at one. */
@Configuration(proxyBeanMethods = false)
@Import(SourceConfiguration.class)
public class VCenterConfiguration {

  @Bean
  VCenterCollectors vcenterCollectors(SourceGuard guard, JdbcClient jdbc, InstantSource clock) {
    return new VCenterCollectors(guard, new KnownObjectQueries(jdbc), clock);
  }
}
