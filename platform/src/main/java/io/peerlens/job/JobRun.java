package io.peerlens.job;

import io.peerlens.job.JobRecord.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * A running job: its progress and how it ends. Progress reaches the database at most once a second,
 * and a failure to write it never fails the work. One of {@link #finish} and {@link #fail} ends it;
 * closing it without either means that it failed.
 *
 * <p>For one thread at a time.
 */
public final class JobRun implements Progress, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JobRun.class);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  private final Jobs jobs;
  final UUID id;
  final Kind kind;
  final String title;
  final String unit;
  final boolean cancellable;
  final Instant startedAt;
  private Instant nextWrite;
  private boolean written;
  private boolean cancelled;
  private boolean ended;
  long done;
  @Nullable Long total;
  @Nullable String detail;

  JobRun(
      Jobs jobs,
      UUID id,
      Kind kind,
      String title,
      String unit,
      boolean cancellable,
      Instant now,
      Duration quiet) {
    this.jobs = jobs;
    this.id = id;
    this.kind = kind;
    this.title = title;
    this.unit = unit;
    this.cancellable = cancellable;
    this.startedAt = now;
    this.nextWrite = now.plus(quiet);
  }

  /** Identifies the job in the API. */
  public UUID id() {
    return id;
  }

  @Override
  public void total(long total) {
    this.total = total;
    writeSometimes();
  }

  @Override
  public void done(long done) {
    this.done = done;
    writeSometimes();
  }

  @Override
  public void detail(String detail) {
    this.detail = detail;
    writeSometimes();
  }

  @Override
  public boolean cancelled() {
    writeSometimes();
    return cancelled;
  }

  /** The work ended by itself, or stopped because it was cancelled. */
  public void finish() {
    end(cancelled ? "cancelled" : "done", null);
  }

  /**
   * The work cannot go on. The error is for people: what went wrong, and whether it is tried again.
   */
  public void fail(String error) {
    end("failed", error);
  }

  @Override
  public void close() {
    if (!ended) {
      fail("Stopped without saying why; the log of the node has more.");
    }
  }

  private void end(String state, @Nullable String error) {
    if (ended) {
      return;
    }
    ended = true;
    detail = null;
    Instant now = jobs.now();
    if (!written && error == null && now.isBefore(nextWrite)) {
      return; // so short that nobody needs to hear of it
    }
    write(state, error, now);
  }

  private void writeSometimes() {
    Instant now = jobs.now();
    if (!ended && !now.isBefore(nextWrite)) {
      write("running", null, now);
    }
  }

  private void write(String state, @Nullable String error, Instant now) {
    nextWrite = now.plus(BETWEEN_WRITES);
    try {
      cancelled |= jobs.write(this, state, error, now);
      written = true;
    } catch (DataAccessException e) {
      log.warn("Progress of {} could not be stored: {}", title, e.getMessage());
    }
  }
}
