package io.peerlens.job;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRecord.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The jobs of all nodes: starting one, listing them, asking one to stop. Thread-safe. */
public final class Jobs {
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** A job that is silent for so long has lost its node. */
  static final Duration ABANDONED_AFTER = Duration.ofMinutes(10);

  private static final String WRITE =
      """
      insert into job (id, kind, title, state, done, total, unit, node, cancellable, detail, error,
        started_at, updated_at, finished_at)
      values (:id, :kind, :title, :state, :done, :total, :unit, :node, :cancellable, :detail, :error,
        :startedAt, :now, :finishedAt)
      on conflict (id) do update
      set state = excluded.state, done = excluded.done, total = excluded.total, detail = excluded.detail,
        error = excluded.error, updated_at = excluded.updated_at, finished_at = excluded.finished_at
      returning cancel_requested
      """;
  private static final String COLUMNS =
      """
      select id, kind, title,
        case when state = 'running' and cancel_requested then 'cancelling' else state end as state,
        done, total, unit, node, cancellable and finished_at is null as cancellable, started_at,
        updated_at, finished_at, detail, error
      from job
      """;
  private static final String LIST =
      """
      select * from (%s) j where state = any(:states)
      order by finished_at desc nulls first, started_at desc limit :limit
      """
          .formatted(COLUMNS);
  private static final String FIND = COLUMNS + " where id = :id";
  private static final String NEWEST =
      COLUMNS + " where kind = :kind order by started_at desc, id limit 1";
  private static final String CANCEL =
      """
      update job set cancel_requested = true, updated_at = :now
      where id = :id and cancellable and finished_at is null
      """;
  private static final String FAIL_ABANDONED =
      """
      update job
      set state = 'failed', error = 'The node stopped working on it.', detail = null, finished_at = :now
      where finished_at is null and updated_at < :before
      """;

  private final JdbcClient jdbc;
  private final InstantSource clock;
  private final String node;

  /**
   * @param node name of this process, shown with its jobs
   */
  public Jobs(JdbcClient jdbc, InstantSource clock, String node) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.node = node;
  }

  /**
   * Starts a job that is seen at once.
   *
   * @param title what it does in a few words
   * @param unit of done and total, such as {@code rows}
   * @param cancellable whether the work asks {@link Progress#cancelled} now and then
   */
  public JobRun start(Kind kind, String title, String unit, boolean cancellable) {
    JobRun run = start(kind, title, unit, cancellable, Duration.ZERO);
    run.cancelled();
    return run;
  }

  /** Starts a job that is seen only when it lasts, or fails: for work that mostly is quick. */
  public JobRun startQuietly(Kind kind, String title, String unit, boolean cancellable) {
    return start(kind, title, unit, cancellable, QUIET);
  }

  private JobRun start(Kind kind, String title, String unit, boolean cancellable, Duration quiet) {
    return new JobRun(this, UUID.randomUUID(), kind, title, unit, cancellable, now(), quiet);
  }

  /** Unfinished jobs first, then the newest finished ones. No states = all. */
  public List<JobRecord> list(Collection<State> states, int limit) {
    Collection<State> wanted = states.isEmpty() ? EnumSet.allOf(State.class) : states;
    return jdbc.sql(LIST)
        .param("states", wanted.stream().map(Jobs::label).toArray(String[]::new))
        .param("limit", limit)
        .query((row, number) -> job(row))
        .list();
  }

  /** The job of a kind that was begun last; empty = there is none. */
  public Optional<JobRecord> newest(Kind kind) {
    return jdbc.sql(NEWEST).param("kind", kind.label()).query((row, number) -> job(row)).optional();
  }

  /** One job. */
  public Optional<JobRecord> find(UUID id) {
    return jdbc.sql(FIND).param("id", id).query((row, number) -> job(row)).optional();
  }

  /** Asks a job to stop at its next safe point. False when it has ended or cannot be stopped. */
  public boolean cancel(UUID id) {
    return jdbc.sql(CANCEL).param("id", id).param("now", utc(now())).update() > 0;
  }

  /** Marks jobs as failed whose node is gone; returns how many. */
  public int failAbandoned(Instant now) {
    return jdbc.sql(FAIL_ABANDONED)
        .param("now", utc(now))
        .param("before", utc(now.minus(ABANDONED_AFTER)))
        .update();
  }

  /** Forgets jobs that ended before; returns how many. */
  public int deleteEnded(Instant before) {
    return jdbc.sql("delete from job where finished_at < :before")
        .param("before", utc(before))
        .update();
  }

  Instant now() {
    return clock.instant();
  }

  /** Stores the state of a job; tells whether it was asked to stop. */
  boolean write(JobRun run, String state, @Nullable String error, Instant now) {
    return jdbc.sql(WRITE)
        .param("id", run.id)
        .param("kind", run.kind.label())
        .param("title", run.title)
        .param("state", state)
        .param("done", run.done)
        .param("total", run.total)
        .param("unit", run.unit)
        .param("node", node)
        .param("cancellable", run.cancellable)
        .param("detail", run.detail)
        .param("error", error)
        .param("startedAt", utc(run.startedAt))
        .param("now", utc(now))
        .param("finishedAt", state.equals("running") ? null : utc(now))
        .query(Boolean.class)
        .single();
  }

  private static JobRecord job(ResultSet row) throws SQLException {
    return new JobRecord(
        row.getObject("id", UUID.class),
        Kind.ofLabel(row.getString("kind")),
        row.getString("title"),
        State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getLong("done"),
        row.getObject("total", Long.class),
        row.getString("unit"),
        row.getString("node"),
        row.getBoolean("cancellable"),
        instantOrNull(row, "started_at"),
        instant(row, "updated_at"),
        instantOrNull(row, "finished_at"),
        row.getString("detail"),
        row.getString("error"));
  }

  private static String label(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
