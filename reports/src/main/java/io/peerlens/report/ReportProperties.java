package io.peerlens.report;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Reports of dashboards and views.
 *
 * @param maxCount how many reports there may be
 * @param history how many versions of each report are kept
 * @param runs how many runs of each report are kept
 * @param keep how long runs are kept
 * @param maxParts how many values of a variable a report has a part for at most
 * @param maxData how many bytes of data a run keeps at most; panels beyond it are left out
 */
@ConfigurationProperties("peerlens.reports")
public record ReportProperties(
    @DefaultValue("500") int maxCount,
    @DefaultValue("100") int history,
    @DefaultValue("50") int runs,
    @DefaultValue("365d") Duration keep,
    @DefaultValue("50") int maxParts,
    @DefaultValue("33554432") int maxData) {

  public ReportProperties {
    if (maxCount < 1 || history < 1 || runs < 1 || maxParts < 1 || maxData < 1) {
      throw new IllegalArgumentException(
          "peerlens.reports: max-count, history, runs, max-parts and max-data must be at least 1");
    }
    if (!keep.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.reports.keep is %s: give more than 0s".formatted(keep));
    }
  }
}
