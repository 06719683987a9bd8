package io.peerlens.job;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Work that several nodes share: a task of db-scheduler with one instance for each number from 0.
 * Each is run by one node at a time, again and again, and by another one when that node dies.
 *
 * @param name of the task in the database
 * @param count how many instances there are; what is left of more ends by itself
 */
public record NumberedTask(String name, int count) {

  /** Work of one instance. */
  @FunctionalInterface
  public interface Work {

    /**
     * Does it once.
     *
     * @return when to do it again
     */
    Instant run(int number);
  }

  /**
   * The task.
   *
   * @param afterFailure pause after an exception, which db-scheduler logs
   */
  public Task<Void> task(Duration afterFailure, Work work) {
    return Tasks.custom(name, Void.class)
        .onFailure(
            (execution, operations) ->
                operations.reschedule(execution, execution.getTimeDone().plus(afterFailure)))
        .onDeadExecutionRevive()
        .execute(
            (instance, context) -> {
              int number = Integer.parseInt(instance.getId());
              if (number >= count) {
                return (execution, operations) -> operations.stop();
              }
              Instant next = work.run(number);
              return (execution, operations) -> operations.reschedule(execution, next);
            });
  }

  /** Begins the instances that are not known yet, once the application is ready. */
  public ApplicationListener<ApplicationReadyEvent> begin(
      SchedulerClient scheduler, InstantSource clock) {
    return ready -> {
      for (int number = 0; number < count; number++) {
        scheduler.scheduleIfNotExists(
            new TaskInstance<>(name, Integer.toString(number)), clock.instant());
      }
    };
  }
}
