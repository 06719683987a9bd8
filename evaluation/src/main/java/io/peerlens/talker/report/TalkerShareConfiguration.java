package io.peerlens.talker.report;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.store.RollUpProperties;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans that watch the shares of talkers. */
@Configuration(proxyBeanMethods = false)
@Import({TalkerReportConfiguration.class, TalkerShareStore.class})
public class TalkerShareConfiguration {

  @Bean
  ShareOutcomes shareOutcomes(TalkerShareStore store, RollUpProperties rollUps) {
    return new ShareOutcomes(store, rollUps.flowLag().plus(Duration.ofMinutes(20)));
  }

  @Bean
  ShareJudge shareJudge(
      TalkerReportStore reports,
      TalkerReportRunStore runs,
      TalkerShareStore store,
      ReportAnswers answers) {
    return new ShareJudge(reports::enabled, runs::rolledUp, store, answers);
  }

  @Bean
  Task<Void> talkerSharesTask(ShareJudge judge, InstantSource clock) {
    return Tasks.recurring("talker-shares", FixedDelay.of(Duration.ofSeconds(10)))
        .execute((instance, context) -> judge.look(clock.instant()));
  }

  @Bean
  Task<Void> talkerReportUpkeepTask(TalkerShareStore store) {
    return Tasks.recurring("talker-report-upkeep", FixedDelay.of(Duration.ofHours(1)))
        .execute((instance, context) -> store.forgetObjects());
  }
}
