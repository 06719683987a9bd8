package io.peerlens.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRecord.State;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobsIT {
  private SampleData data;
  private Jobs jobs;
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  @BeforeAll
  void createDatabase() {
    data = SampleData.create();
    jobs = new Jobs(data.jdbc(), () -> now, "node-1");
  }

  @AfterAll
  void close() {
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from job");
  }

  private JobRecord only() {
    return jobs.list(List.of(), 10).getFirst();
  }

  @Test
  void aJobIsVisibleFromItsStartToItsEnd() {
    try (JobRun run = jobs.start(Kind.BACK_FILL, "14 days", "days", true)) {
      assertThat(only().state()).isEqualTo(State.RUNNING);
      assertThat(only().cancellable()).isTrue();
      assertThat(only().node()).isEqualTo("node-1");
      run.finish();
    }
    assertThat(only().state()).isEqualTo(State.DONE);
    assertThat(only().cancellable()).isFalse();
    assertThat(only().finishedAt()).isEqualTo(now);
  }

  @Test
  void progressIsWrittenOnceASecond() {
    JobRun run = jobs.start(Kind.BACK_FILL, "14 days", "days", true);
    run.total(14);
    run.done(1);
    assertThat(only().done()).isZero();
    now = now.plusSeconds(1);
    run.done(2);
    assertThat(only().done()).isEqualTo(2);
    assertThat(only().total()).isEqualTo(14);
    run.done(3);
    run.finish();
    assertThat(only().done()).isEqualTo(3);
  }

  @Test
  void aQuickJobLeavesNoTraceUnlessItFails() {
    jobs.startQuietly(Kind.ROLL_UP, "Roll-ups", "buckets", true).finish();
    assertThat(jobs.list(List.of(), 10)).isEmpty();
    jobs.startQuietly(Kind.ROLL_UP, "Roll-ups", "buckets", true).fail("no disk space");
    assertThat(only().state()).isEqualTo(State.FAILED);
    assertThat(only().error()).isEqualTo("no disk space");
  }

  @Test
  void aCancelledJobLearnsOfItAndEndsAsCancelled() {
    JobRun run = jobs.start(Kind.REPLAY, "capture", "records", true);
    assertThat(jobs.cancel(run.id())).isTrue();
    assertThat(jobs.cancel(run.id())).isTrue();
    assertThat(only().state()).isEqualTo(State.CANCELLING);
    now = now.plusSeconds(1);
    assertThat(run.cancelled()).isTrue();
    run.finish();
    assertThat(only().state()).isEqualTo(State.CANCELLED);
    assertThat(jobs.cancel(run.id())).isFalse();
  }

  @Test
  void aJobThatCannotBeCancelledIsNot() {
    JobRun run = jobs.start(Kind.COMPRESSION, "chunks", "chunks", false);
    assertThat(jobs.cancel(run.id())).isFalse();
    run.finish();
  }

  @Test
  void closingWithoutAnEndMeansFailure() {
    jobs.start(Kind.REPLAY, "capture", "records", true).close();
    assertThat(only().state()).isEqualTo(State.FAILED);
  }

  @Test
  void unfinishedJobsComeFirstThenTheNewest() {
    JobRun old = jobs.start(Kind.REPLAY, "old", "records", true);
    now = now.plusSeconds(10);
    jobs.start(Kind.REPLAY, "first", "records", true).finish();
    now = now.plusSeconds(10);
    jobs.start(Kind.REPLAY, "second", "records", true).finish();
    assertThat(jobs.list(List.of(), 10))
        .extracting(JobRecord::title)
        .containsExactly("old", "second", "first");
    assertThat(jobs.list(List.of(State.DONE), 1))
        .extracting(JobRecord::title)
        .containsExactly("second");
    old.finish();
  }

  @Test
  void aJobOfALostNodeFailsAndEndedOnesAreForgotten() {
    jobs.start(Kind.REPLAY, "capture", "records", true);
    assertThat(jobs.failAbandoned(now.plus(Duration.ofMinutes(9)))).isZero();
    assertThat(jobs.failAbandoned(now.plus(Duration.ofMinutes(11)))).isOne();
    assertThat(only().state()).isEqualTo(State.FAILED);
    assertThat(jobs.deleteEnded(now.plus(Duration.ofMinutes(12)))).isOne();
  }
}
