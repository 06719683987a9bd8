package io.peerlens.outliers;

/** The scale on which the values of a metric are compared. */
public enum Transform {
  /** What the benchmark found best for metrics that nothing else is known of: linear. */
  AUTO,
  /**
   * As it is: for percentages, temperatures and others where a difference means the same anywhere.
   */
  LINEAR,
  /**
   * Signed log(1 + |x| / unit floor): for traffic, sessions and others where "three times as much"
   * means the same for small members and big ones.
   */
  LOG
}
