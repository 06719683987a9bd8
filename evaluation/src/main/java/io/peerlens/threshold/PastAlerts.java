package io.peerlens.threshold;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Past alerts of thresholds; alerts build on thresholds and implement it. */
public interface PastAlerts {

  /** So many weeks are looked back. */
  int WEEKS = 8;

  /**
   * An alert that somebody has acknowledged.
   *
   * @param from its first sample that violated, or the tick that opened it first
   * @param to when it was canceled; null = it is open
   */
  record Acknowledged(int objectId, Instant from, @Nullable Instant to) {}

  /**
   * How often alerts opened in each of the last weeks, oldest first, by threshold; the last week
   * ends now. Thresholds of which none did are left out.
   */
  Map<UUID, int[]> perWeek(Collection<UUID> thresholds, Instant now);

  /** Alerts of a threshold that were open at any moment of a window and were acknowledged. */
  List<Acknowledged> acknowledged(UUID threshold, Instant from, Instant to);
}
