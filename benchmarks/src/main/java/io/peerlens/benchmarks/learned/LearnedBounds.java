package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.BandLearner;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.baselines.State;
import io.peerlens.baselines.WeekSlots;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Learned bounds as the service judges by them: bands for each day (UTC) from the hours of at most
 * 28 days that ended a day before, or, as long as that is too little, from all hours before the
 * day; hours of an event are not learned from, but of one that lasts longer than a day, or comes
 * back within a day for longer than two; an event opens when 3 of the last 4 values are beyond and
 * closes after 6 that are not, which is half an hour. Where rows are farther apart than 15 minutes,
 * one value opens it and one closes it.
 */
final class LearnedBounds implements Scorer {

  /** What the editor of thresholds proposes: a tenth of the bound. */
  static final double MINIMUM_RELATIVE = 0.1;

  private static final int HISTORY = BandLearner.HISTORY_DAYS * 24;
  private static final int CLOSES_AFTER = 6;

  /** An event that lasts longer is a new level, which has to become the usual one some time. */
  private static final int LONGEST_EXCLUDED = 24;

  /** So are events that follow one another for longer, with at most this much between them. */
  private static final int LONGEST_SERIES = 48;

  private static final int BETWEEN = 24;

  /** Beyond a band without any spread: a value that never was. */
  private static final double NEW_VALUE = 10;

  private final double minimumRelative;
  private final BandLearner learner = new BandLearner();
  private final WeekSlots slots = new WeekSlots(ZoneOffset.UTC);

  /**
   * @param minimumRelative a value counts from this share of the bound beyond the bound
   */
  LearnedBounds(double minimumRelative) {
    this.minimumRelative = minimumRelative;
  }

  /**
   * How one series is judged.
   *
   * @param beyond how many spreads a value is beyond the narrowest bounds, of the last 4 the third
   *     highest; 0 = within
   * @param open whether an event is open
   * @param judged rows for which there were bounds
   */
  record Judged(double[] beyond, boolean[] open, int judged) {}

  @Override
  public String name() {
    return "learned bounds";
  }

  @Override
  public boolean ours() {
    return true;
  }

  @Override
  public double[][] scores(Labelled series) {
    double[][] scores = new double[series.metrics().length][];
    for (int m = 0; m < scores.length; m++) {
      scores[m] =
          judge(series.seconds(), series.metrics()[m], series.step(), Sensitivity.MEDIUM).beyond();
    }
    return scores;
  }

  Judged judge(long[] seconds, double[] values, long step, Sensitivity sensitivity) {
    int rows = values.length;
    long firstHour = Math.floorDiv(seconds[0], 3600L);
    int hours = (int) (Math.floorDiv(seconds[rows - 1], 3600L) - firstHour + 1);
    float[] min = nan(hours);
    float[] mean = nan(hours);
    float[] max = nan(hours);
    double[] sum = new double[hours];
    int[] count = new int[hours];
    List<int[]> events = new ArrayList<>();
    double[] beyond = new double[rows];
    boolean[] open = new boolean[rows];
    int of = step > 900 ? 1 : 4;
    int needed = step > 900 ? 1 : 3;
    int closesAfter = step > 900 ? 1 : CLOSES_AFTER;
    double[] last = new double[of];
    double[] sorted = new double[of];
    boolean isOpen = false;
    int within = 0;
    int judged = 0;
    long day = Long.MIN_VALUE;
    @Nullable Band band = null;
    for (int i = 0; i < rows; i++) {
      long hour = Math.floorDiv(seconds[i], 3600L);
      int h = (int) (hour - firstHour);
      if (Math.floorDiv(hour, 24L) != day) {
        day = Math.floorDiv(hour, 24L);
        band = learn(firstHour, min, mean, max, events, day * 24);
      }
      float value = (float) values[i];
      if (Float.isNaN(value)) {
        open[i] = isOpen;
        continue;
      }
      int at = (int) (hour - day * 24);
      double now = band == null ? 0 : beyond(band, at, value);
      judged += band == null ? 0 : 1;
      System.arraycopy(last, 1, last, 0, of - 1);
      last[of - 1] = now;
      System.arraycopy(last, 0, sorted, 0, of);
      Arrays.sort(sorted);
      beyond[i] = sorted[of - needed];
      if (now > sensitivity.margin()) {
        if (!isOpen && beyond[i] > sensitivity.margin()) {
          events.add(new int[] {h, h});
          isOpen = true;
        }
        within = 0;
      } else if (isOpen) {
        within++;
        isOpen = within < closesAfter;
      }
      open[i] = isOpen;
      if (isOpen) {
        events.getLast()[1] = h;
      }
      sum[h] += value;
      count[h]++;
      min[h] = count[h] == 1 ? value : Math.min(min[h], value);
      max[h] = count[h] == 1 ? value : Math.max(max[h], value);
      mean[h] = (float) (sum[h] / count[h]);
    }
    return new Judged(beyond, open, judged);
  }

  private @Nullable Band learn(
      long firstHour, float[] min, float[] mean, float[] max, List<int[]> events, long dayHour) {
    for (long end : new long[] {dayHour - 24, dayHour}) {
      int until = (int) (end - firstHour);
      if (until < BandLearner.LEARNING_DAYS * 24 - 24) {
        continue;
      }
      int from = Math.max(0, until - HISTORY);
      Band band =
          learner.learn(
              firstHour + from,
              without(min, events, from, until),
              without(mean, events, from, until),
              without(max, events, from, until),
              slots,
              dayHour,
              24);
      if (band.state() != State.LEARNING) {
        return band;
      }
    }
    return null;
  }

  /**
   * The hours of a stretch without those of the events in it that were short as seen at its end.
   */
  private static float[] without(float[] cells, List<int[]> events, int from, int until) {
    float[] left = Arrays.copyOfRange(cells, from, until);
    int first = 0;
    while (first < events.size() && events.get(first)[0] < until) {
      int next = first + 1;
      while (next < events.size()
          && events.get(next)[0] < until
          && events.get(next)[0] - events.get(next - 1)[1] <= BETWEEN) {
        next++;
      }
      if (end(events.get(next - 1), until) - events.get(first)[0] <= LONGEST_SERIES) {
        events.subList(first, next).forEach(event -> takeOut(left, event, from, until));
      }
      first = next;
    }
    return left;
  }

  private static void takeOut(float[] left, int[] event, int from, int until) {
    int end = end(event, until);
    if (end > from && end - event[0] <= LONGEST_EXCLUDED) {
      Arrays.fill(left, Math.max(0, event[0] - from), end - from, Float.NaN);
    }
  }

  private static int end(int[] event, int until) {
    return Math.min(event[1] + 1, until);
  }

  private double beyond(Band band, int at, float value) {
    double over = value - band.upper()[at];
    double under = band.lower()[at] - value;
    double most = Math.max(over, under);
    double bound = over > under ? band.upper()[at] : band.lower()[at];
    if (!(most > 0) || most < minimumRelative * Math.abs(bound)) {
      return 0;
    }
    return band.spread() > 0 ? most / band.spread() : NEW_VALUE;
  }

  private static float[] nan(int length) {
    float[] array = new float[length];
    Arrays.fill(array, Float.NaN);
    return array;
  }
}
