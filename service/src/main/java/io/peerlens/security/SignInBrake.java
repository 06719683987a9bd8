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
 * long to be guessed, or should be; this keeps the attempts from costing much. Memory is bounded:
 * beyond {@value #MAX_ADDRESSES} addresses the one that failed longest ago is forgotten.
 */
public final class SignInBrake {

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

  /**
   * A brake.
   *
   * @param attempts failures before further attempts are refused
   * @param window how long they count
   */
  public SignInBrake(int attempts, Duration window, InstantSource clock) {
    this.attempts = attempts;
    this.window = window;
    this.clock = clock;
  }

  /** How long the address must wait; null when it may try. */
  @Nullable Duration waitFor(String address) {
    return waitFor(address, "");
  }

  /**
   * How long the address must wait before it tries again at a place; null when it may try. Failures
   * at one place do not count at others.
   */
  public synchronized @Nullable Duration waitFor(String address, String place) {
    Instant now = clock.instant();
    Failures past = failures.get(key(address, place));
    return past == null || past.count() < attempts || !now.isBefore(past.until())
        ? null
        : Duration.between(now, past.until());
  }

  void failed(String address) {
    failed(address, "");
  }

  /** Counts a failure of an address at a place. */
  public synchronized void failed(String address, String place) {
    Instant now = clock.instant();
    String key = key(address, place);
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

  private static String key(String address, String place) {
    return network(address) + " " + place;
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
