package io.peerlens.evaluation;

import java.time.Duration;
import java.time.Instant;

/**
 * Figures and durations of one tick of a shard.
 *
 * @param tick the moment that was evaluated
 * @param rules how many super metrics were due
 * @param thresholds how many thresholds were due
 * @param results how many values were stored
 * @param failed how many results failed or exceeded their budget
 * @param transitions how many alerts were opened, changed or canceled
 * @param load reading the frame
 * @param compute computing super metrics
 * @param judge judging thresholds
 * @param outliers judging outlier groups
 * @param alerts finding out what becomes of alerts
 * @param store writing, with the commit
 */
record TickReport(
    Instant tick,
    int rules,
    int thresholds,
    long results,
    int failed,
    int transitions,
    Duration load,
    Duration compute,
    Duration judge,
    Duration outliers,
    Duration alerts,
    Duration store) {}
