package io.peerlens.support;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. Thread-safe. */
public final class SettableClock implements InstantSource {

  private volatile Instant now;

  public SettableClock(Instant now) {
    this.now = now;
  }

  public void set(Instant to) {
    now = to;
  }

  @Override
  public Instant instant() {
    return now;
  }
}
