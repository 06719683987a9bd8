package io.peerlens.threshold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bound at which a severity starts, and clears. Which of the members are there depends on the
 * condition.
 *
 * @param bound that a number is held against; the lower one of a range
 * @param upper upper bound of a range
 * @param clear beyond which a violation goes on counting as one once it is open; null = as {@code
 *     bound}
 * @param clearUpper likewise for {@code upper}
 * @param text that the text of a property is held against
 * @param after how long there was no sample
 */
public record Level(
    Severity severity,
    @Nullable Bound bound,
    @Nullable Bound upper,
    @Nullable Bound clear,
    @Nullable Bound clearUpper,
    @Nullable String text,
    @Nullable Duration after) {}
