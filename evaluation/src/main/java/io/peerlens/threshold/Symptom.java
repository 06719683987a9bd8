package io.peerlens.threshold;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open symptom: an object, or one instance of it, that violates a threshold.
 *
 * @param objectId within the database
 * @param instance such as {@code vmnic0}; empty = the key itself
 * @param key that was judged, instance and all
 * @param value the newest number; NaN = it is a text, or unknown. Seconds since the last sample
 *     where the threshold is about missing data
 * @param text the newest text of a property; null = it is a number, or unknown
 * @param bound that the severity stands for; the lower one of a range. NaN = there is none
 * @param upper upper bound of a range; NaN = it is none
 * @param since time of the first violating sample
 * @param violations how many of the last samples violate the severity
 * @param of how many samples are looked at
 * @param unknown whether nothing is known of the value now; it is then the last known one
 */
public record Symptom(
    UUID threshold,
    int objectId,
    String instance,
    String key,
    Severity severity,
    double value,
    @Nullable String text,
    double bound,
    double upper,
    Instant since,
    int violations,
    int of,
    boolean unknown) {}
