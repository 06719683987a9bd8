package io.peerlens.outlier;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Looks for groups that the data suggest, on one node at a time. */
@Configuration(proxyBeanMethods = false)
@Import(OutlierConfiguration.class)
public class OutlierSuggestionConfiguration {

  @Bean
  Task<Void> outlierSuggestionTask(Suggestions suggestions) {
    return Tasks.recurring("outlier-suggestions", FixedDelay.of(Duration.ofMinutes(5)))
        .execute((instance, context) -> suggestions.refresh());
  }
}
