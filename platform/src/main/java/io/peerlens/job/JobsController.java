package io.peerlens.job;

import io.peerlens.api.JobsApi;
import io.peerlens.api.model.Job;
import io.peerlens.api.model.JobList;
import io.peerlens.api.model.JobState;
import io.peerlens.job.JobRecord.State;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class JobsController implements JobsApi {

  private final Jobs jobs;

  JobsController(Jobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public ResponseEntity<JobList> listJobs(@Nullable List<JobState> state, Integer limit) {
    List<State> states =
        state == null ? List.of() : state.stream().map(one -> State.valueOf(one.name())).toList();
    return ResponseEntity.ok(
        new JobList(jobs.list(states, limit).stream().map(JobAnswers::job).toList()));
  }

  @Override
  public ResponseEntity<Job> getJob(UUID id) {
    return ResponseEntity.ok(JobAnswers.job(find(id)));
  }

  private JobRecord find(UUID id) {
    return jobs.find(id).orElseThrow(() -> ApiException.notFound("job", id));
  }

  @Override
  public ResponseEntity<Job> cancelJob(UUID id) {
    boolean asked = jobs.cancel(id);
    JobRecord job = find(id);
    if (!asked) {
      throw ApiException.of(
          ErrorCode.CONFLICT,
          job.finishedAt() == null
              ? "This job cannot be cancelled."
              : "This job has ended already.");
    }
    return ResponseEntity.accepted().body(JobAnswers.job(job));
  }
}
