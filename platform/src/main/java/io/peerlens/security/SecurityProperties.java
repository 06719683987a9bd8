package io.peerlens.security;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Browser sessions and the brake on guessing.
 *
 * @param sessionIdle a browser session ends when it was not used for this long
 * @param sessionLifetime a browser session ends after this long, however much it is used
 * @param signInAttempts failed sign-ins from one address before further ones are refused; behind a
 *     proxy set {@code server.forward-headers-strategy}, otherwise all callers share its address
 * @param signInWindow how long failed sign-ins count
 * @param tokenLife an API token ends after this long when nobody says otherwise as it is made; the
 *     first admin token, and tokens of before there was this setting, do not end
 * @param tokenLongestLife the longest life that can be asked for as an API token is made
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
