package io.peerlens.store;

import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What every role needs of the database, and the clock. */
@Configuration(proxyBeanMethods = false)
public class StoreConfiguration {

  @Bean
  @ConditionalOnMissingBean
  InstantSource clock() {
    return InstantSource.system();
  }
}
