package io.peerlens.threshold;

import static java.util.Objects.requireNonNull;

import io.peerlens.supermetric.RuleTrial;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replay of a threshold over the past, with the values of two formulas. */
final class ThresholdTrial implements RuleTrial {

  private final Threshold threshold;
  private final Instant from;
  private final Duration step;
  private final Episodes stored;
  private final Episodes edited;
  private boolean judged;

  /**
   * @param from it begins with the first moment of the grid from then on
   * @param trackers for the threshold, at rest
   */
  ThresholdTrial(Threshold threshold, Instant from, Duration step, Supplier<Tracker> trackers) {
    this.threshold = threshold;
    long width = step.toMillis();
    this.from = Instant.ofEpochMilli(Math.ceilDiv(from.toEpochMilli(), width) * width);
    this.step = step;
    this.stored = new Episodes(trackers.get());
    this.edited = new Episodes(trackers.get());
  }

  @Override
  public UUID id() {
    return threshold.id();
  }

  @Override
  public String name() {
    return threshold.name();
  }

  @Override
  public @Nullable String problem() {
    return null;
  }

  @Override
  public Instant from() {
    return from;
  }

  @Override
  public Duration step() {
    return step;
  }

  @Override
  public Set<Input> inputs() {
    return stored.tracker().inputs();
  }

  @Override
  public void take(Frame before, Frame after) {
    stored.run(before);
    edited.run(after);
    judged = true;
  }

  @Override
  public Outcome outcome() {
    return new Outcome(
        judged ? edited.tracker().judge().inScope() : 0, answers(stored), answers(edited));
  }

  private static List<Episode> answers(Episodes episodes) {
    return episodes.all().stream()
        .map(
            one ->
                new Episode(
                    one.objectId,
                    one.instance.isEmpty() ? "" : Places.name(one.instance),
                    Instant.ofEpochMilli(one.from),
                    one.isOver() ? Instant.ofEpochMilli(one.to) : null,
                    io.peerlens.api.model.Severity.valueOf(
                        requireNonNull(Severity.of(one.severity)).name())))
        .toList();
  }
}
