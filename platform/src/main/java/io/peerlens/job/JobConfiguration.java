package io.peerlens.job;

import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.boot.config.DbSchedulerCustomizer;
import io.peerlens.node.NodeProperties;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Jobs, for whoever has long work to do. */
@Configuration(proxyBeanMethods = false)
public class JobConfiguration {

  @Bean
  Jobs jobs(JdbcClient jdbc, InstantSource clock, NodeProperties roles) {
    return new Jobs(jdbc, clock, roles.node());
  }

  /** Two nodes of one host are told apart in {@code scheduled_tasks.picked_by}. */
  @Bean
  DbSchedulerCustomizer nodeName(NodeProperties roles) {
    return new DbSchedulerCustomizer() {
      @Override
      public Optional<SchedulerName> schedulerName() {
        return Optional.of(new SchedulerName.Fixed(roles.node()));
      }
    };
  }
}
