package io.peerlens.alerttemplates;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Time limit of a piece of work: 250 ms of the processor, so that a busy machine does not turn a
 * good template into a bad one. A virtual thread has no such figure; there it is 2 s of the clock.
 */
final class Effort {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long CPU_NANOS = 250_000_000;
  private static final long WALL_NANOS = 2_000_000_000;

  private final boolean cpu =
      !Thread.currentThread().isVirtual() && THREADS.isCurrentThreadCpuTimeSupported();
  private final long start = now();

  /** Whether it has taken longer. To be asked by the thread that made it. */
  boolean exceeded() {
    return now() - start > (cpu ? CPU_NANOS : WALL_NANOS);
  }

  private long now() {
    return cpu ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
