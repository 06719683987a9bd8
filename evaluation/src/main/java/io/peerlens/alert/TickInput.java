package io.peerlens.alert;

import io.peerlens.maintenance.Maintenance;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rules, objects and surroundings at the start of a tick.
 *
 * @param alerts open ones, and canceled ones that may open again
 * @param pending conditions that hold, but not yet for long enough
 * @param retired of definitions that raise no alerts any more: why
 * @param suspended until when alerts are suspended, by id
 * @param unwanted ids of alerts that somebody wants to be canceled
 * @param maintenance the window that an object is in at the tick; null = none
 * @param ended why an object can have no alerts any more: it was removed, or nothing was heard of
 *     it for a long time; null = it can
 */
record TickInput(
    Map<AlertKey, AlertState> alerts,
    Map<AlertKey, Pending> pending,
    Function<UUID, @Nullable CancelReason> retired,
    Map<UUID, Instant> suspended,
    Set<UUID> unwanted,
    IntFunction<@Nullable Maintenance> maintenance,
    IntFunction<@Nullable CancelReason> ended) {}
