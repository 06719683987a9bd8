package io.peerlens.job;

import io.peerlens.role.RoleProperties;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Jobs, for whoever has long work to do. */
@Configuration(proxyBeanMethods = false)
public class JobConfiguration {

  @Bean
  Jobs jobs(JdbcClient jdbc, InstantSource clock, RoleProperties roles) {
    return new Jobs(jdbc, clock, roles.node());
  }
}
