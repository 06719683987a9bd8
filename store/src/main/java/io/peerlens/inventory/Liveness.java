package io.peerlens.inventory;

import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * Liveness of objects: one counts as silent when it missed several of its own intervals.
 *
 * <p>Its interval is the longer of the last two gaps between its samples. One outage so counts for
 * two samples at most, and an object that reports twice in a short while and then rests keeps its
 * long interval. Samples that always come late, such as historical vSphere metrics, are waited for
 * as long as the last one took, up to an hour.
 */
public final class Liveness {

  /**
   * SQL of the moment from which an object {@code o} with its liveness {@code l} is silent; needs
   * {@link #parameters}. Never for an address: nothing reports it, it merely has flows or has none.
   */
  public static final String FROM =
      """
      (case when o.object_kind = 'IpAddress' and o.adapter_kind = 'Peerlens' then 'infinity'::timestamptz
       else coalesce(l.last_seen, o.first_seen) + make_interval(secs => least(coalesce(l.delay_s, 0), 3600)
        + greatest(:silentAtLeast::float8,
                   coalesce(:silentMissed::float8 * greatest(l.gap_s, l.gap_before_s), :silentUnknown::float8)))
       end)
      """;

  /** SQL of whether an object {@code o} was not removed by its source. */
  static final String IS_THERE = "(o.removed_at is null)";

  /** SQL of whether an object {@code o} is more than an address that flows have shown. */
  public static final String NO_ADDRESS =
      "(o.adapter_kind, o.object_kind) <> ('Peerlens', 'IpAddress')";

  private final InventoryProperties properties;
  private final InstantSource clock;

  Liveness(InventoryProperties properties, InstantSource clock) {
    this.properties = properties;
    this.clock = clock;
  }

  /** What the statements that use {@link #FROM} need, and {@code now}. */
  public Map<String, Object> parameters() {
    return Map.of(
        "silentAtLeast",
        properties.silentAfterAtLeast().toMillis() / 1e3,
        "silentMissed",
        properties.missedIntervals(),
        "silentUnknown",
        properties.silentAfter().toMillis() / 1e3,
        "now",
        clock.instant().atOffset(ZoneOffset.UTC));
  }
}
