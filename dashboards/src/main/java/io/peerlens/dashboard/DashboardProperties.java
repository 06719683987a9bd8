package io.peerlens.dashboard;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on dashboards and views.
 *
 * @param max how many dashboards may be stored, and how many views
 * @param maxPrivate how many private dashboards one owner may have, and how many private views
 * @param history how many versions of each are kept
 */
@ConfigurationProperties("peerlens.dashboards")
public record DashboardProperties(
    @DefaultValue("1000") int max,
    @DefaultValue("200") int maxPrivate,
    @DefaultValue("50") int history) {

  public DashboardProperties {
    atLeastOne("max", max);
    atLeastOne("max-private", maxPrivate);
    atLeastOne("history", history);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "peerlens.dashboards.%s is %d: give at least 1".formatted(name, value));
    }
  }
}
