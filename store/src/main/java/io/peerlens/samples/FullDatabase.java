package io.peerlens.samples;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Watch over a database that says itself that it has no room: SQLSTATE 53100 (disk full), 53000 and
 * 53200 (resources, memory). Ingest pauses. Whoever was storing tries on, and the first who can
 * store ends the pause; where nobody tries, it ends after a while, to try again. Nothing is lost:
 * offsets are stored with the data, or not at all. Thread-safe.
 */
final class FullDatabase {

  /** Time without word of a full database after which storing is tried again. */
  static final Duration TRY_AFTER = Duration.ofSeconds(10);

  private static final String CAUSE = "database";
  private static final Set<String> STATES = Set.of("53000", "53100", "53200");
  private static final int MOST_CAUSES = 20;

  private final IngestPause pause;
  private final InstantSource clock;
  private @Nullable Instant failedAt;

  FullDatabase(IngestPause pause, InstantSource clock) {
    this.pause = pause;
    this.clock = clock;
  }

  /** A sink whose lack of room pauses ingest. */
  SampleSink watched(SampleSink sink) {
    return new SampleSink() {
      @Override
      public void write(SampleBatch batch) {
        watch(
            () -> {
              sink.write(batch);
              return batch;
            });
        stored();
      }

      @Override
      public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        return sink.positions(partitions);
      }
    };
  }

  /** A catalog whose lack of room pauses ingest. */
  Catalog watched(Catalog catalog) {
    return request -> watch(() -> catalog.apply(request));
  }

  private <T> T watch(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      failed(e);
      throw e;
    }
  }

  private synchronized void failed(RuntimeException e) {
    Throwable cause = e;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof SQLException sql && STATES.contains(String.valueOf(sql.getSQLState()))) {
        failedAt = clock.instant();
        pause.pause(
            CAUSE,
            "the database has no space: "
                + sql.getMessage()
                + " (SQLSTATE "
                + sql.getSQLState()
                + "); make space, ingest retries every few seconds and resumes by itself");
        return;
      }
    }
  }

  private synchronized void stored() {
    if (failedAt != null) {
      failedAt = null;
      pause.resume(CAUSE);
    }
  }

  /** Ends the pause if nobody has tried for a while, so that somebody does. */
  synchronized void look() {
    if (failedAt != null && clock.instant().isAfter(failedAt.plus(TRY_AFTER))) {
      stored();
    }
  }
}
