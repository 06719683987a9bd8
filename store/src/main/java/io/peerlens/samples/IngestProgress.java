package io.peerlens.samples;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Progress of ingest over all nodes.
 *
 * @param since start of the time in which it made no pause of a minute, the epoch if it never did;
 *     null = it never ran here
 * @param until what Kafka had then is stored; {@link Instant#MIN} = it does not run
 */
public record IngestProgress(@Nullable Instant since, Instant until) {

  /** Ingest never ran here. */
  public static final IngestProgress NEVER = new IngestProgress(null, Instant.MAX);

  /** As far behind as it is whenever it does what it should. */
  private static final Duration USUAL = Duration.ofSeconds(10);

  /** Lag above which silence of objects cannot be distinguished from delay. */
  private static final Duration DEAF = Duration.ofMinutes(1);

  /** Whether what came up to a moment is stored, or ingest is as near to the present as ever. */
  public boolean covers(Instant moment, Instant now) {
    return !until.isBefore(moment) || !until.isBefore(now.minus(USUAL));
  }

  /**
   * Since when a sample would have been noticed, seen from a moment: whoever sent none before need
   * not be silent. {@link Instant#MIN} = always, {@link Instant#MAX} = it would not be noticed now.
   */
  public Instant noticing(Instant moment) {
    if (since == null) {
      return Instant.MIN;
    }
    return until.isBefore(moment.minus(DEAF)) ? Instant.MAX : since;
  }
}
