package io.peerlens.security;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts failed sign-ins for each address in a fixed window, in this process only. Secrets are too
 * long to be guessed; this keeps the attempts from costing much. Memory is bounded: beyond {@value
 * #MAX_ADDRESSES} addresses the one that failed longest ago is forgotten.
 */
final class SignInBrake {

  static final int MAX_ADDRESSES = 10_000;

  private final int attempts;
  private final Duration window;
  private final InstantSource clock;
  private final Map<String, Failures> failures =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  private record Failures(int count, Instant until) {}

  SignInBrake(int attempts, Duration window, InstantSource clock) {
    this.attempts = attempts;
    this.window = window;
    this.clock = clock;
  }

  /** How long the address must wait; null when it may try. */
  synchronized @Nullable Duration waitFor(String address) {
    Instant now = clock.instant();
    Failures past = failures.get(network(address));
    return past == null || past.count() < attempts || !now.isBefore(past.until())
        ? null
        : Duration.between(now, past.until());
  }

  synchronized void failed(String address) {
    Instant now = clock.instant();
    String key = network(address);
    Failures past = failures.remove(key); // so that it is the youngest again
    failures.put(
        key,
        past == null || !now.isBefore(past.until())
            ? new Failures(1, now.plus(window))
            : new Failures(past.count() + 1, past.until()));
  }

  synchronized int size() {
    return failures.size();
  }

  /** One IPv6 customer has a whole /64, so that counts as one address. */
  private static String network(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      return InetAddress.ofLiteral(address) instanceof Inet6Address v6
          ? HexFormat.of().formatHex(Arrays.copyOf(v6.getAddress(), 8))
          : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }
}
