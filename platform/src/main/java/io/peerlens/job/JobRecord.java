package io.peerlens.job;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Record of a job, as it is stored.
 *
 * @param done in {@code unit}
 * @param total in {@code unit}; null = not known
 * @param node works on it, or did
 */
public record JobRecord(
    UUID id,
    Kind kind,
    String title,
    State state,
    long done,
    @Nullable Long total,
    String unit,
    @Nullable String node,
    boolean cancellable,
    @Nullable Instant startedAt,
    Instant updatedAt,
    @Nullable Instant finishedAt,
    @Nullable String detail,
    @Nullable String error) {

  /** Kind of a job. */
  public enum Kind {
    ROLL_UP("roll-up"),
    RETENTION("retention"),
    BACK_FILL("back-fill"),
    REPLAY("replay"),
    COMPRESSION("compression"),
    LEARNING("learning"),
    BENCHMARK_RUNS("benchmark-runs"),
    LOAD_PROFILE("load-profile"),
    RIGHT_SIZING("right-sizing");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** As in the database and in the API. */
    public String label() {
      return label;
    }

    static Kind ofLabel(String label) {
      for (Kind kind : values()) {
        if (kind.label.equals(label)) {
          return kind;
        }
      }
      throw new IllegalArgumentException("No kind of job is called " + label);
    }
  }

  /** State of a job, as in the database and in the API. */
  public enum State {
    QUEUED,
    RUNNING,
    /** Asked to stop, not stopped yet. */
    CANCELLING,
    DONE,
    FAILED,
    CANCELLED
  }
}
