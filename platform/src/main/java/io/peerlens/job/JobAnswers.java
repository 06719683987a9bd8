package io.peerlens.job;

import io.peerlens.api.model.Job;
import io.peerlens.api.model.JobKind;
import io.peerlens.api.model.JobState;

/** Jobs in the words of the contract. */
public final class JobAnswers {

  private JobAnswers() {}

  /** A job as the API shows it. */
  public static Job job(JobRecord job) {
    return new Job(
        job.id(),
        JobKind.fromValue(job.kind().label()),
        job.title(),
        JobState.valueOf(job.state().name()),
        job.done(),
        job.total(),
        job.unit(),
        job.node(),
        job.cancellable(),
        job.startedAt(),
        job.updatedAt(),
        job.finishedAt(),
        job.detail(),
        job.error());
  }
}
