package io.peerlens.scope;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which objects rules are about.
 *
 * @param age how old the answer may be to which objects a scope holds
 * @param maxGroups how many groups may be stored
 */
@ConfigurationProperties("peerlens.scopes")
public record ScopeProperties(
    @DefaultValue("1m") Duration age, @DefaultValue("5000") int maxGroups) {

  public ScopeProperties {
    if (age.isNegative() || age.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.scopes.age is %s: give more than 0s".formatted(age));
    }
    if (maxGroups < 0) {
      throw new IllegalArgumentException(
          "peerlens.scopes.max-groups is %d: give 0 or more".formatted(maxGroups));
    }
  }
}
