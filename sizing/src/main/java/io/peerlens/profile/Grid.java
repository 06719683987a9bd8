package io.peerlens.profile;

import java.time.Duration;
import java.time.Instant;

/**
 * Grid of buckets of equal length, one after another, over a period. A value of a bucket is the
 * mean over it.
 *
 * @param start of the first bucket; a multiple of the length since 1970
 * @param bucket what each is
 * @param count how many there are, 1 to {@value #MOST}
 */
public record Grid(Instant start, Bucket bucket, int count) {

  /** Most buckets of a grid: more than two years of 5 minutes. */
  public static final int MOST = 250_000;

  /** Lengths of buckets that a history has. */
  public enum Bucket {
    FIVE_MINUTES(Duration.ofMinutes(5)),
    HOUR(Duration.ofHours(1));

    private final Duration length;

    Bucket(Duration length) {
      this.length = length;
    }

    /** How long a bucket is. */
    public Duration length() {
      return length;
    }

    long seconds() {
      return length.toSeconds();
    }
  }

  public Grid {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(
          "%d buckets; a profile takes 1 to %d: choose a shorter period".formatted(count, MOST));
    }
    if (start.getNano() != 0 || Math.floorMod(start.getEpochSecond(), bucket.seconds()) != 0) {
      throw new IllegalArgumentException(
          "%s is not the start of a bucket of %d s".formatted(start, bucket.seconds()));
    }
  }

  /** The start of a bucket, 0 being the first. */
  public Instant at(int index) {
    return start.plusSeconds(index * bucket.seconds());
  }

  /** The bucket that a moment is in; negative or at least {@link #count} = outside. */
  public long index(Instant moment) {
    return Math.floorDiv(moment.getEpochSecond() - start.getEpochSecond(), bucket.seconds());
  }
}
