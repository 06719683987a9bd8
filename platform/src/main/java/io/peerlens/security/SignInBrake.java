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
 * Brake on guessing: counts failed attempts for each address in a fixed window, in this process
 * only. Attempts that go on at once count too: beyond what is left the next one waits until they
 * have ended. Memory is bounded: beyond {@value #MAX_ADDRESSES} addresses the one that was first is
 * forgotten.
 */
public final class SignInBrake {

  static final int MAX_ADDRESSES = 10_000;

  /** How long an attempt waits for others of its address to end. */
  private static final Duration OTHERS_END = Duration.ofSeconds(5);

  private final int attempts;
  private final Duration window;
  private final InstantSource clock;
  private final Map<String, Tries> tries =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Tries> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  /** Attempts of an address at a place; guarded by the brake. */
  private static final class Tries {
    private int failed;
    private int goingOn;
    private Instant until = Instant.MIN;
  }

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

  /** An attempt that goes on until it is closed. It was no failure unless that was said. */
  public final class Attempt implements AutoCloseable {
    private final String key;
    private final @Nullable Tries counted;
    private final @Nullable Duration wait;
    private boolean failed;

    private Attempt(String key, @Nullable Tries counted, @Nullable Duration wait) {
      this.key = key;
      this.counted = counted;
      this.wait = wait;
    }

    /** How long the address must wait; null when it may try. */
    public @Nullable Duration mustWait() {
      return wait;
    }

    /** Notes that it failed. */
    public void failed() {
      failed = true;
    }

    @Override
    public void close() {
      if (counted != null) {
        end(key, counted, failed);
      }
    }
  }

  Attempt begin(String address) {
    return begin(address, "");
  }

  /**
   * Begins an attempt of an address at a place. Failures at one place do not count at others. The
   * caller closes it.
   */
  public synchronized Attempt begin(String address, String place) {
    String key = key(address, place);
    long end = System.nanoTime() + OTHERS_END.toNanos();
    while (true) {
      Instant now = clock.instant();
      Tries past = tries.computeIfAbsent(key, k -> new Tries());
      if (!now.isBefore(past.until)) {
        past.failed = 0;
      }
      if (past.failed >= attempts) {
        return new Attempt(key, null, Duration.between(now, past.until));
      }
      if (past.failed + past.goingOn < attempts) {
        past.goingOn++;
        return new Attempt(key, past, null);
      }
      long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (left <= 0) {
        return new Attempt(key, null, Duration.ofSeconds(1));
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Attempt(key, null, Duration.ofSeconds(1));
      }
    }
  }

  private synchronized void end(String key, Tries counted, boolean failed) {
    counted.goingOn--;
    if (failed) {
      Instant now = clock.instant();
      if (counted.failed == 0 || !now.isBefore(counted.until)) {
        counted.failed = 0;
        counted.until = now.plus(window);
      }
      counted.failed++;
    } else if (counted.failed == 0 && counted.goingOn == 0) {
      tries.remove(key, counted);
    }
    notifyAll();
  }

  synchronized int size() {
    return tries.size();
  }

  private static String key(String address, String place) {
    return network(address) + " " + place;
  }

  /** One IPv6 customer has a whole /64, so that counts as one address. */
  static String network(String address) {
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
