package io.peerlens.scope;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of scopes and groups.
 *
 * @param age how old the list of objects in a scope may be
 * @param maxGroups how many groups may be stored
 * @param history how many versions of each group are kept
 */
@ConfigurationProperties("peerlens.scopes")
public record ScopeProperties(
    @DefaultValue("1m") Duration age,
    @DefaultValue("5000") int maxGroups,
    @DefaultValue("100") int history) {

  public ScopeProperties {
    if (age.isNegative() || age.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.scopes.age is %s: give more than 0s".formatted(age));
    }
    if (maxGroups < 0) {
      throw new IllegalArgumentException(
          "peerlens.scopes.max-groups is %d: give 0 or more".formatted(maxGroups));
    }
    if (history < 1) {
      throw new IllegalArgumentException(
          "peerlens.scopes.history is %d: give at least 1".formatted(history));
    }
  }
}
