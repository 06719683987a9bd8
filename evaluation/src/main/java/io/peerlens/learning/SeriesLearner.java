package io.peerlens.learning;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.BandLearner;
import io.peerlens.baselines.WeekSlots;
import io.peerlens.learning.HourCells.Window;
import io.peerlens.store.SampleReader;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Learning of the bands of series for a day from their hourly roll-ups. Not thread-safe.
 *
 * <p>A band depends on nothing but the roll-ups of {@code peerlens.learning.history-days} days up
 * to {@link Days#learnedUntil} and on what is excluded of them.
 */
final class SeriesLearner {

  private final SampleReader reader;
  private final ExclusionSource exclusions;
  private final BandLearner learner = new BandLearner();
  private final WeekSlots slots;
  private final int history; // hours
  private final Window window;

  SeriesLearner(SampleReader reader, ExclusionSource exclusions, ZoneId zone, int historyDays) {
    this.reader = reader;
    this.exclusions = exclusions;
    this.slots = new WeekSlots(zone);
    this.history = historyDays * Days.HOURS;
    this.window = new Window(history);
  }

  /**
   * Exclusions that apply when some days that follow one another are learned.
   *
   * @param objects ids within the database; null = all of the group's kind
   */
  Exclusions exclusions(MetricGroup group, int @Nullable [] objects, long firstDay, long lastDay) {
    return exclusions.during(group, objects, firstHour(firstDay), Days.learnedUntil(lastDay));
  }

  /** The hours that some days that follow one another are learned from. */
  HourCells read(SetRange range, Exclusions without, long firstDay, long lastDay) {
    long from = firstHour(firstDay);
    HourCells cells =
        HourCells.read(reader, range, from, (int) (Days.learnedUntil(lastDay) - from));
    without.apply(cells);
    return cells;
  }

  /** The band of a series for the 24 hours of a day. */
  Band learn(HourCells cells, int set, int metric, long day) {
    long from = firstHour(day);
    cells.copy(set, metric, from, window);
    return learner.learn(
        from, window.min(), window.mean(), window.max(), slots, Days.firstHour(day), Days.HOURS);
  }

  private long firstHour(long day) {
    return Days.learnedUntil(day) - history;
  }
}
