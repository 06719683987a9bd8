package io.peerlens.database;

import java.util.concurrent.ThreadFactory;

/**
 * Kinds of work with a connection pool each, so that none of them can take the connections of
 * another: however many requests wait, ticks, ingest and notifications go on. A thread works for
 * {@link #BACKGROUND} unless it is marked.
 */
public enum Workload {
  /** Requests to the API and the pages. */
  API,
  /** What stores samples and flows. */
  INGEST,
  /** What decides on notifications and delivers them, and alerts that other systems send. */
  NOTIFICATION,
  /** Ticks, upkeep, back-fills and all other work that nobody waits for in a request. */
  BACKGROUND;

  private static final ThreadLocal<Workload> CURRENT = ThreadLocal.withInitial(() -> BACKGROUND);

  /** The kind of work that this thread does now. */
  public static Workload current() {
    return CURRENT.get();
  }

  /** Marks this thread until the mark is closed. */
  public Mark begin() {
    Workload before = CURRENT.get();
    CURRENT.set(this);
    return () -> {
      if (before == BACKGROUND) {
        CURRENT.remove();
      } else {
        CURRENT.set(before);
      }
    };
  }

  /** The same work on a thread that is marked meanwhile. */
  public Runnable of(Runnable work) {
    return () -> {
      try (Mark mark = begin()) {
        work.run();
      }
    };
  }

  /** Makes threads that are marked as long as they live. */
  public ThreadFactory threads(Thread.Builder builder) {
    return work -> builder.unstarted(of(work));
  }

  /** A mark on a thread. */
  public interface Mark extends AutoCloseable {
    @Override
    void close();
  }
}
