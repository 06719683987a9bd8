package io.peerlens.intake;

import java.util.concurrent.Semaphore;

/**
 * Memory of all bodies that are read at one time. Who finds none is told to come again, so many or
 * large requests together cannot take more than this.
 */
final class IntakeMemory {

  private static final int UNIT = 1 << 10;

  private final Semaphore units;

  /**
   * @param bytes of all bodies together
   */
  IntakeMemory(long bytes) {
    this.units = new Semaphore(Math.toIntExact(Math.min(bytes / UNIT, Integer.MAX_VALUE)));
  }

  /** What one request holds. */
  final class Share implements AutoCloseable {
    private int held;

    /** Takes more. */
    void take(long bytes) throws Refusal {
      int more = Math.toIntExact(Math.min((bytes + UNIT - 1) / UNIT, Integer.MAX_VALUE));
      if (!units.tryAcquire(more)) {
        throw Refusal.busy("Too many requests are being read at this moment. Send it again later.");
      }
      held += more;
    }

    @Override
    public void close() {
      units.release(held);
      held = 0;
    }
  }

  Share share() {
    return new Share();
  }

  /** Bytes that are free. */
  long free() {
    return (long) units.availablePermits() * UNIT;
  }
}
