package io.peerlens.talker.report;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Saved reports of top talkers.
 *
 * @param maxCount how many reports of top talkers there may be
 * @param history how many versions of each report are kept
 * @param runs how many results of each report are kept
 */
@ConfigurationProperties("peerlens.talker-reports")
public record TalkerReportProperties(
    @DefaultValue("500") int maxCount,
    @DefaultValue("100") int history,
    @DefaultValue("100") int runs) {

  public TalkerReportProperties {
    if (maxCount < 1 || history < 1 || runs < 1) {
      throw new IllegalArgumentException(
          "peerlens.talker-reports: max-count, history and runs must be at least 1");
    }
  }
}
