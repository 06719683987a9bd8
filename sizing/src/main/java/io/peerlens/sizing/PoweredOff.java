package io.peerlens.sizing;

import io.peerlens.sizing.PowerHistory.Change;
import io.peerlens.sizing.PowerHistory.State;

/**
 * Machine that is powered off. Templates, and placeholders of Site Recovery Manager, are powered
 * off by design: they are not to be asked about.
 *
 * @param reclaim whether it has been off for long enough to be given back
 * @param days since it is off, without a break; 0 = it is not off
 * @param atLeast true = it was off already when changes began to be watched, so it may be longer
 * @param provisionedGb disk space that it was promised; NaN = not known
 * @param usedGb disk space that its files take, which is what a datastore gets back; NaN = not
 *     known
 * @param reason in one sentence
 */
public record PoweredOff(
    boolean reclaim,
    double days,
    boolean atLeast,
    double provisionedGb,
    double usedGb,
    String reason) {

  /** Days off, unless another number is given. */
  public static final int USUAL_DAYS = 30;

  private static final double DAY = 86_400;

  /**
   * Judges a machine.
   *
   * @param now seconds since 1970
   * @param enoughDays from how many days on it is given back, 1 to 3650
   * @throws IllegalArgumentException {@code enoughDays} is outside of that
   */
  public static Answer<PoweredOff> of(
      PowerHistory history, long now, double provisionedGb, double usedGb, int enoughDays) {
    if (enoughDays < 1 || enoughDays > 3650) {
      throw new IllegalArgumentException(
          enoughDays + " days off are outside 1 to 3650. The usual number is " + USUAL_DAYS + ".");
    }
    Change last = null;
    boolean first = true;
    for (Change change : history.changes()) {
      if (change.at() > now) {
        break;
      }
      if (last == null || last.to() != change.to()) {
        first = last == null;
        last = change;
      }
    }
    if (last == null) {
      return new Answer.NotKnown<>("Its power state was never told.");
    }
    if (last.to() == State.ON) {
      return new Answer.Known<>(
          new PoweredOff(false, 0, false, provisionedGb, usedGb, "It is powered on."));
    }
    if (last.to() == State.SUSPENDED) {
      return new Answer.Known<>(
          new PoweredOff(
              false,
              0,
              false,
              provisionedGb,
              usedGb,
              "It is suspended, not powered off: its memory is kept on disk and somebody may resume"
                  + " it."));
    }
    boolean atLeast = first && last.at() <= history.knownSince();
    double days = (now - last.at()) / DAY;
    boolean reclaim = days >= enoughDays;
    String off = "It is off for " + (atLeast ? "at least " : "") + Say.days(days);
    String reason =
        reclaim
            ? off + ": " + space(provisionedGb, usedGb) + "."
            : off + " of " + enoughDays + (atLeast ? ", since changes are watched." : ".");
    return new Answer.Known<>(
        new PoweredOff(reclaim, days, atLeast, provisionedGb, usedGb, reason));
  }

  /** What a datastore gets back: what is used, or what is provisioned if that alone is known. */
  public double givesBackGb() {
    return Double.isNaN(usedGb) ? provisionedGb : usedGb;
  }

  private static String space(double provisionedGb, double usedGb) {
    if (Double.isNaN(provisionedGb) && Double.isNaN(usedGb)) {
      return "how much disk space comes back is not known, because its disks were not read";
    }
    if (Double.isNaN(usedGb)) {
      return Say.gigabytes(provisionedGb) + " provisioned come back; how much is used is not known";
    }
    return Say.gigabytes(usedGb)
        + " come back"
        + (Double.isNaN(provisionedGb)
            ? ""
            : " of " + Say.gigabytes(provisionedGb) + " provisioned");
  }
}
