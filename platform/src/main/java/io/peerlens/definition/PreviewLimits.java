package io.peerlens.definition;

import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits of previews of rules: each goes over a limited stretch of the past and computes for a
 * limited time. How many are computed at a time is limited by {@link io.peerlens.load.Heavy}.
 * Thread-safe.
 */
public final class PreviewLimits {

  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Duration USUAL = Duration.ofDays(7);

  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Duration time;

  /**
   * @param nanos a clock for durations
   * @param time how long a preview computes at most
   */
  public PreviewLimits(InstantSource clock, LongSupplier nanos, Duration time) {
    this.clock = clock;
    this.nanos = nanos;
    this.time = time;
  }

  /** A stretch of the past. */
  public record Range(Instant from, Instant to) {

    /** How many days it has. */
    public double days() {
      return Duration.between(from, to).toMillis() / 864e5;
    }
  }

  /**
   * The stretch that somebody asks for.
   *
   * @param from null = 7 days before {@code to}
   * @param to null = now; not later than now in any case
   */
  public Range range(@Nullable String from, @Nullable String to) {
    Instant now = clock.instant();
    Instant end = to == null ? now : Moments.field("to", to);
    end = end.isAfter(now) ? now : end;
    Instant start = from == null ? end.minus(USUAL) : Moments.field("from", from);
    if (!start.isBefore(end)) {
      throw ApiException.invalidField("from", "is not before to, or lies in the future");
    }
    Duration length = Duration.between(start, end);
    if (length.compareTo(LONGEST) > 0) {
      throw ApiException.invalidField(
              "from", "lies %s before to".formatted(Durations.print(length)))
          .hint("Previews go over 30d at most.");
    }
    return new Range(start, end);
  }

  /** The deadline of a preview that starts now. */
  public Deadline deadline() {
    return new Deadline(nanos.getAsLong() + time.toNanos());
  }

  /** The end of a preview's time. */
  public final class Deadline {
    private final long end;

    private Deadline(long end) {
      this.end = end;
    }

    /**
     * Ends the preview if its time is over.
     *
     * @param done what was done up to now, for instance {@code 12 moments were judged}
     * @param hint how to have less computed
     */
    public void check(Supplier<String> done, String hint) {
      if (nanos.getAsLong() > end) {
        throw ApiException.of(
                ErrorCode.TOO_MANY_POINTS,
                "The preview took longer than %s, %s.".formatted(Durations.print(time), done.get()))
            .hint(hint);
      }
    }
  }
}
