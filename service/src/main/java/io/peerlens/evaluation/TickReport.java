package io.peerlens.evaluation;

import java.time.Duration;
import java.time.Instant;

/**
 * What one tick of a shard took.
 *
 * @param tick the moment that was evaluated
 * @param rules how many rules were due
 * @param results how many values were stored
 * @param failed how many results failed or exceeded their budget
 * @param load reading the frame
 * @param compute computing the rules
 * @param store writing, with the commit
 */
record TickReport(
    Instant tick,
    int rules,
    long results,
    int failed,
    Duration load,
    Duration compute,
    Duration store) {}
