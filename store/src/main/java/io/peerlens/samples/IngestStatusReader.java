package io.peerlens.samples;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.peerlens.api.model.IngestStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Cache of the status of ingest. Read at most every two seconds however many ask; who asks within
 * 15 seconds of the last time does not wait for it.
 */
public final class IngestStatusReader {

  private static final Duration KEEP = Duration.ofSeconds(2);

  /** Pages ask every ten seconds. */
  private static final Duration SHOW = Duration.ofSeconds(15);

  private final IngestStatusQueries queries;
  private final ObjectProvider<IngestStatusPart> parts;
  private final InstantSource clock;

  private final LoadingCache<Boolean, IngestStatus> kept =
      Caffeine.newBuilder()
          .refreshAfterWrite(KEEP)
          .expireAfterWrite(SHOW)
          .executor(Thread::startVirtualThread)
          .build(all -> gather());

  IngestStatusReader(
      IngestStatusQueries queries, ObjectProvider<IngestStatusPart> parts, InstantSource clock) {
    this.queries = queries;
    this.parts = parts;
    this.clock = clock;
  }

  /** Counts the series that each mapping file has made on the nodes that are alive, by file. */
  Map<String, Long> matchedSeries() {
    return queries.matchedSeries(clock.instant());
  }

  /**
   * The state of ingest, not to be changed. While somebody watches it is about two seconds old; its
   * time says of when it is.
   */
  public IngestStatus read() {
    return kept.get(true);
  }

  private IngestStatus gather() {
    Instant now = clock.instant();
    IngestStatus status = queries.read(now);
    parts.stream().forEach(part -> part.addTo(status, now));
    return status;
  }
}
