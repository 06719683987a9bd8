package io.peerlens.alert;

import io.peerlens.maintenance.Maintenance;
import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State of an alert: all that its next step depends on. What people have done with it is not part
 * of it.
 *
 * @param members tells whether the symptoms are those of its last change, see {@link Finding#print}
 * @param since first sample that violated, of the present opening
 * @param openedAt first tick
 * @param canceledAt null = it is open
 * @param unknown whether no member has a value now
 * @param lastTick the tick that changed any of this last; it counts once, whichever shard asks
 *     again
 * @param quiet ticks in a row in which it did not fire
 * @param quietSince first of these while it is flapping; null = it fires, or does not flap
 * @param openings ticks that opened it, as far back as flapping is looked for
 * @param flaps how often it was opened again
 * @param maintenance the window that suppresses it; null = none does
 */
record AlertState(
    UUID id,
    AlertKey key,
    AlertStatus status,
    Severity severity,
    long members,
    Instant since,
    Instant openedAt,
    @Nullable Instant canceledAt,
    @Nullable CancelReason cancelReason,
    boolean unknown,
    Instant lastTick,
    int quiet,
    @Nullable Instant quietSince,
    List<Instant> openings,
    int flaps,
    boolean flapping,
    @Nullable Maintenance maintenance) {

  AlertState {
    openings = List.copyOf(openings);
  }

  boolean isOpen() {
    return status != AlertStatus.CANCELED;
  }
}
