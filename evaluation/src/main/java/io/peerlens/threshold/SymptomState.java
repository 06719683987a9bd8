package io.peerlens.threshold;

import java.util.Arrays;

/**
 * State machine of the symptom of one object, or one instance of it: the last samples and the
 * severity that follows from them. Samples come in the order of time, each once.
 *
 * <p>Of each sample it is known which severity it violates ({@code over}) and which one it still
 * holds ({@code held}), the two differing between a bound and its clearing level. A symptom rises
 * to a severity with a sample that violates it, when enough of the last samples do and the first of
 * them is long enough ago. It falls after enough samples in a row that do not hold its severity, to
 * the worst that these held.
 *
 * <p>Only what can matter later is kept, so the state of an object that is steadily well is no
 * state at all ({@link #isAtRest}), and that of one that is steadily bad stays as it is from sample
 * to sample: it need not be written again. Not thread-safe.
 */
final class SymptomState {

  static final long NEVER = Long.MIN_VALUE;

  private static final int SEVERITIES = Severity.values().length;

  /**
   * For each severity one bit for each of the last samples, the newest lowest: whether it violates.
   */
  private final long[] windows = new long[SEVERITIES];

  /** For each severity the time from which on its window has not been empty. */
  private final long[] runs = new long[SEVERITIES];

  private int severity;
  private int good;
  private int goodHeld;
  private long since = NEVER;
  private long lastSample = NEVER;

  SymptomState() {
    Arrays.fill(runs, NEVER);
  }

  /**
   * Stored part of a state.
   *
   * @param severity level of the open symptom; 0 = not open
   * @param history which severity each of the last samples violated, as digits, oldest first
   * @param runs for each severity since when, in milliseconds; {@link #NEVER} = it is not violated
   * @param good samples in a row that did not hold the severity
   * @param goodHeld worst severity that these still held
   * @param since first violating sample of the open symptom
   * @param lastSample the one that was counted last
   */
  record Saved(
      int severity,
      String history,
      long[] runs,
      int good,
      int goodHeld,
      long since,
      long lastSample) {}

  static SymptomState of(Saved saved) {
    SymptomState state = new SymptomState();
    for (int i = 0; i < saved.history().length(); i++) {
      int over = saved.history().charAt(i) - '0';
      for (int s = 0; s < SEVERITIES; s++) {
        state.windows[s] = (state.windows[s] << 1) | (over > s ? 1 : 0);
      }
    }
    System.arraycopy(saved.runs(), 0, state.runs, 0, SEVERITIES);
    state.severity = saved.severity();
    state.good = saved.good();
    state.goodHeld = saved.goodHeld();
    state.since = saved.since();
    state.lastSample = saved.lastSample();
    return state;
  }

  Saved save() {
    int length = Long.SIZE - Long.numberOfLeadingZeros(windows[0]);
    StringBuilder history = new StringBuilder(length);
    for (int bit = length - 1; bit >= 0; bit--) {
      int over = 0;
      for (long window : windows) {
        over += (int) (window >>> bit & 1);
      }
      history.append((char) ('0' + over));
    }
    return new Saved(severity, history.toString(), runs.clone(), good, goodHeld, since, lastSample);
  }

  /**
   * Takes one sample in. One that is not newer than the last is known already and changes nothing.
   *
   * <p>Missing data holds since the last sample. When samples arrive late, the last one becomes a
   * newer one, and what has been missing began then.
   *
   * @param sample when it was taken, in milliseconds
   * @param start since when what it says holds; for a sample of a metric, when it was taken
   * @param over level of the worst severity that it violates; 0 = none
   * @param held level of the worst severity that it holds; 0 = none
   * @return whether the state has changed in more than its last sample
   */
  boolean count(long sample, long start, int over, int held, Trigger trigger) {
    if (sample <= lastSample) {
      return false;
    }
    lastSample = sample;
    boolean changed = remember(sample, start, over, trigger);
    int rise = rise(sample, over, trigger);
    boolean later = over > 0 && start < sample && start > since && since != NEVER;
    if (later) {
      since = start;
    }
    if (rise > severity) {
      since = severity == 0 ? runs[0] : since;
      severity = rise;
      good = 0;
      goodHeld = 0;
      return true;
    }
    return fall(Math.max(held, over), trigger) || changed || later;
  }

  private boolean remember(long sample, long start, int over, Trigger trigger) {
    long mask = (1L << trigger.of()) - 1;
    boolean changed = false;
    for (int s = 0; s < SEVERITIES; s++) {
      boolean violates = over > s;
      long before = windows[s];
      long run = runs[s];
      boolean later = start < sample && start > run;
      if (violates && ((before & mask) == 0 || later)) {
        runs[s] = start;
      }
      windows[s] = (before << 1 | (violates ? 1 : 0)) & mask;
      if (windows[s] == 0) {
        runs[s] = NEVER;
      }
      changed |= windows[s] != before || runs[s] != run;
    }
    return changed;
  }

  private int rise(long sample, int over, Trigger trigger) {
    for (int level = over; level > severity; level--) {
      if (Long.bitCount(windows[level - 1]) >= trigger.violations()
          && sample - runs[level - 1] >= trigger.minimumDuration().toMillis()) {
        return level;
      }
    }
    return 0;
  }

  private boolean fall(int held, Trigger trigger) {
    if (severity == 0) {
      return false;
    }
    if (held >= severity) {
      boolean changed = good > 0;
      good = 0;
      goodHeld = 0;
      return changed;
    }
    good++;
    goodHeld = Math.max(goodHeld, held);
    if (good >= trigger.clearAfter()) {
      severity = goodHeld;
      since = severity == 0 ? NEVER : since;
      good = 0;
      goodHeld = 0;
    }
    return true;
  }

  /** Whether nothing is left of the past that could matter, but for when the last sample was. */
  boolean isAtRest() {
    return severity == 0 && windows[0] == 0;
  }

  /** Level of the open symptom; 0 = not open. */
  int severity() {
    return severity;
  }

  /** First violating sample of the open symptom. */
  long since() {
    return since;
  }

  long lastSample() {
    return lastSample;
  }

  /** How many of the last samples violate a severity, or a worse one. */
  int violations(int level) {
    return level == 0 ? 0 : Long.bitCount(windows[level - 1]);
  }
}
