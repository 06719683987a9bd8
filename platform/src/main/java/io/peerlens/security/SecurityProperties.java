package io.peerlens.security;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Browser sessions and the brake on guessing.
 *
 * @param sessionIdle a browser session ends when it has not been used for this long; that of a
 *     paired screen does not
 * @param sessionLifetime a browser session ends after this long, however much it is used; that of a
 *     paired screen when the screen has been off for this long
 * @param signInAttempts failed sign-ins from one address before further ones are refused; behind a
 *     proxy set {@code server.forward-headers-strategy}, otherwise all callers share its address
 * @param signInWindow how long failed sign-ins count
 * @param tokenLife an API token expires after this long unless the request says otherwise; the
 *     first admin token, and tokens from before this setting, do not expire
 * @param tokenLongestLife the longest life that can be requested for an API token
 */
@ConfigurationProperties("peerlens.security")
public record SecurityProperties(
    @DefaultValue("12h") Duration sessionIdle,
    @DefaultValue("7d") Duration sessionLifetime,
    @DefaultValue("10") int signInAttempts,
    @DefaultValue("5m") Duration signInWindow,
    @DefaultValue("365d") Duration tokenLife,
    @DefaultValue("730d") Duration tokenLongestLife) {

  public SecurityProperties {
    positive("session-idle", sessionIdle);
    positive("session-lifetime", sessionLifetime);
    positive("sign-in-window", signInWindow);
    positive("token-life", tokenLife);
    if (tokenLongestLife.compareTo(tokenLife) < 0) {
      throw new IllegalArgumentException(
          "peerlens.security.token-longest-life is shorter than token-life: "
              + tokenLongestLife
              + " < "
              + tokenLife);
    }
    if (signInAttempts < 1) {
      throw new IllegalArgumentException(
          "peerlens.security.sign-in-attempts must be at least 1: " + signInAttempts);
    }
  }

  private static void positive(String key, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.security." + key + " must be longer than 0: " + duration);
    }
  }
}
