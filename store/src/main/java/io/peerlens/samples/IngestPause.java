package io.peerlens.samples;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * Pause of ingest on this node, for instance while its disk is nearly full. While there is a reason
 * the readers of all topics stay members of their groups and read nothing; health is down, and
 * status and notices say why. When the last reason is gone they go on from the stored offsets, by
 * themselves.
 *
 * <p>Thread-safe.
 */
public final class IngestPause implements Supplier<String> {

  private final Map<String, String> reasons = new ConcurrentSkipListMap<>();

  /**
   * Pauses, or says anew why.
   *
   * @param cause who pauses, such as {@code disk}; it has one reason at a time
   * @param reason in words that follow "paused: "
   */
  public void pause(String cause, String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("A pause by '%s' needs a reason".formatted(cause));
    }
    reasons.put(cause, reason);
  }

  /** Takes back what a cause said; nothing happens when it said nothing. */
  public void resume(String cause) {
    reasons.remove(cause);
  }

  /** Why ingest is paused, all reasons in words; empty = it is not. */
  @Override
  public String get() {
    return reasons.isEmpty() ? "" : String.join("; ", reasons.values());
  }
}
