package io.peerlens.outlier.suggest;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Recurring task that refreshes the suggested groups, on one node at a time. */
@Configuration(proxyBeanMethods = false)
@Import(OutlierSuggestionsConfiguration.class)
public class OutlierSuggestionTaskConfiguration {

  @Bean
  Task<Void> outlierSuggestionTask(SuggestionService suggestions) {
    return Tasks.recurring("outlier-suggestions", FixedDelay.of(Duration.ofMinutes(5)))
        .execute((instance, context) -> suggestions.refresh());
  }
}
