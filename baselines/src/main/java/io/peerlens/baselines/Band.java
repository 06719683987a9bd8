package io.peerlens.baselines;

/**
 * Band of usual values of a series in consecutive hours.
 *
 * @param state how much is known; {@link State#LEARNING} goes with bounds that are all NaN
 * @param spread by which bounds are widened, in the unit of the series: a robust standard deviation
 *     from the middle of the band, larger when learned from less than four weeks; 0 for series of
 *     few values, NaN while learning
 * @param lower lower bound in each hour, before any margin; NaN = none
 * @param upper upper bound in each hour, before any margin; NaN = none
 * @param learnedHours hours of the past that had a value and were not excluded
 * @param learnedDays days between the first and the last of them, both included; 7 are needed
 */
public record Band(
    State state, float spread, float[] lower, float[] upper, int learnedHours, float learnedDays) {

  /** The lower bound at a sensitivity; NaN = none. */
  public double lower(int hour, Sensitivity sensitivity) {
    return lower[hour] - sensitivity.margin() * spread;
  }

  /** The upper bound at a sensitivity; NaN = none. */
  public double upper(int hour, Sensitivity sensitivity) {
    return upper[hour] + sensitivity.margin() * spread;
  }
}
