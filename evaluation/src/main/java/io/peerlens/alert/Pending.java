package io.peerlens.alert;

import java.time.Instant;

/**
 * A condition that holds, but not yet for long enough.
 *
 * @param cycles ticks in a row in which it held
 * @param lastTick the last of these
 */
record Pending(AlertKey key, int cycles, Instant lastTick) {}
