package io.peerlens.standalone.size;

/**
 * How long each level is kept, in days. What is not said is as shipped.
 *
 * @param raw samples as they came
 * @param fiveMinutes roll-ups of 5 minutes
 * @param hours roll-ups of an hour
 * @param flowMinutes sums of flows by minute
 * @param flow5m sums of flows of 5 minutes
 * @param flow1h of an hour
 * @param flow1d of a day
 */
public record Kept(
    double raw,
    double fiveMinutes,
    double hours,
    double flowMinutes,
    double flow5m,
    double flow1h,
    double flow1d) {

  /** As shipped. */
  public static final Kept SHIPPED = new Kept(14, 90, 730, 3, 14, 90, 730);
}
