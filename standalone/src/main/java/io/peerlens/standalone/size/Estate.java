package io.peerlens.standalone.size;

/**
 * What an installation is to hold.
 *
 * @param objects machines, hosts, datastores and so on
 * @param metrics series of all objects together
 * @param interval seconds between two samples of a series
 * @param flows pairs of ends with a service that talk in every minute, each direction and observer
 *     counted; 0 = no flows
 * @param metricsPerSet metrics that arrive together, in one row
 */
public record Estate(
    long objects, long metrics, double interval, long flows, double metricsPerSet, Kept kept) {

  /**
   * Metrics of a set where nothing is known: 6.0 in captured lines of Telegraf's vSphere input
   * (docs/performance.md, "Decoder"), 5.6 over a whole round of them.
   */
  public static final double USUAL_SET = 6;

  /** Metric sets. */
  public double sets() {
    return metrics / metricsPerSet;
  }

  /** Values that arrive in a second. */
  public double valuesPerSecond() {
    return metrics / interval;
  }

  /** Rows of raw samples in a second. */
  public double rowsPerSecond() {
    return sets() / interval;
  }
}
