package io.peerlens.learning;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Learns bounds in the background, on one node at a time. */
@Configuration(proxyBeanMethods = false)
@Import(LearningConfiguration.class)
public class LearningTaskConfiguration {

  @Bean
  Task<Void> learningTask(LearningJobs jobs, LearningProperties properties) {
    return Tasks.recurring("learning", FixedDelay.of(Duration.ofMinutes(1)))
        .execute(
            (instance, context) -> {
              if (properties.enabled()) {
                jobs.runByItself();
              }
            });
  }
}
